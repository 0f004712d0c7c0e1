#!/bin/sh
# docs/adding-a-game-of-ours.md, followed word by word in a copy of the tree. Prints TAP.
exec python3 tests/e2e/adding.py
