#!/bin/sh
# arbiter solve where it cannot go on, and where it is stopped; what it finds is checked by
# tests/long/cuptactoe_solved.c. Prints TAP.
set -u
. tests/checks.sh

# refuses SENTENCE COMMAND...: exit code 2, and one line of errors with these words.
refuses() {
    sentence=$1
    shift
    "$@" 2>"$work/errors"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/errors")" -eq 1 ] && grep -q -- "$sentence" "$work/errors"
}

no_game() { refuses "there is no game 'go'" "$ARBITER" solve go; }
no_solver() { refuses 'hopchess cannot be solved; what can is .*cuptactoe' "$ARBITER" solve hopchess; }
no_home() { refuses 'say --out FILE' env -u HOME -u XDG_DATA_HOME "$ARBITER" solve cuptactoe; }
no_folder() { refuses 'cannot make the folder /proc/x' "$ARBITER" solve cuptactoe --out /proc/x/table; }
a_folder() { refuses 'no table' "$ARBITER" solve cuptactoe --out "$work" && [ ! -e "$work.part" ]; }

# What is not ours is not overwritten, not even with --again.
a_file() {
    echo 'my own' >"$work/mine" && refuses 'left as it is' "$ARBITER" solve cuptactoe --again --out "$work/mine" &&
        [ "$(cat "$work/mine")" = 'my own' ]
}

no_room() {
    mkdir "$work/full" && refuses "for $work/full/table: File too large" \
        sh -c 'ulimit -f 1000; trap "" XFSZ; exec "$1" solve cuptactoe --out "$2"' sh "$ARBITER" \
        "$work/full/table" && rmdir "$work/full"
}

# Killed in the middle of the work, it leaves no file.
killed() {
    "$ARBITER" solve cuptactoe --threads 1 --out "$work/killed/table" 2>"$work/errors" &
    until [ -d "$work/killed" ]; do
        kill -0 $! || return 1
        sleep 0.1
    done
    sleep 0.5
    kill -KILL $!
    ! wait $! && rmdir "$work/killed"
}

# On a terminal a bar tells how far it is.
bar() {
    script -qec "sh -c 'echo \$\$ >$work/pid; exec $ARBITER solve cuptactoe --threads 1 --out $work/bar'" \
        /dev/null </dev/null >"$work/screen" 2>&1 &
    until grep -q 'solving  \[#* *\]  *[0-9]* %' "$work/screen" 2>/dev/null; do
        kill -0 $! || return 1
        sleep 0.2
    done
    kill "$(cat "$work/pid")"
    wait $!
    [ ! -e "$work/bar" ]
}

# A table of the right length that says nothing true is not believed.
damaged() {
    mkdir -p "$work/data/arbiter" && python3 - "$work/data/arbiter/cuptactoe.table" <<'EOF' || return 1
import struct, sys
slots = 219 * 1423 * 1423
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<32sQQ16x", b"arbiter cuptactoe table 1\n", slots, 0))
    file.truncate(64 + slots)
EOF
    for moves in '' '2 0' '3 4;3 0'; do
        XDG_DATA_HOME=/nowhere "$ARBITER" analyse cuptactoe --moves "$moves" --time 3600 --json >"$work/searched" || return 1
        XDG_DATA_HOME=$work/data "$ARBITER" analyse cuptactoe --moves "$moves" --time 3600 --json >"$work/looked_up"
        for said in value exact; do
            [ "$(grep -o "\"$said\":[^,]*" "$work/searched")" = "$(grep -o "\"$said\":[^,]*" "$work/looked_up")" ] ||
                return 1
        done
    done
}

no_set() { refuses 'takes no --set' "$ARBITER" solve cuptactoe --set max_turns=3; }
no_out() { refuses 'takes no --out' "$ARBITER" solve reversi tests/data/othello/hard-20.obf --out x; }

check 'a table of zeros is not believed' damaged
check 'what a solver would not heed is refused' no_set
check 'and for the other solver too' no_out
check 'an unknown game is refused' no_game
check 'a game that cannot be solved is refused, with those that can' no_solver
check 'without a home the table needs a place' no_home
check 'a folder that cannot be made' no_folder
check 'a folder in the place of the table' a_folder
check 'a file in the place of the table that is none' a_file
check 'no room for the table is told before the work' no_room
check 'a run that is killed leaves nothing behind' killed
if command -v script >/dev/null; then
    check 'on a terminal a bar tells how far it is' bar
fi
checks_end
