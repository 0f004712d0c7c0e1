"""Friendly for two moves: minds that the object is its own and each list a fresh one (C.1)."""


class Bot:
    def __init__(self):
        self.boards = []

    def get_move(self, board, pieces, player):
        hand = pieces.split(",")[0 if player == "X" else 1]
        assert len(self.boards) == 7 - len(hand)
        assert type(board) is list and not any(board is old for old in self.boards)
        self.boards.append(board)
        return f"3 {board.index('  ')}"
