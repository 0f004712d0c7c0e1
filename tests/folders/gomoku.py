# SPDX-License-Identifier: MIT
"""Gomoku, as simply as can be."""
from board import grid_text, run_lengths

SIDE = 15


class Game:
    def __init__(self, settings):
        self.exactly = settings.get("line", "exact") == "exact"
        self.cells = {(r, c): "." for r in range(SIDE) for c in range(SIDE)}
        self.turn, self.winner, self.reason, self.scores = 1, None, "", None

    def legal(self):
        return {f"{r},{c}" for (r, c), mark in self.cells.items() if self.turn and mark == "."}

    def play(self, text):
        row, column = map(int, text.split(","))
        mark = "XO"[self.turn - 1]
        self.cells[row, column] = mark
        lengths = run_lengths(self.cells, (row, column), mark)
        if (5 in lengths) if self.exactly else (max(lengths) >= 5):
            self.turn, self.winner, self.reason = 0, self.turn, "five"
        elif "." not in self.cells.values():
            self.turn, self.winner, self.reason = 0, 0, "full"
        else:
            self.turn = 3 - self.turn

    def due(self):
        return 1

    def position(self):
        return grid_text([[self.cells[r, c] for c in range(SIDE)] for r in range(SIDE)])
