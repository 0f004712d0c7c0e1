"""box.py [REGEX]: what tests/e2e/box.sh runs, or the checks whose names match. ARBITER is the program; arbiter-box lies beside it."""
import ctypes
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, "tests/e2e")
from checks import free_port

count = failed = 0
work = tempfile.mkdtemp()
os.chmod(work, 0o755)
PROGRAM = f"{work}/bin/arbiter"
NOBODY = 65534
MB = 1 << 20
PATIENCE_S = 3600  # with what hangs; how long anything takes decides nothing
START = int(os.environ.get("START_TIME", "60"))  # seconds for a player; more where the machine is emulated


def prepare():
    """Copies that an ordinary user can reach too; players and their opponents have folders of their own."""
    folder = os.path.dirname(os.environ["ARBITER"])
    os.makedirs(f"{work}/bin")
    for name in "arbiter", "arbiter-box":
        shutil.copy(f"{folder}/{name}", f"{work}/bin")
    for name in "prisoner", "opponent":
        os.makedirs(f"{work}/{name}")
        shutil.copy("tests/players/prisoner.py", f"{work}/{name}/player.py")
    shutil.copy("tests/players/attacker.py", f"{work}/prisoner/attacker.py")
    os.makedirs(f"{work}/store")
    for name in "opponent/secret", "store/contest.db":
        with open(f"{work}/{name}", "w", encoding="ascii") as file:
            file.write("secret")
    if os.geteuid() == 0:
        shutil.copy("/usr/bin/id", f"{work}/prisoner/root-id")
        os.chmod(f"{work}/prisoner/root-id", 0o4755)


class Run:
    """Matches of one user at one level."""

    def __init__(self, user, level):
        self.level, self.user, self.prefix = level, user, []
        self.who = f"level {level}, {'root' if user == 0 else 'an ordinary user'}"
        self.as_user = {} if user == os.geteuid() else {"user": user, "group": user, "extra_groups": []}

    def start(self, habit, *words, other="good", name="player", log=True):
        self.folder = tempfile.mkdtemp(dir=work)
        os.chmod(self.folder, 0o777)
        self.temporary = f"{self.folder}/tmp"
        os.mkdir(self.temporary)
        os.chmod(self.temporary, 0o1777)
        words += ("--log", f"{self.folder}/log") if log else ()
        player = f"abp:python3 {work}/prisoner/{name}.py 5,2 "
        opponent = f"abp:python3 {work}/opponent/player.py 1,2 {other}"
        return subprocess.Popen(
            [*self.prefix, PROGRAM, "match", "tower4", player + habit, opponent, "--set", "pieces=8",
             "--set", f"start_time={START}", "--json", "--record", self.folder, "--box", str(self.level),
             *words], cwd=self.folder, env=dict(os.environ, PGPASSWORD="secret", TMPDIR=self.temporary), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, **self.as_user)

    def match(self, habit, *words, **options):
        """Plays one game; returns the record, the deeds that were told, and standard error."""
        with self.start(habit, *words, **options) as process:
            said = process.communicate(timeout=PATIENCE_S)[1]
        assert process.returncode == 0, said
        with open(f"{self.folder}/games.jsonl", encoding="utf-8") as file:
            game = json.loads(file.read())
        assert game["box"] == self.level, game["box"]
        deeds = {}
        if os.path.exists(f"{self.folder}/log"):
            with open(f"{self.folder}/log", encoding="utf-8") as file:
                deeds = dict(re.findall(r" deed (\S+) (.*)", file.read()))
        return game, deeds, said


def fine(game):
    assert game["verdict"] is None and game["reason"] == "pieces", game["verdict"]


def verdict(game, *words):
    assert game["verdict"] and game["verdict"]["word"] in words, game["verdict"]
    assert game["winner"] == 2, game["winner"]


def command_lines():
    lines = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                lines.append(file.read().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            pass
    return lines


def groups():
    return [path for path in glob.glob("/sys/fs/cgroup/**/arbiter-*", recursive=True)]


def wait_until(what, why):
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, why
        time.sleep(0.05)


def nothing_left(mark):
    wait_until(lambda: not any(mark in line for line in command_lines()), f"{mark} still runs")


def check(name, function, *words):
    global count, failed
    if not re.search(sys.argv[1] if len(sys.argv) > 1 else "", name):
        return
    count += 1
    try:
        function(*words)
        nothing_left(f"{work}/prisoner")
        print(f"ok {count} - {name}")
    except Exception as error:  # whatever it is, it is a failure
        failed = 1
        print(f"not ok {count} - {name}")
        for file in sys.stdout, sys.stderr:
            print("# " + repr(error).replace("\\n", "\n# "), file=file)
    sys.stdout.flush()


def good(run):
    game, _, said = run.match("good")
    fine(game)
    assert said == "", said


def deeds(run):
    """Everything that a box with walls refuses, in one game, which is played to its end."""
    secrets = [f"{work}/opponent/secret", f"{work}/opponent/player.py", f"{work}/store/contest.db",
               f"{run.folder}/games.jsonl", "/etc/shadow"]
    # a file that a command names plainly is shown, so these are not named plainly
    game, done, _ = run.match("escape " + " ".join(f'"$(echo {path})"' for path in secrets))
    fine(game)
    refused = [f"read:{path}" for path in secrets] + [
        "write:/usr/x", "write:/x", "write:/dev/x", "connect", "connect:loopback", "connect:6", "listen",
        "ptrace", "mount", "unshare", "environ", "memory"] + ["setuid"] * (os.geteuid() == 0)
    for name in refused:
        assert done[name].startswith("refused"), (name, done[name])
    for name in "write:own", "write:/tmp":
        assert done[name] == "done", (name, done[name])
    assert int(done["files"].split()[0]) <= 1024, done["files"]
    assert 50 <= int(done["disk"].split()[0]) <= 256, done["disk"]
    assert 10000 <= int(done["small"].split()[0]) <= 32768, done["small"]
    assert 50 <= int(done["threads"].split()[0]) <= 128, done["threads"]
    assert done["sight"] == "nobody", done["sight"]
    assert done["kill"] == "0 killed", done["kill"]
    assert done["nice"] == str(os.nice(0)), done["nice"]  # only what starts it was in a hurry
    good(run)


def filtered(run):
    """What is refused without walls."""
    game, done, _ = run.match("reach /etc/shadow")
    fine(game)
    for name in ("read:/etc/shadow", "write:/usr/x", "connect", "connect:loopback", "connect:6", "listen",
                 "ptrace", "mount", "unshare"):
        assert done[name].startswith("refused"), (name, done[name])
    assert int(done["files"].split()[0]) <= 1024, done["files"]
    assert done["judge"] == "0 killed", done["judge"]
    good(run)


def bomb(run):
    game, done, _ = run.match("bomb")
    fine(game)
    assert 1 <= int(done["bomb"]) <= 128, done["bomb"]
    good(run)


def counted(run, habit):
    """Memory that a control group counts: the verdict tells the limit and the peak."""
    game, _, _ = run.match(habit, "--set", "memory=64M")
    verdict(game, "memory")
    assert 60 * MB <= game["peak"][0] <= 65 * MB, game["peak"]
    assert f"{64 * MB} bytes" in game["verdict"]["evidence"], game["verdict"]
    assert f"{game['peak'][0]} bytes" in game["verdict"]["evidence"], game["verdict"]


def limited(run, habit):
    """Memory without one: the player cannot get it, or is seen to have it."""
    game, _, _ = run.match(habit, "--set", "memory=160M")
    verdict(game, "not-ready", "gone", "memory")


def herd(run):
    game, _, _ = run.match("herd", "--set", "memory=160M")
    verdict(game, "memory")
    assert game["peak"][0] >= 160 * MB, game["peak"]


def ponder(run):
    """A busy thread stands still in the other's turn."""
    game, _, _ = run.match("ponder", "--set", "ponder=freeze", other="slow")
    fine(game)
    assert game["frozen_ms"][0] < 0.5, game["frozen_ms"]  # on a busy machine it comes late to its last step
    assert sum(game["cpu_ms"][0::2]) > 1, game["cpu_ms"]  # it does work where it may


def turns(run, word, hogs=127, most=0.05):
    """Children that are busy in the other's turn too do not take the core from the one whose turn it is: told by
    their CPU time beside his, which is the same however busy the machine is. The record says how that is held."""
    seconds = 0.2 if START <= 60 else 1  # where the machine is emulated, what the judge does between turns takes long too
    game, done, _ = run.match(f"hog {hogs} 19", "--set", "ponder=report", "--time", "300", "--cores", "1", other=f"work {seconds}")
    fine(game)
    assert game["core"] == word, game["core"]
    assert int(done["hog"]) >= min(hogs, 100), done
    worked = sum(game["cpu_ms"][1::2])
    assert worked >= 4 * 200 and game["ponder_ms"][0] <= most * worked, (game["ponder_ms"], worked)


def is_idle(pid):
    return os.sched_getscheduler(pid) == os.SCHED_IDLE


def is_apart(pid):
    return len(os.sched_getaffinity(pid)) == 1


def processes(mark):
    """Numbers of those whose command line holds it."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                words = file.read().split(b"\0")
            if words[0].endswith(b"python3") and mark.encode() in b" ".join(words):
                found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def turned(run, word, steps_back, *words):
    """Where no group says who has the core: in the other's turn all threads of a player step back."""
    seen = set()
    with run.start("hog 10", "--set", "ponder=report", "--time", "300", *words, other="work") as process:
        hogs, worker = [], []
        while process.poll() is None:
            time.sleep(0.01)
            if len(hogs) < 11 or len(worker) < 1:
                hogs, worker = processes(f"{work}/prisoner/player.py"), processes(f"{work}/opponent/player.py")
                continue
            try:
                back = [steps_back(pid) for pid in hogs]
                seen.add((all(back), any(back), steps_back(worker[0])))
            except OSError:
                pass  # one has ended
        said = process.communicate()[1]
    assert process.returncode == 0, said
    with open(f"{run.folder}/games.jsonl", encoding="utf-8") as file:
        game = json.loads(file.read())
    fine(game)
    assert game["core"] == word, game["core"]
    assert (True, True, False) in seen and (False, False, True) in seen, seen


def daemon(run):
    mark = f"9{os.getpid()}.{run.level}"
    game, _, _ = run.match(f"daemon {mark}")
    fine(game)
    nothing_left(f"sleep {mark}")


def killed(run):
    """The judge is killed while a player is frozen."""
    with run.start("ponder", "--set", "ponder=freeze", "--games", "1000") as process:
        wait_until(lambda: os.path.exists(f"{run.folder}/games.jsonl") and
                   os.path.getsize(f"{run.folder}/games.jsonl") > 0, "no game was played")
        process.send_signal(signal.SIGKILL)
    nothing_left(f"{work}/prisoner")
    left = [path for path in groups() if f"arbiter-{process.pid}-" in path and "-ice" not in path]
    wait_until(lambda: not any(os.path.exists(path) for path in left), left)
    good(run)  # which also removes the group that the dead one kept frozen
    left = [path for path in groups() if f"-{process.pid}-" in path]
    assert not left, left


def bounded(run):
    """Without walls too a player can start only so many processes, whoever it shares its user with."""
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_NPROC)[1])"
    ran = subprocess.run([f"{PROGRAM}-box", "--level", str(run.level), "--processes", "128", "--", "python3", "-c", code],
                         stdout=subprocess.PIPE, text=True, cwd=work, check=True, **run.as_user)
    with open("/proc/loadavg", encoding="ascii") as file:
        there = int(file.read().split("/")[1].split()[0])
    assert 128 <= int(ran.stdout) < there + 1000, (ran.stdout, there)


def landlock():
    """The version that this kernel has of it; below 1: none."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1)


def lasting():
    """What attacker.py has made in the kernel and nobody removes, by its keys."""
    found = []
    for name in "shm", "msg", "sem":
        with open(f"/proc/sysvipc/{name}", encoding="ascii") as file:
            found += [line for line in file if re.match(r" *-?\d", line) and int(line.split()[0]) >> 24 == 0x41 and
                      (name != "shm" or int(line.split()[3]) == MB)]  # a PostgreSQL has one too, by a key that may be any
    return found


def attacked(run):
    """What no game needs is refused, and nothing lies about afterwards."""
    mark = f"9{os.getpid()}.{run.level}"
    with socket.socket(socket.AF_UNIX) as s:
        s.bind("\0" + mark)
        s.listen()
        with socket.socket(socket.AF_UNIX) as named:
            path = f"{work}/{mark}.{run.user}"
            named.bind(path)
            named.listen()
            os.chmod(path, 0o777)
            game, done, _ = run.match(f'calls,litter,watch {mark} "$(echo {path})"', name="attacker")
    fine(game)
    with open(f"{run.folder}/log", encoding="utf-8") as file:
        told = re.findall(r"arbiter-box: refused the system call (\w+) ", file.read())
    missing = {"bpf", "perf_event_open", "keyctl", "socket", "clone", "mknod", "setns", "ioctl"} - set(told)
    assert not missing and len(told) == len(set(told)), (missing, told)  # each once, and not clone3
    walls, fence = run.level >= 2, landlock()
    allowed = {"/tmp", "/dev/shm", "/dev/mqueue", "shm", "msg", "sem", "mq"} if walls else set()
    if not walls and fence < 1:
        allowed |= {"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue"}
    assert len(done) > 30 and done["nameless"] == "done", done
    bad = [name for name, what in done.items() if what == "done" and name not in allowed | {"nameless"}]
    assert not bad, bad
    left = [path for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock") for path in glob.glob(f"{folder}/{mark}")]
    assert (walls or fence >= 1) <= (not left), left
    assert not lasting(), lasting()


def listed(run):
    """A call that is not on the list is answered as by a kernel that does not have it, and so is what would let
    two players talk by files that both can see."""
    game, done, _ = run.match("newer,locks x", name="attacker")
    fine(game)
    assert done.pop("newer") == "none", done
    assert len(done) == 24, done
    bad = [name for name, what in done.items() if what == "done"]
    assert not bad, bad
    code = "import fcntl, os; fcntl.flock(os.open('.', 0), fcntl.LOCK_EX); f = open('x', 'w'); fcntl.lockf(f, fcntl.LOCK_EX)"
    with tempfile.TemporaryDirectory(dir=work) as folder:
        os.chown(folder, run.user, run.user)
        for words in ["--locks"], []:  # a build may lock what it likes
            ran = subprocess.run([f"{PROGRAM}-box", "--level", str(run.level), "--folder", folder, *words, "--", "python3", "-c", code],
                                 stderr=subprocess.PIPE, text=True, cwd=work, check=False, **run.as_user)
            os.chown(folder, run.user, run.user)
            assert (ran.returncode == 0) == bool(words), (words, ran.stderr)


def paired(run):
    """Pairs of sockets carry nothing out of the box: without walls there are streams alone, which stay connected
    as they are, and nobody gives them a name that others can see."""
    mark = f"7{os.getpid()}.{run.level}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard, socket.socket(socket.AF_UNIX) as asked:
        for s, name in (heard, "datagram"), (asked, "stream"):
            s.bind(f"{work}/{mark}.{run.user}.{name}")
            os.chmod(f"{work}/{mark}.{run.user}.{name}", 0o777)
        asked.listen()
        for name in "datagram", "stream":
            game, done, _ = run.match(f'pairs {mark} "$(echo {work}/{mark}.{run.user}.{name})"', name="attacker")
            fine(game)
            assert len(done) == 24, done
            good = {name for name, what in done.items() if what == "done"}
            streams = {name for name in done if name.startswith("stream:")}
            assert streams <= good, done
            assert run.level >= 2 or good == streams, done
        heard.setblocking(False)
        asked.setblocking(False)
        for deed in lambda: heard.recv(1), asked.accept:
            try:
                raise AssertionError(deed())
            except BlockingIOError:
                pass


def cleared(run):
    """Whatever it builds in its folder, and whoever it sends away: all is gone afterwards."""
    mark = f"8{os.getpid()}.{run.level}"
    began = time.monotonic()
    game, _, _ = run.match(f"maze,orphans,runner {mark}", name="attacker", log=False)
    fine(game)
    assert time.monotonic() - began < 3000, "it went on until the runners ended by themselves"
    nothing_left(f"sleep {mark}")
    assert os.listdir(run.temporary) == [], os.listdir(run.temporary)


def stubborn(run):
    """One that stops in its turn is late, one that dies is gone, and leaves no core."""
    game, _, _ = run.match("stop x", "--time", "0.3", name="attacker", log=False)
    assert game["verdict"]["word"] == "late", game["verdict"]
    game, _, _ = run.match("dump x", name="attacker", log=False)
    verdict(game, "gone")
    assert "signal 6" in game["verdict"]["evidence"] and os.listdir(run.temporary) == [], game["verdict"]
    good(run)


def too_much():
    """Limits that together are more than the machine has."""
    ran = subprocess.run(
        [PROGRAM, "match", "tower4", f"abp:python3 {work}/prisoner/player.py 5,2 good", "random", "--box", "0",
         "--set", "memory=512G", "--jobs", "3", "--games", "3"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=work, check=False)
    assert ran.returncode == 2 and "1536.0 GB of memory together" in ran.stderr, ran.stderr


def given_away():
    """Root gives a player no folder but one that was made for him, not even /tmp by mistake."""
    folder = f"{work}/not his"
    os.makedirs(folder)
    for mode in 0o1777, 0o755:
        os.chmod(folder, mode)
        ran = subprocess.run([f"{PROGRAM}-box", "--level", "0", "--folder", folder, "--", "true"],
                             stderr=subprocess.PIPE, text=True, check=False)
        assert ran.returncode == 126 and "not a folder made for a player" in ran.stderr, ran.stderr
        assert os.stat(folder).st_uid == 0
    os.chmod(folder, 0o700)
    subprocess.run([f"{PROGRAM}-box", "--level", "0", "--folder", folder, "--", "true"], check=True)
    assert os.stat(folder).st_uid > 0x70000000


def doctor(words, files, path=None):
    """What it advises an ordinary user on a machine that looks as these files of /proc say, where bubblewrap
    fails, or is not on the path."""
    folder = tempfile.mkdtemp(dir=work)
    os.chmod(folder, 0o755)
    with open(f"{folder}/bwrap", "w", encoding="ascii") as file:
        file.write("#!/bin/sh\necho bwrap: setting up uid map: Permission denied >&2\nexit 1\n")
    os.chmod(f"{folder}/bwrap", 0o755)
    script = "mount -t tmpfs tmpfs /proc/sys/kernel; "
    for i, (name, text) in enumerate(files.items()):
        with open(f"{folder}/{i}", "w", encoding="ascii") as file:
            file.write(text)
        script += f"[ -e {name} ] || touch {name}; mount --bind {folder}/{i} {name}; "
    script += f"PATH={path or folder} exec /usr/bin/setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups {PROGRAM} doctor"
    ran = subprocess.run(["unshare", "-m", "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, cwd=work, check=False)
    assert ran.returncode == 0, ran.stderr
    for word in words:
        assert word in ran.stdout, (word, ran.stdout)


def check_doctor():
    kernel = "/proc/sys/kernel"
    failing = ("Players can be boxed at level 1 of 3", "walls           no: bwrap: setting up uid map: Permission denied")
    for name, words, files, path in (
            ("without bubblewrap", ("apt install bubblewrap",), {}, "/nowhere"),
            ("on WSL 1", failing + ("wsl --set-version DISTRIBUTION 2", "systemd=true"),
             {"/proc/version": "Linux version 4.4.0-microsoft\n"}, None),
            ("on Ubuntu", failing + ("kernel.apparmor_restrict_unprivileged_userns=0", "bwrap-userns-restrict"),
             {f"{kernel}/apparmor_restrict_unprivileged_userns": "1\n"}, None),
            ("where user namespaces are off", failing + ("kernel.unprivileged_userns_clone=1",),
             {f"{kernel}/unprivileged_userns_clone": "0\n"}, None),
            ("without delegation", failing + ("systemd-run --user --scope -p Delegate=yes",), {}, None)):
        check(f"doctor {name}", doctor, words, files, path)


def report(user):
    options = {} if user == os.geteuid() else {"user": user, "group": user, "extra_groups": []}
    said = subprocess.run([PROGRAM, "doctor", "--json"], stdout=subprocess.PIPE, check=True, **options).stdout
    return json.loads(said)


def by_tcp(run):
    """A player that connects reaches the judge, from behind its walls too."""
    port = str(free_port())
    player = f"tcp:7={PROGRAM} bot tower4 --protocol stcp --level random --team 7 --port {port}"
    ran = subprocess.run(
        [PROGRAM, "match", "tower4", player, "random", "--set", "pieces=8", "--port", port, "--box",
         str(run.level), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work,
        timeout=PATIENCE_S, check=False, **run.as_user)
    assert ran.returncode == 0, ran.stderr
    fine(json.loads(ran.stdout))


def listening(run):
    """Who connects by TCP may listen in a network of his own alone."""
    code = 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); print(s.getsockname()[1])'
    ran = subprocess.run([f"{PROGRAM}-box", "--level", str(run.level), "--port", "8888", "--", "python3", "-c", code],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work, check=False, **run.as_user)
    assert ran.returncode == (0 if run.level >= 2 else 1), ran.stderr
    assert run.level >= 2 or "Operation not permitted" in ran.stderr, ran.stderr
    if run.level >= 2 or landlock() < 4:
        return
    with socket.socket() as judge, socket.socket() as other:  # and connects to the judge alone
        for s in judge, other:
            s.bind(("127.0.0.1", 0))
            s.listen()
        port, elsewhere = judge.getsockname()[1], other.getsockname()[1]
        for code, good in ((f"s.connect(('127.0.0.1', {port}))", True), (f"s.connect(('127.0.0.1', {elsewhere}))", False),
                           ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", False),
                           ("socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)", False)):
            ran = subprocess.run(
                [f"{PROGRAM}-box", "--level", str(run.level), "--port", str(port), "--", "python3", "-c",
                 "import socket; s = socket.socket(); " + code], stderr=subprocess.PIPE, text=True, cwd=work, check=False, **run.as_user)
            assert (ran.returncode == 0) == good, (code, ran.stderr)


def check_level(user, level):
    run = Run(user, level)
    run.folder = work
    if level in (1, 3) and report(user).get("core") == "weights":
        check(f"{run.who}: the core goes by turns", turns, run, "weights")
    check(f"{run.who}: a good player", good, run)
    check(f"{run.who}: a player that connects by TCP", by_tcp, run)
    if level > 0:
        check(f"{run.who}: listening", listening, run)
    if level > 0:
        check(f"{run.who}: what lies about afterwards", attacked, run)
        check(f"{run.who}: calls that are not on the list, and locks", listed, run)
        check(f"{run.who}: pairs of sockets", paired, run)
    if level < 2:
        check(f"{run.who}: how many processes", bounded, run)
        if level == 1:
            check(f"{run.who}: folders and orphans", cleared, run)
            check(f"{run.who}: what the filter refuses", filtered, run)
            check(f"{run.who}: stopped, and dead", stubborn, run)
        return
    check(f"{run.who}: what the walls refuse", deeds, run)
    check(f"{run.who}: a fork bomb", bomb, run)
    for habit in ("malloc", "shared", "memfd", "sockets", "helper") if level == 3 else ("malloc", "shared", "memfd"):
        check(f"{run.who}: too much memory by {habit}", counted if level == 3 else limited, run, habit)
    check(f"{run.who}: too much memory by several processes", herd, run)
    check(f"{run.who}: a busy thread", ponder, run)
    check(f"{run.who}: a child that outlives the match", daemon, run)
    check(f"{run.who}: the judge killed", killed, run)


def check_cores():
    """Ways to give the core by turns that need no control groups."""
    own = Run(os.geteuid(), 1)
    if os.geteuid() == 0 and os.path.ismount("/sys/fs/cgroup/cpu"):
        own.prefix = ["unshare", "-m", "sh", "-c", 'umount /sys/fs/cgroup/cpu && exec "$@"', "sh"]
        check(f"{own.who}: the core goes by turns without groups", turned, own, "idle", is_idle)
    other = Run(NOBODY if os.geteuid() == 0 else os.geteuid(), 1)
    if len(os.sched_getaffinity(0)) >= 2 and report(other.user)["core"] == "apart":
        check(f"{other.who}: the core goes by turns between cores", turned, other, "apart", is_apart, "--cores", "2")
        check(f"{other.who}: one core, and nobody to share it out", shared, other)


def shared(run):
    game, _, _ = run.match("good", "--cores", "1")
    assert game["core"] == "shared", game["core"]


def main():
    prepare()
    users = [os.geteuid()] + [NOBODY] * (os.geteuid() == 0)
    if report(users[0])["level"] < 0:
        print("1..0 # SKIP nothing can be boxed here")
        return
    for user in users:
        for level in range(report(user)["level"], -1, -1):
            check_level(user, level)
    check_cores()
    if os.geteuid() == 0:
        check("folders that are given to players", given_away)
        check_doctor()
    check("limits that are more than the machine has", too_much)
    print(f"1..{count}")


try:
    main()
finally:
    shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
