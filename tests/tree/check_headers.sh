#!/bin/sh
# Every header compiles alone.
set -u
n=0
bad=0
flags=$(pkg-config --cflags libpq libarchive openssl)
for file in $(find src -name '*.h' | LC_ALL=C sort); do
    n=$((n + 1))
    if said=$(echo "#include \"${file#src/}\"" |
        ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -Isrc $flags -fsyntax-only -x c - 2>&1); then
        echo "ok $n - $file"
    else
        echo "not ok $n - $file"
        echo "$said" | sed 's/^/# /'
        bad=1
    fi
done
echo "1..$n"
exit $bad
