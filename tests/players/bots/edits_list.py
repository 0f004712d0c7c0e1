"""Friendly for two moves: edits the list it was given (C.1)."""


class Bot:
    def get_move(self, board, pieces, player):
        answer = f"3 {board.index('  ')}"
        board[:] = ["X3  "] * 9
        board.clear()
        return answer
