# SPDX-License-Identifier: MIT
"""What the naive games share: boards as text, and lines on them."""
import itertools


def grid_text(rows):
    """Rows of letters, '.' for an empty cell, as a position has them: "8/3OX3/..."."""
    texts = []
    for row in rows:
        text, empty = "", 0
        for mark in row:
            if mark == ".":
                empty += 1
                continue
            text += (str(empty) if empty else "") + mark
            empty = 0
        texts.append(text + (str(empty) if empty else ""))
    return "/".join(texts)


def run_lengths(cells, place, mark):
    """How long the runs of a mark through a place are, one number for each direction. `cells` is a dictionary from places
    (tuples of any dimension) to marks."""
    lengths = []
    for direction in itertools.product((-1, 0, 1), repeat=len(place)):
        if direction <= (0,) * len(place):
            continue  # the same line the other way round, or none
        length = 1
        for sign in (1, -1):
            at = tuple(p + sign * d for p, d in zip(place, direction))
            while cells.get(at) == mark:
                length += 1
                at = tuple(a + sign * d for a, d in zip(at, direction))
        lengths.append(length)
    return lengths
