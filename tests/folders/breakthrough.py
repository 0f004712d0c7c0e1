# SPDX-License-Identifier: MIT
"""Breakthrough, as simply as can be."""
from board import grid_text

SIDE = 8


class Game:
    def __init__(self, settings):
        self.cells = {(r, c): "OO....XX"[r] for r in range(SIDE) for c in range(SIDE)}
        self.turn, self.winner, self.reason, self.scores = 1, None, "", None

    def legal(self):
        found = set()
        mark, forward = ("X", -1) if self.turn == 1 else ("O", 1)
        for (r, c), there in self.cells.items():
            if there != mark or not self.turn:
                continue
            for side in (-1, 0, 1):
                target = self.cells.get((r + forward, c + side))
                if target == "." or (target is not None and target != mark and side != 0):
                    found.add(f"{r},{c} {r + forward},{c + side}")
        return found

    def play(self, text):
        start, end = [tuple(map(int, cell.split(","))) for cell in text.split()]
        self.cells[end] = self.cells[start]
        self.cells[start] = "."
        if end[0] == (0 if self.turn == 1 else SIDE - 1):
            self.turn, self.winner, self.reason = 0, self.turn, "reached"
        elif "OX"[self.turn - 1] not in self.cells.values():
            self.turn, self.winner, self.reason = 0, self.turn, "captured"
        else:
            self.turn = 3 - self.turn

    def due(self):
        return 1

    def position(self):
        return grid_text([[self.cells[r, c] for c in range(SIDE)] for r in range(SIDE)]) + " " + "-XO"[self.turn]
