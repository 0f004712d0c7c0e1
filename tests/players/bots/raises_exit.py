"""Calls sys.exit."""
import sys


class Bot:
    def get_move(self, board, pieces, player):
        sys.exit(0)
