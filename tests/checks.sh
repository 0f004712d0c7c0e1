# For scripts that print TAP: a folder $work that is gone at the end, and checks that are counted.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
failed=0

# check WHAT COMMAND...: one line of TAP; the command must succeed. If it does not, what it said is shown, and
# what it left in $work/errors.
check() {
    what=$1
    shift
    n=$((n + 1))
    if "$@" >"$work/said" 2>&1; then
        echo "ok $n - $what"
    else
        echo "not ok $n - $what"
        cat "$work/said" "$work/errors" 2>/dev/null | tail -n 30 | sed 's/^/# /' | tee /dev/stderr
        failed=1
    fi
}

# The last line of all.
checks_end() {
    echo "1..$n"
    exit "$failed"
}
