#!/bin/sh
# The starter kits: they build, are short, keep the line numbers that the contest documents name, and
# play whole games. What is tried is a copy of each folder, with the commands of its README: so a new
# kit is a new folder, named nowhere. Prints TAP.
set -u

# Players of the TCP games know but one port. In a network of our own, where the machine allows it,
# nobody else is there.
if [ -z "${OWN_NETWORK:-}" ]; then
    [ "$(id -u)" = 0 ] && own='unshare -n' || own='unshare -rn'
    ! $own true 2>/dev/null || OWN_NETWORK=yes exec $own "$0"
else
    python3 -c '
import fcntl, socket, struct

SIOCSIFFLAGS, IFF_UP = 0x8914, 1  # a new network begins with its loopback down
fcntl.ioctl(socket.socket(), SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))'
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0
failed=0
lines_max=149

# report CODE WHAT: one line of TAP, and what the check printed if it failed.
report() {
    checks=$((checks + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $checks - $2"
    else
        echo "not ok $checks - $2"
        cut -c 1-300 "$work/said" | sed 's/^/# /' | tee /dev/stderr # which is what meson shows
        failed=1
    fi
}

skip() { # WHAT WHY
    checks=$((checks + 1))
    echo "ok $checks - $1 # SKIP $2"
}

# silent WHAT COMMAND...: the command succeeds and prints nothing.
silent() {
    what=$1
    shift
    "$@" >"$work/said" 2>&1 && [ ! -s "$work/said" ]
    report $? "$what"
}

# build FOLDER WHAT COMPILER ARGUMENTS...: builds in the copy of a folder, without a warning.
build() {
    folder=$1 what="$1: $2" compiler=$3
    shift 3
    if command -v "$compiler" >/dev/null; then
        (cd "$work/$folder" && "$compiler" "$@") >"$work/said" 2>&1
        report $? "$what"
    else
        skip "$what" "$compiler is not installed"
    fi
}

long_files() {
    find kits -type f | while IFS= read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le "$lines_max" ] || echo "$file: $lines lines, $lines_max at most"
    done
}

same() { # FILE...: all are one text
    for file; do
        cmp "$1" "$file"
    done
}

# The lower part of every abp_player.py is the protocol, which is the same for all games.
same_tails() {
    for file in kits/*/python/abp_player.py; do
        sed -n '/^# From here on/,$p' "$file" >"$work/tail.$(echo "$file" | tr / .)"
    done
    same "$work"/tail.*
    [ -s "$work/tail.kits.reversi.python.abp_player.py" ]
}

# idTeam FILE LINE: the number of the team stands where the contest documents tell contestants.
id_team() {
    sed -n "$2p" "kits/$1" >"$work/said"
    grep -qE '^(static int )?idTeam = -1;?$' "$work/said"
    report $? "$1: idTeam = -1 at line $2"
}

# Contestants may have a Python as old as 3.6. Its grammar has no "=" in an f-string, which ast does
# not tell.
old_python='
import ast, re, sys

for name in sys.argv[1:]:
    text = open(name, encoding="utf-8").read()
    ast.parse(text, name, feature_version=(3, 6))
    if re.search(r"""\bf["\x27].*\{[^{}]*=\}""", text):
        sys.exit(name + ": = in an f-string")
'

# Part 1: the files.
: >"$work/said"
cp -RL kits/. "$work" # files, not links; not below a kits folder: each must do alone
silent "no file is longer than $lines_max lines" long_files
silent "abp in Python is the same everywhere" same_tails
for game in reversi tower4 hopchess; do
    id_team $game/python/STcpClient.py 11
done
id_team reversi/cpp/STcpClient.h 18
id_team tower4/cpp/STcpClient.h 18
id_team hopchess/cpp/STcpClient.h 11

# The sanitizers look at the referee that plays with the kits, not at the kits and what compiles them.
if [ -z "${SANITIZED:-}" ]; then
    # The first command of a README builds the kit; with more warnings than a contestant has.
    for folder in $(cd kits && ls -d ./*/c ./*/cpp | cut -c 3-); do
        command=$(sed -n 's/^    \(cc\|g++\) /\1 /p' "kits/$folder/README.md")
        # shellcheck disable=SC2086
        build "$folder" "$command" $command -Wextra -Werror
        case $folder in
        */c) build "$folder" "for Windows" x86_64-w64-mingw32-gcc -Wall -Wextra -Werror \
            -o player.exe player.c ;;
        */cpp) build "$folder" "for Windows" x86_64-w64-mingw32-g++ -std=c++14 -Wall -Wextra -Werror \
            -o player.exe "$work/$folder"/*.cpp -lws2_32 ;;
        esac
    done
    for file in $(cd kits && find . -name '*.py' | sed 's,^\./,,' | LC_ALL=C sort); do
        silent "$file: python3 -m py_compile" python3 -m py_compile "$work/$file"
        silent "$file: the grammar of Python 3.6" python3 -c "$old_python" "kits/$file"
    done
fi

# Part 2: games through the referee, against the random mover, on either side.
by_the_rules='
import json, sys

seat, text = int(sys.argv[1]), sys.stdin.read()
print(text or "no result")
game = json.loads(text) if text else sys.exit(1)
verdict = game["verdict"]
fault = verdict is not None and verdict["player"] == seat
sys.exit(fault or game["reason"] in ("", "forfeit", "aborted"))
'

# play FOLDER GAME PLAYER WHAT [OPTIONS]: PLAYER is shell text, as in the README.
play() {
    options=${5:-}
    for seat in 1 2; do
        [ $seat = 1 ] && players="$3 random" || players="random $3"
        if [ "$there" = no ]; then
            skip "$4, player $seat" "arbiter match is not there yet"
            continue
        fi
        (cd "$work/$1" &&
            eval "timeout 3600 \"\$ARBITER\" match $2 $players --json --games 1 --time 60 --set start_time=600 $options") \
            >"$work/game" 2>"$work/errors"
        python3 -c "$by_the_rules" $seat <"$work/game" >"$work/said" 2>&1
        code=$?
        cat "$work/errors" >>"$work/said"
        report $code "$4, player $seat"
    done
}

"$ARBITER" help match >/dev/null 2>&1 && there=yes || there=no
for file in reversi/python/STcpClient.py tower4/python/STcpClient.py hopchess/python/STcpClient.py \
    reversi/cpp/STcpClient.h tower4/cpp/STcpClient.h hopchess/cpp/STcpClient.h; do
    sed -i 's/idTeam = -1/idTeam = 7/' "$work/$file"
done
for folder in $(cd "$work" && ls -d ./*/c ./*/cpp ./*/python | cut -c 3-); do
    # built again, for the team is another now
    command=$(sed -n 's/^    \(cc\|g++\) /\1 /p' "kits/$folder/README.md")
    [ "$there" = no ] || (cd "$work/$folder" && $command)
    sed -n 's/^    arbiter match \([a-z0-9]*\) \(.*\) builtin:easy --log log.txt$/\1 \2/p' \
        "kits/$folder/README.md" >"$work/players"
    [ -s "$work/players" ]
    report $? "$folder: the README has a match to try"
    while read -r game player; do
        play "$folder" "$game" "$player" "$folder: $player" </dev/null
    done <"$work/players"
done

# The relay stands where the players look for the judge, who is elsewhere.
relay=
if [ "$there" = yes ]; then
    python3 "$work/relay/relay.py" 127.0.0.1 8889 >/dev/null 2>&1 &
    relay=$!
fi
play tower4/python tower4 'tcp:7="python3 Sample.py"' "relay" "--port 8889"
if [ -n "$relay" ]; then
    kill "$relay"
    wait "$relay" # or it might still have the port that the platform wants
fi

# Part 3: the platform seats what lies in its folder of players, kits of all games and languages.
python3 tests/e2e/seats.py "$work" >"$work/seats"
while IFS= read -r line; do
    printf '%s\n' "$line" | cut -d ' ' -f 3- >"$work/said"
    [ "${line%% *}" = ok ]
    report $? "$(echo "$line" | cut -d ' ' -f 2): the platform takes it"
done <"$work/seats"
[ -s "$work/seats" ]
report $? "the platform was asked"

silent "nothing is left behind in kits" find kits \( -name '__pycache__' -o -name '*.pyc' \
    -o -name 'player' -o -name '*.exe' -o -name 'myLog.txt' -o -name 'log.txt' \)
echo "1..$checks"
exit $failed
