# SPDX-License-Identifier: MIT
"""Misere Othello, as simply as can be."""
from board import grid_text

SIDE = 8


class Game:
    def __init__(self, settings):
        self.cells = {(r, c): "." for r in range(SIDE) for c in range(SIDE)}
        self.cells.update({(3, 3): "O", (4, 4): "O", (3, 4): "X", (4, 3): "X"})
        self.turn, self.winner, self.reason = 1, None, ""

    def turned(self, player, cell):
        """The cells that turn when the player places a disc."""
        if self.cells[cell] != ".":
            return []
        own, other = ("X", "O") if player == 1 else ("O", "X")
        found = []
        for dr, dc in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
            run, at = [], (cell[0] + dr, cell[1] + dc)
            while self.cells.get(at) == other:
                run.append(at)
                at = (at[0] + dr, at[1] + dc)
            if self.cells.get(at) == own:
                found += run
        return found

    def moves(self, player):
        return {f"{r},{c}" for r, c in self.cells if self.turned(player, (r, c))}

    def legal(self):
        return self.moves(self.turn) if self.turn else set()

    def play(self, text):
        cell = tuple(map(int, text.split(",")))
        for disc in self.turned(self.turn, cell) + [cell]:
            self.cells[disc] = "XO"[self.turn - 1]
        if self.moves(3 - self.turn):
            self.turn = 3 - self.turn
        elif not self.moves(self.turn):
            self.turn, self.reason = 0, "no-moves"
            black, white = self.scores
            self.winner = 1 if black > white else 2 if white > black else 0

    @property
    def scores(self):
        marks = list(self.cells.values())
        fewer = marks.count("O") - marks.count("X")
        return [fewer, -fewer]

    def due(self):
        return 1

    def position(self):
        return grid_text([[self.cells[r, c] for c in range(SIDE)] for r in range(SIDE)]) + " " + "-XO"[self.turn]
