#!/usr/bin/env python3
"""stcp.py GAME BEHAVIOUR [TEAM]: a player that speaks stcp (docs/protocol.md, A) and connects to
127.0.0.1, port 8888 or $ARBITER_PORT. TEAM is 1 if not said."""
import os
import select
import socket
import struct
import sys
import time

import common
from common import GIGABYTE, complain, garbage, misdeed, setup, sleep_forever
from rules import GAMES

CELLS = {"reversi": 64, "hopchess": 64, "tower4": 216}
CUT = {"reversi": (4, 0), "hopchess": (0,), "tower4": (72, 24)}  # cells cut off, by the settings
INT_MAX = 2 ** 31 - 1
NEVER_ISSUED = 1000  # added to an id: further than any case counts


def ints(*numbers):
    return struct.pack(f"<{len(numbers)}i", *numbers)


class Board:
    def __init__(self, numbers):
        self.id, self.cells, self.black = numbers[1], numbers[2:-1], numbers[-1]


class Stcp(common.Player):
    def __init__(self, game, team):
        self.game, self.team = game, team
        self.size = (CELLS[game] + 3) * 4
        self.ids = []
        self.socket = None

    def dial(self):
        """A new connection on which nothing has been said."""
        address = ("127.0.0.1", int(os.environ.get("ARBITER_PORT", "8888")))
        for _ in range(100000):  # for what hangs; a judge may take its time to begin
            try:
                link = socket.create_connection(address)
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return link
            except ConnectionRefusedError:
                time.sleep(0.01)
        sys.exit("no judge listens")

    def connect(self, *greeting):
        """A new connection, greeted with the team id or what else is given."""
        link = self.dial()
        link.sendall(ints(*(greeting or [self.team])))
        return link

    def begin(self):
        self.socket = self.socket or self.connect()

    def receive(self):
        """The next board, or None when told to stop."""
        try:
            data = self.socket.recv(self.size)
        except ConnectionResetError:
            data = b""
        if len(data) == self.size and data[:4] != ints(0):
            board = Board(struct.unpack(f"<{self.size // 4}i", data))
            self.check(board)
            self.ids.append(board.id)
            return board
        if len(data) != 8 or data[:4] != ints(0):
            complain(f"{len(data)} bytes that are neither a board nor the stop (A.3, A.5)")
        return None

    def check(self, board):
        if board.id in self.ids:
            complain(f"package id {board.id} came twice (A.6)")
        if board.black not in (0, 1) or not set(board.cells) <= {-1, 0, 1, 2}:
            complain("a board with numbers that mean nothing (A.3)")
        if board.cells.count(-1) not in CUT[self.game]:
            complain(f"{board.cells.count(-1)} cells are cut off (A.3)")

    def requests(self):
        while board := self.receive():
            yield board

    def move(self, board):
        return GAMES[self.game]({}, board.cells, 1 if board.black else 2).choose()

    def packed(self, move, package):
        return ints(len(move), package, *(number for pair in move for number in pair))

    def answer(self, board):
        return self.packed(self.move(board), board.id)

    def write(self, data):
        self.socket.sendall(data)

    def old_id(self):
        return self.ids[-2] if len(self.ids) > 1 else self.ids[-1]

    def take(self, link, board):
        """Goes on with another connection, where the pending board must come again (A.7)."""
        self.socket = link
        again = self.receive()
        if again is None:
            sys.exit("the pending board did not come again")
        if again.cells != board.cells or again.black != board.black:
            complain("the pending board came again as another (A.7)")
        return again

    def reconnect(self, board):
        self.socket.close()
        return self.take(self.connect(), board)


# Counts, pairs and ids

@misdeed
def count_max(player, board):
    """a count of 2^31-1"""
    player.write(ints(INT_MAX, board.id, 0, 0))


@misdeed
def count_negative(player, board):
    """a count of -1"""
    player.write(ints(-1, board.id))


@misdeed
def count_min(player, board):
    """a count of -2^31"""
    player.write(ints(-INT_MAX - 1, board.id, 1, 1))


def many_pairs(player, board, count):
    move = player.move(board)
    player.write(player.packed((move * count)[:count], board.id))


@misdeed
def pairs_0(player, board):
    """no pair: a way to pass"""
    many_pairs(player, board, 0)


@misdeed
def pairs_1(player, board):
    """one pair: in hopchess a way to pass"""
    many_pairs(player, board, 1)


@misdeed
def pairs_101(player, board):
    """101 pairs, all sent"""
    many_pairs(player, board, 101)


@misdeed
def pairs_4096(player, board):
    """4,096 pairs, all sent"""
    many_pairs(player, board, 4096)


@misdeed
def pairs_4097(player, board):
    """4,097 pairs, all sent"""
    many_pairs(player, board, 4097)


@misdeed
def pairs_short(player, board):
    """a count of 100 and then only three pairs"""
    player.write(ints(100, board.id, 1, 1, 1, 2, 1, 3))
    sleep_forever()


@misdeed
def illegal(player, board):
    """a cell that is taken or cut off; in hopchess a step out of an empty square"""
    taken = next((n for n, cell in enumerate(board.cells) if cell == -1 or cell > 0), 0)
    row, col = divmod(taken % 36, 6) if player.game == "tower4" else divmod(taken, 8)
    path = [(7, 0), (7, 1)] if player.game == "hopchess" else [(row, col)]
    player.write(player.packed(path, board.id))


@misdeed
def outside(player, board):
    """cells far outside the board"""
    path = [(INT_MAX, -INT_MAX - 1), (-1, 8)] if player.game == "hopchess" else [(INT_MAX, -1)]
    player.write(player.packed(path, board.id))


@misdeed
def bad_link(player, board):
    """hopchess: a good step and a bad link after it"""
    player.write(player.packed(player.move(board) + [(0, 0), (7, 7)], board.id))


@misdeed
def wrong_id(player, board):
    """an id that was never issued"""
    player.write(player.packed(player.move(board), board.id + NEVER_ISSUED))


@misdeed
def old_id(player, board):
    """the id of its turn before, and no other answer"""
    player.write(player.packed(player.move(board), player.old_id()))


@misdeed
def old_then_good(player, board):
    """the id of its turn before, then a friendly answer"""
    player.write(player.packed(player.move(board), player.old_id()))
    player.good(board)


# Bytes that nobody asked for

@misdeed
def garbage_64(player, _board):
    """64 bytes without sense"""
    player.write(garbage(64))


@misdeed
def twice(player, board):
    """answers twice"""
    player.write(player.answer(board) * 2)


@misdeed
def early(player, board):
    """answers, and answers a turn that has not come"""
    move = player.move(board)
    player.write(player.packed(move, board.id) + player.packed(move, board.id + NEVER_ISSUED))


@misdeed
def early_garbage(player, board):
    """answers, and sends bytes without sense while the other thinks"""
    player.write(player.answer(board) + garbage(8))


def pour(player, data):
    """Sends it over and over, a gigabyte in all."""
    data *= 65536 // len(data)
    try:
        for _ in range(GIGABYTE // len(data)):
            player.write(data)
    except OSError:
        sys.exit("the judge had enough")


@misdeed
def flood(player, board):
    """1 GB of answers to a turn gone by"""
    pour(player, player.packed([(1, 1)], player.old_id()))


@misdeed
def flood_early(player, board):
    """answers, and then answers the same turn for 1 GB more"""
    player.good(board)
    pour(player, player.packed([(1, 1)], board.id))


@misdeed
def flood_zero(player, _board):
    """1 GB of zero bytes"""
    pour(player, bytes(65536))


# Connections

@misdeed
def close_files(player, board):
    """closes standard input, output and error, which this protocol does not use: friendly"""
    for number in (0, 1, 2):
        os.close(number)
    player.good(board)


@misdeed
def hang_up(player, _board):
    """closes the connection and stays"""
    player.socket.close()
    sleep_forever()


@misdeed
def hang_up_writing(player, _board):
    """closes the sending half of the connection and stays"""
    player.socket.shutdown(socket.SHUT_WR)
    sleep_forever()


@misdeed
def reconnect(player, board):
    """connects again in its turn: friendly"""
    player.good(player.reconnect(board))


@misdeed
def reset(player, board):
    """resets the connection and connects again in its turn: friendly"""
    player.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    player.good(player.reconnect(board))


@misdeed
def reconnect_half(player, board):
    """half an answer, then connects again and answers: friendly"""
    player.write(player.answer(board)[:6])
    player.good(player.reconnect(board))


@misdeed
def reconnect_after(player, board):
    """answers and connects again at once: friendly"""
    player.good(board)
    player.socket.close()
    player.socket = player.connect()


@misdeed
def reconnect_old_id(player, board):
    """connects again in its turn, and answers the id of the old connection"""
    again = player.reconnect(board)
    player.write(player.packed(player.move(again), board.id))


@misdeed
def reconnect_often(player, board):
    """connects again twenty times in its turn: friendly"""
    for _ in range(20):
        board = player.reconnect(board)
    player.good(board)


@misdeed
def second(player, board):
    """a second connection with its id is sent the stop after a second (A.8): friendly"""
    other = player.connect()
    if not select.select([other], [], [], 50)[0] or other.recv(64)[:4] != ints(0):
        complain("a second connection of a seated team was not sent the stop (A.8)")
    player.good(board)


@misdeed
def second_open(player, board):
    """a second connection with its id, kept open to the end"""
    player.other = player.connect()
    player.good(board)


@misdeed
def second_takes_over(player, board):
    """a second connection with its id takes the seat when the first closes (A.8): friendly"""
    other = player.connect()
    time.sleep(0.2)
    player.socket.close()
    player.good(player.take(other, board))


@misdeed
def strangers(player, board):
    """twenty connections that say nothing, half an id, an unknown id or HTTP; friendly otherwise"""
    player.others = [player.dial() for _ in range(20)]
    greetings = (b"", b"\x01\x00", ints(999999), b"GET / HTTP/1.1\r\n\r\n") * 5
    for link, greeting in zip(player.others, greetings):
        link.sendall(greeting)
    player.good(board)


def crowd(player, greeting):
    """A child that opens connection after connection and keeps them all."""
    if os.fork():
        return
    links = []
    while len(links) < 900:
        try:
            links.append(player.dial())
            links[-1].sendall(greeting(len(links)))
        except OSError:
            pass
        time.sleep(0.001)
    sleep_forever()


@setup
def crowd_silent(player):
    """fills the judge's port with connections that say nothing; friendly otherwise"""
    crowd(player, lambda number: b"")


@setup
def crowd_ids(player):
    """fills the judge's port with connections of made-up teams; friendly otherwise"""
    crowd(player, lambda number: ints(1000 + number))


@setup
def crowd_own(player):
    """fills the judge's port with connections of its own id; friendly otherwise"""
    player.begin()
    crowd(player, lambda number: ints(player.team))


@setup
def comes_later(_player):
    """connects half a second after it was started: friendly"""
    time.sleep(0.5)


@setup
def unknown_id(player):
    """first connects with an id that has no seat, and is sent the stop (A.8); then friendly"""
    link = player.connect(999999)
    if not select.select([link], [], [], 50)[0] or link.recv(64)[:4] != ints(0):
        complain("a connection with an unknown id was not sent the stop (A.8)")


@setup
def no_id(player):
    """connects and never says who it is"""
    player.socket = player.dial()
    sleep_forever()


@setup
def half_id(player):
    """connects and says half of who it is"""
    player.socket = player.dial()
    player.write(ints(player.team)[:2])
    sleep_forever()


@setup
def never_reads(player):
    """connects, says who it is and never reads"""
    player.begin()
    sleep_forever()


@setup
def id_and_answer(player):
    """answers right after its id, before it is asked"""
    player.socket = player.connect(player.team, 1, NEVER_ISSUED, 2, 2)


@setup
def talks_after_stop(player):
    """answers once more after the stop; friendly otherwise"""
    def end():
        try:
            player.write(ints(1, player.ids[-1], 1, 1) * 100)
        except OSError:
            pass
    player.end = end


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in CELLS:
        common.usage(__doc__)
    Stcp(sys.argv[1], int(sys.argv[3]) if len(sys.argv) == 4 else 1).play(sys.argv[2])
