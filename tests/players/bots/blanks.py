"""Friendly for two moves: two blanks between the numbers."""


class Bot:
    def get_move(self, board, pieces, player):
        return f"3  {board.index('  ')}"
