"""Friendly for two moves: returns a string of a class of its own."""


class Text(str):
    def __str__(self):
        raise ValueError("not for you")


class Bot:
    def get_move(self, board, pieces, player):
        return Text(f"3 {board.index('  ')}")
