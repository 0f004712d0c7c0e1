# SPDX-License-Identifier: MIT
"""Plays GetStep of Sample.py over standard input and output, in abp, Arbiter's own line protocol.
The judge sends the moves of the game so far; we make the board of them."""
import sys

from Sample import GetStep

GAME = "tower4"
NAME = "tower4-kit-python"


def IsCut(row, column, corners):
    """The standard field lacks three cells at each corner, with corners=1 only the outermost."""
    from_edge = min(row, 5 - row) + min(column, 5 - column)
    return from_edge < (1 if corners == 1 else 2)


def SetUp(settings, moves):
    """The board after these moves, and whose turn it is: 1 for black, 2 for white."""
    corners = int(settings.get("corners", 3))
    board = [[[-1 if IsCut(row, column, corners) else 0 for column in range(6)] for row in range(6)]
             for _ in range(6)]
    for i, move in enumerate(moves):
        row, column = map(int, move.split(","))
        layer = 0
        while board[layer][row][column] != 0:
            layer += 1
        board[layer][row][column] = 1 + i % 2  # black and white take turns
    return board, 1 + len(moves) % 2


def Answer(settings, moves, due):
    board, mover = SetUp(settings, moves)
    return "%d,%d" % tuple(GetStep(board, mover == 1))


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
