#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py ARBITER GAME [--games N] [--seed S] [--set KEY=VALUE ...]: plays random games by the naive rules of GAME.py and
asks `ARBITER rules GAME` about every ply of them: who moves, the legal moves, whether it is over, who has won, why and with
what score, and how the position is written; and that a move that is not listed is refused. Prints the first difference in
words and exits with 1."""
import argparse
import importlib
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True


class Difference(Exception):
    pass


class Rules:
    """`arbiter rules`, asked line by line: for answers, and for pictures, which have the position in one line."""

    def __init__(self, arbiter, game, settings):
        command = [arbiter, "rules", game] + [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
        self.asked = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.drawn = subprocess.Popen(command + ["--draw"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @staticmethod
    def ask(process, moves):
        process.stdin.write(";".join(moves) + "\n")
        process.stdin.flush()

    def answer(self, moves):
        self.ask(self.asked, moves)
        line = self.asked.stdout.readline()
        if not line:
            raise Difference(f"no answer after {len(moves)} moves: {';'.join(moves)}")
        return json.loads(line)

    def position(self, moves):
        self.ask(self.drawn, moves)
        found = None
        for line in self.drawn.stdout:
            if line.startswith("position: "):
                found = line.removeprefix("position: ").rstrip("\n")
            elif line == "\n" and found:
                return found
            elif line.startswith("error"):
                raise Difference(line.strip())
        raise Difference(f"no picture after {len(moves)} moves: {';'.join(moves)}")

    def close(self):
        for process in (self.asked, self.drawn):
            process.stdin.close()
            process.stdout.close()
            process.wait()


def expected(game, ply):
    return {"ply": ply, "turn": game.turn, "legal": game.legal(), "over": game.turn == 0, "winner": game.winner,
            "scores": None if game.scores is None else list(game.scores), "reason": game.reason}


def tell(what, theirs, ours, moves):
    if isinstance(ours, set):
        raise Difference(f"{what}: only arbiter has {sorted(theirs - ours)[:8]}, only the naive rules have "
                         f"{sorted(ours - theirs)[:8]}, after {';'.join(moves)}")
    raise Difference(f"{what}: arbiter says {theirs!r}, the naive rules say {ours!r}, after {';'.join(moves)}")


def check_ply(rules, game, moves, everything):
    """Holds what both say of a position against each other; `everything` includes how it is written and a move refused."""
    answer, said = rules.answer(moves), expected(game, len(moves))
    if "error" in answer:
        raise Difference(f"arbiter refuses {answer['error']} after {';'.join(moves[:answer['ply']])}")
    if len(set(answer["legal"])) != len(answer["legal"]):
        raise Difference(f"a legal move is listed twice after {';'.join(moves)}")
    answer["legal"] = set(answer["legal"])
    for what, ours in said.items():
        if answer[what] != ours:
            tell(what, answer[what], ours, moves)
    if not everything:
        return
    written = rules.position(moves)
    if written != game.position():
        tell("position", written, game.position(), moves)
    for wrong in sorted(set(moves) - said["legal"])[:3]:
        if "error" not in rules.answer(moves + [wrong]):
            raise Difference(f"arbiter takes {wrong}, which is not legal, after {';'.join(moves)}")


def choose(legal, dice, window):
    """A move that is a word (swap) now and then; otherwise one of the first `window` moves, which lie close together: so
    there are long lines and full boards as well."""
    words = [move for move in legal if move.isalpha()]
    return words[0] if words and dice.random() < 0.3 else dice.choice(sorted(legal)[:window])


def play(module, rules, settings, dice):
    """A random game; some of its plies are looked at more closely."""
    game, moves, window = module.Game(settings), [], dice.choice([3, 12, 40, None])
    while True:
        check_ply(rules, game, moves, len(moves) < 4 or len(moves) % 5 == 0 or not game.turn)
        if not game.turn:
            return game, moves
        due, mover = game.due(), game.turn
        move = choose(game.legal(), dice, window)
        game.play(move)
        moves.append(move)
        if due > 1 and game.turn and (game.turn != mover or game.due() != due - 1):
            raise Difference(f"the naive rules end a turn early after {';'.join(moves)}")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("arbiter")
    words.add_argument("game")
    words.add_argument("--games", type=int, default=10)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    args = words.parse_args()
    settings = dict(pair.split("=", 1) for pair in args.set)
    module, dice = importlib.import_module(args.game), random.Random(args.seed)
    rules = Rules(args.arbiter, args.game, settings)
    plies, ends = 0, {}
    try:
        for number in range(args.games):
            game, moves = play(module, rules, settings, dice)
            plies += len(moves)
            end = f"{game.reason} {game.winner}"
            ends[end] = ends.get(end, 0) + 1
    except Difference as difference:
        print(f"{args.game}, game {number + 1} of seed {args.seed}: {difference}")
        return 1
    finally:
        rules.close()
    print(f"{args.game}: {args.games} games, {plies} plies, the same; " + ", ".join(f"{n} x {end}" for end, n in sorted(ends.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
