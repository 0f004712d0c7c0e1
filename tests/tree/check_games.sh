#!/bin/sh
# Who may know a game by its name: its rules, its row, its player and training, its module of the page; and tables
# that use a game as a yardstick. Everybody else asks one of those.
. tests/checks.sh

games=$(sed -n 's/^extern const struct game game_\([a-z0-9]*\);$/\1/p' src/games/registry.h | paste -sd '|')

in_c() {
    ! grep -rnE "\"($games)\"" src --include=*.[ch] |
        grep -vE '^src/(games|spec)/' |
        grep -vE "^src/(engine|train)/($games)/" |
        grep -vE '^src/(engine|train)/(registry|trainers)\.c:' |
        grep -vE '^src/cli/(solve|bench)/[a-z0-9]+\.c:' |
        grep -v '^src/contest/identity\.c:' # how fast a machine is
}

in_page() {
    ! grep -rnE "\"($games)\"|\\b($games):" web --include=*.js | grep -vE "^web/boards/($games)\.js:"
}

check "no source compares or names a game that it does not belong to" in_c
check "nor does a page" in_page
checks_end
