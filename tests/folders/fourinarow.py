# SPDX-License-Identifier: MIT
"""Four in a row, as simply as can be."""
from board import grid_text, run_lengths

WIDTH, HEIGHT = 7, 6


class Game:
    def __init__(self, settings):
        self.columns = [[] for _ in range(WIDTH)]  # marks from the bottom up
        self.turn, self.winner, self.reason, self.scores = 1, None, "", None

    def legal(self):
        return {str(c) for c in range(WIDTH) if self.turn and len(self.columns[c]) < HEIGHT}

    def play(self, text):
        column, mark = int(text), "XO"[self.turn - 1]
        self.columns[column].append(mark)
        cells = {(c, height): m for c in range(WIDTH) for height, m in enumerate(self.columns[c])}
        if max(run_lengths(cells, (column, len(self.columns[column]) - 1), mark)) >= 4:
            self.turn, self.winner, self.reason = 0, self.turn, "four"
        elif len(cells) == WIDTH * HEIGHT:
            self.turn, self.winner, self.reason = 0, 0, "full"
        else:
            self.turn = 3 - self.turn

    def due(self):
        return 1

    def position(self):
        return grid_text([[(self.columns[c] + ["."] * HEIGHT)[height] for c in range(WIDTH)] for height in reversed(range(HEIGHT))])
