"""Friendly for two moves: its parameters have other names (C.1)."""


class Bot:
    def get_move(this, board, peices, me):
        return f"3 {board.index('  ')}"
