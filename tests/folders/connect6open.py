# SPDX-License-Identifier: MIT
"""Connect6 with blocked cells and six or more, as simply as can be."""
from board import grid_text, run_lengths

SIDE = 19


class Game:
    def __init__(self, settings):
        self.cells = {(r, c): "." for r in range(SIDE) for c in range(SIDE)}
        blocks = settings.get("blocks", "none")
        for cell in [] if blocks == "none" else blocks.split():
            self.cells[tuple(map(int, cell.split(",")))] = "#"
        self.turn, self.winner, self.reason, self.scores = 1, None, "", None
        self.left = 1  # stones of this turn

    def legal(self):
        return {f"{r},{c}" for (r, c), mark in self.cells.items() if self.turn and mark == "."}

    def play(self, text):
        row, column = map(int, text.split(","))
        mark = "XO"[self.turn - 1]
        self.cells[row, column] = mark
        self.left -= 1
        if max(run_lengths(self.cells, (row, column), mark)) >= 6:
            self.turn, self.winner, self.reason = 0, self.turn, "six"
        elif "." not in self.cells.values():
            self.turn, self.winner, self.reason = 0, 0, "full"
        elif self.left == 0:
            self.turn, self.left = 3 - self.turn, 2

    def due(self):
        return min(self.left, len(self.legal())) if self.turn else 1

    def position(self):
        return grid_text([[self.cells[r, c] for c in range(SIDE)] for r in range(SIDE)])
