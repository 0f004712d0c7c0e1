#!/bin/sh
# The clock of real matches: a referee that was stopped, and players that are late. Prints TAP.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The players sleep 200 ms of 1 s for every move; the referee is stopped for 2 s while they play.
play() {
    player="abp:$ARBITER bench player --sleep 200"
    "$ARBITER" match tower4 "$player" "$player" --set pieces=16 --time 1 --record "$work" \
        --log "$work/log" >"$work/out" &
    pid=$!
    until grep -q 'move id=2' "$work/log" 2>/dev/null || ! kill -0 $pid; do sleep 0.02; done
    kill -STOP $pid
    sleep 2
    kill -CONT $pid
    wait $pid
}

check() {
    "$ARBITER" replay "$work/games.jsonl" --check && python3 - "$work/games.jsonl" <<'PYTHON'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    game = json.loads(file.readline())
slowest = max(range(game["plies"]), key=lambda ply: game["ms"][ply])
print(f"{game['ms'][slowest]} ms, {game['credit_ms'][slowest]} ms of them not charged")
sys.exit(not (game["faults"] == [] and game["ms"][slowest] > 1500
              and game["credit_ms"][slowest] > 500))
PYTHON
}

# Players that sleep for much longer than the limit are late with every move, also with the first one of a
# second game, for which they stay. What is late is told when the limit is over, not when they answer, which
# is a minute later.
late() {
    player="abp:$ARBITER bench player --sleep 60000"
    rm -f "$work/games.jsonl"
    "$ARBITER" match tower4 "$player" "$player" --set pieces=2 --time 0.2 --games 2 --record "$work" &&
        "$ARBITER" replay "$work/games.jsonl" --check && python3 - "$work/games.jsonl" <<'PYTHON'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    games = [json.loads(line) for line in file]
faults = [(fault["word"], fault["ply"], fault["ms"]) for game in games for fault in game["faults"]]
print(faults)
sys.exit([fault[:2] for fault in faults] != [("late", 0), ("late", 1)] * 2
         or max(fault[2] for fault in faults) > 30000)
PYTHON
}

echo 1..2
number=0
for what in 'what came while the referee was stopped is in time' 'every turn has its limit'; do
    number=$((number + 1))
    case $number in
    1) play && check >"$work/said" 2>&1 ;;
    2) late >"$work/said" 2>&1 ;;
    esac
    if [ $? -eq 0 ]; then
        echo "ok $number - $what"
    else
        echo "not ok $number - $what"
        cat "$work/said" "$work/out" | sed 's/^/# /' | tee /dev/stderr
    fi
done
