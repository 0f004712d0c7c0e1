"""Calls sys.exit when it is loaded."""
import sys

sys.exit(0)


class Bot:
    def get_move(self, board, pieces, player):
        return f"3 {board.index('  ')}"
