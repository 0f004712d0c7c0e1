#!/bin/sh
# Trainings that are killed and begun again end with the weights of one that was not. Prints TAP.
set -u
. tests/checks.sh

# A little later each time, until one comes to its end; at least two must be killed on the way.
kill_often() {
    hundredths=3
    killed=0
    while :; do
        timeout -s KILL "$(printf '%d.%02d' $((hundredths / 100)) $((hundredths % 100)))" \
            "$@" --out "$work/killed" && break
        killed=$((killed + 1))
        hundredths=$((hundredths * 3 / 2))
    done
    echo "killed $killed times"
    [ "$killed" -ge 2 ]
}

# GAME OPTIONS...
same_weights() {
    rm -rf "$work/whole" "$work/killed"
    set -- "$ARBITER" train "$@" --games 48 --generations 2
    "$@" --out "$work/whole" && kill_often "$@" || return 1
    (cd "$work" && diff -r whole killed && [ -s whole/weights-1.bin ])
}

check "tower4 goes on after every kill" same_weights tower4
check "tower4 with two threads and other rules" same_weights tower4 --set corners=1 --threads 2
check "hopchess goes on after every kill" same_weights hopchess
check "hopchess with two threads" same_weights hopchess --threads 2
checks_end
