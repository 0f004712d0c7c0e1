# SPDX-License-Identifier: MIT
"""Plays GetStep of Sample.py over standard input and output, in abp, Arbiter's own line protocol.
The judge sends the moves of the game so far; we make the board of them."""
import sys

from Sample import GetStep, LegalSteps

GAME = "hopchess"
NAME = "hopchess-kit-python"

BLACK = [(0, 0), (2, 0), (4, 0), (6, 0), (1, 1), (3, 1), (5, 1), (2, 2), (4, 2)]


def Play(board, path, mover):
    """Moves a piece of the mover along a path, and takes what it hops over of the opponent's."""
    for (row, column), (to_row, to_column) in zip(path, path[1:]):
        board[row][column] = 0
        board[to_row][to_column] = mover
        middle_row, middle_column = (row + to_row) // 2, (column + to_column) // 2
        if board[middle_row][middle_column] == 3 - mover:
            board[middle_row][middle_column] = 0


def SetUp(settings, moves):
    """The board after these moves, and whose turn it is: 1 for black, 2 for white."""
    board = [[0] * 8 for _ in range(8)]
    for row, column in BLACK:
        board[row][column] = 1
        board[7 - row][7 - column] = 2  # the same after half a turn
    mover = 1
    for move in moves:
        if move != "pass":  # a turn lost by an invalid or late answer
            Play(board, [tuple(map(int, square.split(","))) for square in move.split()], mover)
        # Who cannot move is skipped, and no move is written for him: we have to find that out.
        if LegalSteps(board, 3 - mover):
            mover = 3 - mover
    return board, mover


def Answer(settings, moves, due):
    board, mover = SetUp(settings, moves)
    return " ".join("%d,%d" % tuple(square) for square in GetStep(board, mover == 1))


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
