# SPDX-License-Identifier: MIT
"""A player for reversi that plays a legal square at random. Make GetStep better.

The board starts empty and has no corners. A disc goes to any empty square of the central 6x6, or to
an empty square where it flips something. Rows and columns are counted from 0."""
import random

import STcpClient

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def Flips(board, row, column, mine):
    """The squares that a disc of colour mine on (row, column) would flip: in every direction the
    run of the opponent's discs, if one of ours stands behind it."""
    flips = []
    for down, right in DIRECTIONS:
        run = []
        r, c = row + down, column + right
        while 0 <= r < 8 and 0 <= c < 8 and board[r][c] == 3 - mine:  # 1 + 2 = 3: the other colour
            run.append((r, c))
            r, c = r + down, c + right
        if 0 <= r < 8 and 0 <= c < 8 and board[r][c] == mine:
            flips += run
    return flips


def LegalSteps(board, mine):
    """All squares (row, column) where the colour mine may play."""
    othello = board[0][0] != -1  # which the judge can play too: corners, but no free placement
    steps = []
    for row in range(8):
        for column in range(8):
            central = 1 <= row <= 6 and 1 <= column <= 6
            if board[row][column] == 0:
                if (central and not othello) or Flips(board, row, column, mine):
                    steps.append((row, column))
    return steps


def GetStep(board, is_black):
    """Your part. board[row][column] is 0 empty, 1 black, 2 white, -1 a corner. Return (row,
    column). You are asked only when you have a legal move. There are 5 seconds."""
    return random.choice(LegalSteps(board, 1 if is_black else 2))


def main():
    while True:
        stop, id_package, board, is_black = STcpClient.GetBoard()
        if stop:
            break
        STcpClient.SendStep(id_package, GetStep(board, is_black))


if __name__ == "__main__":
    main()
