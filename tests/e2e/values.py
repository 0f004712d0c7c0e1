"""The documents' own values, where nobody says otherwise: memory of players in matches, contests and
their records, and what becomes of it where the machine has less. Prints TAP."""
import json
import os
import subprocess
import time

from contests import arbiter, check, finish, played, run, shown, work, write

GB = 1 << 30
HOG = '''
import sys
kept = []
for line in sys.stdin:
    word = line.split()[0].upper() if line.split() else ""
    if word in ("START", "BLOCK"):
        print("OK", flush=True)
    elif word == "INFO":
        print("TeamName:hog,Department:none", flush=True)
    elif word in ("BEGIN", "TURN"):
        while len(kept) < 60: # 240 MB, more than 200 and less than 400
            kept.append(b"x" * (4 << 20))
'''
MODEST = HOG.replace("while len(kept) < 60:", "for i in range(1):").replace('(4 << 20))', '(4 << 20)) or print("0,0 0,1", flush=True)')


def records(folder):
    with open(os.path.join(work, folder, "games.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def matches():
    for game, memory in (("connect6", 6 * GB), ("hopchess", 2 * GB), ("reversi", None), ("cuptactoe", None)):
        said = run("match", game, "random", "random", "--time", "5", "--record", os.path.join(work, game))
        check(f"a match of {game}: the record has its contest's memory", said.returncode == 0 and
              records(game)[0]["settings"]["memory"] == memory and "memory_asked" not in records(game)[0],
              said.stderr)
    said = run("match", "hopchess", "random", "random", "--set", "memory=off", "--time", "5", "--json")
    check("memory=off is no limit", json.loads(said.stdout)["settings"]["memory"] is None, said.stderr)
    said = run("match", "hopchess", "tcp:1", "random", "--wait", "1", "--port", "0", "--json")
    check("a team that comes by itself is not refused for a limit nobody wrote", said.returncode == 0 and
          json.loads(said.stdout)["verdict"]["word"] == "not-ready", said.stderr)
    said = run("match", "hopchess", "tcp:1", "random", "--set", "memory=2G")
    check("for one that somebody wrote it is", said.returncode == 2 and "memory=off" in said.stderr, said.stderr)


def too_many_games():
    modest = write("modest.py", MODEST)
    said = run("match", "connect6", f"cmd:python3 {modest}", f"cmd:python3 {modest}", "--jobs", "256",
               "--games", "2", "--time", "20", "--json")
    check("a match of 256 games at once: fewer, with a word, and it is played", said.returncode == 0 and
          len(said.stdout.splitlines()) == 2 and "connect6 gives a player 6 GB" in said.stderr and
          "at once instead of 256" in said.stderr, said.stderr)
    said = run("match", "connect6", "random", "random", "--jobs", "200", "--games", "200", "--set", "size=6",
               "--set", "blocks=none")
    check("our own players need no such room", said.returncode == 0 and "gives a player" not in said.stderr,
          said.stderr)
    path = write("many.conf", f'''
game = "connect6"; jobs = 256; games = 1; time = 20; drawn = "stands";
players = ( {{ name = "a"; start = "cmd:python3 {modest}"; }}, {{ name = "b"; start = "cmd:python3 {modest}"; }} );''')
    said, report = played(path)
    check("a contest of 256 games at once too", said.returncode == 0 and report["over"] and
          "at once instead of 256" in said.stderr, said.stderr)
    write("records.jsonl", run("contest", "show", path, "--records").stdout)
    with open(os.path.join(work, "records.jsonl"), encoding="utf-8") as lines:
        kept = [json.loads(line) for line in lines]
    check("its records have the 6 GB", [one["settings"]["memory"] for one in kept] == [6 * GB], kept)
    own = write("own.conf", open(path, encoding="utf-8").read().replace("time = 20;", 'time = 20; set = { memory = "6G"; };'))
    said = run("contest", "run", own)
    boxed = json.loads(run("doctor", "--json").stdout)["level"] >= 0
    check("the same limit, written by the organiser, is refused with its sum", not boxed or (said.returncode == 2 and
          "3072.0 GB of memory together" in said.stderr), said.stderr)


def own_group():
    """The folder of a control group below ours that has 400 MB, or None where none can be made."""
    groups = dict(line.strip().split(":", 2)[1:] for line in open("/proc/self/cgroup", encoding="ascii"))
    for root, own, file in (("/sys/fs/cgroup/memory", groups.get("memory"), "memory.limit_in_bytes"),
                            ("/sys/fs/cgroup", groups.get(""), "memory.max")):
        folder = f"{root}{own}/test-values-{os.getpid()}"
        try:
            os.mkdir(folder)
        except OSError:
            continue
        try:
            with open(os.path.join(folder, file), "w", encoding="ascii") as out:
                out.write(str(400 << 20))
            return folder
        except OSError:
            os.rmdir(folder)
    return None


def little_memory():
    """A machine that has not enough for one game: both players get what there is."""
    folder = own_group()
    if not folder:
        check("a machine with little memory # SKIP no control group can be made", True)
        return
    hog = write("hog.py", HOG)

    def inside(*words):
        return subprocess.run(["sh", "-c", f'echo $$ > {folder}/cgroup.procs && exec "$@"', "sh", arbiter, *words],
                              capture_output=True, text=True, check=False)

    def is_left():
        with open(f"{folder}/cgroup.procs", encoding="ascii") as file:
            return file.read() == ""
    said = inside("match", "connect6", f"cmd:python3 {hog}", f"cmd:python3 {hog}", "--time", "60", "--record",
                  os.path.join(work, "little"))
    (game,) = records("little")
    check("one game that does not fit gets what there is, with a word", said.returncode == 0 and
          "one game at once, and 0.2 GB for a player" in said.stderr, said.stderr)
    check("the record has that, and what was asked", game["settings"]["memory"] == 200 << 20 and
          game["memory_asked"] == 6 * GB, game)
    check("whoever takes more without a box has the verdict memory", game["verdict"] and
          game["verdict"]["word"] == "memory" and str(200 << 20) in game["verdict"]["evidence"], game["verdict"])
    said = run("replay", os.path.join(work, "little", "games.jsonl"), "--check")
    check("such a record is true", said.returncode == 0, said.stdout + said.stderr)
    path = write("little.conf", f'''
game = "connect6"; jobs = 2; games = 1; time = 60; drawn = "stands"; house = "random";
players = ( {{ name = "a"; start = "cmd:python3 {hog}"; }}, {{ name = "b"; start = "cmd:python3 {hog}"; }} );''')
    said = inside("contest", "run", path)
    kept = json.loads(run("contest", "show", path, "--records").stdout)
    check("a contest on it is played, with a word and its records", said.returncode == 0 and
          "one game at once" in said.stderr and kept["settings"]["memory"] == 200 << 20 and
          kept["memory_asked"] == 6 * GB and kept["verdict"]["word"] == "memory", f"{said.stderr} {kept}")
    while not is_left():  # those who end are there a moment longer
        time.sleep(0.05)
    os.rmdir(folder)


SIX = {name: open(f"kits/connect6/cpp/{name}", encoding="utf-8").read()
       for name in ("Connect6Algo.h", "Connect6Algo.cpp", "AI_Algorithm_Code.cpp")}
MODERN = "#include <utility>\nstatic int modern() { auto [a, b] = std::make_pair(1, 2); return a + b; }\n"
SIX_TAKES = ("--languages", "c,c++", "--files", ",".join(SIX), "--cpp", "c++14")
COURSE_TAKES = ("--languages", "python,c++", "--cpp", "c++14")


def folder_of(name, files):
    for file, text in files.items():
        write(os.path.join(name, file), text)
    return os.path.join(work, name)


def handed_in():
    """What may be handed in: languages, files, the standard of C++."""
    sample = open("kits/reversi/python/Sample.py", encoding="utf-8").read()
    cases = [("its three files", "connect6", SIX, SIX_TAKES, "good", ""),
             ("one of them", "connect6", {"AI_Algorithm_Code.cpp": SIX["AI_Algorithm_Code.cpp"]}, SIX_TAKES, "good", ""),
             ("another file", "connect6", {**SIX, "book.txt": "x"}, SIX_TAKES, "rules", "book.txt is none of the files"),
             ("a file in a folder", "connect6", {**SIX, "sub/Connect6Algo.h": ""}, SIX_TAKES, "rules", "sub/Connect6Algo.h"),
             ("Python for C", "connect6", {"main.py": "pass"}, SIX_TAKES[:2], "rules", "main.py is Python; this contest takes sources in C, C++"),
             ("a Makefile", "connect6", {**SIX, "Makefile": "player:\n\tcp /bin/true player\n"}, SIX_TAKES[:2], "rules", "Makefile"),
             ("a player.conf", "connect6", {**SIX, "player.conf": "start = cmd:python3 x"}, SIX_TAKES[:2], "rules", "player.conf"),
             ("a script", "connect6", {**SIX, "player": "#!/bin/sh\n"}, SIX_TAKES[:2], "rules", "player is a script"),
             ("a program", "connect6", {**SIX, "weights": "\x7fELF"}, SIX_TAKES[:2], "rules", "weights is a program"),
             ("Rust", "connect6", {**SIX, "m.rs": ""}, SIX_TAKES[:2], "rules", "m.rs is Rust"),
             ("C++17 where C++14 is asked", "connect6", {**SIX, "AI_Algorithm_Code.cpp": MODERN + SIX["AI_Algorithm_Code.cpp"]},
              SIX_TAKES, "build", "does not build as c++14, which the contest asks for"),
             ("C++17 where nothing is asked", "connect6", {**SIX, "AI_Algorithm_Code.cpp": MODERN + SIX["AI_Algorithm_Code.cpp"]}, (), "good", ""),
             ("C in the course", "reversi", {"player.c": "int main(void){return 0;}"}, COURSE_TAKES, "rules", "player.c is C;"),
             ("Python in the course", "reversi", {"Sample.py": sample}, COURSE_TAKES, "good", "")]
    for i, (what, game, files, takes, finding, words) in enumerate(cases):
        said = run("submit", game, folder_of(f"handed{i}", files), "--time", "60", "--build-time", "600", "--json", *takes)
        report = json.loads(said.stdout) if said.stdout else {"finding": said.stderr, "text": ""}
        check(f"handed in: {what}: {finding}", report["finding"] == finding and words in report["text"], report)
    for words, wrong in ((("--cpp", "c++15"), "c++14"), (("--languages", "c,rust"), "rust"), (("--languages", ""), "c, c++"),
                         (("--files", ""), "as it is handed in"), (("--files", "*.h,,"), "as it is handed in"),
                         (("--files", "/x"), "as it is handed in")):
        said = run("submit", "connect6", folder_of("handed0", SIX), *words)
        check(f"refused: {' '.join(words)}", said.returncode == 2 and wrong in said.stderr, said.stderr)


def takes_in_contests():
    takes = 'languages = ["c", "c++"]; files = ["*.cpp", "*.h"]; cpp = "c++14";'
    folder_of("fits", {**SIX, "AI_Algorithm_Code.cpp": SIX["AI_Algorithm_Code.cpp"] + "// of its own\n"})
    folder_of("modern", {**SIX, "AI_Algorithm_Code.cpp": MODERN + SIX["AI_Algorithm_Code.cpp"]})
    folder_of("snake", {"main.py": "pass"})
    text = '''
game = "connect6"; games = 1; time = 20; drawn = "stands"; %s
players = ( { name = "fits"; folder = "fits"; }, { name = "modern"; folder = "modern"; },
            { name = "snake"; folder = "snake"; }, { name = "out"; absent = "does not build: a.cpp:1: error"; },
            { name = "ours"; start = "cmd:./p"; folder = "modern"; build = "g++ -std=c++17 -o p *.cpp"; } );'''
    said, report = played(write("takes.conf", text % takes))
    rows = {row["name"]: row for row in report["standings"]}
    check("a contest is played with those that do not fit in its table", said.returncode == 0 and report["over"] and
          len(rows) == 5 and rows["fits"]["lost"] <= 1, f"{said.stderr} {report}")
    check("what is newer than the standard does not build, and the table says so",
          rows["modern"]["won"] <= 2 and "does not build as c++14" in rows["modern"]["remark"], rows["modern"])
    check("another language is refused, and the table says so", "main.py is" in rows["snake"]["remark"], rows["snake"])
    check("who is absent is in the table, with the reason", rows["out"]["lost"] == 4 and
          "does not build: a.cpp:1: error" in rows["out"]["remark"], rows["out"])
    check("a player whose start the organiser has written is not held to it", rows["ours"]["remark"] == "", rows["ours"])
    for form in ("--csv", "--html", "--json"):
        check(f"the reason stands in show {form}", "does not build: a.cpp:1: error" in
              run("contest", "show", os.path.join(work, "takes.conf"), form).stdout)
    _, free = played(write("free.conf", text % ""))
    rows = {row["name"]: row for row in free["standings"]}
    check("without such settings anything goes", rows["modern"]["remark"] == "", rows["modern"])
    for wrong, words in (('languages = ["pascal"];', "c, c++, python"), ('languages = "c";', "a list of texts"),
                         ('cpp = "c++15";', "c++14"), ('files = [];', "a list of texts"), ('files = ["/x"];', "as it is handed in")):
        said = run("contest", "run", write("wrong.conf", text % wrong))
        check(f"refused: {wrong}", said.returncode == 2 and words in said.stderr, said.stderr)


def beside_the_absent():
    """Whoever plays against somebody who cannot be started is in the box as always."""
    seen = os.path.join(work, "seen")
    folder_of("curious", {"p.py": f"open({seen!r}, 'w').write('here')"})
    text = """
game = "reversi"; games = 2; time = 5;
players = ( { name = "curious"; folder = "curious"; start = "abp:python3 p.py"; }, { name = "out"; absent = "ill"; } );"""
    said, report = played(write("absent.conf", text))
    check("a player whose opponent cannot be started has not left its box", said.returncode == 0 and report["over"] and
          not os.path.exists(seen) and "players are boxed" in said.stderr, f"{said.stderr} {report}")


for part in (matches, too_many_games, little_memory, handed_in, takes_in_contests, beside_the_absent):
    part()
finish()
