"""Calls sys.exit when its object is made."""
import sys


class Bot:
    def __init__(self):
        sys.exit(3)

    def get_move(self, board, pieces, player):
        return f"3 {board.index('  ')}"
