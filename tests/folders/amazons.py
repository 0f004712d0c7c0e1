# SPDX-License-Identifier: MIT
"""The game of the amazons, as simply as can be."""
from board import grid_text

STARTS = {"10": {"X": [(9, 3), (9, 6), (6, 0), (6, 9)], "O": [(0, 3), (0, 6), (3, 0), (3, 9)]},
          "6": {"X": [(5, 1), (5, 4)], "O": [(0, 1), (0, 4)]}}


class Game:
    def __init__(self, settings):
        board = settings.get("board", "10")
        self.side = int(board)
        self.cells = {(r, c): "." for r in range(self.side) for c in range(self.side)}
        for mark, places in STARTS[board].items():
            self.cells.update({place: mark for place in places})
        self.turn, self.winner, self.reason, self.scores = 1, None, "", None
        self.shooter = None
        self.mover = 1

    def reached(self, cell):
        found = []
        for dr, dc in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
            r, c = cell[0] + dr, cell[1] + dc
            while self.cells.get((r, c)) == ".":
                found.append((r, c))
                r, c = r + dr, c + dc
        return found

    def queen_moves(self, player):
        return {f"{r},{c} {y},{x}" for (r, c), mark in self.cells.items() if mark == "XO"[player - 1] for y, x in self.reached((r, c))}

    def legal(self):
        if not self.turn:
            return set()
        return {f"{r},{c}" for r, c in self.reached(self.shooter)} if self.shooter else self.queen_moves(self.turn)

    def play(self, text):
        places = [tuple(map(int, cell.split(","))) for cell in text.split()]
        if len(places) == 2:
            self.cells[places[1]] = self.cells[places[0]]
            self.cells[places[0]] = "."
            self.shooter = places[1]
            return
        self.cells[places[0]] = "#"
        self.shooter = None
        self.turn = self.mover = 3 - self.turn
        if not self.queen_moves(self.turn):
            self.turn, self.winner, self.reason = 0, 3 - self.turn, "stuck"

    def due(self):
        return 2 if self.turn and not self.shooter else 1

    def position(self):
        text = grid_text([[self.cells[r, c] for c in range(self.side)] for r in range(self.side)]) + " " + "XO"[self.mover - 1]
        return text + (" {},{}".format(*self.shooter) if self.shooter else "")
