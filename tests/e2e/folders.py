"""tests/e2e/folders.py WORK URL: see folders.sh. URL is a PostgreSQL, or "": there is none. Prints TAP."""
import contextlib
import http.cookiejar
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

from checks import check, finish

arbiter, work, url = os.environ["ARBITER"], sys.argv[1], sys.argv[2]
data = os.path.join(work, "data")
environment = dict(os.environ, ARBITER_DATA=data)
# The sanitizers look at how games are read and loaded: for that, two of them will do.
sanitized = "san.so" in subprocess.run(["readelf", "-d", arbiter], capture_output=True, text=True).stdout
GAMES = ["fourinarow", "hex"] if sanitized else sorted(name for name in os.listdir("examples/games") if name != "README.md")


def run(*words, data_folder=data, **more):
    return subprocess.run([arbiter, *words], capture_output=True, text=True, env=dict(environment, ARBITER_DATA=data_folder), **more)


def good(*words, **more):
    said = run(*words, **more)
    if said.returncode != 0:
        raise AssertionError(f"arbiter {' '.join(words)}: {said.returncode} {said.stdout[-500:]} {said.stderr[-1500:]}")
    return said


def refused(words, *parts, **more):
    said = run(*words, **more)
    text = said.stdout + said.stderr
    for part in parts:
        if part not in text:
            raise AssertionError(f"arbiter {' '.join(words)} does not say '{part}' but: {text[-1500:]}")
    if said.returncode == 0:
        raise AssertionError(f"arbiter {' '.join(words)} succeeds: {text[-500:]}")
    return text


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def variant(name, *changes, conf=None, like="fourinarow"):
    """A folder like one of the examples, with something changed in its rules."""
    folder = os.path.join(work, "folders", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    good("game", "new", name, folder, "--like", like)
    text = open(f"{folder}/rules.c", encoding="utf-8").read()
    for pattern, by in changes:
        text, count = re.subn(pattern, lambda _: by, text, count=1)
        if not count:
            raise AssertionError(f"{pattern} is not in the rules of {like}")
    write(f"{folder}/rules.c", text)
    if conf is not None:
        write(f"{folder}/game.conf", conf)
    return folder


APPLY = r"static void apply\(void \*state, move m\) \{"
WILD = "*(volatile int *)0x7fffff00 = 1;"


@check
def added():
    """every example is added, and the check tells what it is like"""
    for name in GAMES:
        good("game", "add", f"examples/games/{name}")
    said = good("game", "check", "examples/games/hex").stdout
    assert "hex is a game." in said and "perft:" in said and "under 5 rulesets" in said, said
    listed = good("game", "list").stdout
    assert all(name in listed for name in GAMES) and "ours" in listed, listed


@check
def compared():
    """their rules are those of the naive ones"""
    for name in GAMES:
        said = subprocess.run(["tests/folders/compare.py", arbiter, name, "--games", "2"], capture_output=True, text=True, env=environment)
        assert said.returncode == 0, said.stdout + said.stderr


@check
def counted():
    """perft is what others have counted"""
    said = subprocess.run(["tests/folders/perft.py", arbiter, *GAMES], capture_output=True, text=True, env=environment)
    assert said.returncode == 0, said.stdout + said.stderr


@check
def written():
    """a new folder plays at once"""
    folder = variant("mine", like="hex")
    good("game", "add", folder)
    good("match", "mine", "builtin:easy", "random", "--games", "1", "--time", "0.1", "--set", "size=4")
    good("game", "remove", "mine")
    refused(["rules", "mine"], "there is no game 'mine'", stdin=subprocess.DEVNULL)


@check
def climbed():
    """its levels are those of any game, or of the rungs in its folder"""
    words = ["match", "hex", "builtin:1", "builtin:9", "--games", "2", "--swap", "--time", "off", "--set", "size=4", "--json"]
    moves = [json.loads(line).get("moves") for line in good(*words).stdout.splitlines()]
    assert moves == [json.loads(line).get("moves") for line in good(*words).stdout.splitlines()], moves
    place = os.path.join(environment["ARBITER_DATA"], "games", "hex", "rungs.txt")
    write(place, "1 100\n" * 9 + "0 0\n")
    good(*words)
    write(place, "1 100\n" * 8 + "1 101\n0 0\n")
    said = good("bot", "hex", "--level", "9", stdin=subprocess.DEVNULL).stderr
    assert "the levels are those of any game: " in said and "rungs.txt: line 9 of the rungs: '101' is no MISSES" in said, said
    assert moves == [json.loads(line).get("moves") for line in good(*words).stdout.splitlines()]
    folder = variant("climbing", like="hex")
    write(f"{folder}/rungs.txt", "# mine\n1 2 3\n")
    for action in "check", "add":
        refused(["game", action, folder], f"{folder}/rungs.txt: line 2 of the rungs has 3 numbers; accepted: 2 or 5")
    refused(["match", "hex", "builtin:11", "random"], "there is no level '11'; accepted: 1..10, easy, normal, strong, random")
    os.remove(place)


@check
def taught():
    """a game learns, goes on where it was stopped, and weights that are damaged or of other rules are not used"""
    place = os.path.join(environment["ARBITER_DATA"], "games", "fourinarow")
    refused(["train", "fourinarow", "--time", "5x"], "--time cannot be '5x'")
    refused(["train", "fourinarow", "probcut"], "fourinarow has no 'probcut' to train; accepted: weights")
    for words in ["--nodes", "9"], ["--generations", "2"], ["--threads", "1"], ["--weights", "x"]:
        refused(["train", "fourinarow", *words], f"{words[0]} is for games with an engine of their own")
    good("train", "fourinarow", "--games", "150", "--time", "0.1m")
    said = good("train", "fourinarow", "--games", "150", "--time", "2").stdout
    assert "150 games so far" in said and "against without weights" in said, said
    weights = os.path.join(place, "weights.bin")
    assert os.path.getsize(weights) < 4 << 20 and "100 games" in open(f"{place}/training/curve.txt").read()
    plays = ["match", "fourinarow", "builtin,nodes=50", "builtin,nodes=50,untaught", "--games", "2", "--swap", "--time", "off"]
    good(*plays)
    analyse = ["analyse", "fourinarow", "--nodes", "50"]
    assert "not used" not in good(*analyse).stderr
    good("game", "add", "examples/games/fourinarow")
    assert "150 games so far" in good("train", "fourinarow", "--games", "150", "--time", "1").stdout
    whole = open(weights, "rb").read()
    with open(weights, "wb") as file:
        file.write(whole[:-20])
    assert "weights.bin is not used: " in good(*analyse).stderr
    good(*plays)
    name, rest = whole.split(b"\n", 1)
    with open(weights, "wb") as file:
        file.write(name[:-16] + b"0" * 16 + b"\n" + rest)
    assert "is not used: the weights are of other rules: train the game anew" in good(*analyse).stderr
    asked = "abp 1 fourinarow\n" + 2 * "go id=1 time=1000 due=1 | | \n"
    os.remove(weights)
    for kind in "empty", "large", "folder":
        if kind == "folder":
            os.remove(weights)
            os.mkdir(weights)
        else:
            with open(weights, "wb") as file:
                file.truncate(5 << 20 if kind == "large" else 0)
        for said in good(*analyse), good("bot", "fourinarow", "--nodes", "50", input=asked):
            assert said.stderr.count("weights.bin is not used: ") == 1, kind + said.stderr
        assert "move id=1" in said.stdout, said.stdout
        good(*plays)
    os.rmdir(weights)


@check
def taught_under_settings():
    """what is learned under other settings than the game's own lies elsewhere, and is used under those alone"""
    other, place = os.path.join(work, "swap-off"), os.path.join(data, "games", "hex")
    learn = ["train", "hex", "--set", "size=4", "--games", "20", "--time", "1"]
    refused(learn, "hex is played with what is learned under its own settings", "--out DIR")
    assert not os.path.exists(f"{place}/training")
    learn[3] = "swap=off"
    assert f"hex is played with them under these settings once they lie in {place}" in good(*learn, "--out", other).stdout
    assert not os.path.exists(f"{place}/weights.bin")
    refused(["train", "hex", "--out", other], "holds another training", "name another by --out DIR, or remove this one")
    shutil.copy(f"{other}/weights.bin", place)
    analyse = ["analyse", "hex", "--nodes", "20"]
    assert "not used" not in good(*analyse, "--set", "swap=off").stderr
    assert "is not used: the weights were learned under other settings" in good(*analyse).stderr
    assert "is not used: the weights are of a board of 11x11x1" in good(*analyse, "--set", "size=4").stderr
    said = good("bot", "hex", "--nodes", "20", input="abp 1 hex\ngo id=1 time=1000 due=1 | swap=off | \n")
    assert "move id=1" in said.stdout and "not used" not in said.stderr, said.stdout + said.stderr
    os.remove(f"{place}/weights.bin")


@check
def measured():
    """bench measures the rules of ours and of those that were added"""
    labels = [json.loads(line)["bench"] for line in good("bench", "rules", "--games", "3", "--json").stdout.splitlines()]
    assert "reversi, open" in labels and labels[8:] == sorted(GAMES), labels
    alone = good("bench", "rules", "--games", "3", "--json", "--game", GAMES[0]).stdout
    assert len(alone.splitlines()) == 1 and json.loads(alone)["bench"] == GAMES[0], alone


@check
def played():
    """kits and built-in players play them, and the records are true"""
    records = os.path.join(work, "records")
    for language in ("python", "c"):
        good("kit", "hex", language, f"{work}/hex-{language}")
    subprocess.run(["gcc", "-o", f"{work}/hex-c/player", f"{work}/hex-c/player.c"], check=True)
    good("match", "hex", f"py:{work}/hex-python/bot.py", f"abp:{work}/hex-c/player", "--games", "2", "--swap", "--time", "20",
         "--set", "size=5", "--record", records)
    said = good("replay", f"{records}/games.jsonl", "--check").stdout
    assert "2 games, 0 wrong" in said, said
    record = json.loads(open(f"{records}/games.jsonl").readline())
    assert record["rules"] in good("game", "list").stdout and record["reason"] == "joined", record


@check
def over_tcp():
    """a game on a grid is played over the course's protocol, on smaller boards too"""
    folder = f"{work}/gomoku-tcp"
    good("game", "add", "examples/games/gomoku")
    good("kit", "gomoku", "python-tcp", folder)
    client = f"{folder}/STcpClient.py"
    write(client, open(client, encoding="utf-8").read().replace("idTeam = -1", "idTeam = 7"))
    assert "It counts." in good("submit", "gomoku", folder).stdout
    good("game", "add", "examples/games/fourinarow")
    for command in "match", "bot":
        said = good("help", command).stdout
        assert re.search(r"^  stcp +reversi tower4 hopchess gomoku", said, re.MULTILINE), said
    refused(["match", "fourinarow", "tcp:7", "random"], "tcp: is for reversi tower4 hopchess gomoku", "of fourinarow is builtin, py:FILE or abp:COMMAND",
            'and others whose game.conf has protocol = "stcp"')
    refused(["kit", "fourinarow", "python-tcp", f"{work}/none"], "there is no kit of fourinarow in 'python-tcp'; there are c, cpp, python")
    own = ["unshare", "-n" if os.getuid() == 0 else "-rn", "sh", "-c", 'ip link set lo up && exec "$0" "$@"']
    if subprocess.run([*own, "true"], capture_output=True).returncode != 0:
        print("# there is no network of its own here")
        return
    good("game", "add", variant("smallhex", like="hex"))
    conf = f"{work}/folders/smallhex/game.conf"
    write(conf, open(conf, encoding="utf-8").read() + 'protocol = "stcp";\n')
    good("game", "add", f"{work}/folders/smallhex")
    good("kit", "smallhex", "python-tcp", f"{work}/small-tcp")
    shutil.copy(client, f"{work}/small-tcp")
    write(f"{work}/small-tcp/STcpClient.py", open(client, encoding="utf-8").read().replace("HEIGHT, WIDTH = 15, 15", "HEIGHT, WIDTH = 11, 11"))
    for game, place, switches in ("gomoku", folder, []), ("smallhex", f"{work}/small-tcp", ["--set", "size=4"]):
        said = subprocess.run([*own, arbiter, "match", game, "tcp:7=python3 Sample.py", "random", "--games", "2", "--swap", "--time", "600", "--json",
                               *switches], capture_output=True, text=True, env=environment, cwd=place)
        games = [json.loads(line) for line in said.stdout.splitlines()]
        assert len(games) == 2 and all(one["verdict"] is None and one["winner"] for one in games), said.stdout + said.stderr


@check
def told_apart():
    """a record of other rules is refused in words"""
    first = variant("changing")
    good("game", "add", first)
    records = os.path.join(work, "changing")
    good("match", "changing", "random", "random", "--record", records)
    good("replay", f"{records}/games.jsonl", "--check")
    good("game", "add", variant("changing", (r"\.title = \"[^\"]*\"", '.title = "Another one"')))
    said = run("replay", f"{records}/games.jsonl", "--check")
    assert "other rules of changing" in said.stdout + said.stderr, said.stdout + said.stderr


@check
def hostile():
    """folders that are hostile are told so, and not added"""
    cases = {
        "wild": ([(APPLY, f"static void apply(void *state, move m) {{ if (m == 6) {WILD}")], "outside of its memory"),
        "loops": ([(APPLY, "static void apply(void *state, move m) { for (volatile int i = 0; m == 6; i++) {}")], "does not come to an end"),
        "recurses": ([(APPLY, "static int deep(volatile int n) { volatile char room[64]; room[0] = (char)n; return n ? deep(n + 1) + room[0] : 0; }\n"
                              "static void apply(void *state, move m) { if (m == 6) deep(1);")], "calls itself without end"),
        "many": ([(r"\.moves_max = [^,]*,", ".moves_max = 1000000,")], "moves_max is 1000000"),
        "forgets": ([(r"\.plies_max = [^,]*,", ".plies_max = 20,")], "the game is not over"),
        "unlisted": ([(r"\.distinct_moves = [^,]*,", ".distinct_moves = 3,")], "distinct_moves"),
    }
    for name, (changes, words) in cases.items():
        refused(["game", "add", variant(name, *changes)], words)
        assert name not in good("game", "list").stdout


# A module may call what it exports by any text, and wasm2c writes that into a comment of its C.
INJECTED = ('__attribute__((export_name("*/\\n#ifndef Q\\n#define Q\\nextern int system(const char *);'
            ' __attribute__((constructor)) static void run(void) {{ system(\\"touch {mark}\\"); }}\\n#endif\\n/*"))) int more(void) {{ return 1; }}\n')


@check
def injected():
    """no text of a module is compiled"""
    mark = os.path.join(work, "injected")
    cases = {
        INJECTED.format(mark=mark): "rules.wasm exports '*/?#ifndef Q",
        '__attribute__((import_module("env"), import_name("abort"))) void stop(void);\n'
        '__attribute__((visibility("default"))) int more(void) { stop(); return 1; }\n': "rules.wasm imports env.abort: rules import nothing",
        "static char much[70 << 20];\n"
        '__attribute__((visibility("default"))) char *more(void) { return much; }\n': "memory",
    }
    for code, words in cases.items():
        folder = variant("injects")
        with open(f"{folder}/rules.c", "a", encoding="utf-8") as file:
            file.write(code)
        refused(["game", "check", folder], words)
        assert not os.path.exists(mark)


@check
def no_files():
    """what is no file is not waited for"""
    for name in "game.conf", "rules.c", "rules.wasm", "board.conf", "rules.en.md":
        folder = variant("waits")
        path = f"{folder}/{name}"
        if name == "rules.wasm":
            os.remove(f"{folder}/rules.c")
        if os.path.exists(path):
            os.remove(path)
        os.mkfifo(path)
        refused(["game", "check", folder], name, "it is no regular file", timeout=600)
        os.remove(path)
        os.symlink("/dev/zero", path)
        refused(["game", "check", folder], name, "it is no regular file", timeout=600)


@check
def bounded():
    """compilers are bounded in memory and in what they write"""
    tools = os.path.join(work, "tools")
    for name in "clang", "wasm-ld":
        os.chmod(write(f"{tools}/{name}", "#!/bin/sh\necho memory $(ulimit -v) file $(ulimit -f) cpu $(ulimit -t)\nexit 1\n"), 0o755)
    said = subprocess.run([arbiter, "game", "check", variant("bounds")], capture_output=True, text=True,
                          env=dict(environment, PATH=f"{tools}:{os.environ['PATH']}"))
    assert "memory 4194304 file 524288 cpu 60" in said.stdout + said.stderr, said.stdout + said.stderr


@check
def garbage():
    """files that are none are told by name and line"""
    cases = {
        'name = "bad"; title = { en = "X"; }; nonsense = 1;': "nonsense",
        'name = "bad"; title = { en = "X"; }; time = -3;': "time",
        'name = "other"; title = { en = "X"; };': "game_other",
        "\x01\x02 = ;;;": "line 1",
        '@include "/etc/passwd"': "includes another file",
        'name = "reversi"; title = { en = "X"; };': "reversi",
    }
    for conf, words in cases.items():
        refused(["game", "check", variant("bad", conf=conf)], words)
    folder = variant("bad")
    for board, words in {'kind = "spirals";': "kind", "marks = 5;": "marks", 'rows = "nothing";': "nothing", "kind": "line 1"}.items():
        write(f"{folder}/board.conf", board)
        refused(["game", "check", folder], "board.conf", words)
    for board, words in {'rows = 3; columns = 3; cell = "column";': "the start position has 7 columns, the board 3; say columns = 7",
                         'rows = 26; cell = "column";': "the start position has 6 rows, the board 26; say rows = 6",
                         'layers = 8; cell = "column";': "the start position has 1 layers, the board 8",
                         }.items():
        write(f"{folder}/board.conf", board)
        refused(["game", "check", folder], words)
        refused(["game", "add", folder], words, "bad does not fit on its board")
    folder = variant("bad", like="breakthrough")
    write(f"{folder}/board.conf", 'marks = ({ mark = "X"; shape = "disc"; of = 1; });')
    refused(["game", "check", folder], "the letter 'O', which is none of the marks")
    write(f"{folder}/board.conf", 'cell = "column,row"; rows = 8; columns = 8;')
    good("game", "add", folder)
    refused(["game", "check", os.path.join(work, "nowhere")], "nowhere")
    refused(["game", "new", "No", f"{work}/no"], "cannot be the name")
    refused(["game", "new", "reversi", f"{work}/no"], "there is a game of ours called 'reversi'; give yours another name")
    assert not os.path.exists(f"{work}/no")
    refused(["game", "new", "fine", f"{work}/fine", "--like", "chess"], "there is no example 'chess'")


# Fails in one line of play alone, which random games of the check hardly ever come to.
TRAP = ("static void apply(void *state, move m) {{ char text[STATE_TEXT_MAX]; write_state(state, text); if (text_equal(text, \"{position}\")) {act}")
LINE = "0;1;0;1;3;5;5;5;4;6;6;6"


def trapped(name, act):
    folder = variant(name)
    good("game", "add", folder)
    said = good("rules", name, "--draw", input=LINE + "\n").stdout
    position = re.search(r"position: (.*)", said).group(1)
    good("game", "add", variant(name, (APPLY, "static void write_state(const void *state, char text[static STATE_TEXT_MAX]);\n" +
                                        TRAP.format(position=position, act=act))))


# Makes the moves of a line, and else the first that is legal.
FIXED = f"""import sys
line = '{LINE};0'.split(';')
for text in sys.stdin:
    word = text.split()[0]
    if word == 'abp':
        print('ready', flush=True)
    elif word == 'go':
        played = [m for m in text.split('|')[2].strip().split('; ') if m]
        n, legal = len(played), text.strip().split(' | legal ')[1].split('; ')
        print('move', text.split()[1], line[n] if n < len(line) and played == line[:n] else legal[0], flush=True)
    elif word == 'quit':
        break
"""


@check
def broken_off():
    """rules that fail in a game end that game alone"""
    fixed = "abp:python3 " + write(f"{work}/fixed.py", FIXED)
    openings = write(f"{work}/openings", f"{LINE}\n3;2\n")
    for name, act, words in [("sometimes", WILD, "outside of its memory"), ("hangs", "for (volatile int i = 0;; i++) {}", "come to an end")]:
        trapped(name, act)
        said = run("match", name, fixed, fixed, "--games", "4", "--openings", openings, "--json", "--time", "600")
        games = [json.loads(line) for line in said.stdout.splitlines()]
        assert len(games) == 2 and all(game["reason"] == "four" for game in games) and said.returncode != 0, said.stdout + said.stderr
        assert f"game 1 was broken off by a fault of the platform: the rules of {name} failed: apply: " in said.stderr, said.stderr
        assert words in said.stderr and "game 3 was broken off" in said.stderr, said.stderr
        assert said.stderr.count("game 1 was broken off") == 1 and "no result and no record" in said.stderr, said.stderr
        refused(["rules", name], words, input=LINE + ";0\n")
    # Where they end a player of ours, it is not to blame.
    said = run("match", "sometimes", "random", fixed, "--games", "1", "--openings", openings, "--json", "--time", "600")
    game = json.loads(said.stdout)
    assert game["reason"] == "platform" and game["verdict"] is None and game["winner"] is None, said.stdout + said.stderr


class Platform:
    """A server with the added games, asked as the organiser."""

    def __enter__(self):
        self.server = subprocess.Popen([arbiter, "serve", "--port", "0", "--judge-port", "0", "--no-demo", "--once", "--data", data],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        said = ""
        while "process" not in said:
            said += self.server.stdout.readline()
        self.port, self.key = re.search(r"localhost:(\d+)/key/(\w+)", said).groups()
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.communicate()

    def ask(self, path, body=None):
        """The answer, or the words of a refusal."""
        home = f"http://localhost:{self.port}"
        request = urllib.request.Request(f"{home}/api/{path}", json.dumps(body).encode() if body is not None else None,
                                         {"origin": home, "cookie": f"arbiter_key_{self.port}={self.key}", "content-type": "application/json"})
        try:
            return json.load(urllib.request.urlopen(request))
        except urllib.error.HTTPError as error:
            return json.load(error)["error"]

    def begin(self, name):
        while True:
            game = self.ask("games", {"game": name, "seats": ["human", "human"], "time": "off", "set": {}})
            if "id" in game:
                return game["id"]
            assert "made ready" in game, game
            time.sleep(0.2)

    def play(self, game, moves, at=0):
        """What is said of the last of these moves, and the game then."""
        said = {}
        for i, move in enumerate(moves.split(";")):
            said = self.ask(f"games/{game}/move", {"ply": at + i, "moves": move})
        return said, self.ask(f"games/{game}")


@check
def on_the_platform():
    """rules that fail in a game of practice end that game alone; again and again, they are refused in words"""
    with Platform() as platform:
        good_one = platform.begin("sometimes")
        platform.play(good_one, "3;2")
        for failures in range(3):
            said, bad_one = platform.play(platform.begin("sometimes"), LINE + ";0")
            assert bad_one["state"] == "over" and bad_one["result"]["reason"] == "platform", (said, bad_one)
            assert len(bad_one["moves"]) == len(LINE.split(";")), bad_one
            said, game = platform.play(good_one, "3", 2 + failures)
            if failures < 2:
                assert said == {} and game["state"] == "running" and len(game["moves"]) == 3 + failures, (said, game)
        assert said.startswith("the rules of sometimes failed: apply: ") and game["state"] == "running", (said, game)
        for path, body in [(f"games/{good_one}/undo", {}), ("think", {"game": "sometimes", "set": {}, "moves": ["3"]})]:
            said = platform.ask(path, body)
            assert isinstance(said, str) and said.startswith("the rules of sometimes failed: "), said


@check
def too_long():
    """a game that does not end in time is broken off, and the server goes on"""
    good("game", "add", variant("endless"))
    facts = os.path.join(data, "games", "endless", "facts")
    write(facts, re.sub(r"plies_max\t\d+", "plies_max\t4", open(facts, encoding="utf-8").read()))
    with Platform() as platform:
        said, game = platform.play(platform.begin("endless"), "0;1;2;3;4")
        assert game["state"] == "over" and game["result"]["reason"] == "platform", (said, game)
        assert platform.play(platform.begin("endless"), "0")[1]["state"] == "running"


@check
def in_a_contest():
    """in a contest the game is nobody's, and all others count"""
    fixed = "abp:python3 " + write(f"{work}/fixed.py", FIXED)
    contest = write(f"{work}/broken/contest.conf",
                    'name = "broken"; game = "sometimes"; players = ({ name = "a"; start = "random"; }, { name = "b"; start = "random"; },'
                    f' {{ name = "c"; start = "{fixed}"; }}, {{ name = "d"; start = "{fixed}"; }});')
    said = good("contest", "run", contest, "--box", "off")
    assert "the rules of sometimes failed" in said.stderr, said.stderr
    report = json.loads(good("contest", "show", contest, "--json").stdout)
    states = [game["state"] for game in report["games"]]
    assert all(state == "done" for state in states), states
    lost = [game for game in report["games"] if game.get("winner") is None]
    assert 1 <= len(lost) <= 2, report["games"]


@check
def travels():
    """workers that did not know the game play it by the rules of the store"""
    if not url:
        print("# there is no PostgreSQL here")
        return
    contest = write(f"{work}/travels.conf", 'name = "travels"; game = "hex"; set = { size = 4; }; games = 4;'
                    ' players = ({ name = "a"; start = "builtin:easy"; }, { name = "b"; start = "random"; }, { name = "c"; start = "random"; });')
    runner = subprocess.Popen([arbiter, "contest", "run", contest, "--store", url, "--jobs", "0"], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    workers = [subprocess.Popen([arbiter, "worker", url], env=dict(environment, ARBITER_DATA=f"{work}/worker{n}"), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE) for n in (1, 2)]
    said = runner.communicate(timeout=3600)
    for worker in workers:
        worker.terminate()
    heard = [worker.communicate(timeout=3600) for worker in workers]
    assert runner.returncode == 0, (said, heard)
    for n in (1, 2):
        assert "hex" in good("game", "list", data_folder=f"{work}/worker{n}").stdout, heard
    records = good("contest", "show", contest, "--store", url, "--records").stdout
    sums = {json.loads(line)["rules"] for line in records.splitlines()}
    assert len(sums) == 1 and sums.pop() in good("game", "list").stdout
    # A worker that knows other rules by that name does not play.
    other = variant("hex", (r"\.title = \"[^\"]*\"", '.title = "Another one"'), like="hex")
    good("game", "add", other, data_folder=f"{work}/worker3")
    refusal = run("worker", url, "--idle", "1", data_folder=f"{work}/worker3")
    assert "other rules of hex" in refusal.stderr, refusal.stderr


def conf_of(name, more=""):
    return f'name = "{name}"; title = {{ en = "{name}"; }};\n{more}'


OTHER_TITLE = (r"\.title = \"[^\"]*\"", '.title = "Another one"')


def begun(name, path, **more):
    """A contest of a game like fourinarow that has been played."""
    good("game", "add", variant(name, conf=conf_of(name)), **more)
    contest = write(path, f'game = "{name}"; players = ({{ name = "a"; start = "builtin:easy"; }}, {{ name = "b"; start = "random"; }},'
                    ' { name = "c"; start = "random"; });')
    good("contest", "run", contest, "--box", "off", **more)
    return contest


@check
def told_by_the_store():
    """a contest that was begun is told by the game in its store, whatever has become of the game"""
    contest = begun("lasting", f"{work}/lasting/contest.conf")
    told = good("contest", "show", contest).stdout
    assert "by direct" in told or "wins" in told, told
    # Other points, other penalties: game.conf alone.
    good("game", "add", variant("lasting", conf=conf_of("lasting", "points = (90, 5, 1); time = 9;")))
    assert good("contest", "show", contest).stdout == told
    assert "0 wrong" in good("contest", "check", contest).stdout
    refused(["contest", "run", contest, "--box", "off"], "lasting has changed since the contest 'contest' began (its game.conf)",
            "arbiter game remove lasting")
    # Other rules, too.
    good("game", "add", variant("lasting", OTHER_TITLE, conf=conf_of("lasting", "time = 9;")))
    assert good("contest", "show", contest).stdout == told
    assert "0 wrong" in good("contest", "check", contest).stdout
    refused(["contest", "run", contest, "--box", "off"], "(its rules and its game.conf)")
    good("game", "add", variant("lasting", OTHER_TITLE, conf=conf_of("lasting")))
    refused(["contest", "run", contest, "--box", "off"], "began (its rules)")
    # None at all: it can even be gone on with, by its players, which are other programs.
    good("game", "remove", "lasting")
    assert good("contest", "show", contest).stdout == told
    assert "0 wrong" in good("contest", "check", contest).stdout
    good("contest", "replay", contest, "1", "--why", "the test wants it")
    good("contest", "run", contest, "--box", "off")
    assert "lasting" not in good("game", "list").stdout
    refused(["contest", "show", write(f"{work}/lasting/other.conf", open(contest).read())],
            "the game lasting is not known here: arbiter game add FOLDER; known are cuptactoe")


@check
def named():
    """every command takes --data, and its help says so; games are found there"""
    commands = re.findall(r"^  (\w+) ", good("help").stdout.split("commands:")[1].split("games:")[0], re.MULTILINE)
    assert "contest" in commands and "similar" in commands, commands
    for command in set(commands) - {"help"}:
        assert "--data DIR" in good("help", command).stdout, command
    folder, nowhere = f"{work}/named", f"{work}/nowhere"
    contest = begun("elsewhere", f"{folder}/contest.conf", data_folder=folder)
    for words in ["run", contest, "--box", "off"], ["show", contest], ["check", contest], ["similar", contest], ["live", contest, "--look"], \
            ["annul", contest, "1", "--why", "a test"], ["restore", contest, "1", "--why", "it was a test"]:
        good("contest", *words, "--data", folder, data_folder=nowhere)
    good("rules", "elsewhere", "--data", folder, data_folder=nowhere, stdin=subprocess.DEVNULL)
    refused(["contest", "show", contest, "--jobs", "2"], "contest show has no --jobs; it takes --store", "--data")


@contextlib.contextmanager
def platform(folder, **more):
    """A server; what it answers."""
    with subprocess.Popen([arbiter, "serve", "--port", "0", "--judge-port", "0", "--no-demo", "--once", *folder], stdout=subprocess.PIPE,
                          text=True, **more) as server:
        link = None
        while not link:
            link = re.search(r"(http://\S+)/key/\w+", server.stdout.readline())
        web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        web.open(link.group(0)).read()

        def ask(path, body=None):
            request = urllib.request.Request(f"{link.group(1)}/api/{path}", json.dumps(body).encode() if body is not None else None,
                                             {"content-type": "application/json", "origin": link.group(1)})
            return json.load(web.open(request))
        try:
            yield ask
        finally:
            server.terminate()


def until(ask, path, wanted):
    """What is answered once it holds what is wanted."""
    for _ in range(1200):
        answer = ask(path)
        if all(answer.get(key) == value for key, value in wanted.items()):
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{path} is {answer}, not {wanted}")


@check
def on_the_platform():
    """the platform shows a contest whose game was removed, by the one in its store"""
    folder = f"{work}/platform"
    contest = begun("shown", f"{folder}/contests/shown1.conf", data_folder=folder)
    good("game", "remove", "shown", data_folder=folder)
    with platform(["--data", folder], env=environment) as ask:
        answer = until(ask, "contests/shown1", {"state": "over"})
        assert answer["game"] == "shown" and answer["done"] == 6 and answer["why"] == "", answer
        assert ask("games/shown1g1/record")["game"] == "shown"
        assert "shown" in [game["name"] for game in ask("outside")["games"]]
    assert "shown" in good("contest", "show", contest, data_folder=folder).stdout


@check
def of_the_server():
    """a server knows the games of its data folder and those of who starts it"""
    here = f"{work}/here"
    os.makedirs(here)
    good("game", "add", variant("own"), data_folder=f"{work}/own")
    good("game", "add", os.path.abspath(variant("housed")), "--data", "data", cwd=here)
    with platform([], env=dict(environment, ARBITER_DATA=f"{work}/own"), cwd=here) as ask:
        assert [game["name"] for game in ask("outside")["games"]] == ["housed", "own"]
        good("game", "add", variant("later"), data_folder=f"{work}/own")
        good("game", "add", variant("own", OTHER_TITLE), data_folder=f"{here}/data")
        games = {game["name"]: game["sum"] for game in ask("outside")["games"]}
        assert list(games) == ["housed", "later", "own"], games
        assert games["own"] in good("game", "list", data_folder=f"{here}/data").stdout, games
        assert "<h1>" in ask("outside/own/rules/en")["html"]


@check
def documented():
    """the commands of docs/adding-a-game.md work as they stand"""
    page = open("docs/adding-a-game.md", encoding="utf-8").read()
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    folder = os.path.join(work, "documented")
    os.makedirs(f"{folder}/bin")
    os.symlink(os.path.abspath(arbiter), f"{folder}/bin/arbiter")
    said = subprocess.run(["sh", "-e", "-c", "".join(blocks)], cwd=folder, capture_output=True, text=True,
                          env=dict(environment, PATH=f"{folder}/bin:{os.environ['PATH']}"))
    assert len(blocks) == 2 and said.returncode == 0, said.stdout + said.stderr
    assert "mygame is a game." in said.stdout and "0 wrong" in said.stdout and "It counts." in said.stdout, said.stdout


finish()
