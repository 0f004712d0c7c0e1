# SPDX-License-Identifier: MIT
"""A player for cuptactoe that makes a legal move at random. Make get_move better: it does not even
see that lifting a cup may uncover a line of the opponent, which loses at once."""
import random


class Bot:
    """The judge makes a new Bot for every game, and calls get_move when it is your turn."""

    def get_move(self, board, pieces, player):
        """Your part. You have 3 seconds.

        board   nine strings, cell 0 to 8, each its cups from the top down and two blanks:
                "O3X2O1  " is a large cup of O over a medium one of X over a small one of O,
                "  " is an empty cell.
        pieces  the cups not yet on the board, "X332211,O332211".
        player  "X" or "O": who you are.

        Return "A B". A is 1, 2 or 3 for a new small, medium or large cup, or 90 to 98 for the cup
        on cell 0 to 8; B is the cell it goes to."""
        # What may move: (how it is written, size). Only the cup on top of a cell can.
        cups = [(size, int(size)) for size in sorted(set(self.hand(pieces, player)))]
        for cell in range(9):
            if board[cell][0] == player:
                cups.append(("9" + str(cell), int(board[cell][1])))

        moves = []
        for written, size in cups:
            for cell in range(9):
                if self.top_size(board, cell) < size:
                    moves.append(written + " " + str(cell))
        return random.choice(moves)  # there always is one: four large cups cannot close nine cells

    def hand(self, pieces, player):
        """The sizes of the cups a player has in hand, such as "3321"."""
        for hand in pieces.split(","):
            if hand[0] == player:
                return hand[1:]
        return ""

    def top_size(self, board, cell):
        """The size of the cup on top of a cell, 0 if there is none. A cup may only go where this is
        smaller than the cup; so never back to its own cell."""
        return 0 if board[cell][1] == " " else int(board[cell][1])
