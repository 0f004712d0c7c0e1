# SPDX-License-Identifier: MIT
"""Hex, as simply as can be."""
from board import grid_text


class Game:
    def __init__(self, settings):
        self.size = int(settings.get("size", 11))
        self.swap = settings.get("swap", "on") == "on"
        self.cells = {(r, c): "." for r in range(self.size) for c in range(self.size)}
        self.turn, self.winner, self.reason, self.scores = 1, None, "", None
        self.turns = 0

    def legal(self):
        if not self.turn:
            return set()
        cells = {f"{r},{c}" for (r, c), mark in self.cells.items() if mark == "."}
        return cells | ({"swap"} if self.swap and self.turns == 1 else set())

    def play(self, text):
        self.turns += 1
        if text == "swap":
            (row, column), = [cell for cell, mark in self.cells.items() if mark == "X"]
            self.cells[row, column] = "."
            self.cells[column, row] = "O"
        else:
            row, column = map(int, text.split(","))
            self.cells[row, column] = "XO"[self.turn - 1]
        if self.joined(self.turn):
            self.turn, self.winner, self.reason = 0, self.turn, "joined"
        else:
            self.turn = 3 - self.turn

    def joined(self, player):
        """Whether stones lead from the player's first side (top or left) to the other."""
        mark, axis = "XO"[player - 1], player - 1
        found = {cell for cell, there in self.cells.items() if there == mark and cell[axis] == 0}
        grown = True
        while grown:
            near = {(r + dr, c + dc) for r, c in found for dr, dc in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)]}
            more = {cell for cell in near - found if self.cells.get(cell) == mark}
            found |= more
            grown = bool(more)
        return any(cell[axis] == self.size - 1 for cell in found)

    def due(self):
        return 1

    def position(self):
        return grid_text([[self.cells[r, c] for c in range(self.size)] for r in range(self.size)]) + " " + "-XO"[self.turn]
