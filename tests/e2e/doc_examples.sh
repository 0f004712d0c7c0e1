#!/bin/sh
# Every "    $ command" in README.md and docs/ is run and must print what stands below it. A command
# with nothing below it is only run, and must end well. Prints TAP, a test per file.
exec python3 - "$ARBITER" README.md docs/*.md <<'PYTHON'
import os
import re
import subprocess
import sys
import tempfile

arbiter, *pages = sys.argv[1:]
scratch = tempfile.TemporaryDirectory()  # looks like the tree; what examples write stays in it
for name in os.listdir("."):
    os.symlink(os.path.abspath(name), os.path.join(scratch.name, name))
environment = dict(os.environ, ARBITER_DATA=os.path.join(scratch.name, "games of examples"))


def examples(page):
    """The commands of a page, each with its line number and the output shown."""
    command, number, shown = None, 0, []
    for line_number, line in enumerate(open(page, encoding="utf-8").read().split("\n"), 1):
        text = line[4:] if line.startswith("    ") else None
        if text is None or text.startswith("$ "):
            if command:
                yield number, command, shown
            command, number, shown = None, line_number, []
        if text is not None and text.startswith("$ "):
            command = text[2:]
        elif text is not None and command:
            shown.append(text.rstrip())


def wrong(page):
    for number, command, shown in examples(page):
        if not re.search(r"\bbuild/arbiter\b", command):
            continue
        ran = subprocess.run(command.replace("build/arbiter", arbiter), shell=True, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                             cwd=scratch.name, env=environment)
        printed = [line.rstrip() for line in ran.stdout.rstrip("\n").split("\n")]
        if printed != shown if shown else ran.returncode != 0:
            yield f"{page}:{number}: $ {command}\nshown:\n" + "\n".join(shown) + \
                "\nprinted:\n" + "\n".join(printed)


failed = 0
for n, page in enumerate(pages, 1):
    faults = list(wrong(page))
    failed += bool(faults)
    print(f"{'not ok' if faults else 'ok'} {n} - {page}: {sum(1 for _ in examples(page))} examples")
    for fault in faults:
        print("\n".join("# " + line for line in fault.split("\n")))
print(f"1..{len(pages)}")
sys.exit(1 if failed else 0)
PYTHON
