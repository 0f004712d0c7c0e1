#!/usr/bin/env python3
"""sixline.py BEHAVIOUR: a player that speaks sixline (docs/protocol.md, B), for connect6."""
import os
import sys
import time

import common
from common import GIGABYTE, complain, garbage, misdeed, setup, sleep_forever
from rules import Connect6


class Sixline(common.Player):
    def __init__(self):
        self.rules = None
        self.first = None  # whether it makes the first stone
        self.limit = None
        self.seen = []
        self.newline = b"\n"
        self.ok = b"OK"
        self.info = b"TeamName:tests,Department:players"

    def write(self, data):
        while data:
            data = data[os.write(1, data):]

    def say(self, text):
        self.write(text + self.newline)

    def lines(self):
        while line := sys.stdin.buffer.readline():
            text = line.decode("ascii").rstrip("\r\n")
            self.seen.append(text.split()[0].upper() if text.split() else "")
            yield text
        complain("standard input ended without QUIT (B.2)")

    def start(self):
        if self.seen != ["START"]:
            complain(f"START is not the first command: {self.seen} (B.2)")
        self.say(self.ok)

    def tell_info(self):
        if self.seen != ["START", "INFO"]:
            complain(f"INFO is not the second command: {self.seen} (B.2)")
        self.say(self.info)

    def block(self):
        self.say(self.ok)

    def stones(self, text):
        """The opponent's stones; those that are on the board already are a fault of the judge."""
        if self.limit is None or set(self.seen[2:]) - {"LIMITTIME", "BLOCK", "BEGIN", "TURN"}:
            complain(f"the order of commands is wrong: {self.seen} (B.2)")
        try:
            for stone in self.rules.read(text):
                self.rules.play([stone])
        except ValueError as error:
            complain(f"TURN {text}: {error} (B.2)")

    def requests(self):
        """Yields the number of stones due."""
        blocks = []
        for text in self.lines():
            word, _, rest = text.partition(" ")
            if word == "START":
                self.start()
            elif word == "INFO":
                self.tell_info()
            elif word == "LimitTime":
                self.limit = int(rest)
            elif word == "BLOCK":
                blocks.append(rest)
                self.block()
            elif word in ("BEGIN", "TURN"):
                self.rules = self.rules or Connect6({"blocks": " ".join(blocks) or "none"})
                self.stones(rest)
                yield 1 if word == "BEGIN" else 2
            elif word == "QUIT":
                return
            else:
                complain(f"{text}: no such command (B.2)")

    def move(self, due):
        """Plays the stones on its own board and returns their text."""
        stones = []
        for _ in range(min(due, len(self.rules.moves()))):
            stones += self.rules.choose()
            self.rules.play(stones[-1:])
        return self.rules.write(stones).encode()

    def answer(self, due):
        return self.move(due) + self.newline

    def taken(self):
        """A cell that holds a stone."""
        y, x = (self.rules.pairs(1) + self.rules.pairs(2))[0]
        return b"%d,%d" % (x, y)


# Stones

@misdeed
def one_stone(player, due):
    """one stone where two are due"""
    player.say(player.move(due).split()[0])


@misdeed
def three_stones(player, due):
    """a third stone, which is ignored (B.4)"""
    player.say(player.move(due) + b" 0,0")


@misdeed
def trailing_text(player, due):
    """words after the stones, which are ignored (B.4)"""
    player.say(player.move(due) + b" \xc0\xcc\xb0\xe5\xb4\xd9 and so on")


@misdeed
def same_twice(player, due):
    """the same cell twice"""
    stone = player.move(due).split()[0]
    player.say(stone + b" " + stone)


@misdeed
def occupied(player, due):
    """a stone on a taken cell"""
    player.say(player.taken() + b" " + player.move(due).split()[0])


@misdeed
def blocked(player, _due):
    """a stone on a blocked cell"""
    (y, x), (y2, x2) = player.rules.pairs(-1)[0], player.rules.pairs(0)[0]
    player.say(b"%d,%d %d,%d" % (x, y, x2, y2))


@misdeed
def outside(player, _due):
    """stones outside the board"""
    player.say(b"19,0 -1,3")


@misdeed
def huge(player, _due):
    """numbers of twenty digits"""
    player.say(b"18446744073709551617,00000000000000000003 4294967297,4")


# Lines

@misdeed
def garbage_line(player, _due):
    """a line without sense"""
    player.say(garbage(64).replace(b"\n", b"?"))


@misdeed
def empty_line(player, _due):
    """an empty line"""
    player.say(b"")


@misdeed
def long_line(player, _due):
    """a line of 100,000 letters"""
    player.say(b"x" * 100000)


@misdeed
def no_newline(player, due):
    """a whole answer without a newline, then nothing"""
    player.write(player.move(due))
    sleep_forever()


@misdeed
def error_first(player, due):
    """lines that begin with ERROR before the move, which are skipped (B.3)"""
    player.write(b"ERROR 3,3 is taken\nERROR\r\nERROR:\n" + player.answer(due))


@misdeed
def error_only(player, _due):
    """a line that begins with ERROR and no move"""
    player.say(b"ERROR I cannot go on")
    sleep_forever()


@misdeed
def error_illegal(player, due):
    """a line that begins with ERROR, and then a taken cell"""
    player.say(b"ERROR that is taken\n" + player.taken() + b" " + player.move(due).split()[0])


@misdeed
def early(player, due):
    """answers, and answers the next turn before it is asked"""
    player.good(due)
    stones = [stone for move in player.rules.moves()[:2] for stone in move]
    player.say(player.rules.write(stones).encode())


@misdeed
def flood(player, _due):
    """1 GB of lines without end"""
    for _ in range(GIGABYTE // 65536):
        player.write(b"ERROR out of cheese, redo start\n" * 2048)


@misdeed
def flood_line(player, _due):
    """1 GB without a newline"""
    for _ in range(GIGABYTE // 65536):
        player.write(b"1" * 65536)


@misdeed
def writes_file(player, due):
    """keeps a file in its folder, as contest players do (B.1): friendly"""
    with open("myLog.txt", "a", encoding="utf-8") as file:
        file.write("my turn\n")
    player.good(due)


# The greeting

@setup
def strict(player):
    """friendly, and minds that a limit of 0.2 s is told as LimitTime 1"""
    def end():
        if player.limit != 1:
            complain(f"LimitTime {player.limit} for a limit of 0.2 s (B.2)")
    player.end = end


@setup
def crlf(player):
    """ends its lines in CRLF: friendly"""
    player.newline = b"\r\n"


@setup
def cp949(player):
    """a name and a department in CP949: friendly"""
    player.info = "TeamName:육목왕,Department:컴퓨터공학과".encode("cp949")


@setup
def info_blanks(player):
    """blanks after comma and colons: friendly"""
    player.info = b"TeamName:  the six , Department: of lines"


@setup
def ok_wrong(player):
    """answers START with another word"""
    player.ok = b"HELLO"


@setup
def ok_after_banner(player):
    """prints a banner before OK"""
    player.ok = b"Six Master 2018\nOK"


@setup
def ok_no_newline(player):
    """answers START with OK without a newline"""
    player.start = lambda: (player.write(b"OK"), sleep_forever())


@setup
def ok_flood(player):
    """answers START with 1 GB"""
    player.start = lambda: flood_line(player, 1)


@setup
def ok_crash(player):
    """dies when it is asked for START"""
    player.start = lambda: common.crash(player, 1)


@setup
def info_wrong(player):
    """answers INFO with a line of its own making"""
    player.info = b"I am the best"


@setup
def info_one_field(player):
    """answers INFO without a department"""
    player.info = b"TeamName:tests"


@setup
def info_hang(player):
    """does not answer INFO"""
    player.tell_info = sleep_forever


@setup
def block_hang(player):
    """does not answer BLOCK"""
    player.block = sleep_forever


@setup
def block_wrong(player):
    """answers BLOCK with another word"""
    player.block = lambda: player.say(b"NO")


@setup
def block_slow(player):
    """takes longer over BLOCK than a turn may take, which no limit forbids: friendly"""
    player.block = lambda: (time.sleep(2), player.say(player.ok))


@setup
def blind(player):
    """answers all before it is asked, and never reads"""
    player.write(b"OK\n" + player.info + b"\n9,9 9,10\n3,3 3,4\n5,5 5,6\n")
    sleep_forever()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        common.usage(__doc__)
    Sixline().play(sys.argv[1])
