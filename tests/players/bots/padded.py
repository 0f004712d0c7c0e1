"""Blanks around the move, and a newline."""


class Bot:
    def get_move(self, board, pieces, player):
        return f" 3 {board.index('  ')} \n"
