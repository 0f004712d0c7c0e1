"""Dies of a signal."""
import os
import signal


class Bot:
    def get_move(self, board, pieces, player):
        os.kill(os.getpid(), signal.SIGKILL)
