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

contract sqlite "$work/store.db"
if postgres_start "$work"; then
    contract postgres "$postgres_url"
else
    n=$((n + 1))
    echo "not ok $n - PostgreSQL starts"
    failed=1
fi
echo "1..$n"
exit $failed
