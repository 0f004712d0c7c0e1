"""Prints 8 MB, then a legal move."""


class Bot:
    def get_move(self, board, pieces, player):
        for _ in range(128):
            print("all is well " * 5461)
        return f"3 {board.index('  ')}"
