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
    """The C strings at the beginning of a text, as one."""
    parts = []
    rest = text.lstrip()
    while rest.startswith('"'):
        found = re.match(r'"((?:[^"\\]|\\.)*)"', rest)
        parts.append(found.group(1).replace('\\"', '"').replace("\\\\", "\\"))
        rest = rest[found.end():].lstrip()
    return "".join(parts)


# Where sentences are for whoever starts the server, and which calls there speak to the page.
TERMINAL = {"src/web/guard.c": r"(?!)", "src/web/secret.c": r"(?!)", "src/web/server.c": r"refuse\(wsi, session, \d+,|return(?= \"t)|\? NULL :"}


def sentences():
    """What the server says when it cannot do something: the formats of err_set and the words of answers."""
    found = {}
    calls = r"\b(?:err_set\(\s*\w+(?:->\w+)?|err_set\(\s*&\w+|answer_error\(\s*x,\s*\d+|refuse\(wsi, session, \d+)\s*,"
    for path in glob.glob("src/web/*.c"):
        source = open(path, encoding="utf-8").read()
        for call in re.finditer(TERMINAL.get(path, calls), source):
            words = literal(source[call.end():])
            if words and words != "%s":
                found[words] = path
    return found


words = {code: json.load(open(f"web/words/{code}.json", encoding="utf-8")) for code in LANGUAGES}
for code in LANGUAGES[1:]:
    verdict(f"{code} has the keys of en", [repr(key) for key in sorted(set(words["en"]) ^ set(words[code]))])
    verdict(f"{code} has the gaps of en", [f"{key}: {words[code][key]}" for key in words["en"]
                                           if gaps(words["en"][key]) != gaps(words[code].get(key, ""))])
verdict("nothing is left in another language", [f"{code} {key}: {words[code][key]}" for code in LANGUAGES[1:] for key in words["en"]
        if words[code].get(key) == words["en"][key] and re.search(r"[a-z]{4,}", re.sub(r"\{\w+\}|build/\S+.*|python3.*", "", words["en"][key]))])

asked = {}
for path in glob.glob("web/**/*.js", recursive=True):
    source = open(path, encoding="utf-8").read()
    for found in re.finditer(r"""\bt\(\s*"([^"]+)\"""", source):
        asked[found.group(1)] = path
verdict("every key that the page asks for is there", [f"{path}: {key}" for key, path in sorted(asked.items()) if key not in words["en"]])
verdict("every sentence of the server is there", [f"{path}: {form}" for form, path in sorted(sentences().items())
                                                  if f"!{form}" not in words["en"]])
print(f"1..{count}")
sys.exit(bad)
PYTHON
