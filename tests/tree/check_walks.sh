#!/bin/sh
# The walks through the source in docs/architecture.md are true, and one that is not would be found.
. tests/checks.sh

walks_are_true() { tools/check-walks; }

# A copy of the page with a step that is changed by sed.
refuses() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/docs"
    ln -s "$PWD/src" "$work/tree/src"
    sed "$1" docs/architecture.md >"$work/tree/docs/architecture.md"
    ! tools/check-walks --root "$work/tree" >"$work/walks" || return 1
    grep -q "$2" "$work/walks"
}

lies_are_found() {
    refuses 's/^\(    referee.match.c  *\)take_answer/\1take_answers/' 'defines no function take_answers' &&
        refuses 's/^\(    referee.match.c  *\)end_turn /\1match_new /' 'no function before it calls match_new' &&
        refuses '/^### How a contest runs/,/^###/{/^    contest/{p;p}}' 'a walk has 2 to 12' &&
        refuses '/^### How a contest runs/d' 'there is no walk'
}

check "the walks are true" walks_are_true
check "a step that is not is found" lies_are_found
checks_end
