#!/bin/sh
# docs/adding-a-game.md, followed word by word in a copy of the tree. Prints TAP.
exec python3 tests/e2e/adding.py
