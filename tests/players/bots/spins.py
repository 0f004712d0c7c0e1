"""Computes for ever."""


class Bot:
    def get_move(self, board, pieces, player):
        while True:
            pass
