"""Ends its process."""
import os


class Bot:
    def get_move(self, board, pieces, player):
        os._exit(0)
