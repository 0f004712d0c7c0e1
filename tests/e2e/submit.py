"""submit.py [REGEX]: what submit.sh runs, or the checks whose names match. ARBITER is the program; arbiter-box
lies beside it."""
import glob
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
import zipfile

NOBODY = 65534
SANITIZED = "SANITIZED" in os.environ
count = failed = 0
servers = []
work = tempfile.mkdtemp()
os.chmod(work, 0o755)
PROGRAM = f"{work}/bin/arbiter"
PATIENCE_S = 3600  # with what hangs; how long anything takes decides nothing

ABP_C = "kits/cuptactoe/c/player.c"
PROBE = r"""
import os, socket, subprocess
def deed(name, f):
    try:
        f()
        print("deed", name, "done", flush=True)
    except Exception as error:
        print("deed", name, "refused", error, flush=True)
def connect():
    socket.create_connection(("127.0.0.1", 22), 1)
def outside():
    open("/usr/x", "w")
deed("read:/etc/shadow", lambda: open("/etc/shadow").read())
deed("read:store", lambda: open("STORE").read())
deed("connect", connect)
deed("outside", outside)
deed("disk", lambda: open("big", "wb").write(bytes(400 << 20)))
subprocess.Popen(["sleep", "MARK"], start_new_session=True)
"""


def prepare():
    """Copies that an ordinary user can reach too."""
    folder = os.path.dirname(os.environ["ARBITER"])
    os.makedirs(f"{work}/bin")
    for name in "arbiter", "arbiter-box":
        shutil.copy(f"{folder}/{name}", f"{work}/bin")
    os.makedirs(f"{work}/tmp")
    os.chmod(f"{work}/tmp", 0o1777)
    with open(f"{work}/store.db", "w", encoding="ascii") as file:
        file.write("secret")


def tar(files):
    """The bytes of a .tar.gz of {name: text}."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, text in files.items():
            data = text if isinstance(text, bytes) else text.encode()
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def kit(path):
    return {os.path.basename(name): text_of(name) for name in sorted(glob.glob(f"kits/{path}/*"))}


class Desk:
    """Submissions of one user at one level."""

    def __init__(self, user, level):
        self.level = level
        self.who = f"level {level}, {'root' if user == 0 else 'an ordinary user'}"
        self.as_user = {} if user == os.geteuid() else {"user": user, "group": user, "extra_groups": []}
        self.home = tempfile.mkdtemp(dir=work)
        os.chmod(self.home, 0o777)
        self.number = 0
        self.path = os.environ["PATH"]

    def run(self, game, path, *words):
        ran = subprocess.run(
            [PROGRAM, "submit", game, path, "--json", "--time", "60", "--build-time", "600", "--box", str(self.level), *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work,
            env=dict(os.environ, TMPDIR=f"{work}/tmp", PATH=self.path), timeout=PATIENCE_S, check=False, **self.as_user)
        assert ran.returncode in (0, 1), ran.stderr
        report = json.loads(ran.stdout)
        assert report["counts"] == (ran.returncode == 0), report
        assert report["box"] == (None if self.level == "off" else self.level), report
        return report

    def submit(self, game, files, *words):
        """Hands an archive in: bytes, or the files of one."""
        self.number += 1
        path = f"{self.home}/{self.number}.archive"
        with open(path, "wb") as file:
            file.write(files if isinstance(files, bytes) else tar(files))
        os.chmod(path, 0o644)
        return self.run(game, path, *words)


def found(report, finding, *words):
    assert report["finding"] == finding, (report["finding"], report["text"])
    for word in words:
        assert word in report["text"], (word, report["text"])
    assert report["counts"] == (finding == "good"), report


def command_lines():
    lines = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                lines.append(file.read().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            pass
    return lines


def nothing_left():
    until = time.monotonic() + PATIENCE_S
    while any(f"{work}/tmp" in line or f"sleep 9{os.getpid()}" in line for line in command_lines()):
        assert time.monotonic() < until, "something still runs"
        time.sleep(0.05)
    left = os.listdir(f"{work}/tmp")
    assert not left, left


def check(name, function, *words):
    global count, failed
    if not re.search(sys.argv[1] if len(sys.argv) > 1 else "", name):
        return
    count += 1
    try:
        function(*words)
        nothing_left()
        print(f"ok {count} - {name}")
    except Exception as error:  # whatever it is, it is a failure
        failed = 1
        print(f"not ok {count} - {name}")
        for file in sys.stdout, sys.stderr:
            print("# " + repr(error).replace("\\n", "\n# "), file=file)
    sys.stdout.flush()


def kits(desk):
    for path in sorted(glob.glob("kits/*/*/")):
        game, language = path.split("/")[1:3]
        if game != "relay" and language in ("c", "cpp", "python"):
            report = desk.submit(game, zipped(kit(f"{game}/{language}")))
            found(report, "good")
            assert report["game"]["verdict"] is None, report["game"]["verdict"]


def one_kit(desk):
    found(desk.submit("connect6", kit("connect6/cpp")), "good")


def connect6_way(desk):
    """Files of the kit are replaced, and the rest of it is there."""
    mine = text_of("kits/connect6/cpp/AI_Algorithm_Code.cpp").replace("TeamName:Kit", "TeamName:Changed")
    report = desk.submit("connect6", {"our submission/AI_Algorithm_Code.cpp": mine}, "--home", f"{desk.home}/way",
                         "--team", "x")
    found(report, "good")
    assert report["kind"] == "the kit of connect6" and report["start"] == "cmd:./player", report
    with open(f"{desk.home}/way/x/1/player", "rb") as file:
        program = file.read()
    assert b"TeamName:Changed" in program and b"TeamName:Kit" not in program
    report = desk.submit("connect6", {"Connect6Algo.cpp": "#error not this one\n"})
    found(report, "build", "Connect6Algo.cpp:1:2: error: #error not this one")


def ways(desk):
    """A Makefile, a player.conf, plain sources, Python."""
    abp = text_of("kits/abp.h")
    player = text_of(ABP_C)
    makefile = "player: deep/player.c\n\tcc -O2 -I. -o player deep/player.c\n"
    report = desk.submit("cuptactoe", {"x/Makefile": makefile, "x/abp.h": abp, "x/deep/player.c": player})
    found(report, "good")
    assert report["kind"] == "a Makefile", report
    conf = "# ours\nbuild = cc -O2 -o mine player.c\nstart = abp:./mine\n"
    report = desk.submit("cuptactoe", {"player.conf": conf, "abp.h": abp, "player.c": player})
    found(report, "good")
    assert report["start"] == "abp:./mine", report
    conf = "\ufeff  build = cc -O2 -o mine player.c\r\n \t\r\n\n\tstart = abp:./mine\n   \n"
    found(desk.submit("cuptactoe", {"player.conf": conf, "abp.h": abp, "player.c": player}), "good")
    report = desk.submit("cuptactoe", {"some.c": player})  # the kit's header is there
    found(report, "good")
    report = desk.submit("cuptactoe", {"bot.py": text_of("kits/cuptactoe/python/bot.py")})
    found(report, "good")
    assert report["start"] == "py:bot.py", report


def places(desk):
    """One file by itself, sources somewhere below, a project of Visual Studio."""
    bot = text_of("kits/cuptactoe/python/bot.py")
    path = f"{desk.home}/bot.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(bot)
    os.chmod(path, 0o644)
    report = desk.run("cuptactoe", path)
    found(report, "good")
    assert report["start"] == "py:bot.py", report
    with open(path, "w", encoding="utf-8") as file:
        file.write("class Bot:\n    def turn(self:\n")
    found(desk.run("cuptactoe", path), "build", "bot.py\", line 2", "def turn(self:", "SyntaxError")
    found(desk.submit("cuptactoe", b""), "archive", "the file is empty")
    found(desk.submit("cuptactoe", {"notes.txt": "", "a/b/bot.py": bot, "a/b/c/old.py": bot}), "good")
    found(desk.submit("cuptactoe", {"notes.txt": "", "new/bot.py": bot, "old/bot.py": bot}), "unknown", "in new and in old")
    studio = {f"Mine/Mine/{name}": text for name, text in kit("connect6/cpp").items() if name != "README.md"}
    studio.update({"Mine/Mine.sln": "", "Mine/Mine/Mine.vcxproj": "", "Mine/Mine/Mine.vcxproj.filters": "", "Mine/x64/Debug/Mine.exe": "MZ",
                   "Mine/.vs/Mine/v17/.suo": "", "Mine/Mine/x64/Debug/Mine.obj": ""})
    found(desk.submit("connect6", studio, "--languages", "c,c++", "--files", "Connect6Algo.*,AI_Algorithm_Code.cpp"), "good")


def other_kits(desk):
    """Who hands in a kit of another game is told so at once."""
    found(desk.submit("tower4", kit("connect6/cpp")), "rules", "a kit of connect6", "the game is tower4")
    found(desk.submit("tower4", kit("hopchess/c")), "rules", "a kit of hopchess")
    client = text_of("kits/reversi/python/STcpClient.py").replace("idTeam = -1", "idTeam = 12")
    sample = text_of("kits/reversi/python/Sample.py").replace("\n", "\r\n") + "# and more of ours\n" * 50
    found(desk.submit("hopchess", {"STcpClient.py": client, "Sample.py": sample}), "rules", "a kit of reversi", "STcpClient.py")
    own = dict(kit("hopchess/python"), **{"notes.md": text_of("kits/reversi/python/README.md")})
    found(desk.submit("hopchess", own), "good")


def unknown(desk):
    found(desk.submit("reversi", {"README": "hello"}), "unknown", "no C, C++ or Python file")
    found(desk.submit("reversi", {"player.conf": "start = rm\n"}), "unknown", "start is cmd:COMMAND")
    found(desk.submit("reversi", {"player.conf": "start = tcp:7\n"}), "unknown", "start is cmd:COMMAND")
    found(desk.submit("reversi", {"player.conf": "make\n"}), "unknown", "line 1")
    found(desk.submit("reversi", {"a.py": "", "b.py": ""}), "unknown", "main.py")


def wrong_code(desk):
    """The compiler's first errors are shown."""
    report = desk.submit("cuptactoe", {"player.c": "int main(void) { return x; }\nfoo\n"})
    found(report, "build", "player.c:1:25: error: ", "x", " undeclared")
    found(desk.submit("cuptactoe", {"main.py": "def f(:\n"}), "build", "SyntaxError")
    found(desk.submit("cuptactoe", {"Makefile": "all:\n\ttrue\n"}), "build", "no program that is called player")
    found(desk.submit("cuptactoe", {"player.c": "int f(void);\nint main(void) { return f(); }\n"}), "build",
          "undefined reference")
    for deed, words in {"kill -9 $$": "killed by signal 9", "exit 7": "ended with code 7",
                        "kill -9 $PPID": "the build "}.items():
        found(desk.submit("cuptactoe", {"player.conf": f"build = {deed}\n"}), "build", words)


def bad_players(desk):
    """They build, and cannot play."""
    found(desk.submit("cuptactoe", {"player.c": "int main(void) { return 3; }\n"}), "game", "not-ready",
          "exited with code 3")


def archives(desk):
    """tests/unit/unpack.c has the others."""
    found(desk.submit("reversi", {"../player.c": "int main;"}), "archive", "leads out")
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        info = tarfile.TarInfo("player.c")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/shadow"
        archive.addfile(info)
    found(desk.submit("reversi", out.getvalue()), "archive", "is a link")
    found(desk.submit("reversi", b"no archive"), "archive", "no archive that we know", "pack it as zip, tar or 7z")
    found(desk.submit("reversi", b""), "archive", "the file is empty")
    found(desk.submit("cuptactoe", zipped({"隊伍/bot.py": text_of("kits/cuptactoe/python/bot.py")})), "good")
    found(desk.submit("reversi", zipped({"bomb": bytes(100 << 20)})), "archive", "more than 67108864 bytes")
    found(desk.submit("reversi", os.urandom(9 << 20)), "archive", "larger than 8388608 bytes")


TEMPLATE = """template <int N, int K> struct t { static const long v = t<N - 1, 2 * K>::v + t<N - 1, 2 * K + 1>::v; };
template <int K> struct t<0, K> { static const long v = K; };
int main() { return (int)t<30, 1>::v; }
"""


def greedy_builds(desk):
    """What never ends, or takes all there is."""
    little = ("--build-time", "20", "--build-memory", "256")
    report = desk.submit("cuptactoe", {"player.c": '#include "/dev/zero"\n'}, *little)
    assert report["finding"] in ("memory", "slow"), report
    report = desk.submit("cuptactoe", {"player.cpp": TEMPLATE}, *little)
    assert report["finding"] in ("memory", "slow"), report
    report = desk.submit("cuptactoe", {"player.c": "char x[10L << 30] = {1};\nint main(void) { return x[5]; }\n"},
                         *little[2:])
    assert report["finding"] in ("size", "memory"), report
    report = desk.submit("cuptactoe", {"Makefile": "player:\n\tsleep 1000\n"}, "--build-time", "2")
    found(report, "slow", "more than 2 s")
    report = desk.submit("cuptactoe", {"Makefile": "player:\n\tyes | head -c 3000000\n\tfalse\n"}, *little[2:])
    found(report, "build")
    one_kit(desk)


def curious_builds(desk):
    """What a build tries to reach."""
    script = PROBE.replace("STORE", f"{work}/store.db").replace("MARK", f"9{os.getpid()}")
    files = {"Makefile": "player:\n\tpython3 probe.py\n\tfalse\n", "probe.py": script}
    self_home = f"{desk.home}/kept"
    report = desk.submit("cuptactoe", files, "--home", self_home, "--team", "curious")
    assert report["finding"] in ("build", "size"), report  # it says that the disk is full
    log = text_of(f"{self_home}/curious/{report['number']}.log")
    done = dict(re.findall(r"deed (\S+) (\S+)", log))
    for name in "read:/etc/shadow", "read:store", "connect", "outside", "disk":
        assert done[name] == "refused", (name, log)


PEEP = r"""
import os, sys
seen = 0
for i, path in enumerate(sys.argv[1:]):
    for name in path, os.path.dirname(path) + "/neighbour":
        try:
            open(name).read()
            seen += 1
        except OSError:
            pass
sys.exit(40 + seen)
"""


def curious_starts(desk):
    """A start is the contestant's, so what it names is not shown for that."""
    folder = f"{desk.home}/secret"
    os.makedirs(folder)
    for name in "store.db", "neighbour", "bot.py":
        with open(f"{folder}/{name}", "w", encoding="ascii") as file:
            file.write(text_of("kits/cuptactoe/python/bot.py"))
    conf = f"start = abp:python3 ./peep.py {folder}/store.db\n"
    found(desk.submit("cuptactoe", {"player.conf": conf, "peep.py": PEEP}), "game", "exited with code 40")
    conf = f"start = abp:cd {folder} && python3 -c 'open(\"bot.py\")' && exit 41\n"
    report = desk.submit("cuptactoe", {"player.conf": conf})
    assert report["finding"] == "game" and "code 41" not in report["text"], report
    up = "../" * 20
    found(desk.submit("cuptactoe", {"player.conf": f"start = py:{up}{folder}/bot.py\n"}), "game")


def odd_results(desk):
    """What a build leaves is taken only if it is plain."""
    deeds = {"ln -s /etc/shadow player": "is a link", "ln Makefile player": "is a link",
             "touch player; ln -s .. up": "is a link",
             "touch player; mkdir -p $$(yes x | head -n 40 | tr '\\n' /)": "leads out of the folder",
             "touch player; touch $$(seq 2000)": "more than 1000 files"}
    for deed, words in deeds.items():
        found(desk.submit("cuptactoe", {"Makefile": f"player:\n\t{deed}\n"}), "size", "cannot be kept", words)
    report = desk.submit("cuptactoe", {"Makefile": f"player:\n\techo x > {desk.home}/out || echo x > /etc/out\n"})
    found(report, "build")
    assert not os.path.exists(f"{desk.home}/out") and not os.path.exists("/etc/out")


def fork_bomb(desk):
    bomb = "player:\n\tsh -c 'f() { f | f & }; f' 2>/dev/null; sleep 1; false\n"
    report = desk.submit("cuptactoe", {"Makefile": bomb}, "--build-time", "10")
    assert report["finding"] in ("build", "slow"), report
    one_kit(desk)


def for_windows(path, file, header="windows.h"):
    return {**kit(path), file: f"#include <{header}>\n" + text_of(f"kits/{path}/{file}")}


def windows(desk):
    """Built with mingw-w64 and run by wine in the box, on pipes, by TCP, and frozen; or refused in words."""
    report = desk.submit("cuptactoe", for_windows("cuptactoe/c", "player.c"))
    if not shutil.which("wine") or not shutil.which("x86_64-w64-mingw32-g++"):
        found(report, "windows", "windows.h", "is not installed here")
        return
    found(report, "good")
    for header in "Windows.h", "WinSock2.h", "Process.h", "CONIO.H":
        found(desk.submit("cuptactoe", for_windows("cuptactoe/c", "player.c", header)), "good")
    assert report["start"] == "abp:./player.exe", report
    if desk.level == 1:
        found(desk.submit("tower4", for_windows("tower4/cpp", "Sample.cpp")), "game", "does not let wine listen")
    else:
        found(desk.submit("tower4", for_windows("tower4/cpp", "Sample.cpp")), "good")
    report = desk.submit("connect6", for_windows("connect6/cpp", "AI_Algorithm_Code.cpp"))
    assert report["start"] == "cmd:./player.exe", report
    if desk.level == 3:
        found(report, "good")
        assert report["game"]["settings"]["ponder"] == "freeze" and report["game"]["frozen_ms"][0] < 1, report["game"]
    else:
        found(report, "game", "does not let wine start its processes")


MINGW = """#!/bin/sh
for word; do
    shift
    case $word in -static | -lws2_32) ;; *) set -- "$@" "$word" ;; esac
done
exec gcc -I{0} "$@"
"""
WINE = """#!/bin/sh
[ -L "$HOME/.wine/dosdevices/z:" ] && [ "$(cat "$HOME/.wine/.update-timestamp")" = disable ] || exit 9
exec "$@"
"""


def windows_feigned(desk):
    """The same where neither is installed, with what we need of each; only there such programs can be seen."""
    folder = f"{desk.home}/feigned"
    os.makedirs(folder)
    for name, text in (("x86_64-w64-mingw32-gcc", MINGW.format(folder)), ("x86_64-w64-mingw32-g++", "#!/bin/false\n"),
                       ("wine", WINE), ("windows.h", "")):
        with open(f"{folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(f"{folder}/{name}", 0o755)
    os.chmod(folder, 0o755)
    desk.path = f"{folder}:{desk.path}"
    report = desk.submit("cuptactoe", for_windows("cuptactoe/c", "player.c"))
    found(report, "good")
    assert report["start"] == "abp:./player.exe", report
    for header in "Windows.h", "WINDOWS.H":
        report = desk.submit("cuptactoe", for_windows("cuptactoe/c", "player.c", header))
        found(report, "good")
        assert report["start"] == "abp:./player.exe", report


def interrupted(desk):
    """A signal ends the build at once and leaves nothing behind; check() looks."""
    path = f"{desk.home}/slow.tgz"
    with open(path, "wb") as file:
        file.write(tar({"player.conf": f"build = echo begun; sleep 9{os.getpid()}\n"}))
    os.chmod(path, 0o644)
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        with subprocess.Popen([PROGRAM, "submit", "cuptactoe", path, "--box", str(desk.level)], cwd=work,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, TMPDIR=f"{work}/tmp"), **desk.as_user) as process:
            assert "begun\n" in process.stderr  # reads up to it
            assert os.listdir(f"{work}/tmp"), "there is no folder that could be left"
            process.send_signal(number)
            said = process.communicate(timeout=PATIENCE_S)[1]
            assert process.returncode > 0 and "broken off" in said, (number, process.returncode, said)
        nothing_left()


class Server:
    """The platform with a contest of two teams."""

    def __init__(self, data):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--judge-port", "0", "--no-demo", "--data", data], cwd=work,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, TMPDIR=f"{work}/tmp"))
        servers.append(self.process)
        said = "".join(self.process.stdout.readline() for _ in range(3))
        self.home, self.key = re.search(r"(http://\S+)/key/(\w+)", said).groups()

    def ask(self, path, body=None, token=None):
        """The status and the answer."""
        port = self.home.rsplit(":", 1)[1]
        cookie = f"arbiter_team_{port}={token}" if token else f"arbiter_key_{port}={self.key}"
        headers = {"origin": self.home, "cookie": cookie, "content-type": "application/json"}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.home}/api/{path}", data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def contest(self):
        """A new one: its id, and the tokens of its teams."""
        players = [{"name": name, "player": "handed-in"} for name in ("Red", "Blue")]
        players += [{"name": "easy", "player": "builtin:easy"}, {"name": "random", "player": "random"}]
        made = self.ask("contests", {"name": "Cup", "game": "cuptactoe", "players": players})
        teams = self.ask(f"contests/{made[1]['id']}/teams")[1]
        return made[1]["id"], [team["token"] for team in (teams["teams"] if isinstance(teams, dict) else teams)]

    def hand_in(self, contest, token, files):
        status, answer = self.ask(f"team/{contest}/submissions", tar(files), token)
        assert status == 200, answer

    def begin_slow(self, contest, token):
        self.hand_in(contest, token, {"player.conf": f"build = echo begun; sleep 9{os.getpid()}\n"})
        wait_until(lambda: "begun" in (self.ask(f"team/{contest}", token=token)[1]["now"] or {}).get("log", ""))

    def end(self, number):
        self.process.send_signal(number)
        self.process.communicate(timeout=PATIENCE_S)
        nothing_left()


def wait_until(true):
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.05)


def server_ends():
    """A build ends with the server, however that ends, and the next server builds what was whole from its beginning; but
    not for ever."""
    data = f"{work}/data"
    server = Server(data)
    contest, tokens = server.contest()
    server.begin_slow(contest, tokens[0])
    team = lambda: server.ask(f"team/{contest}", token=tokens[0])[1]
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGKILL):
        server.end(number)
        server = Server(data)
        assert team()["now"]["number"] == 1 and not team()["submissions"], team()
        wait_until(lambda: "begun" in team()["now"]["log"])
    server.end(signal.SIGKILL)
    server = Server(data)
    assert team()["now"] is None and len(team()["submissions"]) == 1, team()
    assert team()["submissions"][0]["error"] == "it was broken off" and not team()["good"], team()
    left = [name for name in os.listdir(f"{data}/contests/{contest}.teams/1") if re.match(r"\d+(\.(archive|late|found|work))?$", name)]
    assert not left, left
    server.hand_in(contest, tokens[0], kit("cuptactoe/python"))
    assert server.ask(f"contests/{contest}/start", {})[0] == 200
    server.end(signal.SIGKILL)
    server = Server(data)
    wait_until(lambda: team()["good"] == 2)
    wait_until(lambda: server.ask(f"contests/{contest}")[1]["state"] in ("running", "over"))
    server.end(signal.SIGTERM)


def contest_starts():
    """A start breaks no build off: it waits, takes nothing more, and can be thought better of."""
    server = Server(f"{work}/data2")
    contest, tokens = server.contest()
    server.hand_in(contest, tokens[0], kit("cuptactoe/python"))
    wait_until(lambda: server.ask(f"team/{contest}", token=tokens[0])[1]["good"] == 1)
    for token in tokens:
        server.begin_slow(contest, token)
    status, answer = server.ask(f"contests/{contest}/start", {})
    assert status == 200, answer
    teams = [server.ask(f"team/{contest}", token=token)[1] for token in tokens]
    assert [(team["now"]["state"], team["good"], team["open"]) for team in teams] == [("building", 1, False), ("building", 0, False)], teams
    assert server.ask(f"team/{contest}/submissions", tar({"a.c": ""}), tokens[0])[0] == 409
    status, answer = server.ask(f"contests/{contest}")
    assert answer["starting"] and answer["state"] == "waiting", answer
    status, answer = server.ask(f"contests/{contest}/pause", {})
    assert status == 200 and not server.ask(f"contests/{contest}")[1]["starting"], answer
    server.end(signal.SIGTERM)


def last_good(desk):
    """Of several submissions the last good one counts."""
    home, words = f"{desk.home}/counts", ("--team", "Red 7")

    def counting():
        return text_of(f"{home}/Red 7/good").strip()

    good = kit("cuptactoe/c")
    found(desk.submit("cuptactoe", good, "--home", home, *words), "good")
    assert counting() == "1"
    found(desk.submit("cuptactoe", {"player.c": "no C"}, "--home", home, *words), "build")
    assert counting() == "1"
    report = desk.submit("cuptactoe", good, "--home", home, *words)
    found(report, "good")
    assert report["number"] == 3 and counting() == "3"
    assert os.access(f"{home}/Red 7/3/player", os.X_OK)
    for _ in range(6):
        desk.submit("cuptactoe", {"player.c": "no C"}, "--home", home, *words)
    assert counting() == "3" and os.access(f"{home}/Red 7/3/player", os.X_OK)
    kept = sorted(name for name in os.listdir(f"{home}/Red 7") if name.endswith(".json"))
    assert kept == ["3.json", "5.json", "6.json", "7.json", "8.json", "9.json"], kept
    assert "no C" in text_of(f"{home}/Red 7/9.log"), "the log"


def best_level(user):
    options = {} if user == os.geteuid() else {"user": user, "group": user, "extra_groups": []}
    said = subprocess.run([PROGRAM, "doctor", "--json"], stdout=subprocess.PIPE, check=True, **options).stdout
    return json.loads(said)["level"]


def main():
    prepare()
    users = [os.geteuid()] + [NOBODY] * (os.geteuid() == 0)
    for user in users:
        best = best_level(user)
        if best < 2:
            continue
        desk = Desk(user, best)
        every = user == users[0] and not SANITIZED  # the sanitizers do not look at kits, nor at their compilers
        check(f"{desk.who}: {'every kit' if every else 'a kit'}", kits if every else one_kit, desk)
        for function in (connect6_way, ways, places, other_kits, unknown, wrong_code, bad_players, archives, greedy_builds,
                         curious_builds, curious_starts, odd_results, fork_bomb, windows, interrupted, last_good):
            check(f"{desk.who}: {function.__name__.replace('_', ' ')}", function, desk)
        for level in sorted({0, 2} - {best}):
            check(f"level {level}, user {user}: a kit", one_kit, Desk(user, level))
        for level in 0, 1:
            check(f"level {level}, user {user}: windows, feigned", windows_feigned, Desk(user, level))
        check(f"level 1, user {user}: windows", windows, Desk(user, 1))
    check("the server ends", server_ends)
    check("a contest starts", contest_starts)
    check("without a box: a kit", one_kit, Desk(os.geteuid(), "off"))
    print(f"1..{count}")


try:
    main()
finally:
    for one in servers:
        one.kill()  # if it has not ended
    shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
