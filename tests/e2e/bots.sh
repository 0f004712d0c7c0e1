#!/bin/sh
# `arbiter bot` as a contestant in every protocol: whole games through the referee, and judges that are
# not there, close, or ask for what cannot be. Prints TAP.
exec python3 - <<'PYTHON'
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading

sys.path.insert(0, "tests/e2e")
from checks import check, finish, free_port

ARBITER = os.environ["ARBITER"]
PATIENCE_S = 3600  # with what hangs; how long anything takes decides nothing


def bot(game, *words, given="", code=0):
    """Runs a bot; returns what it printed and said."""
    ran = subprocess.run([ARBITER, "bot", game, *words], input=given, text=True, timeout=PATIENCE_S,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == code, (words, ran.returncode, ran.stderr)
    return ran.stdout, ran.stderr


def match(game, first, second, *words):
    ran = subprocess.run([ARBITER, "match", game, first, second, "--json", *words], text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=PATIENCE_S, check=True)
    games = [json.loads(line) for line in ran.stdout.splitlines()]
    for result in games:
        assert result["verdict"] is None, result["verdict"]
    return games


def stcp(game, team, port, *words, limit="--time 0.03"):
    return f"tcp:{team}={' '.join([ARBITER, 'bot', game, '--protocol stcp --team', str(team), '--port', str(port), limit, *words])}"


def sixline(*words):
    return f"cmd:{' '.join([ARBITER, 'bot connect6 --protocol sixline --time 0.03', *words])}"


class Judge:
    """A judge of one's own: `serve(number, connection)` is called for every connection."""

    def __init__(self, serve):
        self.listener = socket.create_server(("127.0.0.1", free_port()))
        self.port = str(self.listener.getsockname()[1])
        self.served = 0
        self.serve = serve
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection = self.listener.accept()[0]
            with connection:
                self.served += 1
                self.serve(self.served, connection)


def read(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        assert part
        data += part
    return data


STOP = struct.pack("<2i", 0, 0)
EMPTY = struct.pack("<2i", 1, 17) + struct.pack("<64i", *[
    -1 if cell in (0, 7, 56, 63) else 0 for cell in range(64)]) + struct.pack("<i", 1)


@check
def stcp_games():
    """stcp: pairs of whole games on one connection, in all three games"""
    for game in "reversi", "tower4", "hopchess":
        port = free_port()
        games = match(game, stcp(game, 1, port), "random", "--games", "2", "--swap", "--port", str(port))
        assert [result["reason"] for result in games] == {
            "reversi": ["no-moves"] * 2, "tower4": ["pieces"] * 2}.get(
                game, [result["reason"] for result in games])


@check
def stcp_settings():
    """stcp: other boards, openings and lengths, which nobody tells it"""
    for game, *words in (("reversi", "--set", "board=othello"),
                         ("reversi", "--openings", "random:20"),
                         ("tower4", "--set", "corners=1", "--openings", "random:30"),
                         ("tower4", "--set", "pieces=100"), ("tower4", "--set", "pieces=9"),
                         ("hopchess", "--openings", "random:40"),
                         ("hopchess", "--set", "max_moves=300")):
        port = free_port()
        match(game, stcp(game, 1, port), stcp(game, 2, port, "--level random"), "--games", "2",
              "--swap", "--port", str(port), *words)


@check
def stcp_thinks():
    """stcp: it knows whose turn it is and what a move is worth: it beats random players"""
    port = free_port()
    games = match("tower4", stcp("tower4", 1, port, limit="--nodes 2000"), "random", "--games", "4", "--swap", "--port",
                  str(port))  # by nodes: on a busy machine it may not get to think in its time
    assert [result["winner"] for result in games] == [1, 2, 1, 2]


@check
def sixline_games():
    """sixline: whole games, with and without blocks"""
    for blocks in "none", "random", "3,3 9,9 18,18 17,18":
        for result in match("connect6", sixline(), "random", "--games", "2", "--swap", "--set",
                            f"blocks={blocks}"):
            assert result["reason"] in ("six", "overline")


@check
def sixline_by_hand():
    """sixline: any case, CR LF, a limit, blocks that it keeps off, a second START, QUIT"""
    said, _ = bot("connect6", "--protocol", "sixline", "--level", "random", given=(
        "start\r\nInfo\nLIMITTIME 1\nblock 9,9\nBlock 9,10\nnoise\n\nBEGIN\nTURN 0,0 0,1\nQUIT\nINFO\n"))
    lines = said.splitlines()
    assert lines[:4] == ["OK", "TeamName:arbiter random,Department:arbiter", "OK", "OK"], said
    stones = lines[4].split() + lines[5].split()
    assert len(lines) == 6 and len(lines[4].split()) == 1 and len(lines[5].split()) == 2, said
    assert len({"9,9", "9,10", "0,0", "0,1", *stones}) == 7, said
    said, _ = bot("connect6", "--protocol", "sixline", "--nodes", "100",
                  given="START\nBEGIN\nSTART\nTURN 5,5\nTURN 0,18\nTURN 5,5 0,17\n")
    lines = said.splitlines()
    assert len(lines) == 6 and len(lines[3].split()) == 2, said  # the first turn of white
    assert "missing" in lines[4] and "taken" in lines[5], said


@check
def sixline_refuses():
    """sixline: what cannot be is answered by ERROR, and it stays"""
    said, _ = bot("connect6", "--protocol", "sixline", "--nodes", "100",
                  given="START\nBLOCK\nBLOCK 1,1\nBLOCK 19,0\nBLOCK 1,1\nBEGIN\nBLOCK 0,0\nSTART\nTURN 5,5\n")
    lines = said.splitlines()
    assert lines[1].startswith("ERROR BLOCK wants") and lines[2] == "OK", said
    assert "outside" in lines[3] and "twice" in lines[4] and lines[5].count(",") == 1, said
    assert lines[6] == "ERROR cells are blocked before the first stone", said
    assert len(lines) == 9 and lines[8].count(",") == 2, said


class Six:
    """A bot that speaks sixline, asked line by line."""

    def __init__(self, *words):
        self.process = subprocess.Popen([ARBITER, "bot", "connect6", "--protocol", "sixline", *words],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def leave(self):
        self.process.communicate("QUIT\n", timeout=PATIENCE_S)
        assert self.process.returncode == 0, self.process.returncode


def six_in_line(stones, blocks):
    """Whether the stones, with the blocks, make six or more in a line through a stone."""
    for x, y in stones:
        for dx, dy in (1, 0), (0, 1), (1, 1), (1, -1):
            length = 1
            for sign in 1, -1:
                at = x + sign * dx, y + sign * dy
                while at in stones or at in blocks:
                    length += 1
                    at = at[0] + sign * dx, at[1] + sign * dy
            if length >= 6:
                return True
    return False


def play_blocked(first, second, blocks):
    """A whole game between two bots on a board with these blocks; returns the stones played."""
    taken, stones, line = set(blocks), (set(), set()), "BEGIN"
    for player in first, second:
        assert player.ask("START") == "OK"
        for x, y in blocks:
            assert player.ask(f"BLOCK {x},{y}") == "OK", (x, y)
    for turn in range(400):
        free = 361 - len(taken)
        if free == 0 or any(six_in_line(of, set(blocks)) for of in stones):
            return sum(len(of) for of in stones)
        said = (first, second)[turn % 2].ask(line)
        played = [tuple(map(int, cell.split(","))) for cell in said.split()]
        due = 1 if turn == 0 or free == 1 else 2
        for cell in played:
            assert cell not in taken and all(0 <= n < 19 for n in cell), (said, cell)
            taken.add(cell)
            stones[turn % 2].add(cell)
        assert len(played) == due or (played and six_in_line(stones[turn % 2], set(blocks))), (said, due)
        line = "TURN " + " ".join(f"{x},{y}" for x, y in played)
    raise AssertionError("it does not end")


@check
def sixline_many_blocks():
    """sixline: any number of blocks, odd ones too, up to the whole board"""
    draw = random.Random(6)
    cells = [(x, y) for x in range(19) for y in range(19)]
    players = Six("--nodes", "200"), Six("--nodes", "200", "--seed", "2")
    for number in 1, 9, 11, 37, 100, 180, 250, 300, 340, 355, 358, 359, 360:
        assert play_blocked(*players, draw.sample(cells, number)) > 0
    for shape in ([cell for cell in cells if cell[0] != 9],  # one open column between walls
                  [cell for cell in cells if (cell[0] + cell[1]) % 2],
                  [cell for cell in cells if cell[1] % 7]):
        assert play_blocked(*players, shape) > 0
    assert play_blocked(*players, cells) == 0
    assert players[0].ask("BEGIN") == "ERROR the game is over"
    for player in players:
        player.leave()


@check
def abp_head():
    """abp: words of a request in any order, unknown ones skipped; a wrong game is refused"""
    said, _ = bot("tower4", given=(
        "abp 1 tower4\n# x\nnew word\ngo due=1 colour=red time=50 id=3 | pieces=8 | 2,2; 2,3\n"
        "go id=4 time=0 due=1 |  | 9,9\nover winner=1 reason=pieces\nquit\ngo id=5 time=1 due=1 |  | \n"))
    lines = said.splitlines()
    assert lines[0] == "ready arbiter strong" and lines[1].startswith("move id=3 "), said
    assert lines[2].startswith("#") and len(lines) == 3, said
    said, _ = bot("tower4", given="abp 1 reversi\ngo id=4 time=0 due=1 |  | \n")
    assert said == "refuse this player plays tower4 by abp 1\n", said


@check
def abp_numbers():
    """abp: numbers out of all bounds are not understood, and the next request is"""
    said, _ = bot("reversi", "--nodes", "100", given="abp 1 reversi\n" + "".join(
        f"go id=1 time={time} due={due} |  | \n" for time, due in [
            (100, 4294967296), (100, 2147483647), (100, -1), (9999999999999999, 1), (-5, 1), (100, 1)]))
    lines = said.splitlines()
    assert [line[:7] for line in lines] == ["ready a"] + 5 * ["# the r"] + ["move id"], said


@check
def bench_players():
    """the players of the benches play on after moves that the referee has played for the other"""
    ran = subprocess.run(
        [ARBITER, "match", "tower4", f"abp:{ARBITER} bench player --sleep 60000", f"abp:{ARBITER} bench player",
         "--time", "0.05", "--grace", "0", "--json"], text=True, stdout=subprocess.PIPE, timeout=PATIENCE_S, check=True)
    result = json.loads(ran.stdout)
    assert result["plies"] == 64 and result["reason"] == "pieces", result
    assert result["verdict"]["player"] == 1 and result["verdict"]["word"] == "late", result["verdict"]
    height = {}
    for move in result["moves"]:
        height[move] = height.get(move, 0) + 1
    assert height["0,2"] == 6, "no column was filled by the referee, so nothing was tried"
    ran = subprocess.run([ARBITER, "bench", "player"], text=True, stdout=subprocess.PIPE, timeout=PATIENCE_S,
                         input="abp 1 tower4\ngo id=1 time=0 due=1 |  | "
                         + "; ".join(["0,2"] * 6 + ["5,2"] * 6 + ["4,4"] * 4) + "\nquit\n", check=True)
    assert ran.stdout.splitlines()[1] == "move id=1 0,3", ran.stdout


@check
def refusals():
    """what does not fit together is refused in words"""
    for game, words, says in (
            ("connect6", "--protocol stcp --team 1", "connect6 is not played by stcp; accepted: abp, sixline"),
            ("reversi", "--protocol sixline", "reversi is not played by sixline; accepted: abp, stcp"),
            ("cuptactoe", "--protocol stcp", "cuptactoe is not played by stcp; accepted: abp"),
            ("reversi", "--protocol gtp", "no protocol 'gtp'; accepted: abp, stcp, sixline"),
            ("reversi", "--protocol stcp", "needs --team N"),
            ("reversi", "--host there", "--host is for --protocol stcp"),
            ("connect6", "--protocol sixline --team 3", "--team is for --protocol stcp"),
            ("reversi", "--level god", "no level 'god'; accepted: 1..10, easy, normal, strong, random"),
            ("reversi", "--nodes x", "nodes cannot be 'x'; accepted: 1.."),
            ("reversi", "--threads 0", "threads cannot be '0'; accepted: 1..64"),
            ("reversi", "--protocol stcp --team x", "--team cannot be 'x'"),
            ("reversi", "--protocol stcp --team 1 --port 70000", "--port cannot be '70000'"),
            ("chess", "", "there is no game 'chess'")):
        said, complaint = bot(game, *words.split(), code=2)
        assert not said and says in complaint and complaint.count("\n") == 1, complaint


@check
def unreachable():
    """stcp: a judge that is not there: host, port and what to do"""
    port = str(free_port())
    _, said = bot("reversi", "--protocol", "stcp", "--team", "1", "--port", port, "--wait", "1", code=2)
    assert all(word in said for word in ("127.0.0.1", port, "Connection refused", "--host and --port")), said
    _, said = bot("reversi", "--protocol", "stcp", "--team", "1", "--host", "no host", code=2)
    assert "'no host'" in said and "--host" in said, said


@check
def closes():
    """stcp: a judge that closes is dialled again, with the id again, until it says stop"""
    def serve(number, connection):
        assert read(connection, 4) == struct.pack("<i", -5)
        if number == 1:
            return
        connection.sendall(EMPTY)
        step = struct.unpack("<4i", read(connection, 16))
        assert step[:2] == (1, 17) and all(0 <= place < 8 for place in step[2:])
        steps.append(step)
        if number == 2:
            connection.sendall(EMPTY[:100])
        else:
            connection.sendall(STOP)

    steps = []
    judge = Judge(serve)
    bot("reversi", "--protocol", "stcp", "--team", "-5", "--port", judge.port, "--time", "0.1")
    assert judge.served == 3 and len(steps) == 2


@check
def closes_for_good():
    """stcp: one that closes without a word is given up"""
    judge = Judge(lambda number, connection: None)
    _, said = bot("reversi", "--protocol", "stcp", "--team", "1", "--port", judge.port, "--wait", "3",
                  code=2)
    assert judge.port in said and "without a word" in said, said
    assert 1 < judge.served < 100


@check
def sent_away():
    """stcp: sent away at once it leaves, and says so to whoever started it"""
    judge = Judge(lambda number, connection: connection.sendall(STOP))
    said, note = bot("tower4", "--protocol", "stcp", "--team", "9", "--port", judge.port)
    assert not said and "team 9" in note and judge.served == 1, note


@check
def nonsense():
    """stcp: a board that is none is answered by a pass, and pieces of a message are put together"""
    def serve(_number, connection):
        read(connection, 4)
        nothing = struct.pack("<67i", 1, 5, *[9] * 64, 0)
        for byte in nothing:
            connection.sendall(bytes([byte]))
        answers.append(read(connection, 8))
        connection.sendall(STOP)

    answers = []
    judge = Judge(serve)
    bot("reversi", "--protocol", "stcp", "--team", "1", "--port", judge.port)
    assert answers == [struct.pack("<2i", 0, 5)], answers


finish()
PYTHON
