#!/bin/sh
# A contest survives kill -9 of its runner at any moment, on SQLite; and of runner, workers and server
# on PostgreSQL. Prints TAP.
set -u
work=$(mktemp -d)
. tests/store/postgres.sh
trap 'postgres_stop; rm -rf "$work"' EXIT
failed=0
n=0
[ -z "${TEST_LONG:-}" ] || KILLS=500

# hand_on: prints what a run said, numbered anew.
hand_on() {
    while read -r line; do
        case $line in
        ok* | not\ ok*)
            n=$((n + 1))
            echo "${line%% [0-9]*} $n -${line#*-}"
            ;;
        1..*) ;;
        *) echo "$line" ;;
        esac
    done <"$work/said"
}

mkdir "$work/undisturbed"
python3 tests/store/crash.py --kills "${KILLS:-50}" --undisturbed "$work/undisturbed" >"$work/said" 2>&1 || failed=1
hand_on
if postgres_start "$work"; then
    python3 tests/store/crash.py --kills "${KILLS:-50}" --undisturbed "$work/undisturbed" --postgres "$postgres_url" \
        --restart "$(postgres_restart_command)" >"$work/said" 2>&1 || failed=1
    hand_on
else
    n=$((n + 1))
    echo "not ok $n - PostgreSQL starts"
    failed=1
fi
echo "1..$n"
exit $failed
