"""A NUL after the move."""


class Bot:
    def get_move(self, board, pieces, player):
        return "3 4\0"
