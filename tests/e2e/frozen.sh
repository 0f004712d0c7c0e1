#!/bin/sh
# A player that is frozen when all who could thaw it are killed.
exec python3 tests/e2e/frozen.py
