"""Calls itself without end."""


class Bot:
    def get_move(self, board, pieces, player):
        return self.get_move(board, pieces, player)
