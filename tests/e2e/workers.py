"""tests/e2e/workers.py URL: workers and a runner that share a PostgreSQL: players' folders come from the
store, uneven machines show, a silent worker's game is taken over, a team that is awaited plays where it
connects. Prints TAP."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from checks import free_port

arbiter, url = os.environ["ARBITER"], sys.argv[1]
PATIENCE_S = 3600  # with what hangs; how long anything takes decides nothing
checks = failed = 0


def check(what, good, said=""):
    global checks, failed
    checks += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {checks} - {what}", flush=True)
    if not good:
        print("\n".join("# " + line for line in str(said).split("\n")[:20]), flush=True)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def start(*words, **settings):
    return subprocess.Popen([arbiter, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            **settings)


def shown(path):
    said = subprocess.run([arbiter, "contest", "show", path, "--json", "--store", url], check=True,
                          capture_output=True, text=True)
    return json.loads(said.stdout)


def stop(*workers):
    for worker in workers:
        worker.send_signal(signal.SIGTERM)
    return [worker.communicate(timeout=PATIENCE_S) for worker in workers]


def share_games(path, workers):
    """Waits until both play; one that has played half of all games alone leaves the rest to the other."""
    while True:
        games = shown(path)["games"]
        playing = [worker for worker in workers if any(f"/{worker.pid}/" in game.get("worker", "") for game in games)]
        if len(playing) == 2:
            return
        if sum(game["state"] == "done" for game in games) >= len(games) / 2:
            playing[0].send_signal(signal.SIGTERM)
            return
        time.sleep(0.1)


def gate(work, name):
    """A player of tower4 that is not ready until a file of that name is there. To be run without a box."""
    path = os.path.join(work, name)
    script = write(work, f"{name}.sh", f"until [ -e {path} ]; do sleep 0.05; done\nexec {arbiter} bench player\n")
    return f"abp:sh {script}"


def two_workers(work):
    """The runner plays nothing; its folder of players is gone when the workers come."""
    folder = os.path.join(work, "player")
    shutil.copytree("kits/cuptactoe/python", folder)
    path = write(work, "two.conf", '''game = "cuptactoe"; name = "two"; games = 4; time = 60; set = { start_time = 600; };
        players = ( { name = "a"; start = "random"; }, { name = "b"; start = "random"; },
        { name = "c"; start = "abp:sleep 2; exec python3 run.py"; folder = "player"; build = "mv abp_player.py run.py"; } );''')
    runner = start("contest", "run", path, "--store", url, "--jobs", "0")
    while len(shown_or_none(path)) < 12:
        time.sleep(0.1)
    os.rename(folder, folder + ".gone")
    elsewhere = [os.path.join(work, name) for name in ("one", "other")]  # two machines, as it were
    for place in elsewhere:
        os.mkdir(place)
    best = json.loads(subprocess.run([arbiter, "doctor", "--json"], stdout=subprocess.PIPE, check=True).stdout)["level"]
    levels = [best, min(best, 2)]  # each worker has its own box; the first takes the best there is
    # at one game at once neither has played the eight of c, who takes his time, before the other is there
    workers = [start("worker", url, "--jobs", "1", *words, env=dict(os.environ, TMPDIR=place), cwd=place)
               for place, words in zip(elsewhere, ([], ["--box", str(levels[1])]))]
    share_games(path, workers)
    code = runner.wait(timeout=PATIENCE_S)
    stop(*workers)
    report = shown(path)
    games = report["games"]
    check("two workers play a contest", code == 0 and report["over"] and len(games) == 12)
    check("a player's folder comes from the store", all("not-ready" not in row["remark"]
                                                        for row in report["standings"]),
          report["standings"])
    check("both have played", len({game["worker"] for game in games}) == 2)
    said = subprocess.run([arbiter, "contest", "show", path, "--store", url, "--records"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    boxes = [json.loads(line)["box"] for line in said.splitlines()]
    check("their players are boxed, and the records say how tightly", set(boxes) == set(levels), boxes)
    check("each game knows how fast its machine was", all(game["speed"] > 0 for game in games))


def silent_worker(work):
    """A worker that is stopped, not killed, loses its game to another when its time is over."""
    player = gate(work, "silent")  # so that we find it playing
    path = write(work, "silent.conf", f'''game = "tower4"; name = "silent"; games = 1; time = 60;
        set = {{ pieces = 8; start_time = {PATIENCE_S}; }};
        players = ( {{ name = "a"; start = "{player}"; }}, {{ name = "b"; start = "{player}"; }} );''')
    first = start("worker", url, "--lease", "6", "--box", "off")
    runner = start("contest", "run", path, "--store", url, "--jobs", "0")
    while runner.poll() is None and not any(game["state"] == "playing" for game in shown_or_none(path)):
        time.sleep(0.1)
    first.send_signal(signal.SIGSTOP)
    write(work, "silent", "")
    second = start("worker", url, "--lease", "600", "--box", "off")
    code = runner.wait(timeout=PATIENCE_S)
    first.send_signal(signal.SIGCONT)  # what he says now does not count
    time.sleep(2)
    stop(first, second)
    games = shown(path)["games"]
    check("a silent worker's game is another's after its time", code == 0 and len(games) == 1 and
          games[0]["tries"] == 2 and f"/{second.pid}/" in games[0]["worker"], games)


def building_worker(work):
    """A worker that builds for another contest keeps the game it has, and hears when it shall end."""
    player = gate(work, "long")
    path = write(work, "long.conf", f'''game = "tower4"; name = "long"; games = 1; time = 60;
        set = {{ pieces = 8; start_time = {PATIENCE_S}; }};
        players = ( {{ name = "a"; start = "{player}"; }}, {{ name = "b"; start = "{player}"; }} );''')
    os.mkdir(os.path.join(work, "slow"))
    write(work, "slow/player", "")
    late = write(work, "late.conf", '''game = "tower4"; name = "late"; games = 1; players = (
        { name = "a"; start = "abp:./player"; folder = "slow"; build = "sleep 600"; },
        { name = "b"; start = "random"; } );''')
    worker = start("worker", url, "--lease", "30", "--box", "off")
    planners = [start("contest", "run", path, "--store", url, "--jobs", "0")]
    while not any(game["state"] == "playing" for game in shown_or_none(path)):
        time.sleep(0.1)
    planners.append(start("contest", "run", late, "--store", url, "--jobs", "0"))
    other = start("contest", "run", path, "--store", url, "--jobs", "1", "--lease", "30", "--box", "off")
    while not worker.stderr.readline().endswith("building a\n"):
        pass
    for _ in range(2):  # while it builds it says that the game is under way
        before = until(path)
        while until(path) == before:
            time.sleep(0.1)
    write(work, "long", "")
    code = other.wait(timeout=PATIENCE_S)
    games = shown(path)["games"]
    check("a worker that builds keeps the game it has", code == 0 and games[0]["tries"] == 1 and
          f"/{worker.pid}/" in games[0]["worker"], games)
    worker.send_signal(signal.SIGTERM)
    said = worker.communicate(timeout=280)  # the build would be ended after 300 s
    check("a worker that builds ends when it is told to", worker.returncode == 0, said)
    stop(*planners)
    subprocess.run([arbiter, "contest", "disqualify", late, "a", "--why", "x", "--store", url], check=True,
                   stdout=subprocess.DEVNULL)


def until(path):
    """When the game of a contest is another's, if nothing is heard."""
    name = os.path.basename(path).partition(".")[0]
    return subprocess.run(["psql", url, "-qtA", "-c", f"SELECT until_us FROM game WHERE contest = '{name}'"], check=True,
                          capture_output=True, text=True).stdout


def shown_or_none(path):
    try:
        return shown(path)["games"]
    except subprocess.CalledProcessError:
        return []


def awaited_team(work):
    """A team that nobody starts: its games are played by the runner, whoever else there is."""
    port = free_port()
    path = write(work, "team.conf", f'''game = "tower4"; name = "team"; games = 2; wait = 600; port = {port};
        players = ( {{ name = "away"; start = "tcp:7"; }}, {{ name = "here"; start = "random"; }},
        {{ name = "there"; start = "random"; }} );''')
    worker = start("worker", url)
    runner = start("contest", "run", path, "--store", url, "--jobs", "1")
    team = subprocess.Popen([sys.executable, "-c", TEAM, arbiter, str(port)])
    code = runner.wait(timeout=PATIENCE_S)
    team.kill()
    team.wait()
    stop(worker)
    games = shown(path)["games"]
    at_home = {game["worker"] for game in games if "away" in (game["black"], game["white"])}
    check("a team that is awaited plays where it connects", code == 0 and
          all(f"/{runner.pid}/" in name for name in at_home) and len(at_home) == 1,
          games)
    check("and it plays its games", all(game["verdict"] == "" for game in games), games)


TEAM = """
import subprocess, sys, time
while True:  # the judge listens while a game of ours is due
    subprocess.run([sys.argv[1], "bot", "tower4", "--protocol", "stcp", "--port", sys.argv[2], "--team", "7",
                    "--level", "random"], stderr=subprocess.DEVNULL)
    time.sleep(0.2)
"""

with tempfile.TemporaryDirectory() as folder:
    for part in (two_workers, silent_worker, awaited_team, building_worker):
        part(folder)
print(f"1..{checks}")
sys.exit(failed > 0)
