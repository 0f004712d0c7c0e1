"""Friendly for two moves: leaves a thread running."""
import threading
import time


class Bot:
    def get_move(self, board, pieces, player):
        threading.Thread(target=time.sleep, args=[3600]).start()
        return f"3 {board.index('  ')}"
