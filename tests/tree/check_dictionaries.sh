#!/bin/sh
# The dictionaries of the page: every language has the same keys with the same gaps, every key that the
# page asks for is there, and so is every sentence that the server can answer with.
set -u
exec python3 - <<'PYTHON'
import glob
import json
import re
import sys

LANGUAGES = ["en", "ko", "zh-TW"]
count = 0
bad = False


def verdict(name, offences):
    global count, bad
    count += 1
    print(f"{'not ok' if offences else 'ok'} {count} - {name}")
    for words in offences:
        print(f"# {words}")
        bad = True


def gaps(text):
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


def literal(text):
    """The C strings at the beginning of a text, as one, with the macros for long numbers among them."""
    parts = []
    rest = text.lstrip()
    while rest.startswith(('"', "PRI")):
        found = re.match(r'"((?:[^"\\]|\\.)*)"|PRI(\w)64', rest)
        parts.append("ll" + found.group(2) if found.group(2) else found.group(1).replace('\\"', '"').replace("\\\\", "\\"))
        rest = rest[found.end():].lstrip()
    return "".join(parts)


# Where sentences are for whoever starts the server, and which calls there speak to the page.
TERMINAL = {"src/web/guard.c": r"(?!)", "src/web/secret.c": r"(?!)", "src/web/listener.c": r"(?!)", "src/web/server.c": r"(?!)"}
# Where they are kept before they are answered with.
KEPT = {"src/web/client.c": r"refuse\(c, \d+,|\bwhy = ", "src/web/http.c": r"\*why = |broken\[\] = "}


def sentences():
    """What the server says when it cannot do something: the formats of err_set and the words of answers."""
    found = {}
    calls = r"\b(?:err_set\(\s*\w+(?:->\w+)?|err_set\(\s*&\w+|answer_error\(\s*x,\s*\d+|answer_found\(\s*x,[^\";]*)\s*,"
    for path in glob.glob("src/web/*.c"):
        source = open(path, encoding="utf-8").read()
        for call in re.finditer(KEPT.get(path, TERMINAL.get(path, calls)), source):
            words = literal(source[call.end():])
            if words and words != "%s":
                found[words] = path
    return found


# What comes to the page from below: contest files that are wrong, submissions, faults of players. By file, the
# calls and places where a sentence stands.
SET = r"err_set\(\s*[^\"();]*,"
WRONG = r"setting_wrong\(\s*(?:[^\"();]|\(const[^()]*\)|\([^()\"]*\"[^()\"]*\"\))*err,"
BELOW = {
    "src/contest/plan/plan.c": f"{SET}|{WRONG}", "src/contest/plan/check.c": f"{SET}|{WRONG}", "src/contest/plan/stage.c": f"{SET}|{WRONG}",
    "src/base/settings.c": WRONG, "src/contest/plan/settle.c": SET, "src/contest/submissions.c": rf"{SET}|snprintf\(text, size,",
    "src/submit/unpack.c": r"refuse\(u,(?: \"%s\",)?|: (?=\"it takes)", "src/submit/source.c": r"why, SOURCE_WHY_MAX,", "src/submit/submit.c": r"find\(m, FINDING_\w+,", "src/submit/build.c": r"find\(r, FINDING_\w+,|r->text, sizeof r->text,",
    "src/submit/rules.c": r"buf_format\(l->why,", "src/submit/recipe.c": r"snprintf\(\s*why, [^,]*,", "src/referee/conditions.c": SET, "src/referee/player.c": SET,
    "src/referee/evidence.c": r"snprintf\(evidence, EVIDENCE_MAX,|[?:] (?=\"(?:no answer|not connected))", "src/referee/match.c": r"[?:] (?=\"[a-z]+ [a-z ]+\"\s*[:;])",
    "src/contest/schedule/league.c": r"[?:] (?=\"a )", "src/contest/schedule/swiss.c": r"return (?=\"a )", "src/contest/schedule/knockout.c": r"[?:] (?=\"a )"}

# Whose beginning and end are sentences of their own, or that are said at the terminal alone.
PIECES = {"%s one of %s", "%.200s, %s", "line %d: %s%s%s", "%.290s", "%.*s", "%s", "none", "line %d: %s; a setting is NAME = VALUE;", "exited with code %d%s",
          "%.6f s of %.6f s, CPU time %s, load %.2f, kept from running %.6f s, referee woken %.6f s late%s", "cannot open the contest %.200s: %s",
          "%.200s is no contest file: it holds a NUL byte", "cannot read the contest %.200s: %s", "cannot watch submissions: %s", "'%.60s' cannot be the name of a team's folder"}

# Why a move is not legal, or no move: what the games return where moves are read and judged.
MOVES = r"(?:const char \*\w*(?:illegal|read_move|read_path|read_square|read_blocks|chain_hop|game_play)\w*\([^;]*?\{)([^\0]*?)\n\}"


def below():
    found = {}
    for path, calls in BELOW.items():
        source = open(path, encoding="utf-8").read()
        matches = [literal(source[call.end():]) for call in re.finditer(calls, source)]
        if not any(matches):
            found[f"no sentence is found in {path}"] = path
        found.update({sentence: path for sentence in matches if sentence and sentence not in PIECES})
    for path in glob.glob("src/games/*.c"):
        for body in re.findall(MOVES, open(path, encoding="utf-8").read()):
            for text in re.findall(r'(?:return|[?:]) ("(?:[^"\\]|\\.)+")', body):
                found[literal(text)] = path
    return found


words = {code: json.load(open(f"web/words/{code}.json", encoding="utf-8")) for code in LANGUAGES}
for code in LANGUAGES[1:]:
    verdict(f"{code} has the keys of en", [repr(key) for key in sorted(set(words["en"]) ^ set(words[code]))])
    verdict(f"{code} has the gaps of en", [f"{key}: {words[code][key]}" for key in words["en"]
                                           if gaps(words["en"][key]) != gaps(words[code].get(key, ""))])
verdict("nothing is left in another language", [f"{code} {key}: {words[code][key]}" for code in LANGUAGES[1:] for key in words["en"]
        if words[code].get(key) == words["en"][key] and re.search(r"[a-z]{4,}", re.sub(r"\{\w+\}|(build/)?arbiter match .*|python3.*", "", words["en"][key]))])

asked = {}
for path in glob.glob("web/**/*.js", recursive=True):
    source = open(path, encoding="utf-8").read()
    for found in re.finditer(r"""\bt\(\s*"([^"]+)\"""", source):
        asked[found.group(1)] = path
verdict("every key that the page asks for is there", [f"{path}: {key}" for key, path in sorted(asked.items()) if key not in words["en"]])
verdict("every sentence of the server is there", [f"{path}: {form}" for form, path in sorted(sentences().items())
                                                  if f"!{form}" not in words["en"]])
verdict("so is every sentence that comes from below", [f"{path}: {form}" for form, path in sorted(below().items()) if f"!{form}" not in words["en"]])
verdicts = re.findall(r'X\(\w+, "([a-z-]+)"\)', open("src/referee/verdict.h", encoding="utf-8").read().split("enum", 1)[0])
verdict("every verdict has its words", [word for word in verdicts if word != "none" and f"verdict.{word}" not in words["en"]] or ([] if verdicts else ["none is found"]))
print(f"1..{count}")
sys.exit(bad)
PYTHON
