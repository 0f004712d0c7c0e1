#!/bin/sh
# How players are started, kept and ended: their commands, their CPU time, their memory, what they do in
# the other's turn, and the processes they leave behind. Prints TAP.
exec python3 - <<'PYTHON'
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, "tests/e2e")
from checks import check, finish

ARBITER = os.environ["ARBITER"]
SIMPLE = os.path.abspath("tests/players/simple.py")
SLEEPER = f"abp:{ARBITER} bench player --sleep 30"
LONG_SLEEPER = f"abp:{ARBITER} bench player --sleep 300"
PATIENCE_S = 3600  # with what hangs; how long anything takes decides nothing
work = tempfile.mkdtemp()


def match(*words, players=None, code=0, **options):
    """Plays; returns the records and what was said on standard error."""
    record = tempfile.mkdtemp(dir=work)
    ran = subprocess.run(
        [ARBITER, "match", words[0], *(players or ()), *words[1:], "--json", "--record", record,
         "--port", "0"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        timeout=PATIENCE_S, check=False, **options)
    if ran.returncode != code:
        raise AssertionError(f"code {ran.returncode}: {ran.stderr}")
    path = f"{record}/games.jsonl"
    with open(path, encoding="utf-8") if os.path.exists(path) else open(os.devnull) as file:
        return [json.loads(line) for line in file], ran.stderr


def tower4(player, *words, other=SLEEPER):
    """A short game of a simple player, black, against one that sleeps."""
    return match("tower4", "--set", "pieces=8", *words, players=(player, other))


def simple(habit, path=""):
    return f"abp:{SIMPLE} {habit} {path}"


def fine(games):
    for game in games:
        assert game["verdict"] is None and game["reason"] == "pieces", game
    return games


def lives(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(what):
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.02)


def numbers(path):
    with open(path, encoding="ascii") as file:
        return [int(line) for line in file]


def cpu_of(player):
    """The CPU and wall time of black's moves, in ms, but for the first."""
    (game,), _ = tower4(player)
    fine([game])
    return game["cpu_ms"][2::2], game["ms"][2::2]


@check
def burner():
    """30 ms of work are in the record as CPU time, however the player was started"""
    for command in (f"{SIMPLE} burn", f"cd / && {SIMPLE} burn", f"X=1 {SIMPLE} burn; true",
                    f"{SIMPLE} burn | cat", f"sh -c '{SIMPLE} burn; true'"):
        cpu, wall = cpu_of("abp:" + command)
        assert all(15 < ms < 200 for ms in cpu), (command, cpu)
        assert all(28 < ms for ms in wall), (command, wall)


@check
def dozer():
    """30 ms of sleep are not, however the player was started"""
    for command in (f"{SIMPLE} doze", f"cd / && {SIMPLE} doze", f"{SIMPLE} doze | cat"):
        cpu, wall = cpu_of("abp:" + command)
        assert all(0 <= ms < 10 for ms in cpu), (command, cpu)
        assert all(28 < ms for ms in wall), (command, wall)


@check
def commands():
    """commands of the shell: variables, cd, quotes, pipelines; paths from another folder"""
    folder = f"{work}/a folder"
    os.makedirs(folder)
    shutil.copy("tests/players/sixline.py", f"{folder}/my player")
    for name in "common.py", "rules.py":
        shutil.copy(f"tests/players/{name}", folder)
    sub = os.path.basename(folder)
    for command in ("'./a folder/my player' good", "X=1 ./a\\ folder/my\\ player good",
                    f"cd '{sub}' && './my player' good", "'./a folder/my player' good | cat",
                    "cd 'a folder'; A=1 B=2 \"./my player\" good"):
        (game,), _ = match("connect6", "--set", "blocks=none", "--time", "60", cwd=work,
                           players=("cmd:" + command, "random"))
        assert game["verdict"] is None, (command, game["verdict"])


@check
def long_tmpdir():
    """a folder of one's own under a long $TMPDIR, removed afterwards"""
    folder = f"{work}/{'long' * 20}"
    os.makedirs(folder)
    player = f"cmd:pwd >{work}/where; exec '{os.path.abspath('tests/players/sixline.py')}' good"
    (game,), _ = match("connect6", "--set", "blocks=none", "--time", "60", players=(player, "random"),
                       env={**os.environ, "TMPDIR": folder})
    with open(f"{work}/where", encoding="utf-8") as file:
        assert file.read().startswith(folder + "/arbiter-")
    assert game["verdict"] is None, game["verdict"]
    assert os.listdir(folder) == []


@check
def windows():
    """a Windows program runs by wine, whose own processes are started before and belong to nobody"""
    folder = f"{work}/wine"
    os.makedirs(f"{folder}/a folder")
    shutil.copy(SIMPLE, f"{folder}/a folder/Kit.EXE")
    with open(f"{folder}/wine", "w", encoding="utf-8") as file:  # what we need of one
        file.write(f"#!/bin/sh\nif [ \"$1\" = cmd ]; then sleep 3600 & echo $! >>{folder}/server; exit; fi\n"
                   f"cat {folder}/server >>{folder}/seen\nexec \"$@\"\n")
    os.chmod(f"{folder}/wine", 0o755)
    (game,), _ = match("tower4", "--set", "pieces=8", "--set", "ponder=freeze", cwd=folder,
                       players=("abp:'a folder/Kit.EXE' burn", SLEEPER),
                       env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    fine([game])
    (server,) = numbers(f"{folder}/server")
    assert numbers(f"{folder}/seen") == [server] and lives(server)
    os.kill(server, signal.SIGKILL)


@check
def refusals():
    """what cannot be done is refused in words"""
    for words, players, says in (
            (("reversi",), ("builtin:god", "random"), "accepted: 1..10, easy, normal, strong, random"),
            (("reversi",), ("random", "builtin,nodes=x"), "nodes cannot be 'x'; accepted: 1.."),
            (("reversi",), ("random", "builtin,threads=0"), "threads cannot be '0'"),
            (("connect6", "--set", "size=15"), ("cmd:./p", "random"), "cannot be told of size=15"),
            (("hopchess", "--set", "ponder=freeze"), ("tcp:1", "random"), "cannot be held"),
            (("reversi", "--set", "ponder=never"), ("random", "random"), "allow, report, freeze"),
            (("reversi", "--set", "memory=1"), ("random", "random"), "accepted: off, 64M..1024G"),
            (("reversi", "--set", "trail=2"), ("random", "random"), "a setting of cuptactoe")):
        games, said = match(*words, players=players, code=2)
        assert not games and says in said and said.count("\n") == 1, said


@check
def trail():
    """trail=N: so many blanks behind the stacks that a Python class is shown"""
    with open(f"{work}/bot.py", "w", encoding="utf-8") as file:
        file.write("class Bot:\n    def get_move(self, board, pieces, player):\n"
                   "        trails = {len(cell) - len(cell.rstrip()) for cell in board if cell.strip()}\n"
                   "        empty = {len(cell) for cell in board if not cell.strip()}\n"
                   "        if trails - {WANTED} or empty - {max(WANTED, 2)}:\n"
                   "            raise ValueError(str(board))\n"
                   "        return '%d %d' % (sorted(pieces.split(',')[player == 'O'][1:])[0:1] == ['1']"
                   " or 2, [c.strip() for c in board].index(''))\n")
    for wanted in 0, 1, 2, 5:
        path = f"{work}/bot{wanted}.py"
        with open(f"{work}/bot.py", encoding="utf-8") as source, open(path, "w", encoding="utf-8") as file:
            file.write(f"WANTED = {wanted}\n" + source.read())
        words = () if wanted == 2 else ("--set", f"trail={wanted}")
        (game,), _ = match("cuptactoe", "--set", "max_turns=4", *words,
                           players=(f"py:{path}", f"py:{path}"))
        assert game["verdict"] is None, (wanted, game["verdict"])
        assert game["settings"]["trail"] == wanted


@check
def memory():
    """memory=N: a player that asks for more does not get it, others do"""
    other = simple("doze", "none 4,2")  # the program itself may be a large one, for tests
    (game,), _ = tower4(simple("hungry"), "--set", "memory=200M", other=other)
    assert game["verdict"]["player"] == 1 and "code 3" in game["verdict"]["evidence"], game["verdict"]
    assert game["settings"]["memory"] == 200 << 20
    for words in ("--set", "memory=4G"), ():
        fine(tower4(simple("hungry"), *words, other=other)[0])


def below(pid):
    """All processes that come of one."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = file.read().split()
    except OSError:
        return []
    return children + [one for child in children for one in below(child)]


def states(pid):
    """Those that the threads of a process are in."""
    found = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/stat", encoding="utf-8") as file:
            found.add(file.read().rpartition(")")[2].split()[0])
    return found


def glance(pid, mark):
    """Whether the process below this one whose argument the mark is stood still while we looked, all its threads, and its
    CPU time in ns; or None."""
    for child in below(pid):
        try:
            with open(f"/proc/{child}/cmdline", encoding="utf-8") as file:
                if mark not in file.read().split("\0"):
                    continue
            before, used = states(child), 0
            for thread in os.listdir(f"/proc/{child}/task"):
                with open(f"/proc/{child}/task/{thread}/schedstat", encoding="ascii") as file:
                    used += int(file.read().split()[0])
            return before == states(child) == {"T"}, used
        except OSError:
            pass
    return None


@check
def freeze():
    """ponder=freeze: a player stands still in the other's turn; with allow it does not"""
    for ponder in "freeze", "allow":
        path, record, seen = f"{work}/{ponder}", tempfile.mkdtemp(dir=work), []
        with subprocess.Popen([ARBITER, "match", "tower4", simple("ponder", path), f"abp:{ARBITER} bench player --sleep 1000", "--set", "pieces=8",
                               "--set", f"ponder={ponder}", "--cores", "2", "--time", "60", "--record", record],
                              stdout=subprocess.DEVNULL) as ran:
            while ran.poll() is None:
                seen.append(glance(ran.pid, path))
                time.sleep(0.01)
        with open(f"{record}/games.jsonl", encoding="utf-8") as file:
            (game,) = fine([json.loads(file.read())])
        assert game["settings"]["ponder"] == ponder
        held = [one[1] for one in seen if one and one[0]]
        # the other has four turns, and in each the CPU time stands still, once both threads have stopped
        assert len(held) > 8 >= len(set(held)) if ponder == "freeze" else not held, (ponder, seen)
        assert ponder == "freeze" or sum(numbers(path)) > 0, "it has not worked"


@check
def report():
    """ponder=report: CPU time in the other's turn is measured and told"""
    (game,), said = tower4(simple("ponder", f"{work}/report"), "--set", "ponder=report", "--cores", "2",
                           other=LONG_SLEEPER)
    fine([game])
    black, white = game["ponder_ms"]
    assert black > 20 > white >= 0, game["ponder_ms"]
    assert "game 1: CPU time in the other's turns:" in said and f"{black / 1000:.3f} s" in said, said
    (game,), said = tower4(simple("ponder", f"{work}/report"), "--cores", "2")
    assert "ponder_ms" not in game and not said


def daemon_and(then):
    """A wrapper that keeps a daemon, and then is another player."""
    path = f"{work}/daemon.sh"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{SIMPLE} daemon \"$1\" </dev/null\n{then}\n")
    return f"sh {path}"


@check
def daemons_between_games():
    """daemons of a player that is started anew for every game end with each game"""
    path = f"{work}/pids"
    player = f"cmd:{daemon_and(SIMPLE.replace('simple', 'sixline') + ' good')} {path}"
    with subprocess.Popen([ARBITER, "match", "connect6", player, "random", "--set", "blocks=none",
                           "--time", "60", "--games", "1000", "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as ran:
        for number in range(6):
            assert json.loads(ran.stdout.readline())["verdict"] is None
            wait_until(lambda: not lives(numbers(path)[number]))
            assert ran.poll() is None
        ran.terminate()
        ran.stdout.read()
    assert len(set(numbers(path)[:6])) == 6
    wait_until(lambda: not any(map(lives, numbers(path))))


@check
def daemons_within_a_pair():
    """those of a player that is kept for the second game of a pair stay with it"""
    path, gate = f"{work}/kept", f"{work}/gate"
    with open(gate, "w", encoding="ascii") as file:
        file.write("\n" * 4)  # moves of the first game
    with subprocess.Popen([ARBITER, "match", "tower4", simple("daemon", path), simple("wait", f"{gate} 4,2"), "--set",
                           "pieces=8", "--games", "2", "--swap", "--time", "off", "--json"], stdout=subprocess.PIPE,
                          text=True) as ran:
        fine([json.loads(ran.stdout.readline())])
        (pid,) = numbers(path)
        assert lives(pid)
        time.sleep(0.1)
        assert lives(pid) and ran.poll() is None
        with open(gate, "a", encoding="ascii") as file:
            file.write("\n" * 4)
        fine([json.loads(ran.stdout.readline())])
    assert not lives(pid)


@check
def inherited():
    """children that the program had when it was started are left alone"""
    ran = subprocess.run(
        ["sh", "-c", "sleep 3600 >/dev/null & echo $!; exec \"$@\"", "sh", ARBITER, "match", "tower4",
         simple("burn"), SLEEPER, "--set", "pieces=8", "--games", "2"],
        stdout=subprocess.PIPE, text=True, check=True)
    pid = int(ran.stdout.split()[0])
    assert lives(pid)
    os.kill(pid, signal.SIGKILL)


@check
def killed():
    """kill -9 of the program leaves no player behind, nor what it has started"""
    path = f"{work}/killed"
    player = f"abp:echo $$ >>{path}; sleep 3600 & echo $! >>{path}; {daemon_and(SIMPLE + ' doze')} {path}"
    with subprocess.Popen([ARBITER, "match", "tower4", player, player, "--set", "pieces=8", "--time",
                           "off", "--games", "1000"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as ran:
        wait_until(lambda: os.path.exists(path) and len(numbers(path)) >= 6)
        assert all(map(lives, numbers(path)[:6]))
        ran.kill()
    wait_until(lambda: not any(map(lives, numbers(path))))


@check
def swept():
    """folders that a kill -9 leaves behind are gone after the next match, those in use are not"""
    folder = f"{work}/swept"
    os.makedirs(folder)
    environment = {**os.environ, "TMPDIR": folder}
    good = f"cmd:{os.path.abspath('tests/players/sixline.py')} good"

    def start(box):
        before = set(os.listdir(folder))
        ran = subprocess.Popen([ARBITER, "match", "connect6", good, "cmd:: >x; exec sleep 3600",
                                "--time", "50", "--set", "start_time=3600", "--box", box], env=environment, stdout=subprocess.DEVNULL)
        wait_until(lambda: len(set(os.listdir(folder)) - before) == 2)
        return ran

    with start("0") as first, start("1") as second, start("off") as third:
        mine = set(os.listdir(folder))
        first.kill()
        first.wait()
        second.kill()
        second.wait()
        assert set(os.listdir(folder)) == mine
        (game,), _ = match("connect6", "--set", "blocks=none", "--time", "60", players=(good, "random"), env=environment)
        assert game["verdict"] is None, game["verdict"]
        assert len(os.listdir(folder)) == 2, os.listdir(folder)
        third.terminate()
    assert os.listdir(folder) == []


shutil.rmtree(work)
finish()
PYTHON
