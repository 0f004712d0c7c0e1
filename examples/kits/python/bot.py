# SPDX-License-Identifier: MIT
"""A player for @GAME@ that makes a legal move at random. Make get_move better."""
import random


class Bot:
    """The judge makes a new Bot for every game, and calls get_move when it is your turn."""

    def get_move(self, state):
        """Your part. What state has:

        turn      1 or 2: who you are; 1 has begun
        legal     the legal moves, texts; return one of them
        moves     all moves of the game so far
        position  the position as the rules write it
        settings  the switches of the rules, a dict
        due       how many moves your turn has; where it is more than one, return a list of so many,
                  or one move: the judge then asks for what is left
        time      seconds for this answer; 0: no limit"""
        return random.choice(state.legal)
