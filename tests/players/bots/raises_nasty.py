"""Raises an exception that cannot be printed."""


class Nasty(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__


class Bot:
    def get_move(self, board, pieces, player):
        raise Nasty
