"""Moves a cup from an empty cell."""


class Bot:
    def get_move(self, board, pieces, player):
        return f"9{board.index('  ')} 4"
