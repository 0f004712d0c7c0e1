# SPDX-License-Identifier: MIT
"""Plays GetStep of Sample.py over standard input and output, in abp, Arbiter's own line protocol.
The judge sends the moves of the game so far; we make the board of them."""
import sys

from Sample import Flips, GetStep, LegalSteps

GAME = "reversi"
NAME = "reversi-kit-python"


def SetUp(settings, moves):
    """The board after these moves, and whose turn it is: 1 for black, 2 for white."""
    board = [[0] * 8 for _ in range(8)]
    if settings.get("board") == "othello":
        board[3][3] = board[4][4] = 2
        board[3][4] = board[4][3] = 1
    else:
        board[0][0] = board[0][7] = board[7][0] = board[7][7] = -1
    mover = 1
    for move in moves:
        row, column = map(int, move.split(","))
        for r, c in Flips(board, row, column, mover):
            board[r][c] = mover
        board[row][column] = mover
        # Who cannot move is skipped, and no move is written for him: we have to find that out.
        if LegalSteps(board, 3 - mover):
            mover = 3 - mover
    return board, mover


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
