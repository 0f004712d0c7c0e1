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

ARBITER = os.environ["ARBITER"]
count = failed = 0


def free_port():
    """Below those that connections are given, where a player that dials could meet itself."""
    while True:
        port = random.randrange(20000, 30000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


def bot(game, *words, given="", code=0):
    """Runs a bot; returns what it printed and said."""
    ran = subprocess.run([ARBITER, "bot", game, *words], input=given, text=True, timeout=60,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == code, (words, ran.returncode, ran.stderr)
    return ran.stdout, ran.stderr


def match(game, first, second, *words):
    ran = subprocess.run([ARBITER, "match", game, first, second, "--json", *words], text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=120, check=True)
    games = [json.loads(line) for line in ran.stdout.splitlines()]
    for result in games:
        assert result["verdict"] is None, result["verdict"]
    return games


def stcp(game, team, port, *words):
    return f"tcp:{team}={' '.join([ARBITER, 'bot', game, '--protocol stcp --team', str(team), '--port', str(port), '--time 0.03', *words])}"


def sixline(*words):
    return f"cmd:{' '.join([ARBITER, 'bot connect6 --protocol sixline --time 0.03', *words])}"


def check(function):
    global count, failed
    count += 1
    try:
        function()
        print(f"ok {count} - {function.__doc__}")
    except Exception as error:  # whatever it is, it is a failure
        failed = 1
        print(f"not ok {count} - {function.__doc__}")
        for file in sys.stdout, sys.stderr:
            print("# " + repr(error).replace("\n", "\n# "), file=file)
    sys.stdout.flush()


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
    games = match("tower4", stcp("tower4", 1, port), "random", "--games", "4", "--swap", "--port",
                  str(port))
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
                  given="START\nBLOCK\nBLOCK 1,1\nBEGIN\nSTART\nTURN 5,5\n")
    lines = said.splitlines()
    assert lines[1].startswith("ERROR BLOCK wants"), said
    assert lines[3].startswith("ERROR") and "odd" in lines[3], said
    assert len(lines) == 6 and lines[5].count(",") == 2, said


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
        [ARBITER, "match", "tower4", f"abp:{ARBITER} bench player", f"abp:{ARBITER} bench player --sleep 60",
         "--time", "0.03", "--grace", "0", "--json"], text=True, stdout=subprocess.PIPE, timeout=120, check=True)
    result = json.loads(ran.stdout)
    assert result["plies"] == 64 and result["reason"] == "pieces", result
    assert result["verdict"]["player"] == 2 and result["verdict"]["word"] == "late", result["verdict"]
    height = {}
    for move in result["moves"]:
        height[move] = height.get(move, 0) + 1
    assert height["0,2"] == 6, "no column was filled by the referee, so nothing was tried"
    ran = subprocess.run([ARBITER, "bench", "player"], text=True, stdout=subprocess.PIPE, timeout=60,
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
            ("reversi", "--level god", "no level 'god'; accepted: easy, normal, strong, random"),
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
    _, said = bot("reversi", "--protocol", "stcp", "--team", "1", "--port", judge.port, "--wait", "1",
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


print(f"1..{count}")
sys.exit(failed)
PYTHON
