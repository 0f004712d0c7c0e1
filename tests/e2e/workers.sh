#!/bin/sh
# Workers and a runner that share a PostgreSQL. Prints TAP.
set -u
work=$(mktemp -d)
. tests/store/postgres.sh
trap 'postgres_stop; rm -rf "$work"' EXIT
if ! postgres_start "$work"; then
    echo "not ok 1 - PostgreSQL starts"
    echo "1..1"
    exit 1
fi
python3 tests/e2e/workers.py "$postgres_url"
