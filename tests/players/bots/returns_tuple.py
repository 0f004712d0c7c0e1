"""Returns two numbers."""


class Bot:
    def get_move(self, board, pieces, player):
        return 3, 4
