#!/bin/sh
# No function of src, nor a type of functions, has more than six parameters. Those that have are listed by folder and
# name, and the list only shrinks: an entry that is not needed any more is an offence too.
. tests/checks.sh

most=6
wide='
'

# Prints FOLDER NAME COUNT for every list of parameters, of definitions, prototypes and pointers, that is too long.
too_wide() {
    find "$1" -name '*.[ch]' -exec python3 - "$most" {} + <<'END' | sort -u
import os, re, sys
most = int(sys.argv[1])
for path in sys.argv[2:]:
    text = open(path, encoding="utf-8").read()
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/|^#(?:\\\n|[^\n])*', " ", text, flags=re.S | re.M)
    # A name or (*name) with a type before it on the same line, then the list: what follows tells it from a call.
    for found in re.finditer(r"(?<![\w=(,!&|?:+*/-])[ \t]*\b[A-Za-z_][\w \t*]*[ *](?:\(\*(\w+)\)|(\w+))\(", text):
        depth, commas, at = 1, 0, found.end()
        while at < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            commas += text[at] == "," and depth == 1
            at += 1
        name = found.group(1) or found.group(2)
        before = found.group(0).split()[0]
        if commas < most or before in ("return", "else", "case"):
            continue
        if re.match(r"\s*(?:[;{]|__attribute__)", text[at:]):
            print(os.path.dirname(path), name, commas + 1)
END
}

listed() { echo "$wide" | grep . | sort; }

unlisted() { ! too_wide src | sed 's/ [0-9]*$//' | sort -u | comm -23 - "$work/listed" | grep .; }
outdated() { ! too_wide src | sed 's/ [0-9]*$//' | sort -u | comm -13 - "$work/listed" | grep .; }

# The check itself: lists over several lines, in every form, and calls that look like them.
forms_are_found() {
    mkdir "$work/forms"
    cat >"$work/forms/a.h" <<'END'
int six(int a, int b, int c, int d, int e, void (*f)(int, int));
static void seven(int a, int b, int c,
                  int d, int e, int f, int g) {
    return six(1, 2, 3, 4, 5, 6, 7);
    int sum = six(1, 2, 3, 4, 5, 6, 7);
}
struct one {
    void (*eight)(int a, int b, int c, int d, int e, int f, int g, int h); // ignored(1, 2, 3, 4, 5, 6, 7);
};
END
    [ "$(too_wide "$work/forms" | cut -d' ' -f2-3 | tr '\n' ' ')" = 'eight 8 seven 7 ' ]
}

listed >"$work/listed"
check "no function has more than $most parameters, but those that are listed" unlisted
check 'all that are listed have' outdated
check 'one that has is found' forms_are_found
checks_end
