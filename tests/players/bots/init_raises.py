"""Its object cannot be made."""


class Bot:
    def __init__(self):
        raise ValueError("not today")

    def get_move(self, board, pieces, player):
        return f"3 {board.index('  ')}"
