#!/bin/sh
# Contests from the command line. Prints TAP.
exec python3 tests/e2e/contest.py
