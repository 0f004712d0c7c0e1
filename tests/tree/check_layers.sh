#!/bin/sh
# The tree keeps the law of docs/architecture.md, and tools/check-layers catches who breaks it.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0
bad=0

# verdict RIGHT NAME: prints a line of TAP, with what the checker said if it is not right.
verdict() {
    n=$((n + 1))
    if [ "$1" = yes ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$dir/said"
        bad=1
    fi
}

# A small tree that keeps the law, but for this file.
tree() { # FILE TEXT
    rm -rf "$dir/tree"
    mkdir -p "$dir/tree/docs" "$dir/tree/src/base" "$dir/tree/src/games" "$dir/tree/tests/naive"
    cp docs/architecture.md "$dir/tree/docs"
    printf '#pragma once\n#include <stdint.h>\n' >"$dir/tree/src/base/rng.h"
    printf '#pragma once\n#include <stddef.h>\n' >"$dir/tree/src/games/game.h"
    printf '#pragma once\n' >"$dir/tree/tests/naive/naive.h"
    mkdir -p "$(dirname "$dir/tree/$1")"
    printf '%b\n' "$2" >"$dir/tree/$1"
}

check() { tools/check-layers --root "$dir/tree" >"$dir/said" 2>&1; }

passes() { # FILE TEXT NAME
    tree "$1" "$2"
    check && right=yes || right=no
    verdict $right "$3"
}

# The checker must fail and say just this.
fails() { # FILE TEXT NAME SAYS
    tree "$1" "$2"
    check
    [ $? -eq 1 ] && [ "$(cat "$dir/said")" = "$4" ] && right=yes || right=no
    verdict $right "$3"
}

tools/check-layers --build "$(dirname "$ARBITER")" >"$dir/said" 2>&1 && right=yes || right=no
verdict $right "the tree: $(head -n 1 "$dir/said")"

passes src/games/x.c '#include "games/game.h"\n#include <stdbool.h>' \
    'games may include their own and freestanding headers'
passes src/cli/x.c '#include "base/rng.h"\n#include "web/x.h"\n#include <stdio.h>' \
    'cli may include everything'
passes tests/naive/x.c '#include "naive.h"\n#include <stdio.h>' 'naive rules may include their own'

fails src/base/x.c '\n#include "games/game.h"' 'upward' \
    'src/base/x.c:2: base may not include games/game.h'
fails src/games/x.c '// x\n\n#  include  "base/rng.h" // x' 'games including base' \
    'src/games/x.c:3: games may not include base/rng.h'
fails src/games/x.c '#include <stdio.h>' 'games including stdio' \
    'src/games/x.c:1: games may not include <stdio.h>'
fails src/engine/reversi/x.c '#include "referee/match.h"' 'engine including referee' \
    'src/engine/reversi/x.c:1: engine may not include referee/match.h'
fails src/engine/reversi/x.c '#include "train/fit.h"' 'engine including train' \
    'src/engine/reversi/x.c:1: engine may not include train/fit.h'
fails src/referee/x.c '#include "engine/simple.h"' 'referee including engine' \
    'src/referee/x.c:1: referee may not include engine/simple.h'
fails src/cli/x.c '#include "sandbox/x.h"' 'cli including sandbox' \
    'src/cli/x.c:1: cli may not include sandbox/x.h'
fails tests/naive/x.c '#include "games/game.h"' 'naive rules including games' \
    'tests/naive/x.c:1: tests/naive may not include games/game.h'
fails kits/reversi/c/x.c '#include "games/game.h"' 'a kit including games' \
    'kits/reversi/c/x.c:1: kits may not include games/game.h'
fails src/store/x.c '#include <uv.h>' "another folder's library" \
    'src/store/x.c:1: store may not include <uv.h>'
fails src/base/x.c '#include <games/game.h>' 'an unknown system header' \
    'src/base/x.c:1: unknown system header <games/game.h>; add it to LIBRARIES in tools/check-layers, or write a header of ours in quotes'
fails src/cli/x.c '#include "rules.h"' 'a header not written from src' \
    'src/cli/x.c:1: "rules.h" is not written from src; write "folder/file.h"'
fails src/cli/x.c '#include HEADER' 'a header behind a macro' \
    'src/cli/x.c:1: cannot read #include HEADER; name the header itself'
fails src/new/x.c '' 'a folder without a row' \
    'src/new/x.c: new has no row in docs/architecture.md; add one'

# Symbols: what a header that may be included brings with it may still not be used.
object() { # OBJECT TEXT
    mkdir -p "$dir/built/$(dirname "$1")"
    echo "$2" | "${CC:-cc}" -x c -c -o "$dir/built/$1" - || exit 1
}

symbols() { # RIGHT NAME SAYS
    tools/check-layers --root "$dir/tree" --build "$dir/built" >"$dir/said" 2>&1
    [ $? -eq "$1" ] && [ "$(cat "$dir/said")" = "$3" ] && right=yes || right=no
    verdict $right "$2"
}

tree src/base/x.c ''
object src/link/liblink.a.p/loop.c.o 'int loop_go(void) { return 1; }'
object src/engine/libengine.a.p/reversi_end.c.o 'static int loop_go(void) { return 1; } int end(void) { return loop_go(); }'
object src/referee/libreferee.a.p/table.c.o 'int loop_go(void); int table(void) { return loop_go(); }'
object arbiter.p/src_cli_main.c.o 'int table(void), end(void); int main(void) { return table() + end(); }'
symbols 0 'symbols that may be used' '4 files, 2 includes, 3 uses of symbols: all within docs/architecture.md'
object src/contest/libcontest.a.p/play.c.o 'int loop_go(void); int play(void) { return loop_go(); }'
symbols 1 'a symbol that may not' 'src/contest/play.c: contest may not use loop_go of src/link/loop.c'

tree src/base/x.c ''
sed -i 's/^| engine | .*/| engine | base, toys | libc, zlib |/' "$dir/tree/docs/architecture.md"
check
[ $? -eq 1 ] && grep -q 'engine may use toys, which has no row; add one' "$dir/said" &&
    grep -q 'engine may use the library zlib, which is unknown; add its headers' "$dir/said" &&
    right=yes || right=no
verdict $right 'a row that names unknown things'

tree src/base/x.c ''
echo 'No table here.' >"$dir/tree/docs/architecture.md"
check
[ $? -eq 1 ] && grep -q 'stands no table of three columns; write one' "$dir/said" &&
    right=yes || right=no
verdict $right 'no table'

echo "1..$n"
exit $bad
