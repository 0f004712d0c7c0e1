#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perft.py ARBITER [GAME ...]: holds `ARBITER perft` against the counts of perft.txt, for all games or for those named.
perft.py --naive GAME DEPTH [KEY=VALUE ...]: counts by the naive rules. A finished game counts as one."""
import copy
import importlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True


def count(game, depth):
    legal = game.legal()
    if not legal or depth == 1:
        return len(legal) or 1
    total = 0
    for move in legal:
        after = copy.deepcopy(game)
        after.play(move)
        total += count(after, depth - 1)
    return total


def naive(name, depth, settings):
    game = importlib.import_module(name).Game(dict(pair.split("=", 1) for pair in settings))
    print(f"{name} | {';'.join(settings)} |", *[count(game, d) for d in range(1, depth + 1)], flush=True)
    return 0


def check(arbiter, names):
    bad = 0
    for line in open(os.path.join(HERE, "perft.txt"), encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        name, settings, counts = [part.strip() for part in line.split("|")]
        if names and name not in names:
            continue
        command = [arbiter, "perft", name, str(len(counts.split()))]
        for pair in settings.split(";") if settings else []:
            command += ["--set", pair]
        said = subprocess.run(command, capture_output=True, text=True)
        counted = " ".join(row.split()[1] for row in said.stdout.splitlines())
        if counted != counts:
            print(f"{name} {settings}: {counts} is expected, arbiter counts {counted} {said.stderr.strip()}")
            bad = 1
        else:
            print(f"{name} {settings}: {counts}")
    return bad


if __name__ == "__main__":
    if len(sys.argv) >= 4 and sys.argv[1] == "--naive":
        sys.exit(naive(sys.argv[2], int(sys.argv[3]), sys.argv[4:]))
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(check(sys.argv[1], sys.argv[2:]))
