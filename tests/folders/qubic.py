# SPDX-License-Identifier: MIT
"""Qubic, as simply as can be."""
from board import grid_text, run_lengths

SIDE = range(4)


class Game:
    def __init__(self, settings):
        self.cells = {(layer, r, c): "." for layer in SIDE for r in SIDE for c in SIDE}
        self.turn, self.winner, self.reason, self.scores = 1, None, "", None

    def legal(self):
        return {",".join(map(str, cell)) for cell, mark in self.cells.items() if self.turn and mark == "."}

    def play(self, text):
        cell, mark = tuple(map(int, text.split(","))), "XO"[self.turn - 1]
        self.cells[cell] = mark
        if max(run_lengths(self.cells, cell, mark)) == 4:
            self.turn, self.winner, self.reason = 0, self.turn, "four"
        elif "." not in self.cells.values():
            self.turn, self.winner, self.reason = 0, 0, "full"
        else:
            self.turn = 3 - self.turn

    def due(self):
        return 1

    def position(self):
        return " ".join(grid_text([[self.cells[layer, r, c] for c in SIDE] for r in SIDE]) for layer in SIDE)
