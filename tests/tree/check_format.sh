#!/bin/sh
# All C files look as .clang-format says.
set -u
echo 1..1
if ! command -v clang-format >/dev/null; then
    echo "ok 1 - the format of C files # SKIP clang-format is not installed"
    exit 0
fi
if said=$(tests/tree/files | grep '\.[ch]$' | xargs clang-format --dry-run -Werror 2>&1); then
    echo "ok 1 - the format of $(tests/tree/files | grep -c '\.[ch]$') C files"
else
    echo "not ok 1 - the format of C files; clang-format -i mends it"
    echo "$said" | sed 's/^/# /'
    exit 1
fi
