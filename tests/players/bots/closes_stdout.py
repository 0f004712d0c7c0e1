"""Friendly for two moves: closes its standard output."""
import os
import sys


class Bot:
    def get_move(self, board, pieces, player):
        if not sys.stdout.closed:
            sys.stdout.close()
            os.closerange(0, 2)
        return f"3 {board.index('  ')}"
