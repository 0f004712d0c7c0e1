#!/bin/sh
# Plays every case of tests/players/cases.txt through the referee: hostile and friendly players, each
# with the verdict it must get. A case fails if the match does not end in time, if the line of JSON is
# not as the table says, if a process is left behind, if the referee takes much memory, or if a
# friendly player complains of the judge.
#
# ARBITER is the program. PLAYERS_BUILD is the folder of the compiled players (good_stcp_c and so on);
# without it they are compiled here. ARBITER_PORT is the port; if it is not set, one of our own.
# Arguments choose cases by regular expressions; -v shows what every case printed.
set -u
players=$(cd "$(dirname "$0")/../players" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() {
    mkdir "$work/build" || return 1
    for file in "$players"/good_*.c; do
        name=$(basename "$file" .c)
        "${CC:-cc}" -O2 -o "$work/build/${name}_c" "$file" || return 1
        # the same in C++, where there is no C++ player of its own
        [ -e "$players/$name.cpp" ] ||
            "${CXX:-g++}" -O2 -x c++ -o "$work/build/${name}_cpp" "$file" || return 1
    done
    for file in "$players"/good_*.cpp; do
        "${CXX:-g++}" -O2 -o "$work/build/$(basename "$file" .cpp)_cpp" "$file" || return 1
    done
}

skip=
if ! "$ARBITER" help match >"$work/said" 2>&1; then
    skip='arbiter match is not there yet'
elif [ -z "${PLAYERS_BUILD:-}" ]; then
    if ! compile; then
        echo "Bail out! the players do not compile"
        exit 1
    fi
    PLAYERS_BUILD=$work/build
fi
export PYTHONDONTWRITEBYTECODE=1
WORK=$work PLAYERS_BUILD=${PLAYERS_BUILD:-} SKIP=$skip python3 "$players/cases.py" "$@"
