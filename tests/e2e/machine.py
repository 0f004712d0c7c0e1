"""What a busy machine does to a player is nobody's fault, and what players do is not the machine's.

A player that works for its answer is bound to one core, and others keep it from that core: at high priority
where we are root, else by their number. Prints TAP."""
import json
import os
import signal
import subprocess
import tempfile

from contests import arbiter as ARBITER, check as ok, finish, shown, write

CORE = max(os.sched_getaffinity(0))
SPIN = "while :; do :; done"
BOUND = f"taskset -c {CORE} {ARBITER} bench player --think"


class Load:
    """Strangers that leave next to nothing of the core to anybody else, from the moment on that they are here."""
    def __enter__(self):
        root = os.geteuid() == 0
        command = ["taskset", "-c", str(CORE), *(["nice", "-n", "-20"] if root else []), "sh", "-c", f"echo; {SPIN}"]
        self.children = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(8 if root else 400)]
        for child in self.children:
            child.stdout.readline()
        return self

    def __exit__(self, *unused):
        self.end()

    def end(self):
        for child in self.children:
            child.send_signal(signal.SIGKILL)
        for child in self.children:
            child.communicate()
        self.children = []


def match(first, second, *options):
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([ARBITER, "match", "tower4", first, second, "--set", "pieces=2", "--box", "off",
                              "--record", folder, *options], capture_output=True, text=True, check=False)
        with open(f"{folder}/games.jsonl", encoding="utf-8") as file:
            games = [json.loads(line) for line in file]
        checked = subprocess.run([ARBITER, "replay", f"{folder}/games.jsonl", "--check"],
                                 capture_output=True, text=True, check=False)
    return games, ran.stdout + ran.stderr + checked.stdout + checked.stderr


def spinners(folder, count):
    """Shell text that starts so many on the core, and goes on when all are at work."""
    return (f"for i in $(seq {count}); do taskset -c {CORE} sh -c 'echo >>{folder}/begun; {SPIN}' & done; "
            f"until [ \"$(cat {folder}/begun 2>/dev/null | wc -l)\" -ge {count} ]; do sleep 0.05; done; ")


def own_load():
    """Whoever is kept from running by his own is late, and nothing is played again."""
    with tempfile.TemporaryDirectory() as folder:
        (game,), said = match(f"abp:{spinners(folder, 100)}exec {BOUND} 100", "random", "--time", "0.2", "--set", "start_time=600")
    ok("a player that keeps itself from running is late", game["faults"][0]["word"] == "late" and
       "platform" not in game, f"{game}\n{said}")


def opponents_load():
    """Whoever is kept from running by his opponent is not late, and it is no fault of the platform."""
    with tempfile.TemporaryDirectory() as folder:
        hog = f"abp:{spinners(folder, 30)}exec {ARBITER} bench player"
        (game,), said = match(hog, f"abp:{BOUND} 20", "--time", "0.04", "--set", "start_time=600")
    ok("a player that is kept from running by its opponent is not late",
       not [fault for fault in game["faults"] if fault["player"] == 2] and "platform" not in game, f"{game}\n{said}")


def contest():
    """It is played again under the same conditions, and fewer games at once are played from then on."""
    file = write("busy.conf", f'''name = "busy"; game = "tower4"; time = 0.2; games = 2; jobs = 2; cores = 2;
set = {{ pieces = 2; start_time = 1; }}; format = "league"; seed = 7;
players = ( {{ name = "worker"; start = "abp:{BOUND} 100"; }}, {{ name = "dice"; start = "random"; }} );\n''')
    said = ""
    with Load() as load:
        run = subprocess.Popen([ARBITER, "contest", "run", file, "--box", "off"], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        for line in run.stdout:
            said += line
            if "from now on" in line:
                load.end()
        code = run.wait()
    games = shown(file).get("games", [])
    broken = [game for game in games if game["reason"] == "platform"]
    done = {game["leg"]: game for game in games if game["state"] == "done"}
    said += json.dumps(games, indent=1)
    ok("a contest plays such a game again", code == 0 and len(done) == 2 and len(broken) in (1, 2) and
       all(game["state"] == "annulled" and "kept it from running" in game["verdict"] for game in broken) and
       not any(game["verdict"] for game in done.values()), said)
    ok("and plays fewer at once", "2 games at once are too many for this machine: 1 from now on" in said, said)
    ok("the same game, in another attempt", all(done[game["leg"]]["attempt"] > game["attempt"] and
       done[game["leg"]]["black"] == game["black"] for game in broken), said)


own_load()
opponents_load()
contest()
finish()
