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
        sed "s/^/# /" "$work/said" >&2
        failed=1
    fi
}

# A program with ASan reserves more than any limit on memory allows, and takes its time: its players get
# no limit, and the contest ten times as long.
folder=examples
if grep -q __asan "$ARBITER"; then
    folder=$work/examples seconds_max=400
    mkdir "$folder" && ln -s "$PWD/kits" "$work/kits"
    for file in examples/*.conf; do
        sed 's/ memory = "[0-9]*G";//' "$file" >"$folder/$(basename "$file")"
    done
fi

for file in "$folder"/*.conf; do
    game=$(basename "$file" .conf)
    store=$work/$game.db
    begin=$(date +%s)
    "$ARBITER" contest run "$file" --store "$store" >"$work/said" 2>&1
    report $? "$game is played to its end"
    took=$(($(date +%s) - begin))
    [ "$took" -le $seconds_max ]
    report $? "$game took $took s, $seconds_max at most"
    "$ARBITER" contest show "$file" --store "$store" --records >"$work/games.jsonl" 2>"$work/said" &&
        "$ARBITER" replay "$work/games.jsonl" --check >"$work/said" 2>&1
    report $? "$game: $(tail -n 1 "$work/said")"
    "$ARBITER" contest show "$file" --store "$store" --csv >"$work/said" 2>&1
    ! grep -Eq 'not-ready|gone|illegal|invalid-transfer' "$work/said"
    report $? "$game: every player plays"
done
echo "1..$n"
exit $failed
