#!/bin/sh
# TCP teams that connect by themselves: through a whole contest, and to a platform that others try to
# fill. Prints TAP.
exec python3 tests/e2e/teams.py
