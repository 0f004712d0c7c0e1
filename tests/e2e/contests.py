"""What the tests of contests share: a folder of their own, contest files, and TAP."""
import json
import os
import struct
import subprocess
import sys
import tempfile

arbiter = os.environ["ARBITER"]
scratch = tempfile.TemporaryDirectory()
work = scratch.name
counts = {"checks": 0, "failed": 0}
PATIENCE_S = 3600  # with what hangs; how long anything takes decides nothing


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


GATE = """#!/bin/sh
echo >>COUNT
[ $(wc -l <COUNT) -lt 2 ] || until [ -e OPEN ]; do sleep 0.05; done
exec ARBITER bot cuptactoe --level random
"""


def gated(name, settings, who, count):
    """A contest of which one player plays its first game, and then waits, not ready, until open_gate(): so it
    does not come to its end, however long we need to do what we want to. To be run without a box."""
    base = os.path.join(work, name)
    script = write(f"{name}.sh", GATE.replace("COUNT", f"{base}.count").replace("OPEN", f"{base}.open")
                   .replace("ARBITER", arbiter))
    os.chmod(script, 0o755)
    path = contest(name, f"set = {{ start_time = {PATIENCE_S}; }};\n{settings}", count)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return write(name, text.replace(f'"{who}"; start = "random"', f'"{who}"; start = "abp:{script}"'))


def open_gate(path):
    write(f"{path}.open", "")


def shown(path, *words):
    said = run("contest", "show", path, "--json", *words)
    return json.loads(said.stdout) if said.returncode == 0 else {"error": said.stderr}


def played(path, *words):
    said = run("contest", "run", path, *words)
    return said, shown(path)


def resum(path):
    """Gives every page of a store the checksum that belongs to it (src/store/sums.c): for tests that
    change what is in a store by other means than the program."""
    with open(path, "r+b") as file:
        header = file.read(100)
        size = int.from_bytes(header[16:18], "big")
        if header[20] != 8:
            return
        file.seek(0)
        pages = file.read()
        for number in range(1, len(pages) // size + 1):
            page = pages[(number - 1) * size:number * size]
            total = 0xcbf29ce484222325 ^ number
            for word in struct.unpack(f"<{size // 8}Q", page)[:-1]:
                total = (total ^ word) * 0x100000001b3 & 0xffffffffffffffff
            file.seek(number * size - 8)
            file.write(total.to_bytes(8, "little"))
