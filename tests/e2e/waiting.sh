#!/bin/sh
# Runner and worker that are started while PostgreSQL is down, or recovers, wait for it and say so. Prints
# TAP.
set -u
. tests/checks.sh
. tests/store/postgres.sh
trap 'postgres_stop; rm -rf "$work"' EXIT

control() { postgres_run "$postgres_programs/pg_ctl" -D "$postgres_folder/data" -s "$@" >>"$work/control" 2>&1; }

# told FILE WORDS PID: waits until a file has the words; false if the process has ended without.
told() {
    while ! grep -q "$2" "$1"; do
        kill -0 "$3" 2>/dev/null || return 1
        sleep 0.1
    done
}

cat >"$work/wait.conf" <<'CONF'
game = "cuptactoe"; name = "wait"; games = 1;
players = ( { name = "a"; start = "random"; }, { name = "b"; start = "random"; } );
CONF

# begin NAME COMMAND...: starts it; what it says is in $work/NAME, its number in $begun.
begin() {
    "$ARBITER" "$@" >"$work/$1" 2>&1 &
    begun=$!
}

down() {
    control -m immediate stop || return 1
    begin worker "$postgres_url" --idle 1
    told "$work/worker" 'waiting for the store, 0 s of 60' "$begun" || return 1
    control -w -o "-c listen_addresses= -k $postgres_folder" start || return 1
    wait "$begun"
}

# A standby that is not hot lets nobody in until it is promoted: the same answer as in a recovery, 57P03,
# for as long as we like.
recovering() {
    control -m immediate stop || return 1
    postgres_run touch "$postgres_folder/data/standby.signal"
    control -W -o "-c listen_addresses= -k $postgres_folder -c hot_standby=off" start || return 1
    while :; do
        postgres_run "$postgres_programs/pg_isready" -q -h "$postgres_folder"
        [ $? -ne 1 ] || break
        sleep 0.1
    done
    begin worker "$postgres_url" --idle 1
    worker=$begun
    begin contest run "$work/wait.conf" --store "$postgres_url"
    # Longer than the ten seconds after which it was given up once.
    told "$work/worker" 'waiting for the store, 10 s of 60: .*FATAL' "$worker" || return 1
    told "$work/contest" 'waiting for the store, 10 s of 60: .*FATAL' "$begun" || return 1
    control -w promote || return 1
    wait "$begun" || return 1
    wait "$worker" && grep -q '^ *1 ' "$work/contest"
}

if postgres_start "$work"; then
    check 'a worker that comes while the server is down waits for it, with a word' down
    check 'a worker and a runner that come while it recovers wait too, and go on' recovering
else
    check 'PostgreSQL starts' false
fi
checks_end
