#!/bin/sh
# The tables of levels in docs/rungs.md are those that the program has.
. tests/checks.sh

check "docs/rungs.md says what src/base/rungs does" bench/rungs --check
checks_end
