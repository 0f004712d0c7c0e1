"""Closes all that is open, also what it is asked and answers by, and stays."""
import os
import time


class Bot:
    def get_move(self, board, pieces, player):
        os.closerange(0, 256)
        while True:
            time.sleep(60)
