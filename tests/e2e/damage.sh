#!/bin/sh
# Stores that were damaged. Prints TAP.
exec python3 tests/e2e/damage.py
