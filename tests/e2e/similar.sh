#!/bin/sh
# arbiter similar: copies in disguise are flagged, programs of their own are not, and what it cannot read
# it names. Prints TAP.
set -u
. tests/checks.sh

refuses() {
    sentence=$1
    shift
    "$ARBITER" similar "$@" 2>"$work/errors"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/errors")" -eq 1 ] && grep -q -- "$sentence" "$work/errors"
}

# flagged A B: is this pair?
flagged() { "$ARBITER" similar "$@" | grep -q '^!'; }

# Every sample player in every disguise: at least nine of ten are found.
finds_copies() {
    found=0 made=0
    for player in kits/*/c/player.c kits/*/cpp/Sample.cpp kits/cuptactoe/cpp/player.cpp \
        kits/connect6/cpp/Connect6Algo.cpp kits/*/python/Sample.py kits/cuptactoe/python/bot.py; do
        for disguise in renamed reordered commented split padded all; do
            copy=$work/copy.${player##*.}
            tests/e2e/plagiarise.py "$disguise" "$made" "$player" >"$copy" || return 1
            made=$((made + 1))
            if flagged "$player" "$copy"; then
                found=$((found + 1))
            else
                echo "not found: $player $disguise"
            fi
        done
    done
    echo "$found of $made"
    [ "$made" -ge 80 ] && [ $((10 * found)) -ge $((9 * made)) ]
}

# Players for one game by different hands; what the kits give is nobody's.
leaves_others_alone() {
    ! flagged tests/baselines/alphabeta.c tests/baselines/mcts.c tests/players/good_stcp.c \
        tests/players/good_abp.c kits/connect6/cpp/Connect6Algo.cpp kits/cuptactoe/cpp/player.cpp \
        kits/cuptactoe/python/bot.py kits/reversi/cpp/Sample.cpp --base kits/abp.h
}

# Nor are the sample players of a game among each other, in whatever language, files of their own each.
leaves_the_kits_alone() {
    for game in kits/*/c; do
        game=${game%/c}
        set --
        for file in "$game"/*/*.c "$game"/*/*.cpp "$game"/*/*.py; do
            case $file in *'*'* | */STcpClient.py) ;; *) set -- "$@" "$file" ;; esac
        done
        echo "$game: $#"
        [ $# -ge 4 ] || return 1
        ! flagged "$@" --base kits/abp.h || return 1
    done
}

# Two who changed nothing in the kit have handed in nothing of their own.
leaves_the_kit_out() {
    cp -r kits/tower4/cpp "$work/one" && cp -r kits/tower4/cpp "$work/two" &&
        flagged "$work/one" "$work/two" && ! flagged "$work/one" "$work/two" --base kits/tower4/cpp
}

compares_with_outside() {
    mkdir -p "$work/out" "$work/mine" && cp kits/tower4/c/player.c "$work/out/a.c" &&
        cp tests/baselines/mcts.c "$work/mine/m.c" && cp kits/tower4/c/player.c "$work/mine/p.c" &&
        flagged "$work/mine" --against "$work/out"
}

speaks_json() {
    "$ARBITER" similar "$work/one" "$work/two" --json >"$work/json" && python3 - "$work/json" <<'EOF'
import json, sys
said = json.load(open(sys.argv[1]))
pair = said["pairs"][0]
assert pair["flagged"] and min(pair["percent"]) > 95, pair["percent"]
assert pair["common"][0]["at"][0]["from"] >= 1
assert len(said["clusters"]) == 1 and len(said["clusters"][0]) == 2
assert said["always_from"] > said["never_below"]
EOF
}

# The page stands alone, and a name is text there.
writes_a_page() {
    mkdir -p "$work/<b>x" && cp kits/tower4/c/player.c "$work/<b>x/" &&
        "$ARBITER" similar "$work/<b>x" kits/tower4/c/player.c --html "$work/page.html" &&
        grep -q 'class="m c0"' "$work/page.html" && ! grep -q '<b>' "$work/page.html" &&
        ! grep -qE '(src|href)="?(http|/)' "$work/page.html"
}

# Links, devices and what is no source are passed over; nothing waits for a pipe.
reads_files_alone() {
    mkdir "$work/odd" && cp kits/tower4/c/player.c "$work/odd/" && ln -s /dev/zero "$work/odd/z.c" &&
        mkfifo "$work/odd/f.c" && head -c 100000 /dev/urandom >"$work/odd/r.c" && : >"$work/odd/e.py" &&
        ln -s .. "$work/odd/loop" && timeout 3600 "$ARBITER" similar "$work/odd" "$work/one"
}

# A copy beside a file that is too large, one that lies too deep, and more than is read of anybody: the rest
# is compared all the same, by the command and in a contest, and what is left out is named.
names_what_it_leaves_out() {
    for who in honest thief deep heap; do
        mkdir -p "$work/partial/$who" && cp tests/players/good_abp.c "$work/partial/$who/player.c" || return 1
    done
    below=$work/partial/deep/$(printf 'd/%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
    mkdir -p "$below" && cp kits/abp.h "$below" &&
        python3 - "$work/partial" <<'EOF' || return 1
import sys
open(sys.argv[1] + "/thief/zz.h", "w").write("//" + "x" * (4 << 20) + "\n")
for i in range(9):
    open(f"{sys.argv[1]}/heap/z{i}.h", "w").write("//" + "x" * ((4 << 20) - 9) + "\n")
EOF
    "$ARBITER" similar "$work/partial" >"$work/text" && cat "$work/text" &&
        grep -q '^4 submissions, 6 pairs flagged' "$work/text" && names_all "$work/text" &&
        "$ARBITER" similar "$work/partial" --json >"$work/json" && names_all "$work/json" || return 1
    {
        echo 'game = "tower4"; games = 1; time = 1; players = ('
        for who in honest thief deep heap; do echo "{ name = \"$who\"; folder = \"partial/$who\"; },"; done
        echo '{ name = "built"; folder = "built"; } );'
    } >"$work/partial.conf"
    mkdir -p "$work/built" && echo '#!/bin/sh' >"$work/built/player"
    "$ARBITER" contest similar "$work/partial.conf" >"$work/text" && cat "$work/text" &&
        grep -q '^4 players with sources, 6 pairs flagged' "$work/text" && names_all "$work/text" &&
        grep -q '^built: not compared: no source of C' "$work/text" &&
        "$ARBITER" contest similar "$work/partial.conf" --html >"$work/page" && names_all "$work/page" &&
        grep -q '<li>built: not compared: no source of C' "$work/page" &&
        "$ARBITER" contest similar "$work/partial.conf" --json >"$work/json" && names_all "$work/json" &&
        grep -q '"player": *"built"' "$work/json"
}

names_all() {
    grep -q 'compared in part: zz.h is larger than 4 MB' "$1" &&
        grep -q 'compared in part: d/.*d lies more than 16 folders deep' "$1" &&
        grep -q 'compared in part: z7.h is beyond the first 32 MB, and 1 more left out' "$1"
}

# One without sources is named, and the others are compared.
skips_who_has_no_source() {
    mkdir -p "$work/mixed/none" "$work/mixed/large" && echo hello >"$work/mixed/none/read.me" &&
        cp "$work/partial/thief/zz.h" "$work/mixed/large/" && cp kits/tower4/c/player.c "$work/mixed/a.c" &&
        cp kits/tower4/c/player.c "$work/mixed/b.c" &&
        "$ARBITER" similar "$work/mixed" --json >"$work/json" 2>"$work/errors" && cat "$work/errors" &&
        grep -q 'not compared: .*/none holds no source' "$work/errors" &&
        grep -q 'not compared: nothing of .*/large can be compared: zz.h is larger' "$work/errors" &&
        python3 - "$work/json" <<'EOF'
import json, sys
said = json.load(open(sys.argv[1]))
assert len(said["submissions"]) == 2 and said["pairs"][0]["flagged"]
assert [one["name"].split("/")[-1] for one in said["skipped"]] == ["large", "none"], said["skipped"]
EOF
}

# A copy behind an include, whatever the file is called, or in a macro; and who hides it all the same is named.
sees_through_includes() {
    source=tests/players/good_abp.c
    for way in inc py dot chain angle macro short empty; do mkdir -p "$work/hidden/$way" || return 1; done
    cp "$source" "$work/hidden/inc/x.inc" && echo '#include "x.inc"' >"$work/hidden/inc/player.c"
    cp "$source" "$work/hidden/py/x.py" && echo '#include "x.py"' >"$work/hidden/py/player.c"
    cp "$source" "$work/hidden/dot/.x.c" && echo '#include ".x.c"' >"$work/hidden/dot/player.c"
    cp "$source" "$work/hidden/chain/a.one" && echo '#include "a.one"' >"$work/hidden/chain/b.two" &&
        echo '#include "b.two"' >"$work/hidden/chain/player.c"
    { echo '#define BODY \' && grep -v '^#' "$source" | sed 's://.*::; s:$: \\:' && echo && echo BODY; } \
        >"$work/hidden/macro/player.c"
    cp "$source" "$work/hidden/angle/x.dat" && echo '#include <x.dat>' >"$work/hidden/angle/player.c"
    tests/e2e/plagiarise.py macros 1 "$source" >"$work/hidden/short/player.c"
    echo 'int main(void) { return 0; }' >"$work/hidden/empty/player.c"
    for way in inc py dot chain angle macro short; do
        flagged "$source" "$work/hidden/$way" || { echo "not flagged: $way" && return 1; }
    done
    "$ARBITER" similar "$source" "$work/hidden/empty" | grep 'empty: hardly any code to compare'
}

# remarked WAY SENTENCE: is this told of the submission, in the text and on the page?
remarked() {
    "$ARBITER" similar tests/players/good_abp.c "$work/tricks/$1" --html "$work/page.html" >"$work/text"
    cat "$work/text"
    grep -q "$1: .*$2" "$work/text" && grep -q "$1: .*$2" "$work/page.html"
}

# What cannot be compared is told.
names_who_hides() {
    source=tests/players/good_abp.c
    for way in computed named packed pieces unused unsure runs folder; do
        mkdir -p "$work/tricks/$way" && cp kits/reversi/c/player.c "$work/tricks/$way/" || return 1
    done
    printf '#define X "x.bin"\n#include X\n' >>"$work/tricks/computed/player.c"
    cp "$source" "$work/tricks/named/book.txt"
    gzip -c "$source" >"$work/tricks/packed/book"
    split -l 1 -a 3 --additional-suffix=.h "$source" "$work/tricks/pieces/x"
    { printf '#define BODY ' && grep -v '^#' "$source" | sed 's://.*::' | tr '\n' ' '; } >"$work/tricks/unused/a.h"
    printf '#define A(x) x\n#undef A\n#define A(x) { for (int i = 0; i < 3; i++) x; }\n' >"$work/tricks/unsure/a.h"
    for i in $(seq 100); do echo "A(f$i(i + 1))"; done >"$work/tricks/unsure/b.h"
    echo 'exec(open("x").read())' >"$work/tricks/runs/a.py"
    mkdir "$work/tricks/folder/.d" && cp "$source" "$work/tricks/folder/.d/x.c"
    remarked computed 'player.c includes what a macro names (line [0-9]*)' &&
        remarked named 'compared in part: book.txt looks like code' &&
        remarked packed 'compared in part: book is built already, or packed' &&
        remarked pieces 'files too short to compare' && remarked unused 'macros that nothing uses' &&
        remarked unsure 'macros with several meanings' && remarked runs 'a.py runs what it makes itself (line 1)' &&
        remarked folder 'compared in part: .d/x.c looks like code'
}

# Players of good faith are not told of.
tells_nothing_of_the_kits() {
    cp -r kits/reversi "$work/plain" && cp docs/writing-a-player.md "$work/plain/c/README" &&
        "$ARBITER" similar "$work/plain" >"$work/text" && cat "$work/text" &&
        ! grep -v '%' "$work/text" | grep -v '^together'
}

# Nothing outside the folder is read, whatever an include says.
stays_in_the_folder() {
    mkdir -p "$work/away" && cp tests/players/good_abp.c "$work/away/x.inc" && mkdir "$work/out2" &&
        ln -s ../away "$work/out2/d" && ln -s ../away/x.inc "$work/out2/x.inc" &&
        printf '#include "x.inc"\n#include "d/x.inc"\n#include "../away/x.inc"\n' >"$work/out2/player.c" &&
        "$ARBITER" similar "$work/out2" tests/players/good_abp.c --json >"$work/json" &&
        python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["submissions"][0]["files"] == 1' "$work/json"
}

check 'copies in disguise are found' finds_copies
check 'independent players are not flagged' leaves_others_alone
check 'nor are the sample players of one game' leaves_the_kits_alone
check 'a kit counts on no side' leaves_the_kit_out
check 'outside sources are compared with' compares_with_outside
check 'JSON tells pairs, lines and clusters' speaks_json
check 'the page shows both, as text' writes_a_page
check 'links, pipes and any bytes do no harm' reads_files_alone
check 'what is too large, too deep or too much is left out alone, and named' names_what_it_leaves_out
check 'who has no source is skipped, and named' skips_who_has_no_source
check 'includes and macros hide nothing' sees_through_includes
check 'what cannot be compared is told, on the page too' names_who_hides
check 'of the kits there is nothing to tell' tells_nothing_of_the_kits
check 'an include does not lead out of the folder' stays_in_the_folder
check 'a path that is not there' refuses 'cannot read /nowhere' /nowhere kits/abp.h
check 'a file that is no source' refuses 'README.md is no source' README.md kits/abp.h
check 'a folder without sources' refuses 'holds no source' docs/decisions kits/abp.h
check 'one alone' refuses 'only one submission' kits/abp.h
check 'a base that is not there' refuses 'cannot read /nowhere' kits/abp.h kits/reversi/c --base /nowhere
check 'a page that cannot be written' refuses 'cannot write /nowhere/page' "$work/one" "$work/two" --html /nowhere/page
check 'a strange percentage' refuses 'flag' "$work/one" "$work/two" --flag 101
checks_end
