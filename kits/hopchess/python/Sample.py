# SPDX-License-Identifier: MIT
"""A player for hopchess that makes a step or a single hop at random. Make GetStep better: a move
may also be a chain of hops, [(1, 0), (1, 2), (3, 2)], at most 99 of them.

Black wants to get to columns 6 and 7, white to columns 0 and 1. Rows and columns are counted from
0."""
import random

import STcpClient


def IsEmpty(board, row, column):
    return 0 <= row < 8 and 0 <= column < 8 and board[row][column] == 0


def LegalSteps(board, mine):
    """The steps and single hops of all pieces of colour mine, each a path [(row, column), ...]."""
    paths = []
    for row in range(8):
        for column in range(8):
            if board[row][column] != mine:
                continue
            for down, right in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
                # Next to us is an empty square: step. Otherwise it is a piece, or the edge: hop, if
                # the square behind is empty. A piece of the opponent is then taken.
                reach = 1 if IsEmpty(board, row + down, column + right) else 2
                target = (row + reach * down, column + reach * right)
                if IsEmpty(board, target[0], target[1]):
                    paths.append([(row, column), target])
    return paths


def GetStep(board, is_black):
    """Your part. board[row][column] is 0 empty, 1 black, 2 white. Return the path of one piece: its
    square, then every square it comes to. An invalid move, or one after more than 5 seconds, is
    skipped: then the other one moves."""
    paths = LegalSteps(board, 1 if is_black else 2)
    return random.choice(paths) if paths else []  # there always is one when the judge asks


def main():
    while True:
        stop, id_package, board, is_black = STcpClient.GetBoard()
        if stop:
            break
        STcpClient.SendStep(id_package, GetStep(board, is_black))


if __name__ == "__main__":
    main()
