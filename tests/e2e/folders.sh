#!/bin/sh
# Games that come as folders: the eight of examples/games against the naive rules of tests/folders, folders that are
# hostile, and a contest on PostgreSQL whose workers did not know its game. Prints TAP.
set -u
work=$(mktemp -d)
. tests/store/postgres.sh
trap 'postgres_stop; rm -rf "$work"' EXIT
postgres_url=
postgres_start "$work" >/dev/null 2>&1 || postgres_url=
python3 tests/e2e/folders.py "$work" "$postgres_url"
