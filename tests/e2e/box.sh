#!/bin/sh
# Players that try to get out of their box, or to take more than their share: refused or judged, nothing
# left behind, and the next match plays. As root and as an ordinary user, at every level that this machine
# allows. Prints TAP.
exec python3 tests/players/box.py
