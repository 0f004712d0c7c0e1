"""bench/contest.py overhead|throughput|standings|workers FOLDER [STORE]: what contests cost, by `arbiter contest`
itself. Started by bench/contest."""
import json
import os
import re
import resource
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/e2e"))
from contests import resum  # noqa: E402

arbiter = os.environ["ARBITER"]
what, work, *store = sys.argv[1:]
STORE = ["--store", store[0]] if store else []


def write(name, settings, starts):
    path = os.path.join(work, name)
    players = ", ".join(f'{{ name = "p{i}"; start = "{start}"; }}' for i, start in enumerate(starts))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{settings}\nplayers = ( {players} );\n")
    return path


def overhead():
    """Games of about a second with players that wait, two at once."""
    sleeper = f"abp:{arbiter} bench player --sleep 15"
    path = write("overhead.conf", 'game = "tower4"; name = "overhead"; jobs = 2; games = 2;', 8 * [sleeper])
    said = subprocess.run([arbiter, "contest", "run", path], capture_output=True, text=True, check=True)
    line = said.stderr.strip().split("\n")[-1]
    print(line)
    return float(re.search(r"\(([\d.]+) % of the games", line).group(1)) < 1


def throughput():
    """Players that answer at once, four games at once: games in a second, and CPU time of all processes a game."""
    rates = []
    for cycles in (5, 500):
        games, name = 20 * cycles, f"throughput{cycles}"
        settings = f'game = "cuptactoe"; name = "{name}"; jobs = 4; games = 2; cycles = {cycles};'
        path = write(f"{name}.conf", settings, 5 * ["random"])
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run([arbiter, "contest", "run", path], capture_output=True, check=True)
        wall = time.monotonic() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        rates.append(games / wall)
        print(f"{games} games: {rates[-1]:.0f} games/s, {1000 * cpu / games:.1f} ms of CPU each")
    return min(rates) >= 200


def fill(path, games):
    """A contest of so many games that were all played, without playing them."""
    runner = subprocess.Popen([arbiter, "contest", "run", path, "--jobs", "0", *STORE],
                              stdout=subprocess.DEVNULL)
    sql = "SELECT COUNT(*) FROM game"
    while query(sql, quiet=True) != games:
        time.sleep(0.5)
    runner.terminate()
    runner.wait()
    record = json.dumps({"moves": ["1 4"] * 30, "ms": [0.125] * 30, "padding": "x" * 600})
    query("UPDATE game SET state = 'done', worker = 'w/1', tries = 1, plies = 30, reason = 'line', "
          "winner = (number * 7919 + black * 104729 + white * 1299709) % 3")
    query("INSERT INTO tally SELECT contest, stage, black, white, winner, reason, verdict, SUM(score_black), "
          "SUM(score_white), COUNT(*) FROM game GROUP BY contest, stage, black, white, winner, reason, verdict")
    if store[0].startswith("postgres"):
        query("VACUUM ANALYZE game")  # as the server does by itself while games come one by one
    query(f"INSERT INTO record SELECT contest, number, '{record}' FROM game")
    if not store[0].startswith("postgres"):
        resum(store[0])  # what another program has written is damage otherwise


def query(sql, quiet=False):
    if store[0].startswith("postgres"):
        ran = subprocess.run(["psql", store[0], "-qtA", "-c", sql], capture_output=True, text=True,
                             check=not quiet)
        return int(ran.stdout or 0) if sql.startswith("SELECT") and ran.returncode == 0 else 0
    import sqlite3
    with sqlite3.connect(store[0], timeout=60) as database:
        try:
            rows = database.execute(sql).fetchall()
        except sqlite3.OperationalError:
            if not quiet:
                raise
            rows = []
    return rows[0][0] if rows else 0


def standings():
    """100,320 stored games: how long it takes to print the table."""
    settings = 'game = "cuptactoe"; name = "standings"; cycles = 264; games = 2;'
    path = write("standings.conf", settings, 20 * ["random"])
    fill(path, 100320)
    walls, cpus = [], []
    for _ in range(9):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        table = subprocess.run([arbiter, "contest", "show", path, "--csv", *STORE], check=True,
                               capture_output=True, text=True).stdout
        walls.append(time.monotonic() - begin)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    played = sum(int(line.split(",")[3]) for line in table.strip().split("\n")[1:])
    kind = "PostgreSQL" if store[0].startswith("postgres") else "SQLite"
    print(f"{kind}: table of {played // 2} games: best {1000 * min(walls):.0f} ms, median "
          f"{1000 * sorted(walls)[4]:.0f} ms of wall time, {1000 * sorted(cpus)[4]:.0f} ms of our CPU")
    return min(walls) < 0.1


def workers():
    """Games that wait: how many one worker plays in a time, and two."""
    sleeper = f"abp:{arbiter} bench player --sleep 15"
    rates = []
    for count in (1, 2):
        name = f"workers{count}"
        path = write(f"{name}.conf", f'game = "tower4"; name = "{name}"; games = 2;', 7 * [sleeper])
        begin = time.monotonic()
        crew = [subprocess.Popen([arbiter, "worker", store[0]], stdout=subprocess.DEVNULL)
                for _ in range(count)]
        subprocess.run([arbiter, "contest", "run", path, "--jobs", "0", *STORE], check=True,
                       stdout=subprocess.DEVNULL)
        rates.append(42 / (time.monotonic() - begin))
        for worker in crew:
            worker.terminate()
            worker.wait()
    print(f"one worker {rates[0]:.2f} games/s, two {rates[1]:.2f}: {rates[1] / rates[0]:.2f} times")
    return rates[1] >= 1.8 * rates[0]


sys.exit(0 if {"overhead": overhead, "throughput": throughput, "standings": standings, "workers": workers}[what]() else 1)
