#!/bin/sh
# What contestants hand in: built inside the box and tried, or refused with the right words; nothing left
# behind. As root and as an ordinary user. Prints TAP.
exec python3 tests/e2e/submit.py
