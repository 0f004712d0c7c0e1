#!/bin/sh
# docs/architecture.md lists every file of src, and only files that exist; tools/check-files finds what is wrong. Prints TAP.
set -u
bad=0
verdict() { # NUMBER NAME GOOD
    [ "$3" = 0 ] && echo "ok $1 - $2" || { echo "not ok $1 - $2" && bad=1; }
}
said=$(tools/check-files 2>&1)
verdict 1 "the list of files is true" $?
echo "$said" | sed 's/^/# /'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/docs" "$dir/src/base"
cp tools/check-files "$dir"
git -C "$dir" init -q
touch "$dir/src/base/there.c" "$dir/src/base/new.c"
printf '`src/base`: words.\n\n    there.c    one\n    gone.h  there.c  two\n' >"$dir/docs/architecture.md"
said=$(cd "$dir" && ./check-files)
for words in 'src/base/gone.h does not exist' 'src/base/new.c does not stand' 'src/base/there.c stands twice'; do
    case $said in *"$words"*) ;; *) missing="${missing:-} $words" ;; esac
done
verdict 2 "what is missing, gone or listed twice is found" "$([ -z "${missing:-}" ] && echo 0 || echo 1)"
echo "1..2"
exit $bad
