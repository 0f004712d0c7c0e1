#!/bin/sh
# The five examples are played to their ends, each within 40 s of CPU time, and every record is true. Prints TAP.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seconds_max=40
n=0
failed=0

# report CODE WHAT
report() {
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed "s/^/# /" "$work/said" >&2
        failed=1
    fi
}

# Runs a command; the CPU time of all it has started, in seconds, goes into a file. (How long it takes depends
# on what else the machine does.)
cpu='
import resource, subprocess, sys
code = subprocess.run(sys.argv[2:], check=False).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w", encoding="ascii") as file:
    print(round(used.ru_utime + used.ru_stime), file=file)
sys.exit(code)
'

# A program with ASan takes its time: the contest gets ten times as long.
folder=examples
grep -q __asan "$ARBITER" && seconds_max=400

for file in "$folder"/*.conf; do
    game=$(basename "$file" .conf)
    store=$work/$game.db
    python3 -c "$cpu" "$work/cpu" "$ARBITER" contest run "$file" --store "$store" >"$work/said" 2>&1
    report $? "$game is played to its end"
    took=$(cat "$work/cpu")
    [ "$took" -le $seconds_max ]
    report $? "$game took $took s of CPU time, $seconds_max at most"
    "$ARBITER" contest show "$file" --store "$store" --records >"$work/games.jsonl" 2>"$work/said" &&
        "$ARBITER" replay "$work/games.jsonl" --check >"$work/said" 2>&1
    report $? "$game: $(tail -n 1 "$work/said")"
    "$ARBITER" contest show "$file" --store "$store" --csv >"$work/said" 2>&1
    ! grep -Eq 'not-ready|gone|illegal|invalid-transfer' "$work/said"
    report $? "$game: every player plays"
done
echo "1..$n"
exit $failed
