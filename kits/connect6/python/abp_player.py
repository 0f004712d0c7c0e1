# SPDX-License-Identifier: MIT
"""A player for connect6 that puts its stones on empty cells at random. Make Choose better. It
speaks over standard input and output, in abp, Arbiter's own line protocol.

Six in a line wins, seven or more lose. Cells are written x,y from 0: x is the column from the left,
y the row from the top. Blocked cells count as a stone of both."""
import random
import sys

GAME = "connect6"
NAME = "connect6-kit-python"


def Mover(stones):
    """Black places one stone, then it goes by twos: white, white, black, black, white, ..."""
    return 1 if (stones + 1) // 2 % 2 == 0 else 2


def SetUp(settings, moves):
    """The board after these moves."""
    size = int(settings.get("size", 19))
    board = [[0] * size for _ in range(size)]
    blocks = settings.get("blocks", "none")
    for block in blocks.split() if blocks != "none" else []:
        x, y = map(int, block.split(","))
        board[x][y] = 3
    for i, move in enumerate(moves):
        x, y = map(int, move.split(","))
        board[x][y] = Mover(i)
    return board


def Choose(board, mine, count):
    """Your part. board[x][y] is 0 empty, 1 black, 2 white, 3 blocked; mine is your colour. Return
    the count stones that are due, 1 or 2: [(x, y), (x, y)]."""
    size = len(board)
    empty = [(x, y) for x in range(size) for y in range(size) if board[x][y] == 0]
    return random.sample(empty, count)


def Answer(settings, moves, due):
    stones = Choose(SetUp(settings, moves), Mover(len(moves)), due)
    return "; ".join("%d,%d" % stone for stone in stones)


# From here on it is abp itself, the same for every game. One line is one message:
#     the judge writes                          we write
#     abp 1 GAME                                ready NAME
#     go id=17 time=5000 due=1 |  | 2,3; 3,3    move id=17 4,4
#     quit                                      (nothing: we leave)
# Other lines are news that one may skip: who has won, how much time a move took.
def main():
    judge, sys.stdout = sys.stdout, sys.stderr  # so that your print() goes to the log

    def say(text):
        judge.write(text + "\n")
        judge.flush()  # or the line stays in our memory and the judge waits in vain

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "abp" and rest.split() == ["1", GAME]:
            say("ready " + NAME)
        elif word == "abp":
            say("refuse this player knows only abp 1 and " + GAME)
            return
        elif word == "go":
            head, settings, moves = [part.strip() for part in rest.split("|")]
            head = dict(item.split("=", 1) for item in head.split())
            settings = dict(item.split("=", 1) for item in settings.split("; ") if item)
            moves = [move for move in moves.split("; ") if move]
            answer = Answer(settings, moves, int(head["due"]))
            say("move id=%s %s" % (head["id"], answer))
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
