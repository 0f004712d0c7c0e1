#!/bin/sh
# The documents' own values. Prints TAP.
exec python3 tests/e2e/values.py
