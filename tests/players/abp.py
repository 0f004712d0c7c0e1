#!/usr/bin/env python3
"""abp.py GAME BEHAVIOUR [--rules ARBITER]: a player that speaks abp (docs/protocol.md, D). With
--rules it asks `ARBITER rules GAME` what is legal, otherwise it knows by itself."""
import json
import os
import random
import re
import subprocess
import sys

import common
from common import GIGABYTE, complain, garbage, misdeed, setup, sleep_forever
from rules import GAMES

GO = re.compile(r"go id=(\d+) time=(\d+) due=(\d+)[^|]* \|(.*)\|(.*)")
NEVER_ISSUED = 1000000


class Request:
    def __init__(self, game, line):
        self.line = line
        number, _, due, settings, moves = GO.fullmatch(line).groups()
        self.game, self.id, self.due = game, int(number), int(due)
        self.settings = dict(pair.split("=", 1) for pair in settings.strip().split("; ") if pair)
        self.moves = [move for move in moves.strip().split("; ") if move]


class Abp(common.Player):
    def __init__(self, game, arbiter):
        self.game, self.arbiter = game, arbiter
        self.ids = []
        self.ready = b"ready tests"
        self.newline = b"\n"
        self.random = random.Random(0)
        self.asked = 0  # requests since the game began

    def write(self, data):
        while data:
            data = data[os.write(1, data):]

    def say(self, text):
        self.write(text + self.newline)

    def read(self):
        line = sys.stdin.buffer.readline().decode("ascii")
        if len(line) > 65536 or line and not line.endswith("\n") or "\r" in line:
            complain("a line is too long or does not end in a newline (D.1)")
        return line.rstrip("\n")

    def greet(self):
        self.say(self.ready)

    def begin(self):
        line = self.read()
        if line != f"abp 1 {self.game}":
            complain(f"the judge begins with {line!r} (D.2)")
        self.greet()

    def requests(self):
        while line := self.read():
            word = line.split(" ")[0]
            if word == "go":
                yield self.request(line)
            elif word == "over":
                if not re.fullmatch(r"over winner=[012] reason=[a-z-]+", line):
                    complain(f"{line!r} (D.6)")
                self.asked = 0
            elif word == "quit":
                if self.asked:
                    complain("quit without over (D.6)")
                return
            elif word == "used" and not re.fullmatch(r"used id=\d+ ms=\d+(\.\d+)?", line):
                complain(f"{line!r} (D.5)")
        complain("standard input ended without quit (D.6)")

    def request(self, line):
        try:
            request = Request(self.game, line)
        except (AttributeError, ValueError):
            complain(f"{line!r} is no request (D.3)")
            sys.exit(3)
        if request.id in self.ids:
            complain(f"id {request.id} came twice (D.3)")
        self.ids.append(request.id)
        self.asked += 1
        return request

    def ask_rules(self, request):
        words = [word for pair in request.settings.items() for word in ("--set", "=".join(pair))]
        moves = list(request.moves)
        for _ in range(request.due):
            ran = subprocess.run([self.arbiter, "rules", self.game, *words], text=True, check=True,
                                 input="; ".join(moves) + "\n", stdout=subprocess.PIPE)
            moves.append(self.random.choice(json.loads(ran.stdout)["legal"]))
        return moves[-request.due:]

    def know_rules(self, request):
        game = GAMES[self.game](request.settings)
        game.random = self.random
        moves = []
        try:
            for text in request.moves:
                game.play(game.read(text))
        except (ValueError, IndexError, StopIteration) as error:
            complain(f"{request.line!r}: {error} (D.3)")
        for _ in range(request.due):
            moves.append(game.choose())
            game.play(moves[-1])
        return [game.write(move) for move in moves]

    def move(self, request):
        know = self.ask_rules if self.arbiter else self.know_rules
        return "; ".join(know(request)).encode()

    def answer(self, request):
        return b"move id=%d %s" % (request.id, self.move(request)) + self.newline

    def old_id(self):
        return self.ids[-2] if len(self.ids) > 1 else self.ids[-1]


# Moves and ids

@misdeed
def illegal(player, request):
    """cells that no board has"""
    player.say(b"move id=%d 99,99" % request.id)


@misdeed
def no_move(player, request):
    """an id and nothing after it"""
    player.say(b"move id=%d" % request.id)


@misdeed
def no_id(player, request):
    """a move without an id, and no other answer"""
    player.say(b"move " + player.move(request))


@misdeed
def more_than_due(player, request):
    """one move more than is due"""
    moves = player.move(request)
    player.say(b"move id=%d %s; %s" % (request.id, moves, moves))


@misdeed
def one_stone(player, request):
    """one stone where two are due"""
    player.say(b"move id=%d %s" % (request.id, player.move(request).split(b"; ")[0]))


@misdeed
def huge(player, request):
    """numbers of twenty digits"""
    player.say(b"move id=%d 18446744073709551617,18446744073709551617" % request.id)


@misdeed
def huge_id(player, request):
    """an id of twenty digits, and no other answer"""
    player.say(b"move id=%d %s" % (2 ** 64 + request.id, player.move(request)))


@misdeed
def wrong_id(player, request):
    """an id that was never issued, and no other answer"""
    player.say(b"move id=%d %s" % (request.id + NEVER_ISSUED, player.move(request)))


@misdeed
def old_id(player, request):
    """the id of its turn before, and no other answer"""
    player.say(b"move id=%d %s" % (player.old_id(), player.move(request)))


@misdeed
def old_then_good(player, request):
    """the id of its turn before, then a friendly answer"""
    old_id(player, request)
    player.good(request)


@misdeed
def twice(player, request):
    """answers twice"""
    player.write(player.answer(request) * 2)


@misdeed
def early(player, request):
    """answers, and answers a turn that has not come"""
    player.good(request)
    player.say(b"move id=%d 1,1" % (request.id + NEVER_ISSUED))


# Lines

@misdeed
def chatter(player, request):
    """says what it thinks, comments, and words nobody knows (D.1, D.4): friendly"""
    player.write(b"info I think\n# a note\n#\n\ninfo\nscore 17\n" * 100)
    player.good(request)


@misdeed
def upper(player, request):
    """the answer in capitals: a word nobody knows"""
    player.write(player.answer(request).upper())


@misdeed
def garbage_line(player, _request):
    """a line without sense, and no other answer"""
    player.say(garbage(64).replace(b"\n", b"?"))


@misdeed
def garbage_then_good(player, request):
    """a line without sense, which is skipped (D.1), then a friendly answer"""
    garbage_line(player, request)
    player.good(request)


@misdeed
def long_line(player, request):
    """a line of 65,537 bytes with its newline, then a friendly answer"""
    player.write(b"info " + b"x" * 65531 + b"\n")
    player.good(request)


@misdeed
def longest_line(player, request):
    """a line of 65,536 bytes with its newline, then an answer: friendly"""
    player.write(b"info " + b"x" * 65530 + b"\n")
    player.good(request)


@misdeed
def no_newline(player, request):
    """a whole answer without a newline, then nothing"""
    player.write(player.answer(request)[:-1])
    sleep_forever()


@misdeed
def flood(player, _request):
    """1 GB of lines"""
    for _ in range(GIGABYTE // 65536):
        player.write(b"info I think, therefore I am so\n" * 2048)


@misdeed
def flood_line(player, _request):
    """1 GB without a newline"""
    for _ in range(GIGABYTE // 65536):
        player.write(b"1" * 65536)


# The greeting

@setup
def crlf(player):
    """ends its lines in CRLF"""
    player.newline = b"\r\n"


@setup
def refuse(player):
    """refuses the game and leaves"""
    player.greet = lambda: (player.say(b"refuse it is not my day"), sys.exit(0))


@setup
def ready_never(player):
    """greets with a word nobody knows"""
    player.ready = b"hello"


@setup
def ready_late(player):
    """says other things before ready (D.1): friendly"""
    player.ready = b"# abp\nhello\n\nready the late one"


@setup
def ready_early(player):
    """says ready before it reads a word: friendly"""
    player.say(player.ready)
    player.greet = lambda: None


@setup
def ready_and_move(player):
    """answers a turn together with ready, before it is asked"""
    player.ready = b"ready tests\nmove id=%d 3,3" % NEVER_ISSUED


@setup
def ready_crash(player):
    """dies in place of ready"""
    player.greet = lambda: common.crash(player, None)


if __name__ == "__main__":
    words = sys.argv[1:]
    program = words.pop() if len(words) == 4 and words.pop(2) == "--rules" else None
    if len(words) != 2 or words[0] not in GAMES:
        common.usage(__doc__)
    Abp(words[0], program).play(words[1])
