#!/bin/sh
# Feeds the program what it should refuse. `arbiter rules` answers every line, however bad, with one
# line of JSON that names what is wrong, and goes on with the next; the command line is refused with
# code 2 and one line that says what would be accepted.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0
failed=0

# report CODE WHAT: one line of TAP, and what the check printed if it failed.
report() {
    checks=$((checks + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $checks - $2"
    else
        echo "not ok $checks - $2"
        cut -c 1-300 "$work/said" | sed 's/^/# /' | tee /dev/stderr # which is what meson shows
        failed=1
    fi
}

# Memory stays bounded; a program with ASan reserves too much for that to be measured.
limit=200000
! grep -q __asan "$ARBITER" || limit=unlimited
bounded() {
    # shellcheck disable=SC3045
    ulimit -v $limit
    exec timeout 3600 "$ARBITER" "$@"
}

# Compares answers with what is wanted: for each check its name, and for each of its answers "over",
# "ply N" or "error REGEX", separated by tabs. Prints 0 or 1, the name and what is wrong, separated by tabs.
checker='
import json, re, sys

FIELDS = ["ply", "turn", "legal", "over", "winner", "scores", "reason"]

def fault(line, want):
    try:
        answer = json.loads(line.decode("utf-8"))
    except ValueError as error:
        return f"no JSON: {line!r} ({error})"
    word, _, rest = want.partition(" ")
    if word == "error":
        fine = list(answer) == ["error", "ply"] and re.search(rest, answer["error"])
    else:
        fine = (list(answer) == FIELDS and answer["over"] == (word == "over") == (not answer["legal"])
                and (word == "over" or answer["ply"] == int(rest)))
    return None if fine else f"{line.decode()[:200]} is not: {want}"

lines = open(sys.argv[2], "rb").read().split(b"\n")
rest = lines.pop()
count = len(lines)
checks = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
for name, *wanted in checks:
    faults = [fault(lines.pop(0) if lines else b"", want) for want in wanted]
    print(any(faults) + 0, name, "; ".join(filter(None, faults)), sep="\t")
total = sum(len(check) - 1 for check in checks)
print((count != total or rest != b"") + 0, "every line has one answer", f"{count}, not {total}", sep="\t")
'

# A case is its lines, added to $work/input, and its wanted answers, added to $work/wanted.
wants() { (IFS='	' && echo "$*") >>"$work/wanted"; }
good_line() { printf '%s\n' "$good" >>"$work/input"; }

# bad WHAT REGEX [LINE]: the line, or standard input, is an error, and a good line after it is not.
bad() {
    if [ $# -eq 3 ]; then printf '%s' "$3"; else cat; fi >>"$work/input"
    echo >>"$work/input"
    good_line
    wants "$1" "error $2" "ply 1"
}

# repeat TEXT N: prints it N times.
repeat() { yes "$1" | head -n "$2" | tr -d '\n'; }

list_cases() {
    for blank in '' ' ' '	' "$(printf '\r')"; do
        printf '%s\n' "$blank" >>"$work/input"
        good_line
        wants "a blank line ($(printf %s "$blank" | od -An -tx1)) is the first position" "ply 0" "ply 1"
    done
    printf '%s\r\n%s;\r\n %s ; \n' "$good" "$good" "$good" >>"$work/input"
    wants "lines that end in CR LF, in a separator and in blanks" "ply 1" "ply 1" "ply 1"

    head -c 20000 "$ARBITER" | tr -d '\000\n;' | bad "binary noise" "^'.*': ."
    printf '\377\376\300\257\355\240\200\365' | bad "invalid UTF-8" "^'[?]*': ."
    printf '2\000,3' | bad "a NUL byte in a move" NUL
    printf '%s\000' "$good" | bad "a NUL byte after a good move" NUL
    head -c 5000 /dev/zero | bad "nothing but NUL bytes" NUL
    printf '%s;\r%s' "$good" "$good" | bad "a carriage return inside a line" "'[?]"
    repeat 7 10000000 | bad "10 MB of digits" 'longer than 1 MiB'
    repeat ';' 10000000 | bad "10 MB of separators" 'longer than 1 MiB'
    repeat "$good;" 300000 | bad "300,000 moves" 'longer than 1 MiB'
    repeat "$good;" $((1048576 / (${#good} + 1))) | bad "as many moves as a line holds" "^'.*': ."
    repeat 7 1048576 | bad "a move of 1 MiB" "^'7777.*[.][.][.]': ."
    { printf x && repeat ' ' 500000 && printf x; } | bad "500 KB of blanks" "^'x  .*[.][.][.]': ."

    bad "a huge coordinate" "^'$huge': ." "$huge"
    bad "a huge coordinate after a good move" "^'$huge': ." "$good;$huge"
    bad "a negative coordinate" "^'$negative': ." "$negative"
    bad "words" "^'hello world': ." 'hello world'
    bad "a move and more" "^'$good $good x': ." "$good $good x"
    bad "only a separator" 'no move between the separators' ';'
    bad "separators" 'no move between the separators' ' ; ;;'
    bad "a separator too many" 'no move between the separators' "$good;;$good"
    bad "JSON" "^'{" '{"move":"'"$good"'"}'
    # shellcheck disable=SC1003
    bad "a quote and a backslash" "^'\"" '"\u0000\'
    bad "Korean" "^'[? ]*': ." '둘째 칸'
    bad "PASS in capitals" "^'PASS': ." 'PASS'
    if [ "$game" = hopchess ]; then
        printf 'pass\n pass ; %s\n' '5,5 5,4' >>"$work/input"
        wants "pass is a skipped turn" "ply 1" "ply 2"
        repeat 'pass;' 200000 | bad "200,000 skipped turns" "^'pass': the game is over"
    else
        bad "pass is no move" "^'pass': ." 'pass'
    fi

    printf '%s\n%s;\n%s;%s\n%s; x\n' "$whole" "$whole" "$whole" "$good" "$whole" >>"$work/input"
    good_line
    wants "moves after the end" over over "error ^'$good': the game is over" \
        "error ^'x': the game is over" "ply 1"

    repeat 1 10000000 >>"$work/input"
    wants "10 MB and no newline at the end" 'error longer than 1 MiB'
}

# A whole game, the first legal move played every time; asks line by line as it goes.
play_first='
import json, subprocess, sys

program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
moves = []
while True:
    program.stdin.write(";".join(moves) + "\n")
    program.stdin.flush()
    answer = json.loads(program.stdout.readline())
    if answer["over"]:
        break
    moves.append(answer["legal"][0])
print(";".join(moves))
'

# try_game GAME GOOD HUGE NEGATIVE: all cases in one run.
try_game() {
    game=$1 good=$2 huge=$3 negative=$4
    timeout 3600 python3 -c "$play_first" "$ARBITER" rules "$game" >"$work/game" 2>"$work/said"
    report $? "$game: a game from the first to the last move, answered while it is asked"
    whole=$(cat "$work/game")

    : >"$work/input"
    : >"$work/wanted"
    list_cases
    (bounded rules "$game") <"$work/input" >"$work/output" 2>"$work/said"
    report $? "$game: reads all of $(wc -c <"$work/input") bytes"
    python3 -c "$checker" "$work/wanted" "$work/output" >"$work/checked"
    while IFS='	' read -r code what wrong; do
        echo "$wrong" >"$work/said"
        report "$code" "$game: $what"
    done <"$work/checked"
    (bounded rules "$game") </dev/null >"$work/said" 2>&1 && [ ! -s "$work/said" ]
    report $? "$game: no line, no answer"
}

# refuse WHAT REGEX ARGUMENTS...: code 2, nothing on stdout, one line on stderr that fits.
refuse() {
    what=$1
    regex=$2
    shift 2
    (bounded "$@") </dev/null >"$work/output" 2>"$work/stderr"
    code=$?
    {
        [ $code -eq 2 ] || echo "exit code $code"
        [ ! -s "$work/output" ] || echo "prints on stdout"
        [ "$(wc -l <"$work/stderr")" -eq 1 ] || echo "not one line on stderr"
        grep -qE -e "$regex" "$work/stderr" || echo "does not say: $regex"
    } >"$work/said"
    [ ! -s "$work/said" ]
    code=$?
    cat "$work/stderr" >>"$work/said"
    report $code "command line: $what"
}

# lists GAME KEY=DEFAULT...: --help shows every one.
lists() {
    game=$1
    shift
    "$ARBITER" rules "$game" --help >"$work/output" 2>"$work/said" || echo "exit code $?" >>"$work/said"
    for rule in "$@"; do
        grep -qE "^ +$rule( |$)" "$work/output" || echo "no $rule" >>"$work/said"
    done
    keys=$(grep -cE '^ +[a-z_]+=' "$work/output")
    [ "$keys" -eq $# ] || echo "$keys keys instead of $#" >>"$work/said"
    [ ! -s "$work/said" ]
    report $? "$game --help lists every key with its default"
}

try_game cuptactoe '3 4' '999999999999 1' '-1 4'
try_game reversi '2,3' '999999999999,1' '-1,4'
try_game tower4 '2,3' '999999999999,1' '-1,4'
try_game hopchess '2,2 2,3' '2,2 999999999999,3' '2,2 2,-1'
try_game connect6 '9,9' '999999999999,1' '-1,4'

all_games='cuptactoe, reversi, tower4, hopchess, connect6'
refuse "unknown command" "'frobnicate'.*rules.*help" frobnicate
refuse "an empty command" "''.*rules.*help" ''
refuse "unknown option instead of a command" "'--frobnicate'.*rules.*help" --frobnicate
refuse "help on an unknown command" "'frobnicate'.*rules.*help" help frobnicate
refuse "unknown game" "'chess'.*$all_games" rules chess
refuse "unknown game for perft" "'chess'.*$all_games" perft chess 3
refuse "an empty game" "''.*$all_games" rules ''
refuse "no game" 'missing.*rules GAME' rules
refuse "no depth" 'missing.*perft GAME DEPTH' perft reversi
refuse "one argument too many" "'again'.*rules GAME" rules reversi again
refuse "unknown option" '--frobnicate.*--set, --from' rules reversi --frobnicate
refuse "unknown short option" ' -x.*--set, --from' rules reversi -x
refuse "an option without its value" '--set KEY=VALUE' rules reversi --set
refuse "a value for an option without" '--draw takes no value' rules reversi --draw=1
refuse "--set without =" "KEY=VALUE, not 'board'" rules reversi --set board
refuse "--set without a key" "has no rule ''.*board" rules reversi --set =open
refuse "--set without a value" "board cannot be ''.*open\\|othello" rules reversi --set board=
refuse "unknown key" "'colour'.*size, blocks, overline, blocks_count" rules connect6 --set colour=1
refuse "a key of another game" "'size'.*corners, pieces" rules tower4 --set size=9
for game in cuptactoe reversi tower4 hopchess connect6; do
    refuse "$game has no penalty among its rules" "$game has no rule 'illegal'; it has [a-z]" \
        rules "$game" --set illegal=skip
done
refuse "corners=7" "corners cannot be '7'; accepted: 3\\|1" rules tower4 --set corners=7
refuse "corners=3|1" "corners cannot be '3\\|1'; accepted: 3\\|1" rules tower4 --set 'corners=3|1'
refuse "pieces=145 on 24 columns" '145 with corners=3; accepted: 1..144' rules tower4 --set pieces=145
refuse "max_turns=0" "max_turns cannot be '0'; accepted: 1..99" rules cuptactoe --set max_turns=0
refuse "max_turns=1.5" "max_turns cannot be '1.5'; accepted: 1..99" rules cuptactoe --set max_turns=1.5
refuse "max_hops beyond any number" 'max_hops.*accepted: 1..99' \
    rules hopchess --set max_hops=99999999999999999999
refuse "size=20" "size cannot be '20'; accepted: 6..19" rules connect6 --set size=20
refuse "size=-1" "size cannot be '-1'; accepted: 6..19" rules connect6 --set size=-1
refuse "an odd number of blocks" 'odd.*accepted: an even number' rules connect6 --set 'blocks=1,1 2,2 3,3'
refuse "the same block twice" 'twice.*accepted: different' rules connect6 --set 'blocks=1,1 1,1'
refuse "12 blocks" 'accepted: an even number.*10 at most' rules connect6 \
    --set 'blocks=0,0 1,1 2,2 3,3 4,4 5,5 6,6 7,7 8,8 9,9 10,10 11,11'
refuse "more blocks than a ruleset can hold" 'blocks cannot be .*accepted: .*10 at most' rules connect6 \
    --set "blocks=$(for y in 10 11 12; do seq -f "%g,$y" 0 18; done | paste -sd ' ')"
refuse "a block outside the board" 'outside.*accepted: 0 to size - 1' rules connect6 --set 'blocks=1,1 19,0'
refuse "a block outside a smaller board" 'outside.*accepted: 0 to size - 1' \
    rules connect6 --set size=9 --set 'blocks=1,1 9,0'
refuse "blocks that are no cells" 'blocks.*x,y' rules connect6 --set 'blocks=somewhere'
refuse "a position that is none" 'reversi: .*(row|board|position)' rules reversi --from nonsense
refuse "a position of another size" 'connect6: .*row' rules connect6 --from 8/8/8/8/8/8/8/8
for depth in 0 -1 65 1.5 x '' 99999999999999999999; do
    refuse "depth '$depth'" "DEPTH cannot be '$depth'; accepted: 1\\.\\.64|no option -1" \
        perft reversi "$depth"
done
refuse "unknown bench" "'nothing'.*rules" bench nothing
refuse "a training that goes nowhere" '--out DIR is missing' train reversi
refuse "a part that is not trained" "reversi has no 'spirit' to train; accepted: weights, probcut, check" \
    train reversi spirit --out "$work/training"
refuse "a game that is not trained" 'cuptactoe has nothing to train' train cuptactoe
refuse "a folder that cannot be" 'cannot make the folder /dev/null/x' train reversi --out /dev/null/x
refuse "a seed that is none" "--seed cannot be 'x'; accepted: 0\\.\\." demo --seed x

lists cuptactoe max_turns=30
lists reversi board=open
lists tower4 corners=3 pieces=64
lists hopchess max_hops=99 max_moves=200
lists connect6 size=19 blocks=none overline=lose blocks_count=both

echo "1..$checks"
exit $failed
