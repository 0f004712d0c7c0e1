"""tests/store/crash.py [--kills N] [--seed N] [--undisturbed FOLDER] [--postgres URL --restart COMMAND]: a contest of several
hundred quick games whose runner is killed with SIGKILL at random moments, and continued each time.
With --postgres two workers play beside the runner; all three are killed, and now and then the server
is restarted under them. In the end every game is in the table exactly once, every record is true, and
all is equal to an undisturbed run with the same seed, which is kept in FOLDER for the next. Prints TAP."""
import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PLAYERS = 20
FILE = """
game = "cuptactoe";
name = "crash";
seed = 7;
jobs = 2;
time = "off";
stages = (
    { name = "groups"; format = "league"; groups = 2; games = GAMES; advance = 4; },
    { name = "knock-out"; format = "knockout"; best_of = 3; third = true; }
);
players = ( PLAYERS );
"""


def write_file(folder):
    players = ", ".join(f'{{ name = "p{i}"; start = "random"; }}' for i in range(PLAYERS))
    path = os.path.join(folder, "crash.conf")
    with open(path, "w", encoding="utf-8") as file:
        games = 16 if options.kills > 100 else 4 if options.kills >= 50 else 1
        file.write(FILE.replace("PLAYERS", players).replace("GAMES", str(games)))
    return path


def start(*words):
    return subprocess.Popen([arbiter, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ask(*words):
    return subprocess.run([arbiter, *words], check=True, capture_output=True, text=True).stdout


def shown(path, store):
    """The table and the games of a contest, as far as they do not tell who played when."""
    report = json.loads(ask("contest", "show", path, "--json", *store))
    games = {}
    for game in report["games"]:
        name = tuple(game[key] for key in ("stage", "round", "table", "leg", "attempt"))
        assert name not in games, f"the game {name} is there twice"
        games[name] = {key: game.get(key) for key in
                       ("black", "white", "state", "winner", "plies", "reason", "verdict")}
    return report["over"], report["standings"], games, sum(g.get("tries", 0) > 1 for g in report["games"])


def moves(path, store):
    """The moves of every game by its name, and whether a record says how often it was begun."""
    lines = ask("contest", "show", path, "--records", *store)
    records = [json.loads(line) for line in lines.splitlines()]
    keys = ("stage", "round", "table", "leg", "attempt")
    return {tuple(r["contest"][key] for key in keys): r["moves"] for r in records}, lines, \
        sum(r["contest"]["tries"] > 1 for r in records)


def done_games(store):
    """How many games are done by now; 0 if the store cannot be asked at this moment."""
    query = "SELECT count(*) FROM game WHERE state = 'done'"
    if options.postgres:
        said = subprocess.run(["psql", options.postgres, "-qtA", "-c", query], capture_output=True, text=True, check=False)
        return int(said.stdout or 0)
    try:
        database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        try:
            return database.execute(query).fetchone()[0]
        finally:
            database.close()
    except sqlite3.Error:
        return 0


def seconds(action):
    begin = time.monotonic()
    action()
    return time.monotonic() - begin


def disturb(path, store, kills, rng, playing, games):
    """Kills whoever is there at random moments, so many times until the contest is over, given how
    long all games take here. Returns how often."""
    alone = not options.postgres
    runner = ["contest", "run", path, "--lease", "2", *store]
    crew = [runner] if alone else [runner + ["--jobs", "1"]] + 2 * [
        ["worker", options.postgres, "--lease", "2"]]
    running = [start(*words) for words in crew]
    try:
        return keep_killing(crew, running, kills, rng, playing / games, Pace(store[1], games, kills))
    finally:
        for process in running:
            process.terminate()
            process.wait()


class Pace:
    """Where the contest must be when: how fast this machine is just now decides nothing. A kill comes after some
    game has ended since the last one, or early, and before too many have: so that games are under way when it
    comes, and all kills come before the end."""

    def __init__(self, store, games, kills):
        self.store, self.games, self.kills, self.done = store, games, kills, 0

    def wait(self, runner, killed, early, pause):
        before, look = self.done, 0.1 if options.postgres else 0.01
        while runner.poll() is None and not early and self.done == before:
            time.sleep(look)
            self.done = max(self.done, done_games(self.store))
        until = time.monotonic() + pause
        while runner.poll() is None and time.monotonic() < until and not self.is_behind(killed):
            time.sleep(min(look, max(0, until - time.monotonic())))

    def is_behind(self, killed):
        self.done = max(self.done, done_games(self.store))
        share = 0.6  # the rest is room for us to be held up at the end, when more are played than we see
        return self.done >= (killed + 1) * share * self.games / self.kills


def keep_killing(crew, running, kills, rng, a_game, pace):
    killed = restarts = 0
    alone = not options.postgres
    longest = max((1 if alone else 0.6) * a_game * pace.games / kills, 2.5 * a_game)  # two are played at once
    while running[0].poll() is None or killed < kills:
        if killed < kills:
            pace.wait(running[0], killed, rng.random() < 0.2 or pace.is_behind(killed), rng.uniform(0, longest))
        else:
            time.sleep(0.05)
        if running[0].poll() == 0 and killed < kills:
            break  # it was over too soon: more games are needed
        hurry = killed < kills and pace.is_behind(killed)
        for who in range(len(crew)) if hurry else [rng.randrange(len(crew))]:  # all, or one of them
            if killed < kills and running[who].poll() is None:
                running[who].send_signal(signal.SIGKILL)
                running[who].wait()
                killed += 1
        if not alone and restarts < 5 and killed >= (restarts + 1) * kills // 6:
            subprocess.run(options.restart, shell=True, check=True, stdout=subprocess.DEVNULL)
            restarts += 1
        for i, process in enumerate(running):
            code = process.poll()
            if code is not None and code != 0:
                if code > 0:
                    print(f"# {' '.join(crew[i])} ended with {code}: "
                          f"{process.stderr.read().decode().strip()}")
                    return killed, restarts
                running[i] = start(*crew[i])
    return killed, restarts


def check(what, good):
    global checks, failed
    checks += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {checks} - {what}", flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("--kills", type=int, default=50)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--undisturbed")
parser.add_argument("--postgres")
parser.add_argument("--restart")
options = parser.parse_args()
arbiter = os.environ["ARBITER"]
checks = failed = 0
with tempfile.TemporaryDirectory() as work:
    folder = options.undisturbed or work
    quiet = write_file(folder)
    undisturbed = ["--store", os.path.join(folder, "quiet.db")]
    took = os.path.join(folder, "seconds")
    if not os.path.exists(took):
        with open(took, "w", encoding="ascii") as file:
            file.write(str(seconds(lambda: ask("contest", "run", quiet, *undisturbed))))
    with open(took, encoding="ascii") as file:
        playing = float(file.read())
    disturbed = ["--store", options.postgres or os.path.join(work, "crash.db")]
    killed, restarts = disturb(quiet, disturbed, options.kills, random.Random(options.seed),
                               playing, len(shown(quiet, undisturbed)[2]))
    over, table, games, again = shown(quiet, disturbed)
    _, table_quiet, games_quiet, _ = shown(quiet, undisturbed)
    played, lines, said = moves(quiet, disturbed)
    played_quiet, _, _ = moves(quiet, undisturbed)
    record = os.path.join(work, "games.jsonl")
    with open(record, "w", encoding="utf-8") as file:
        file.write(lines)
    verdict = subprocess.run([arbiter, "replay", record, "--check"], capture_output=True, text=True)
    where = "workers and PostgreSQL" if options.postgres else "SQLite"
    print(f"# {where}: {len(games)} games, {killed} kills, {restarts} restarts of the server, "
          f"{again} games begun again; {playing:.1f} s undisturbed")
    check(f"{where}: there were {options.kills} kills", killed >= options.kills)
    check(f"{where}: the contest came to its end", over)
    check(f"{where}: every game is there exactly once", games.keys() == games_quiet.keys())
    check(f"{where}: games are as undisturbed", games == games_quiet)
    check(f"{where}: moves are as undisturbed", played == played_quiet)
    check(f"{where}: the table is as undisturbed", table == table_quiet)
    check(f"{where}: games were begun again, and their records say so", again > 0 and said == again)
    check(f"{where}: all records are true", verdict.returncode == 0)
print(f"1..{checks}")
sys.exit(failed > 0)
