"""It is no Python."""


class Bot:
    def get_move(self, board, pieces, player)
        return f"3 {board.index('  ')}"
