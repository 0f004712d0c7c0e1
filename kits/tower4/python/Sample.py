# SPDX-License-Identifier: MIT
"""A player for tower4 that drops into an open column at random. Make GetStep better.

Pieces fall into the columns of a 6x6 field without its corners, six to a column. Rows, columns and
layers are counted from 0, layer 0 at the bottom."""
import random

import STcpClient


def LegalSteps(board):
    """All columns (row, column) that are open: those with an empty cell at the top."""
    return [(row, column) for row in range(6) for column in range(6) if board[5][row][column] == 0]


def GetStep(board, is_black):
    """Your part. board[layer][row][column] is 0 empty, 1 black, 2 white, -1 cut off. Return (row,
    column); the piece falls by itself. You are asked only when you have a legal move. There are 5
    seconds."""
    return random.choice(LegalSteps(board))


def main():
    while True:
        stop, id_package, board, is_black = STcpClient.GetBoard()
        if stop:
            break
        STcpClient.SendStep(id_package, GetStep(board, is_black))


if __name__ == "__main__":
    main()
