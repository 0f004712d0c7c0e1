#!/bin/sh
# Commands that nothing else runs to their end: the demo, the benches, a board on a terminal, the record
# of a match and its replay. Prints TAP.
set -u
n=0
failed=0

# check WHAT FUNCTION: one line of TAP; the function must succeed, within a minute. It is run by this
# script, started anew, so that timeout(1) can end all it has started.
check() {
    n=$((n + 1))
    timeout -k 5 60 "$0" "$2" >"$work/said" 2>&1
    code=$?
    if [ $code -eq 0 ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        case $code in 124 | 137) echo "$2 hung: it was ended after 60 s" >>"$work/said" ;; esac
        tail -n 20 "$work/said" | sed 's/^/# /' | tee /dev/stderr
        failed=1
    fi
}

demo() {
    "$ARBITER" demo >"$work/demo" && [ "$(grep -c ' after [0-9]* moves: ' "$work/demo")" -eq 5 ] &&
        awk 'length($0) > 79 { exit 1 }' "$work/demo"
}

# On a terminal: colours, and the board drawn over and over. script(1) makes one.
terminal() {
    TERM=xterm script -qec "$ARBITER demo --delay 1" /dev/null </dev/null >"$work/terminal"
    grep -q "$(printf '\033\[1;34mX')" "$work/terminal" && grep -q "$(printf '\033\[J')" "$work/terminal"
}

plain_terminal() {
    NO_COLOR=1 script -qec "$ARBITER demo --delay 0" /dev/null </dev/null >"$work/plain"
    ! grep -q "$(printf '\033')" "$work/plain"
}

# The same seed plays the same games, another one others; times aside.
signature() {
    "$ARBITER" bench rules --games 30 --json --seed "$1" | sed 's/"cpu_us.*"signature"/"signature"/'
}

bench_seed() {
    signature 1 >"$work/a" && signature 1 >"$work/b" && signature 2 >"$work/c" &&
        cmp "$work/a" "$work/b" && ! cmp -s "$work/a" "$work/c" && [ "$(wc -l <"$work/a")" -eq 8 ]
}

bench_table() { "$ARBITER" bench rules --time 20 | grep -q '^connect6, 10 blocks .* 50000'; }

byte_order_mark() {
    printf '\357\273\2772,3\n' | "$ARBITER" rules reversi | grep -q '"ply":1'
}

match_and_replay() {
    "$ARBITER" match connect6 builtin random --games 4 --swap --time 1..3 --seed 9 \
        --record "$work/rec" --json >"$work/json" &&
        [ "$(wc -l <"$work/json")" -eq 4 ] &&
        "$ARBITER" replay "$work/rec/games.jsonl" --check | grep -q '^4 games, 0 wrong$' &&
        "$ARBITER" replay "$work/rec/games.jsonl" | grep -q 'wins: '
}

# What was drawn at random is drawn again from the same seed.
same_conditions() {
    for run in 1 2; do
        "$ARBITER" match connect6 random random --games 6 --seed 5 --json |
            sed 's/"ms":\[[^]]*\]//' >"$work/run$run"
    done
    cmp "$work/run1" "$work/run2" && [ "$(grep -o '"time":[0-9.]*' "$work/run1" | sort -u | wc -l)" -gt 1 ]
}

# Games at once, in order, and as many as asked for.
jobs() {
    "$ARBITER" match tower4 random random --games 30 --swap --jobs 2 --record "$work/jobs" --json >"$work/j" &&
        python3 -c '
import json, sys
games = [json.loads(line) for line in open(sys.argv[1])]
assert [game["number"] for game in games] == list(range(1, 31))' "$work/jobs/games.jsonl"
}

tampered() {
    sed 's/"winner":[12]/"winner":0/' "$work/rec/games.jsonl" >"$work/bad.jsonl"
    ! "$ARBITER" replay "$work/bad.jsonl" --check >"$work/checked" && grep -q ' 4 wrong' "$work/checked"
}

human() {
    printf 'x\n1 1\n2 0\n3 2\n1 4\n' | "$ARBITER" match cuptactoe human random >"$work/human" 2>&1
    grep -q 'two numbers' "$work/human" && grep -q 'O in hand' "$work/human"
}

kit() {
    "$ARBITER" kit reversi python "$work/kit" && [ -f "$work/kit/Sample.py" ] &&
        cmp "$work/kit/Sample.py" kits/reversi/python/Sample.py &&
        ! "$ARBITER" kit reversi python "$work/kit" 2>"$work/errors" && grep -q 'another folder' "$work/errors"
}

# Not by timeout(1): it sends SIGCONT after the signal, which undoes the SIGSTOP by which the leak
# sanitizer looks at a program that ends, and then both wait for ever.
interrupt() {
    "$ARBITER" match tower4 "abp:$ARBITER bench player --sleep 100" random --record "$work/int" \
        --log "$work/int.log" 2>"$work/errors" &
    judge=$!
    until grep -q 'move id=' "$work/int.log" 2>/dev/null; do
        kill -0 $judge || return 1
        sleep 0.1
    done
    kill -INT $judge
    wait $judge
    [ $? -eq 130 ] && grep -q 'interrupted' "$work/errors" &&
        grep -q '"reason":"aborted"' "$work/int/games.jsonl"
}

if [ $# -gt 0 ]; then
    "$1"
    exit
fi
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT
check 'the demo plays all five games within 80 columns' demo
if command -v script >/dev/null; then
    check 'on a terminal the demo is drawn in colour, over and over' terminal
    check 'NO_COLOR leaves the colours out' plain_terminal
fi
check 'bench rules repeats itself from a seed' bench_seed
check 'bench rules prints a table with the floors' bench_table
check 'the mark that Windows puts before UTF-8 is skipped' byte_order_mark
check 'a match is recorded, checked and shown' match_and_replay
check 'a record that was changed is found out' tampered
check 'the same seed draws the same conditions' same_conditions
check 'games at once come out in order' jobs
check 'a person is asked again until his move is legal' human
check 'a kit is written as it is, and never over files' kit
check 'an interrupted match is recorded as such' interrupt
echo "1..$n"
exit $failed
