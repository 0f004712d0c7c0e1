"""A contest is ended with all that it has started. If its game and the keeper of a frozen player are killed first, nobody
is left who would thaw that player, and the frozen do not die of a signal: the keeper above has to. Prints TAP."""
import os
import signal
import subprocess
import tempfile
import time

from checks import check, finish

ARBITER = os.environ["ARBITER"]


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def below(pid):
    """The processes below one, with those below them."""
    children = [int(child) for child in read(f"/proc/{pid}/task/{pid}/children").split()]
    return [each for child in children for each in [child, *below(child)]]


def field(pid, number):
    """Of /proc/PID/stat, behind the name: 0 the state, 1 the parent."""
    return (read(f"/proc/{pid}/stat").rpartition(")")[2].split() or ["", "0"])[number]


def is_frozen(pid):
    """By its group, or stopped where it has none."""
    for line in read(f"/proc/{pid}/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "freezer" and "arbiter-" in path:
            return read(f"/sys/fs/cgroup/freezer{path}/freezer.state") == "FROZEN\n"
        if not controllers and "arbiter-" in path and "1" in read(f"/sys/fs/cgroup{path}/cgroup.freeze"):
            return True
    return field(pid, 0) == "T"


def is_player(pid):
    return read(f"/proc/{pid}/cmdline").startswith(f"{ARBITER}\0bot\0connect6\0")


def find_frozen(server):
    """A player, who waits for its turn, and those above it up to the server."""
    while True:
        for pid in below(server):
            if is_player(pid) and is_frozen(pid):
                line = [pid]
                while line[-1] not in (0, 1, server):
                    line.append(int(field(line[-1], 1)))
                if line[-1] == server:
                    return line
        time.sleep(0.02)


def is_keeper(pid):
    return read(f"/proc/{pid}/comm") == "arbiter-keeper\n"


def stop_above(line):
    """Stops the keeper of a player, its game and the contest, so that none acts any more, and returns them; None: it is
    not frozen any more."""
    keeper = next((i for i, pid in enumerate(line) if is_keeper(pid)), len(line))
    above = line[keeper:keeper + 3]
    try:
        for pid in reversed(above):
            os.kill(pid, signal.SIGSTOP)
        if len(line) > keeper + 3 and is_keeper(line[keeper + 3]) and is_frozen(line[0]):
            return above
        for pid in above:
            os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        pass  # the game is over
    return None


def kill_above(server):
    """Kills the game and the keeper of a frozen player, whose number it returns."""
    while True:
        line = find_frozen(server)
        above = stop_above(line)  # not if its turn has begun meanwhile
        if above:
            for pid in above[:2]:
                os.kill(pid, signal.SIGKILL)
            return line[0]


@check
def ends():
    """a server ends, and what was frozen with it, whoever was killed before"""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
        with subprocess.Popen([ARBITER, "serve", "--port", "0", "--judge-port", "0", "--data", data],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as parent:
            said = ""
            while "process " not in said:
                said = parent.stdout.readline()
            player = kill_above(int(said.partition("process ")[2].partition(".")[0]))
            parent.terminate()
            assert parent.wait() == 0, "it was killed"
    while field(player, 0) not in ("", "Z"):  # it hangs here if it is left
        time.sleep(0.02)


finish()
