"""Stops itself with SIGSTOP."""
import os
import signal


class Bot:
    def get_move(self, board, pieces, player):
        os.kill(os.getpid(), signal.SIGSTOP)
        return f"3 {board.index('  ')}"
