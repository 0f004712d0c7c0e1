#!/bin/sh
# The five examples are played to their ends, each within 40 s, and every record is true. Prints TAP.
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
        sed 's/^/# /' "$work/said"
        failed=1
    fi
}

for file in examples/*.conf; do
    game=$(basename "$file" .conf)
    store=$work/$game.db
    begin=$(date +%s)
    "$ARBITER" contest run "$file" --store "$store" >"$work/said" 2>&1
    report $? "$file is played to its end"
    took=$(($(date +%s) - begin))
    [ "$took" -le $seconds_max ]
    report $? "$file took $took s, $seconds_max at most"
    "$ARBITER" contest show "$file" --store "$store" --records >"$work/games.jsonl" 2>"$work/said" &&
        "$ARBITER" replay "$work/games.jsonl" --check >"$work/said" 2>&1
    report $? "$file: $(tail -n 1 "$work/said")"
    "$ARBITER" contest show "$file" --store "$store" --csv >"$work/said" 2>&1
    ! grep -Eq 'not-ready|gone|illegal|invalid-transfer' "$work/said"
    report $? "$file: every player plays"
done
echo "1..$n"
exit $failed
