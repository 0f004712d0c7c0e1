#!/bin/sh
# Commands that nothing else runs to their end: the demo, the benches, a board on a terminal, the record
# of a match and its replay. Prints TAP.
set -u
n=0
failed=0

# check WHAT FUNCTION: one line of TAP; the function must succeed. It is run by this script, started
# anew, so that timeout(1) can end all it has started if it hangs.
check() {
    n=$((n + 1))
    timeout -k 60 3600 "$0" "$2" >"$work/said" 2>&1
    code=$?
    if [ $code -eq 0 ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        case $code in 124 | 137) echo "$2 hung: it was ended after an hour" >>"$work/said" ;; esac
        tail -n 20 "$work/said" | sed 's/^/# /' | tee /dev/stderr
        failed=1
    fi
}

demo() {
    games=$("$ARBITER" help | sed -n '/^games:/,/^$/p' | grep -c '^  ')
    "$ARBITER" demo >"$work/demo" && [ "$(grep -c ' after [0-9]* moves: ' "$work/demo")" -eq "$games" ] &&
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
    "$ARBITER" match connect6 builtin,nodes=500 random --games 4 --swap --time 1..3 --seed 9 \
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

# Who plays which game under which conditions, how it ended, and every line with the number of its game.
log_of_games() {
    "$ARBITER" match connect6 random random --games 4 --swap --jobs 2 --time 2..7 --seed 9 \
        --log "$work/log" --json >"$work/json" &&
        [ "$(grep -c ' -- game [1-4] of connect6 begins: X (black) is random, .*; [2-7] s a turn; .*blocks=' \
            "$work/log")" -eq 4 ] &&
        [ "$(grep -c ' -- game [1-4] has ended after [0-9]* moves: ' "$work/log")" -eq 4 ] &&
        ! grep -vq '^ *[0-9.]* #[1-4] ' "$work/log"
}

# The games are worth more than their log: they are played, and then it is said.
log_on_full_disk() {
    for jobs in 1 2; do
        "$ARBITER" match cuptactoe random random --games 4 --jobs $jobs --log /dev/full --json \
            >"$work/json" 2>"$work/errors"
        [ $? -ne 0 ] && [ "$(wc -l <"$work/json")" -eq 4 ] &&
            grep -q 'cannot write the log /dev/full: No space left on device' "$work/errors" || return 1
    done
}

# Conditions that were drawn, games at once, openings: the check draws them all again.
check_draws() {
    for game in reversi tower4 hopchess connect6 cuptactoe; do
        "$ARBITER" match $game random builtin,nodes=500 --games 4 --swap --jobs 2 --openings random:3 --seed 31 \
            --time 1..3 --grace 5 --record "$work/drawn" --json >"$work/json" || return 1
    done
    printf '1 0; 2 8\n' >"$work/openings"
    "$ARBITER" match cuptactoe random random --openings "$work/openings" --time off --record "$work/drawn" &&
        "$ARBITER" replay "$work/drawn/games.jsonl" --check | grep -q '^21 games, 0 wrong$'
}

# nothing_to_replay WORDS FILE: an error with words.
nothing_to_replay() {
    for option in --check ''; do
        "$ARBITER" replay "$2" $option >"$work/out" 2>"$work/errors"
        [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q "$1" "$work/errors" || return 1
    done
}

nothing_there() {
    : >"$work/empty"
    nothing_to_replay 'holds no games' "$work/empty" && nothing_to_replay 'Is a directory' "$work" &&
        nothing_to_replay 'No such file' "$work/none"
}

# Lines that are no record, one beside a good one.
no_records() {
    for line in '' '{}' '[]' 'null' '{"game":' '{"game":"reversi","game":"reversi"}' '\0'; do
        { head -n 1 "$work/rec/games.jsonl" && printf "$line\n"; } >"$work/odd.jsonl"
        "$ARBITER" replay "$work/odd.jsonl" --check >"$work/checked"
        [ $? -eq 1 ] && grep -q '^game 2: ' "$work/checked" && grep -q '^2 games, 1 wrong$' "$work/checked" ||
            return 1
    done
}

# Every field once, by somebody who does not know of the sum. tests/unit/audit.c does it as one who knows.
any_change() {
    python3 - "$work/rec/games.jsonl" "$work/changed.jsonl" <<'PYTHON'
import copy
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    good = json.loads(file.readline())


def places(value, path=()):
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], path + (key,))
    else:
        yield path


with open(sys.argv[2], "w", encoding="utf-8") as file:
    for path in places(good):
        changed = copy.deepcopy(good)
        at = changed
        for key in path[:-1]:
            at = at[key]
        was = at[path[-1]]
        at[path[-1]] = (was + 1 if isinstance(was, (int, float)) and not isinstance(was, bool)
                        else f"{was}x" if isinstance(was, str) else not was)
        print(json.dumps(changed), file=file)
PYTHON
    "$ARBITER" replay "$work/changed.jsonl" --check >"$work/checked"
    [ $? -eq 1 ] && [ "$(wc -l <"$work/changed.jsonl")" -gt 50 ] &&
        grep -q "^$(wc -l <"$work/changed.jsonl") games, $(wc -l <"$work/changed.jsonl") wrong$" "$work/checked"
}

# What a run that was cut off has left is not mixed with what comes after it.
half_line() {
    "$ARBITER" match cuptactoe random random --record "$work/half" >"$work/out" &&
        truncate -s -100 "$work/half/games.jsonl" &&
        "$ARBITER" match cuptactoe random random --record "$work/half" >"$work/out" || return 1
    "$ARBITER" replay "$work/half/games.jsonl" --check | grep -q '^2 games, 1 wrong$'
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
memory_unboxed() {
    "$ARBITER" match tower4 random random --set memory=64M >"$work/out" 2>"$work/warned" &&
        grep -q 'without --box memory=' "$work/warned" &&
        "$ARBITER" match tower4 random random 2>"$work/warned" >"$work/out" && [ ! -s "$work/warned" ]
}

interrupt() {
    "$ARBITER" match tower4 "abp:$ARBITER bench player --sleep 1000" random --record "$work/int" \
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
check 'the demo plays all games within 80 columns' demo
if command -v script >/dev/null; then
    check 'on a terminal the demo is drawn in colour, over and over' terminal
    check 'NO_COLOR leaves the colours out' plain_terminal
fi
check 'bench rules repeats itself from a seed' bench_seed
check 'bench rules prints a table with the floors' bench_table
check 'the mark that Windows puts before UTF-8 is skipped' byte_order_mark
check 'a match is recorded, checked and shown' match_and_replay
check 'a record goes on after half a line' half_line
check 'a record that was changed is found out' tampered
check 'whatever is changed in a record is found out' any_change
check 'what was drawn is drawn again by the check' check_draws
check 'a file without games cannot be replayed' nothing_there
check 'lines that are no record are found out' no_records
check 'the log says which game begins and how it ends' log_of_games
check 'a log that cannot be written is told of in the end' log_on_full_disk
check 'the same seed draws the same conditions' same_conditions
check 'games at once come out in order' jobs
check 'a person is asked again until his move is legal' human
check 'a kit is written as it is, and never over files' kit
check 'an interrupted match is recorded as such' interrupt
check 'what memory= holds without a box is said' memory_unboxed
echo "1..$n"
exit $failed
