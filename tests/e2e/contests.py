"""What the tests of contests share: a folder of their own, contest files, and TAP."""
import json
import os
import subprocess
import sys
import tempfile

arbiter = os.environ["ARBITER"]
scratch = tempfile.TemporaryDirectory()
work = scratch.name
counts = {"checks": 0, "failed": 0}


def check(what, good, said=""):
    counts["checks"] += 1
    counts["failed"] += not good
    print(f"{'ok' if good else 'not ok'} {counts['checks']} - {what}", flush=True)
    if not good:
        print("\n".join("# " + line for line in str(said).split("\n")[:40]), flush=True)


def finish():
    scratch.cleanup()
    print(f"1..{counts['checks']}")
    sys.exit(counts["failed"] > 0)


def run(*words, **settings):
    return subprocess.run([arbiter, *words], capture_output=True, text=True, check=False, **settings)


def write(name, text):
    path = os.path.join(work, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def players(count, start="random"):
    each = ", ".join(f'{{ name = "p{i}"; start = "{start}"; }}' for i in range(count))
    return f"players = ( {each} );\n"


def contest(name, settings, count=5):
    return write(name, f'game = "cuptactoe"; jobs = 2; seed = 3;\n{settings}\n{players(count)}')


def shown(path, *words):
    said = run("contest", "show", path, "--json", *words)
    return json.loads(said.stdout) if said.returncode == 0 else {"error": said.stderr}


def played(path, *words):
    said = run("contest", "run", path, *words)
    return said, shown(path)
