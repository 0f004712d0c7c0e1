"""Returns None."""


class Bot:
    def get_move(self, board, pieces, player):
        return None
