"""The class has another method."""


class Bot:
    def getMove(self, board, pieces, player):
        return f"3 {board.index('  ')}"
