"""tests/e2e/teams.py: what tests/e2e/teams.sh runs. ARBITER is the program."""
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

from checks import check, finish as end, free_port

ARBITER = os.environ["ARBITER"]
PLAYERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "players")
PATIENCE_S = 3600  # for what must happen; nothing is decided by it
work = tempfile.mkdtemp()


class Contest:
    """A contest file with a port of its own."""

    def __init__(self, name, players, more=""):
        self.port = free_port()
        self.file = f"{work}/{name}.conf"
        rows = ", ".join(f'{{ name = "{who}"; start = "{start}"; }}' for who, start in players.items())
        rows = rows.replace("%PORT", str(self.port))  # a player that is started learns it from there
        with open(self.file, "w", encoding="ascii") as file:
            file.write(f'name = "{name}"; game = "tower4"; set = {{ pieces = 8; }}; time = 60; format = "league";'
                       f'games = 2; seed = 1; jobs = 2; port = {self.port}; wait = 600; {more}'
                       f'players = ( {rows} );\n')

    def run(self, *words):
        return subprocess.Popen([ARBITER, "contest", "run", self.file, "--json", *words], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, "ARBITER_PORT": str(self.port)})

    def games(self):
        out = subprocess.run([ARBITER, "contest", "show", self.file, "--records"], text=True, check=True,
                             stdout=subprocess.PIPE).stdout
        return [json.loads(line) for line in out.splitlines()]

    def dial(self):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            try:
                return socket.create_connection(("127.0.0.1", self.port))
            except ConnectionRefusedError:
                time.sleep(0.05)
        raise AssertionError("nobody listens")

    def team(self, number, behaviour="good"):
        """A player that comes by itself; it dials until somebody listens."""
        return subprocess.Popen([sys.executable, f"{PLAYERS}/stcp.py", "tower4", behaviour, str(number)],
                                env={**os.environ, "ARBITER_PORT": str(self.port)}, stderr=subprocess.PIPE,
                                text=True)

    def bot(self, number):
        """One that connects again when its connection is lost."""
        return subprocess.Popen([ARBITER, "bot", "tower4", "--protocol", "stcp", "--team", str(number),
                                 "--port", str(self.port), "--wait", str(PATIENCE_S), "--level", "random"],
                                stderr=subprocess.PIPE, text=True)


def finish(process):
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, (process.returncode, out, err)
    return out, err


def wait_until_read(link):
    """Until whoever listens has accepted a connection and read all that was sent."""
    here, there = (f"0100007F:{port:04X}" for port in (link.getsockname()[1], link.getpeername()[1]))
    while True:
        with open("/proc/net/tcp", encoding="ascii") as file:
            rows = [line.split() for line in file]
        if any(row[1:3] == [there, here] and row[4].endswith(":00000000") and row[9] != "0" for row in rows):
            return
        time.sleep(0.02)


def all_played(games, number):
    assert len(games) == number, len(games)
    for game in games:
        assert game["verdict"] is None and game["reason"] == "pieces", (game["players"], game["verdict"])


@check
def stay():
    """teams stay through a whole contest, early ones wait, and one that is not asked is not sent away"""
    contest = Contest("stay", {"one": "tcp:1", "two": "tcp:2", "three": "tcp:3", "dice": "random"})
    teams = [contest.team(1), contest.team(2)]
    process = contest.run()
    with contest.dial() as stranger:
        stranger.sendall(struct.pack("<i", 99))
        teams.append(contest.team(3))
        finish(process)
        assert stranger.recv(64) == struct.pack("<2i", 0, 0)  # at the end, and nothing before
        assert stranger.recv(64) == b""
    for team in teams:
        _, said = finish(team)
        assert said == "", said
    all_played(contest.games(), 12)


@check
def come_back():
    """a team that loses its connection, in its turn or after it, comes back and plays on"""
    contest = Contest("back", {"one": "tcp:1", "two": "tcp:2", "dice": "random"})
    # the second has 16 turns: after the last one the judge may be gone before it is back
    teams = [contest.team(1, "reconnect@*"), contest.team(2, "reconnect_after@<16")]
    finish(contest.run())
    for team in teams:
        _, said = finish(team)
        assert said == "", said
    all_played(contest.games(), 6)


@check
def mixed():
    """teams that come by themselves meet teams that are started, without a box and in the best one"""
    for number, words in enumerate((["--box", "off"], [])):
        shutil.copytree(PLAYERS, f"{work}/started", dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__"))
        contest = Contest(f"mixed{number}", {
            "one": "tcp:1", "two": f"tcp:2=ARBITER_PORT=%PORT python3 {work}/started/stcp.py tower4 good 2"})
        team = contest.team(1)
        finish(contest.run(*words))
        finish(team)
        all_played(contest.games(), 2)


@check
def killed():
    """a contest that is killed and begun again finds its teams, which have connected again"""
    contest = Contest("killed", {"one": "tcp:1", "two": "tcp:2", "three": "tcp:3"})
    bots = [contest.bot(number) for number in (1, 2, 3)]
    first = contest.run()
    ended = 0
    while ended < 2:
        ended += json.loads(first.stdout.readline())["event"] == "ended"
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=PATIENCE_S)
    finish(contest.run())
    for bot in bots:
        finish(bot)
    all_played(contest.games(), 6)


@check
def interrupted():
    """who waits is told to stop when the contest is interrupted"""
    contest = Contest("interrupted", {"one": "tcp:1", "two": "tcp:2"})
    process = contest.run()
    with contest.dial() as team:
        team.sendall(struct.pack("<i", 1))
        wait_until_read(team)
        process.send_signal(signal.SIGINT)
        assert team.recv(64) == struct.pack("<2i", 0, 0)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, process.returncode


@check
def port_taken():
    """a port that another has is said at once, with the remedy"""
    contest = Contest("taken", {"one": "tcp:1", "dice": "random"})
    with socket.create_server(("127.0.0.1", contest.port)):
        process = contest.run()
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2 and "another judge may be running" in said, said


class Platform:
    def __init__(self):
        self.judge = free_port()
        self.server = subprocess.Popen(
            [ARBITER, "serve", "--port", "0", "--no-demo", "--judge-port", str(self.judge), "--data",
             f"{work}/data"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        link = None
        while not link:
            link = re.search(r"(http://\S+)/key/\w+", self.server.stdout.readline())
        self.home = link.group(1)

    def teams(self):
        with urllib.request.urlopen(f"{self.home}/api/hall") as answer:
            return json.load(answer)["teams"]

    def dial(self, from_address, greeting=b""):
        link = socket.create_connection(("127.0.0.1", self.judge), source_address=(from_address, 0))
        link.sendall(greeting)
        return link


@check
def crowds():
    """a platform that others fill with connections, silent or of made-up teams, has room for a team"""
    platform = Platform()
    links = [platform.dial("127.0.0.1", struct.pack("<i", 7))]
    while 7 not in platform.teams():
        pass
    for number in range(150):
        links.append(platform.dial("127.0.0.2"))
        links.append(platform.dial("127.0.0.2", struct.pack("<i", 1000 + number)))
    links.append(platform.dial("127.0.0.1", struct.pack("<i", 8)))
    links.append(platform.dial("127.0.0.2", struct.pack("<i", 9)))
    until = time.monotonic() + PATIENCE_S
    while not {7, 8, 9} <= set(platform.teams()):
        assert time.monotonic() < until, platform.teams()
    assert len(platform.teams()) < 100, platform.teams()
    platform.server.terminate()
    platform.server.wait(timeout=PATIENCE_S)


shutil.rmtree(work)
end()
