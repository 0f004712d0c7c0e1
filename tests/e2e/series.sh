#!/bin/sh
# Series of games as a whole: seeds, openings, jobs, signals, output that fails, teams that are awaited.
# Prints TAP.
exec python3 tests/e2e/series.py
