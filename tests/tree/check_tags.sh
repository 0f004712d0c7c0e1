#!/bin/sh
# One word means one thing: no struct or union of src has the tag of another. The one exception is a type that
# each back end of the store defines for itself, and that nobody else looks into.
. tests/checks.sh

tags() {
    grep -rhoE '^(static const |static |typedef )?(struct|union) [a-z_0-9]+ \{' "$1" --include=*.[ch] |
        sed -E 's/.*(struct|union) ([a-z_0-9]+) \{/\2/' | grep -vx database | sort
}

once() { ! tags src | uniq -d | grep .; }

# The check itself: two files with the same tag.
twice_is_found() {
    mkdir "$work/twice"
    echo 'struct one {' >"$work/twice/a.h"
    echo 'static const struct one {' >"$work/twice/b.c"
    [ "$(tags "$work/twice" | uniq -d)" = one ]
}

check "no tag has two meanings" once
check "one that has is found" twice_is_found
checks_end
