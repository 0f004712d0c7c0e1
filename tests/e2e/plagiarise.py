#!/usr/bin/env python3
"""tests/e2e/plagiarise.py DISGUISE SEED FILE: prints the file as somebody would hand it in who did not
write it. DISGUISE is renamed, reordered, commented, split, padded, or all of them; or macros, in C alone."""
import random
import re
import sys

WORDS = set("""and as assert auto bool break case catch char class const continue def default del do double elif
else enum except extern false finally float for from global goto if import in inline int is lambda long NULL None
not nullptr operator or pass private public raise return short signed sizeof static struct switch template this
throw True False true try typedef typename union unsigned using virtual void while with yield self std include
main""".split())


def renamed(text, rng, python):
    names = {}

    def name(match):
        word = match.group(0)
        if word in WORDS:
            return word
        return names.setdefault(word, "v" + str(rng.randrange(10 ** 6)))

    lines = [line if line.startswith("#include") else re.sub(r"\b[A-Za-z_]\w*", name, line)
             for line in text.split("\n")]
    return "\n".join(lines)


def blocks(text, python):
    """What stands at the top, then the functions."""
    parts, now = [[]], False
    for line in text.split("\n"):
        begins = re.match(r"( {4})?def |class " if python else r"[A-Za-z].*\)\s*(const)?\s*\{$", line)
        if begins:
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(part) for part in parts]


def reordered(text, rng, python):
    head, *rest = blocks(text, python)
    if not python:
        rng.shuffle(rest)
        return "\n".join([head, *rest])
    classes = [i for i, part in enumerate(rest) if part.startswith("class ")] + [len(rest)]
    out = rest[:classes[0]]
    for begin, end in zip(classes, classes[1:]):
        methods = rest[begin + 1:end]
        inner = [m for m in methods if m.startswith("    ")]
        outer = [m for m in methods if not m.startswith("    ")]
        rng.shuffle(inner)
        rng.shuffle(outer)
        out += [rest[begin], *inner, *outer]
    return "\n".join([head, *out])


def commented(text, rng, python):
    mark = "#" if python else "//"
    out, quoted = [], False
    for line in text.split("\n"):
        quoted ^= line.count('"""') % 2 == 1
        plain = not quoted and not line.endswith("\\") and '"""' not in line
        if plain and rng.random() < 0.5:
            out += ["", re.match(r"\s*", line).group(0) + f"{mark} step {rng.randrange(1000)} of it"]
        out.append(line)
    return "\n".join(out)


def split(text, rng, python):
    """The last half of every long function becomes a function of its own."""
    out = []
    for number, part in enumerate(blocks(text, python)):
        lines = part.split("\n")
        last = max((i for i, line in enumerate(lines) if line.strip()), default=0)
        depth = re.match(r"\s*", lines[0]).group(0) + "    "
        cuts = [i for i in range(2, last) if lines[i].startswith(depth) and not lines[i].startswith(depth + " ")
                and lines[i].strip() and not lines[i].strip().startswith(("}", "else", "elif", "except"))]
        if number == 0 or last < 7 or not cuts:
            out.append(part)
            continue
        cut = min(cuts, key=lambda i: abs(i - last // 2))
        call = f"{depth}return part{number}(a, b)" + ("" if python else ";\n}")
        head = f"{depth[:-4]}def part{number}(a, b):" if python else f"static int part{number}(int a, int b) {{"
        out.append("\n".join(lines[:cut] + [call, "", head] + lines[cut:]))
    return "\n".join(out)


def padded(text, rng, python):
    """Code that is never run after every fifth statement."""
    out, statements = [], 0
    for line in text.split("\n"):
        out.append(line)
        depth = re.match(r"\s*", line).group(0)
        ends = line.endswith(";") if not python else re.match(r"\s+\w+ [-+]?= [^(\[{]*$", line)
        statements += bool(ends)
        if ends and depth and statements % 5 == 0:
            out.append(f"{depth}if False: spare = {rng.randrange(99)} + 1" if python
                       else f"{depth}if (0) {{ int spare = {rng.randrange(99)}; spare++; }}")
    return "\n".join(out)


def macros(text, rng, python):
    """Every line in short pieces, each a macro of its own, and nothing else."""
    head, body, names = [], [], {}
    for line in text.split("\n"):
        line = re.sub(r"//.*", "", line)
        if line.startswith("#"):
            head.append(line)
            continue
        pieces = re.findall(r"\"(?:\\.|[^\"])*\"|'(?:\\.|[^'])*'|[\w.]+|[^\w\s]", line)
        words = [" ".join(pieces[i:i + 5]) for i in range(0, len(pieces), 5)]
        body.append(" ".join(names.setdefault(word, f"M{len(names)}_") for word in words))
    return "\n".join([*head, *(f"#define {name} {word}" for word, name in names.items()), *body])


DISGUISES = {"renamed": renamed, "reordered": reordered, "commented": commented, "split": split, "padded": padded}


def main():
    disguise, seed, path = sys.argv[1:]
    rng, python = random.Random(int(seed)), path.endswith(".py")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name in DISGUISES if disguise == "all" else [disguise]:
        text = {**DISGUISES, "macros": macros}[name](text, rng, python)
    print(text)


main()
