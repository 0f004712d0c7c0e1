"""Friendly for two moves: prints, also when it is loaded (C.3)."""
import sys

print("I am here")


class Bot:
    def get_move(self, board, pieces, player):
        print(board, pieces, player)
        print("3 4")
        print("no newline at the end", end="", flush=True)
        sys.stderr.write("and so on\n")
        return f"3 {board.index('  ')}"
