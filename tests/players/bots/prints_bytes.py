"""Friendly for two moves: writes to file descriptor 1 past Python (C.3)."""
import os


class Bot:
    def get_move(self, board, pieces, player):
        os.write(1, b"3 4\n\x00\xff\n")
        return f"3 {board.index('  ')}"
