#!/bin/sh
# What no file of the tree holds, and how every source begins.
set -u
lines_max=800
first='// SPDX-License-Identifier: MIT'
machine='(^|[^A-Za-z0-9_.-])/(work|root|home|Users)/' # a path that only one machine has
n=0
bad=0

# verdict NAME OFFENCES: prints a line of TAP; it is right if there is no offence.
verdict() {
    n=$((n + 1))
    if [ -z "$2" ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        echo "$2" | sed 's/^/# /'
        bad=1
    fi
}

paths() { tests/tree/files | tr '\n' '\0' | xargs -0 grep -InE -- "$machine" /dev/null; }

unlicensed() {
    tests/tree/files | grep '^src/.*\.[ch]$' | while IFS= read -r file; do
        [ "$(head -n 1 "$file")" = "$first" ] || echo "$file: the first line is not $first"
    done
}

# Tables of data grow with what they are of.
long() {
    tests/tree/files | grep -Ev '^(tests/data|web/words)/' | while IFS= read -r file; do
        lines=$(grep -Ic '' "$file")
        [ "$lines" -le $lines_max ] || echo "$file: $lines lines, $lines_max at most; split it"
    done
}

verdict 'no paths of one machine' "$(paths)"
verdict 'every source names its licence in the first line' "$(unlicensed)"
verdict "no file is longer than $lines_max lines" "$(long)"
echo "1..$n"
exit $bad
