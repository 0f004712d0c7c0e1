#!/bin/sh
# A platform for a room full of people: the addresses it prints work, a data folder has one server, and its
# log tells what happened. Prints TAP.
set -u
. tests/checks.sh
trap 'kill "${server:-0}" 2>/dev/null; rm -rf "$work"' EXIT

ask() { # HOST: the status that a request for that host is answered with
    python3 - "$port" "$1" "${path:-/api/about}" <<'PYTHON'
import http.client
import sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=3600)
connection.putrequest("GET", sys.argv[3], skip_host=True)
connection.putheader("Host", sys.argv[2])
connection.endheaders()
print(connection.getresponse().status)
PYTHON
}

begin() {
    rm -f "$work/printed" # of a server before: the new one may be a while in coming
    "$ARBITER" serve --bind 0.0.0.0 --port 0 --judge-port 0 --no-demo --data "$work/data" >"$work/printed" 2>&1 &
    server=$!
    while ! grep -qs 'Ctrl-C ends it' "$work/printed"; do
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.05
    done
    port=$(sed -n 's|^Arbiter is at http://localhost:\([0-9]*\)$|\1|p' "$work/printed")
    [ -n "$port" ]
}

addresses() {
    address=$(sed -n 's|^  for others: http://||p' "$work/printed" | head -n 1)
    # A machine may have none but its own; then any number is as good.
    [ "$(ask "${address:-192.0.2.1:$port}")" = 200 ] && [ "$(ask "$(hostname):$port")" = 200 ]
}

strangers() {
    [ "$(ask "evil.example:$port")" = 403 ] && [ "$(ask "1.2.3.4.evil.example:$port")" = 403 ] &&
        [ "$(ask "192.0.2.1:1")" = 403 ] && [ "$(ask "[::1].evil:$port")" = 403 ]
}

second() {
    ! "$ARBITER" serve --port 0 --judge-port 0 --data "$work/data" --once >"$work/second" 2>&1 &&
        grep -q 'another server uses the data folder' "$work/second"
}

# A game that ended while the server was down, or that it never heard of, is shown from the contest's store.
unheard() {
    id=$(python3 - "$port" "$work/data/key" <<'PYTHON'
import http.client
import json
import sys

port, key = sys.argv[1], open(sys.argv[2], encoding="ascii").read().strip()
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=3600)
form = {"name": "Unheard", "game": "cuptactoe", "format": "league", "players": [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}]}
connection.request("POST", "/api/contests", json.dumps(form), {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}", "Cookie": f"arbiter_key_{port}={key}"})
print(json.loads(connection.getresponse().read())["id"])
PYTHON
    ) || return 1
    kill "$server" && wait "$server"
    "$ARBITER" contest run "$work/data/contests/$id.conf" --store "$work/data/contests/$id.db" || return 1
    begin || return 1
    path=/api/games/${id}g1
    [ "$(ask "localhost:$port")" = 200 ]
}

logged() {
    kill "$server" && wait "$server"
    grep -q ' the server has started$' "$work/data/log.txt" && grep -q ' the server has ended$' "$work/data/log.txt" &&
        [ "$(stat -c %a "$work/data/log.txt")" = 600 ]
}

check "it listens on all addresses" begin
check "it answers to those it prints, and to the name of the machine" addresses
check "and to no foreign name" strangers
check "a second server on its data folder is refused" second
check "a game that it never heard of is shown from its contest" unheard
check "its log tells of its start and its end, and is its owner's" logged
checks_end
