"""Friendly for two moves: leaves children behind."""
import os
import signal
import time


class Bot:
    def get_move(self, board, pieces, player):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(3600)
            os._exit(0)
        return f"3 {board.index('  ')}"
