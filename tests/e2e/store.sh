#!/bin/sh
# The contract of the store, on SQLite and on a PostgreSQL started for it. Prints TAP.
set -u
work=$(mktemp -d)
. tests/store/postgres.sh
trap 'postgres_stop; rm -rf "$work"' EXIT
n=0
failed=0

# contract NAME WHERE: hands on what the contract says, numbered anew.
contract() {
    CMOCKA_MESSAGE_OUTPUT=TAP "$STORE_CONTRACT" "$2" >"$work/said" 2>&1 || failed=1
    while read -r line; do
        case $line in
        ok* | not\ ok*)
            n=$((n + 1))
            echo "${line%% [0-9]*} $n - $1:${line#*-}"
            ;;
        1..*) ;;
        *) echo "# $line" ;;
        esac
    done <"$work/said"
}

# The store as it was in its first version, with one game.
first='CREATE TABLE version (number BIGINT NOT NULL); INSERT INTO version VALUES (1);'
old="INSERT INTO contest VALUES ('old', 'text'); INSERT INTO game (contest, number, stage, round, seat,
leg, attempt, black, white, state, record) VALUES ('old', 1, 0, 0, 0, 0, 0, 0, 1, 'done', 'kept');"
kept="SELECT text FROM record WHERE contest = 'old' AND number = 1"
schema=$(cat src/store/schema/1.sql)

# migrated NAME COMMAND...: after the contract the command, given a query, finds the old game's record.
migrated() {
    name=$1
    shift
    n=$((n + 1))
    if [ "$("$@" "$kept")" = kept ]; then
        echo "ok $n - $name: a store of the first version is brought up to date"
    else
        echo "not ok $n - $name: a store of the first version is brought up to date"
        failed=1
    fi
}

sqlite() {
    python3 -c 'import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
if sys.argv[2].startswith("SELECT"):
    print(database.execute(sys.argv[2]).fetchone()[0])
else:
    database.executescript(sys.argv[2])' "$work/store.db" "$1"
}

psql_run() { psql "$postgres_url" -qtA -c "$1"; }

sqlite "$first $schema $old"
contract sqlite "$work/store.db"
migrated sqlite sqlite
if postgres_start "$work"; then
    n=$((n + 1))
    pids=
    for i in 1 2 3 4 5 6; do
        "$ARBITER" worker "$postgres_url" --idle 1 >>"$work/workers" 2>&1 &
        pids="$pids $!"
    done
    good=ok
    for pid in $pids; do
        wait "$pid" || good='not ok'
    done
    echo "$good $n - postgres: six who come at once to an empty store make it together"
    [ "$good" = ok ] || failed=1
    psql_run 'DROP SCHEMA public CASCADE; CREATE SCHEMA public' 2>"$work/notices"
    psql_run "$first $schema $old"
    contract postgres "$postgres_url"
    migrated postgres psql_run
else
    n=$((n + 1))
    echo "not ok $n - PostgreSQL starts"
    failed=1
fi
echo "1..$n"
exit $failed
