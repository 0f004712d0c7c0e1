# SPDX-License-Identifier: MIT
"""Talks to the judge over TCP, port 8888 of this computer. You change one number in this file,
idTeam; what you fill in is GetStep in Sample.py. If the connection is lost we connect again, and
the judge sends the board again."""
import socket
import struct
import sys
import time

# The number of your team goes here, in place of -1. The judge knows us by it.
idTeam = -1

# What goes over the connection are 32-bit integers:
#     we, once:            the number of our team
#     judge, at our turn:  1, the id of this message, the cells of the board row by row,
#                          1 if we are black or 0 if we are white
#     we, as the answer:   how many cells the move has, the same id, row and column of each
#     judge, at the end:   0, any id; then we leave
# Cells are 0 empty, 1 black, 2 white, 3 something else, -1 no cell.
HEIGHT, WIDTH = @HEIGHT@, @WIDTH@

_connection = None  # to the judge, while there is one
_asked = False  # has the judge ever sent us a board?


def _connect():
    """Connects to the judge, trying until it answers, and tells it who we are."""
    global _connection
    while _connection is None:
        try:
            _connection = socket.create_connection(("127.0.0.1", 8888))
            _send(idTeam)
        except OSError:
            _drop()


def _drop():
    """Closes the connection, and waits: the judge may need a moment before it takes us again."""
    global _connection
    if _connection is not None:
        _connection.close()
    _connection = None
    time.sleep(0.05)


def _send(*numbers):
    """Sends integers, all at once; "<i" is 32 bits, the lowest byte first."""
    _connection.sendall(struct.pack("<%di" % len(numbers), *numbers))


def _receive(count):
    """The next integers from the judge. TCP may carry them in pieces, hence the loop."""
    data = b""
    while len(data) < 4 * count:
        piece = _connection.recv(4 * count - len(data))
        if not piece:
            raise ConnectionError("the judge has closed the connection")
        data += piece
    return struct.unpack("<%di" % count, data)


def GetBoard():
    """Waits for your turn and returns (stop, id_package, board, is_black). If stop is True there
    is nothing more to play. id_package is the number that SendStep needs."""
    global _asked
    while True:
        _connect()
        try:
            code, id_package = _receive(2)
            if code == 0:
                break
            cells = _receive(HEIGHT * WIDTH)
            is_black = _receive(1) == (1,)
        except OSError:
            _drop()  # the judge sends the board again on a new connection
            continue
        _asked = True
        board = [list(cells[WIDTH * row:WIDTH * (row + 1)]) for row in range(HEIGHT)]
        return False, id_package, board, is_black
    if not _asked:
        print("Sent away before the first move. Is idTeam %d right?" % idTeam, file=sys.stderr)
    _drop()
    return True, id_package, [], False


def SendStep(id_package, step):
    """Sends your move, a list of cells (row, column), as the answer to the board with that id."""
    try:
        _send(len(step), id_package, *[number for cell in step for number in cell])
    except OSError:
        _drop()  # GetBoard connects again
