# SPDX-License-Identifier: MIT
"""A player for @GAME@ that plays any empty cell. That is legal where a move is one stone on an
empty cell; in other games GetStep has to know more of the rules. Make it better.

Rows and columns are counted from 0."""
import random

import STcpClient


def GetStep(board, is_black):
    """Your part. board[row][column] is 0 empty, 1 black, 2 white, 3 something else, -1 no cell.
    Return the cells of your move, [(row, column), ...], in the order in which it is written."""
    empty = [(row, column) for row, cells in enumerate(board) for column, cell in enumerate(cells) if cell == 0]
    return [random.choice(empty)]


def main():
    while True:
        stop, id_package, board, is_black = STcpClient.GetBoard()
        if stop:
            break
        STcpClient.SendStep(id_package, GetStep(board, is_black))


if __name__ == "__main__":
    main()
