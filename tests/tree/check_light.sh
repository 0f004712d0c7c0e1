#!/bin/sh
# A process that plays starts light: the program is linked with few libraries, and loads the heavy ones when it needs
# them (src/base/library.h). Prints TAP.
needed=$(readelf -d "$ARBITER" | sed -n 's/.*(NEEDED).*\[lib\([^.]*\)\..*/\1/p' | grep -v '^[a-z]*san$')
count=0
for name in $needed; do
    count=$((count + 1))
    case $name in
    c | m | jansson | uv | sqlite3 | config) echo "ok $count - linked with $name" ;;
    *) echo "not ok $count - linked with $name" ;;
    esac
done
echo "1..$count"
[ "$count" -gt 0 ]
