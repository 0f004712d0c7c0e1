"""Writes to every file descriptor it finds, then a legal move."""
import os


class Bot:
    def get_move(self, board, pieces, player):
        for number in range(3, 64):
            try:
                os.write(number, b"3 4\n" * 8)
            except OSError:
                pass
        return f"3 {board.index('  ')}"
