"""Raises what is no Exception, and whose words end the program."""
import sys


class Odd(BaseException):
    def __str__(self):
        sys.exit(3)


class Bot:
    def get_move(self, board, pieces, player):
        raise Odd
