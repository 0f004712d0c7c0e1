"""Friendly for two moves: leaves a child in a session of its own, whose parent is gone."""
import os
import time


class Bot:
    def get_move(self, board, pieces, player):
        first = os.fork()
        if first == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(3600)
            os._exit(0)
        os.waitpid(first, 0)
        return f"3 {board.index('  ')}"
