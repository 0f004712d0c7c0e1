#!/bin/sh
# Escape sequences in what strangers say never reach a terminal. Prints TAP.
exec python3 tests/e2e/escapes.py
