"""Friendly for two moves: ignores SIGTERM, and a thread of it never ends."""
import signal
import threading
import time


class Bot:
    def __init__(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def get_move(self, board, pieces, player):
        threading.Thread(target=time.sleep, args=[3600]).start()
        return f"3 {board.index('  ')}"
