# SPDX-License-Identifier: MIT
"""Plays the Bot of bot.py over standard input and output, in abp, Arbiter's own line protocol. The
judge sends the moves of the game so far; we make the board and the hands of them."""
import sys

from bot import Bot

GAME = "cuptactoe"
NAME = "cuptactoe-kit-python"


def SetUp(moves):
    """The cells after these moves, each its cups from the top down, and the cups in both hands."""
    cells = [""] * 9
    hands = {"X": "332211", "O": "332211"}
    for i, move in enumerate(moves):
        player = "XO"[i % 2]
        a, b = map(int, move.split())
        if a >= 90:  # the cup on top of a cell moves
            cup, cells[a - 90] = cells[a - 90][:2], cells[a - 90][2:]
        else:  # a new cup
            cup = player + str(a)
            hands[player] = hands[player].replace(str(a), "", 1)
        cells[b] = cup + cells[b]
    return cells, hands


_bot = None
_seen = []  # the moves we were asked about last


def Answer(settings, moves, due):
    global _bot, _seen
    if _bot is None or len(moves) <= len(_seen) or moves[:len(_seen)] != _seen:
        _bot = Bot()  # the moves do not go on from there: it is a new game
    _seen = moves
    cells, hands = SetUp(moves)
    board = [cell + "  " for cell in cells]
    pieces = "X" + hands["X"] + ",O" + hands["O"]
    return _bot.get_move(board, pieces, "XO"[len(moves) % 2])


# From here on it is abp itself, the same for every game. One line is one message:
#     the judge writes                          we write
#     abp 1 GAME                                ready NAME
#     go id=17 time=5000 due=1 |  | 2,3; 3,3    move id=17 4,4
#     quit                                      (nothing: we leave)
# Other lines are news that one may skip: who has won, how much time a move took.
def main():
    judge, sys.stdout = sys.stdout, sys.stderr  # so that your print() goes to the log

    def say(text):
        judge.write(text + "\n")
        judge.flush()  # or the line stays in our memory and the judge waits in vain

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "abp" and rest.split() == ["1", GAME]:
            say("ready " + NAME)
        elif word == "abp":
            say("refuse this player knows only abp 1 and " + GAME)
            return
        elif word == "go":
            head, settings, moves = [part.strip() for part in rest.split("|")]
            head = dict(item.split("=", 1) for item in head.split())
            settings = dict(item.split("=", 1) for item in settings.split("; ") if item)
            moves = [move for move in moves.split("; ") if move]
            answer = Answer(settings, moves, int(head["due"]))
            say("move id=%s %s" % (head["id"], answer))
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
