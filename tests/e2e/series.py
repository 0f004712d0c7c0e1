"""Drives `arbiter match` as a whole; series.sh starts it. Every check is a function below. What
hangs is ended after LIMIT_S; how long anything takes decides nothing. Signals are sent by kill alone: a SIGCONT, as
timeout(1) sends it, can make the leak sanitizer wait for ever."""
import contextlib
import fcntl
import json
import os
import pty
import re
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ARBITER = os.environ["ARBITER"]
LIMIT_S = float(os.environ.get("LIMIT_S", 3600))
SHORT = ("--set", "pieces=8", "--time", "60", "--set", "start_time=600")
checks = []
started = []  # what the check under way has started


def check(what):
    """Makes a function a check; it is handed a folder of its own."""
    return lambda function: checks.append((what, function))


def expect(good, *words):
    if not good:
        raise AssertionError(" ".join(str(word) for word in words))


def start(*words, **options):
    judge = subprocess.Popen(
        [ARBITER, "match", *words], stdin=options.pop("stdin", subprocess.DEVNULL),
        stdout=options.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE, text=True, **options)
    started.append(judge)
    return judge


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def family(pid):
    """A process and all below it."""
    yield str(pid)
    for child in children(pid):
        yield from family(child)


def finish(judge):
    """Waits for it: its exit code, output and errors."""
    try:
        out, err = judge.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        what = subprocess.run(["ps", "-o", "pid,ppid,stat,wchan:20,pending,blocked,args", "-p",
                               ",".join(family(judge.pid))], stdout=subprocess.PIPE, text=True,
                              check=False).stdout
        raise AssertionError(f"no end in {LIMIT_S} s: {shlex.join(judge.args)}\n{what}") from None
    return judge.returncode, out or "", err


def match(*words, **options):
    return finish(start(*words, **options))


def games(text):
    return [json.loads(line) for line in text.splitlines()]


def play(*words, **options):
    code, out, err = match(*words, "--json", **options)
    expect(code == 0, code, err)
    return games(out)


def refuse(sentence, *words, **options):
    code, out, err = match(*words, **options)
    expect(code == 2 and out == "", code, out, err)
    expect(re.fullmatch(f"arbiter: {sentence}\n", err), err)


def wait_for(true, what):
    until = time.monotonic() + LIMIT_S
    while not true():
        expect(time.monotonic() < until, f"no {what} in {LIMIT_S} s")
        time.sleep(0.02)


def lines(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def commands():
    """The command lines of all processes."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", encoding="utf-8") as file:
            yield file.read()


def sleeper(folder, ms):
    """A tower4 player that sleeps, by a name that no other process has. Games of 8 pieces take long by that,
    whatever the machine does, and so do series: longer than we need to disturb them."""
    path = f"{folder}/player"
    if not os.path.exists(path):
        os.symlink(ARBITER, path)
    return f"abp:{path} bench player --sleep {ms}"


def nobody_left(folder):
    wait_for(lambda: not any(folder in command for command in commands()), "end of all players")


@check("--time draws milliseconds where an end is not whole, else seconds")
def fine_times(_):
    fine = [game["settings"]["time"]
            for game in play("cuptactoe", "random", "random", "--games", "12", "--time", "0.5..1.5")]
    expect(all(0.5 <= t <= 1.5 and round(t * 1000) == t * 1000 for t in fine), fine)
    expect(len(set(fine)) > 6, fine)
    whole = [game["settings"]["time"]
             for game in play("cuptactoe", "random", "random", "--games", "12", "--time", "2..7")]
    expect(all(t in range(2, 8) for t in whole) and len(set(whole)) > 2, whole)


@check("blocks are drawn beside the stones of an opening")
def blocks_beside_opening(folder):
    opening = ["2,2", "0,0", "0,5", "3,3", "2,3", "5,0"]
    with open(f"{folder}/openings", "w", encoding="utf-8") as file:
        file.write("; ".join(opening) + "\n")
    words = ["connect6", "random", "random", "--games", "40", "--set", "size=6", "--set",
             "blocks=random:6", "--openings", f"{folder}/openings"]
    played = play(*words)
    for game in played:
        blocks = game["settings"]["blocks"].split()
        expect(game["moves"][:6] == opening and len(set(blocks)) == 6, game)
        expect(not set(blocks) & set(game["moves"]), blocks, game["moves"])
    expect(len({game["settings"]["blocks"] for game in played}) == 40, "the same blocks again")
    again = play(*words)
    expect([g["settings"] for g in played] == [g["settings"] for g in again], "another draw")


@check("a random opening is at most half a game")
def random_openings(_):
    refuse(".*half a game at most.*'29'; accepted: 1..15",
           "cuptactoe", "random", "random", "--openings", "random:29")
    refuse(".*'3'; accepted: 1..2", "tower4", "random", "random", "--openings", "random:3",
           "--set", "pieces=4")
    refuse(".*too short for an opening", "cuptactoe", "random", "random", "--openings", "random:1",
           "--set", "max_turns=1")
    played = play("cuptactoe", "random", "random", "--games", "30", "--openings", "random:15")
    expect(all(game["plies"] > 15 for game in played), [game["plies"] for game in played])


@check("the same seed plays the same games, whatever --jobs is")
def same_games(_):
    for words in (["cuptactoe", "random", "random"], ["cuptactoe", "random", "random", "--swap"],
                  ["connect6", "builtin:easy,nodes=50", "random", "--swap", "--set", "size=7"]):
        words = words + ["--games", "20", "--seed", "11"]
        runs = [[(game["moves"], game["settings"]) for game in play(*words, "--jobs", jobs)]
                for jobs in "123"]
        expect(len(runs[0]) == 20, len(runs[0]))
        expect(len({str(moves) for moves, _ in runs[0]}) > 15, "few different games")
        for jobs, run in zip("23", runs[1:]):
            for number, (one, other) in enumerate(zip(runs[0], run), 1):
                expect(one == other, words, f"--jobs {jobs}: game {number} is another:", one, other)


def interrupt(folder, number, jobs):
    """Sends a signal to the judge alone once games are finished and others under way."""
    record = f"{folder}/games.jsonl"
    judge = start("tower4", sleeper(folder, 50), sleeper(folder, 50), "--games", "1000", "--jobs", jobs,
                  "--record", folder, *SHORT)
    wait_for(lambda: len(lines(record)) >= 3, "third game")
    judge.send_signal(number)
    code, _, err = finish(judge)
    expect(code == 130, code, err)
    kept = games("\n".join(lines(record)))
    aborted = [game for game in kept if game["reason"] == "aborted"]
    numbers = [game["number"] for game in kept]
    expect(len(aborted) == int(jobs), f"{len(aborted)} aborted games", numbers)
    expect(all(game["winner"] is None for game in aborted), aborted)
    expect(numbers == sorted(set(numbers)) and len(numbers) < 1000, numbers)
    words = f"interrupted; .* {len(kept) - len(aborted)} games were finished, {jobs} broken off"
    expect(re.search(words, err), err)
    nobody_left(folder)


for signal_name in ("SIGINT", "SIGTERM"):
    for jobs_count in "12":
        check(f"{signal_name} to the judge alone, --jobs {jobs_count}: every game is kept")(
            lambda folder, name=signal_name, jobs=jobs_count: interrupt(
                folder, getattr(signal, name), jobs))


@check("a worker that is killed is named with its game, and the others play on")
def killed_worker(folder):
    record = f"{folder}/games.jsonl"
    judge = start("tower4", sleeper(folder, 100), sleeper(folder, 100), "--games", "12", "--jobs", "2",
                  "--record", folder, *SHORT)
    wait_for(lambda: len(lines(record)) >= 2, "second game")
    os.kill(children(judge.pid)[0], signal.SIGKILL)
    code, out, err = finish(judge)
    expect(code == 2 and "interrupted" not in err, code, err)
    found = re.search(r"arbiter: worker 1 of 2 was ended by signal 9 \(Killed\) in game (\d+)$", err,
                      re.MULTILINE)
    expect(found and "are missing" in err, err)
    lost = int(found[1])
    numbers = [game["number"] for game in games("\n".join(lines(record)))]
    expect(numbers == [n for n in range(1, 13) if n % 2 == 0 or n < lost], lost, numbers)
    expect(f"of {len(numbers)} points" in out, out)
    nobody_left(folder)


@check("a judge that is killed takes its workers and players along")
def killed_judge(folder):
    for jobs in "12":
        judge = start("tower4", sleeper(folder, 50), sleeper(folder, 50), "--games", "1000", "--jobs", jobs, *SHORT)
        judge.stdout.readline()
        judge.kill()
        finish(judge)
        nobody_left(folder)


@check("what stops a worker is told in its own words")
def worker_error(folder):
    place = f'{folder}/no "such\\folder'
    code, _, err = match("connect6", "cmd:true", "random", "--games", "4", "--jobs", "2",
                         env={**os.environ, "TMPDIR": place})
    expect(code == 2 and "cannot make a folder for cmd:true in " in err, code, err)
    expect('no "such\\' in err and "interrupted" not in err, err)


@check("a worker that cannot be started is an error")
def no_descriptors(_):
    command = f"ulimit -n 6; exec {shlex.quote(ARBITER)} match cuptactoe random random --games 8 --jobs 8"
    ran = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=LIMIT_S, check=False)
    expect(ran.returncode == 2 and ran.stdout == "", ran)
    expect(re.search("cannot start worker [0-9] of 8: Too many open files\n$", ran.stderr), ran.stderr)


@check("a reader that leaves ends the series")
def broken_output(folder):
    for jobs in "12":
        judge = start("tower4", sleeper(folder, 10), "random", "--games", "1000", "--json", "--jobs", jobs, *SHORT)
        json.loads(judge.stdout.readline())
        judge.stdout.close()
        judge.stdout = None
        code, _, err = finish(judge)
        expect(code == 2 and err == "arbiter: cannot write the output: Broken pipe\n", code, err)
        nobody_left(folder)


@check("a full disk ends the series")
def full_disk(folder):
    os.symlink("/dev/full", f"{folder}/games.jsonl")
    for jobs in "12":
        code, out, err = match("cuptactoe", "random", "random", "--games", "50", "--jobs", jobs,
                               "--record", folder)
        expect(code == 2 and len(re.findall("^game ", out, re.MULTILINE)) == 1, code, out)
        expect(err == f"arbiter: cannot write {folder}/games.jsonl: No space left on device\n", err)
        with open("/dev/full", "w", encoding="utf-8") as full:
            code, _, err = match("cuptactoe", "random", "random", "--games", "50", "--json", "--jobs",
                                 jobs, stdout=full)
        expect(code == 2 and err == "arbiter: cannot write the output: No space left on device\n",
               code, err)


@check("--sprt stops early, at the same game whatever --jobs is")
def sprt(_):
    seen = set()
    for jobs in "12":
        words = ["cuptactoe", "builtin:easy,nodes=10", "random", "--swap", "--games", "600", "--sprt", "0,50"]
        code, out, err = match(*words, "--jobs", jobs)
        expect(code == 0 and "accepted: stronger" in out, code, out[-400:], err)
        seen.add(len(re.findall("^game ", out, re.MULTILINE)))
    expect(len(seen) == 1 and 4 <= min(seen) < 600 and min(seen) % 2 == 0, seen)
    for text in ("nan,nan", "0,10x", "0,10,20", "0,inf", "10,0", ""):
        refuse(f"--sprt takes E0,E1 .*'{text}'", "cuptactoe", "random", "random", "--sprt", text)


def cores_seen(folder, cores):
    """The cores of every player and its parent, as they print them."""
    path = f"{folder}/player"
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\ngrep -h Cpus_allowed_list /proc/$$/status /proc/$PPID/status >&2\n"
                   f"exec {shlex.quote(ARBITER)} bot tower4 --level random\n")
    os.chmod(path, 0o755)
    play("tower4", f"abp:{path}", f"abp:{path}", "--games", "4", "--jobs", "2", "--cores", cores,
         "--set", "pieces=8", "--log", f"{folder}/log")
    return re.findall(r"Cpus_allowed_list:(?:\\x09)?([-,0-9]+)", "\n".join(lines(f"{folder}/log")))


def expand(text):
    """The numbers of a list like 0-2,5."""
    ranges = [part.split("-") for part in text.split(",")]
    return frozenset(n for ends in ranges for n in range(int(ends[0]), int(ends[-1]) + 1))


@check("games at once have cores of their own, referee and players; --cores widens that")
def pinning(folder):
    available = sorted(os.sched_getaffinity(0))
    if len(available) < 2:
        return "one core alone"
    seen = [expand(text) for text in cores_seen(folder, "1")]
    expect(len(seen) == 8, seen)
    expect(set(seen) == {frozenset(available[:1]), frozenset(available[1:2])}, seen)
    wide = {expand(text) for text in cores_seen(folder, "2")}
    if len(available) < 4:
        expect(all(len(cores) == 2 for cores in wide) or wide == {frozenset(available)}, wide)
    else:
        expect(wide == {frozenset(available[:2]), frozenset(available[2:4])}, wide)
    return None


def human(folder, then):
    """A person on a terminal who moves once; `then` is what happens at his second turn."""
    master, slave = pty.openpty()
    judge = start("cuptactoe", "human", "random", "--record", folder, stdin=slave, stdout=slave)
    said = b""

    def ask():
        nonlocal said
        while b"your move" not in said:
            with contextlib.suppress(BlockingIOError):
                said += os.read(master, 4096)
            time.sleep(0.01)

    os.set_blocking(master, False)
    for line in (b"nonsense\n", b"3 4\n"):
        waiting = threading.Thread(target=ask, daemon=True)
        waiting.start()
        waiting.join(LIMIT_S)
        expect(b"your move" in said, said)
        expect(line != b"3 4\n" or b"two numbers" in said, said)
        said = b""
        os.write(master, line)
    ask()
    expect(not fcntl.fcntl(slave, fcntl.F_GETFL) & os.O_NONBLOCK, "the terminal was made non-blocking")
    then(judge, master)
    code, _, err = finish(judge)
    expect(code == 130 and "interrupted" in err, code, err)
    [game] = games("\n".join(lines(f"{folder}/games.jsonl")))
    expect(game["reason"] == "aborted" and game["moves"][0] == "3 4", game)
    os.close(master)
    os.close(slave)


check("a person on a terminal is ended by SIGTERM")(
    lambda folder: human(folder, lambda judge, _: judge.send_signal(signal.SIGTERM)))
check("a person on a terminal is ended by SIGINT")(
    lambda folder: human(folder, lambda judge, _: judge.send_signal(signal.SIGINT)))
check("a person on a terminal may leave by the end of his input")(
    lambda folder: human(folder, lambda _, master: os.write(master, b"\x04")))


@check("a person may be a file, and hears when the other one is gone")
def file_person(folder):
    with open(f"{folder}/moves", "w", encoding="utf-8") as file:
        file.write("x\n3 4\n")
    with open(f"{folder}/moves", encoding="utf-8") as file:
        code, out, err = match("cuptactoe", "human", "random", stdin=file)
    expect(code == 130 and out.count("your move") == 3, code, out, err)
    reader, writer = os.pipe() # open, and nothing comes
    code, out, err = match("cuptactoe", "human", "abp:echo ready x; sleep 0.3", stdin=reader)
    os.close(reader)
    os.close(writer)
    expect(code == 0 and "human (black) wins" in out and "gone" in out, code, out, err)


def read_port(judge):
    found = re.fullmatch(r"arbiter: waiting for team 7 on port (\d+)\n", judge.stderr.readline())
    expect(found and int(found[1]) > 0, found)
    return int(found[1])


@check("--port 0 says where it listens; a name of an address will do")
def port_zero(_):
    judge = start("tower4", "tcp:7", "random", "--port", "0", "--wait", "1", "--bind", "localhost",
                  "--json")
    port = read_port(judge)
    with socket.create_connection(("127.0.0.1", port)):
        code, out, err = finish(judge)
    expect(code == 0 and games(out)[0]["verdict"]["word"] == "not-ready", code, out, err)
    refuse("--bind takes an IPv4 address or the name of one, not '::1': .*",
           "tower4", "tcp:7", "random", "--bind", "::1")


@check("a team is announced whenever it is awaited")
def announcements(folder):
    # against a person, without whose moves no game ends before it has left
    judge = start("tower4", "tcp:7", "human", "--port", "0", "--wait", "600", "--games", "2", "--swap",
                  "--time", "0.1", "--set", "pieces=4", "--record", folder, stdin=subprocess.PIPE)
    port = read_port(judge)

    def type_moves():
        judge.stdin.write("2,2\n3,3\n")
        judge.stdin.flush()

    def come():
        with socket.create_connection(("127.0.0.1", port)) as player:
            player.sendall(struct.pack("<i", 7))
            expect(len(player.recv(4)) == 4, "no board")

    come()
    said = [judge.stderr.readline()]  # when it has left,
    type_moves()
    said.append(judge.stderr.readline())  # and for the next game
    type_moves()
    come()
    code, out, err = finish(judge)
    expect(code == 0 and len(lines(f"{folder}/games.jsonl")) == 2, code, out, err)
    expect(said == [f"arbiter: waiting for team 7 on port {port}\n"] * 2, said)
    expect(err in ("", said[0]), err)  # the second time it may leave with the end of the game


@check("where neither team comes, nobody wins and nobody scores")
def nobody_there(folder):
    code, out, err = match("tower4", "tcp:7", "tcp:8", "--port", "0", "--wait", "1", "--record", folder)
    expect(code == 0, code, err)
    expect(out.startswith("game 1: nobody wins after 0 moves: forfeit") and "points" not in out, out)
    [game] = games("\n".join(lines(f"{folder}/games.jsonl")))
    expect(game["winner"] is None and len(game["faults"]) == 2, game)
    ran = subprocess.run([ARBITER, "replay", f"{folder}/games.jsonl", "--check"], check=False,
                         stdout=subprocess.PIPE, text=True)
    expect(ran.returncode == 0 and ran.stdout == "1 games, 0 wrong\n", ran.stdout)


def main(words):
    chosen = [(what, function) for what, function in checks
              if not words or any(word in what for word in words)]
    failed = 0
    print(f"1..{len(chosen)}", flush=True)
    for number, (what, function) in enumerate(chosen, 1):
        fault = skip = None
        with tempfile.TemporaryDirectory() as folder:
            try:
                skip = function(folder)
            except (AssertionError, OSError, ValueError, KeyError) as error:
                fault = f"{type(error).__name__}: {error}"
            while started:
                judge = started.pop()
                judge.kill()
                judge.wait()
        failed += fault is not None
        print(f"{'not ok' if fault else 'ok'} {number} - {what}{f' # SKIP {skip}' if skip else ''}")
        for line in (fault or "").splitlines():
            print(f"# {line}")
            print(f"{what}: {line}", file=sys.stderr)  # which is what meson shows
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
