"""A string that UTF-8 cannot write."""


class Bot:
    def get_move(self, board, pieces, player):
        return "3 \ud800"
