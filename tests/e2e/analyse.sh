#!/bin/sh
# What `arbiter analyse` prints. Prints TAP.
set -u
. tests/checks.sh

# In words and in JSON, the values of the moves fall; some are certain and some are not.
in_order() {
    set -- hopchess --nodes 20000 --all-moves --from '8/3X4/2X5/1O2X2X/4O3/2O5/O7/8 340'
    "$ARBITER" analyse "$@" | sed -n 's/^  [0-9].* \([+-][0-9.]*\)\( about\)*$/\1/p' >"$work/words"
    "$ARBITER" analyse "$@" --json >"$work/json" && python3 - "$work/words" "$work/json" <<'PYTHON'
import json
import sys

words = [float(line) for line in open(sys.argv[1], encoding="utf-8")]
with open(sys.argv[2], encoding="utf-8") as file:
    moves = json.load(file)["moves"]
values = [move["value"] for move in moves]
print(words, values)
assert words == values == sorted(values, reverse=True) and len(set(values)) > 2
assert {move["exact"] for move in moves} == {True, False}
PYTHON
}

# to_the_end GAME POSITION SETTINGS...: the line of an exact value, played by the rules, ends the game with
# that difference of scores.
to_the_end() {
    game=$1 position=$2
    shift 2
    "$ARBITER" analyse "$game" "$@" --nodes 400000 --json --from "$position" >"$work/json" || return 1
    python3 -c 'import json, sys; print("; ".join(json.load(sys.stdin)["pv"]))' <"$work/json" |
        "$ARBITER" rules "$game" "$@" --from "$position" >"$work/end" || return 1
    echo | "$ARBITER" rules "$game" "$@" --from "$position" >"$work/begin" || return 1
    python3 - "$work/json" "$work/begin" "$work/end" <<'PYTHON'
import json
import sys

thought, begin, end = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:])
print(thought, end)
margin = end["scores"][0] - end["scores"][1]
assert thought["exact"] and end["over"]
assert thought["value"] == (margin if begin["turn"] == 1 else -margin)
PYTHON
}

# The best lines differ and fall in value; one line is what is printed without --lines.
in_lines() {
    for game in connect6 reversi tower4 hopchess cuptactoe; do
        "$ARBITER" analyse $game --nodes 20000 --lines 3 --json >"$work/json" || return 1
        python3 - "$work/json" <<'PYTHON' || return 1
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    thought = json.load(file)
lines = thought["lines"]
assert len(lines) == 3 and lines[0]["pv"] == thought["pv"] and lines[0]["value"] == thought["value"]
assert len({" ".join(sorted(line.get("turns", [{"moves": line["pv"][:1]}])[0]["moves"])) for line in lines}) == 3
assert all(line["words"] for line in lines)
PYTHON
        "$ARBITER" analyse $game --nodes 20000 --lines 3 | grep -q '^lines      1\. .*: ' || return 1
        "$ARBITER" analyse $game --nodes 5000 --json | sed 's/"ms": *[0-9.]*//' >"$work/plain"
        "$ARBITER" analyse $game --nodes 5000 --json --lines 1 | sed 's/"ms": *[0-9.]*//' | cmp "$work/plain" - || return 1
    done
}

# A position with fewer moves than lines has as many lines as moves.
few_lines() {
    set -- reversi --set board=othello --nodes 5000 --lines 10 --json
    "$ARBITER" analyse "$@" | python3 -c 'import json, sys; assert len(json.load(sys.stdin)["lines"]) == 4'
}

refuses_lines() {
    ! "$ARBITER" analyse reversi --lines 11 2>/dev/null && ! "$ARBITER" analyse reversi --lines 0 2>/dev/null &&
        ! "$ARBITER" analyse reversi --lines 2 --all-moves 2>/dev/null
}

check 'the best lines of every game' in_lines
check 'no more lines than moves' few_lines
check 'lines are 1 to 10, and not with all moves' refuses_lines
check 'the moves of hopchess stand in the order of what is shown' in_order
check 'a won game of hopchess is told to its end' to_the_end hopchess '8/8/8/4XX2/8/8/8/7O 40'
check 'a lost game of hopchess is told to its end' to_the_end hopchess '8/8/8/4XX2/8/8/8/7O 41'
check 'moves of hopchess that are used up are told to the last' \
    to_the_end hopchess '8/8/8/4XX2/1O6/8/8/7O 396'
check 'a late game of tower4 is told to its last piece' \
    to_the_end tower4 '# # XO OX # #/# X O X O #/X O X O X O/. . . . . ./# . . . . #/# # . . # # 0 0' \
    --set pieces=21
check 'a game of two pieces, too' \
    to_the_end tower4 '# # . . # #/# . . . . #/. . . . . ./. . . . . ./# . . . . #/# # . . # # 0 0' --set pieces=2
check 'and one of tower4 with other corners' \
    to_the_end tower4 '# . XO OX . #/. X O X O ./X O X O X O/. . . . . ./. . . . . ./# . . . . # 0 0' \
    --set pieces=20 --set corners=1
checks_end
