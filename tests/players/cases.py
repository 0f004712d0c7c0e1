"""Runs the cases of cases.txt; tests/e2e/hostile.sh starts it and says what the variables are."""
import collections
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import measure

ARBITER = os.environ["ARBITER"]
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{FOLDER}/../e2e")
from checks import free_port
LIMIT_S = 3600  # with what hangs; how long anything takes decides nothing
PEAK_KB = 50000
RULES = ("board", "corners", "pieces", "max_hops", "max_moves", "max_turns", "size", "blocks",
         "overline", "blocks_count")  # settings that `arbiter rules` knows

NOBODY = 65534

Case = collections.namedtuple(
    "Case", "name game player opponent seat options winner word evidence reason place",
    defaults=[None])
# Where a case is played besides: as which user, and in a box of which level ("off": in none). The
# players lie in folders of their own there, as those of different teams do.
Place = collections.namedtuple("Place", "user level")


def read_cases():
    with open(f"{FOLDER}/cases.txt", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith("#"):
                fields = [field.strip() for field in line.split("|")]
                if len(fields) != len(Case._fields) - 1:
                    sys.exit(f"cases.txt:{number}: {len(fields)} fields, not {len(Case._fields) - 1}")
                yield Case(*fields)


def room():
    """A folder that an ordinary user can reach, with the program and the players, twice."""
    folder = f"{os.environ['WORK']}/room"
    if not os.path.exists(folder):
        os.chmod(os.environ["WORK"], 0o711)
        os.makedirs(folder)
        os.makedirs(f"{folder}/tmp")
        os.chmod(f"{folder}/tmp", 0o1777)
        for name in "arbiter", "arbiter-box":
            shutil.copy(f"{os.path.dirname(ARBITER)}/{name}", folder)
        for name in "0", "1":
            shutil.copytree(FOLDER, f"{folder}/{name}", ignore=shutil.ignore_patterns("__pycache__"))
            for path, folders, files in os.walk(f"{folder}/{name}"):
                os.chmod(path, 0o755)
                for file in files:
                    os.chmod(f"{path}/{file}", 0o755)
    return folder


def as_user(place):
    """How a process becomes the user of a place."""
    if place is None or place.user == os.geteuid():
        return {}
    return {"user": place.user, "group": place.user, "extra_groups": []}


def best_box(user):
    """The highest level that a user has on this machine; None: not even the lowest."""
    place = Place(user, None)
    for level in "3", "2", "1", "0":
        ran = subprocess.run(
            [f"{room()}/arbiter", "match", "cuptactoe", "random", "random", "--box", level],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
            cwd=f"{room()}/tmp", **as_user(place))
        if ran.returncode == 0:
            return level
    return None


def places():
    """Root plays in the best box too, and has it all played by an ordinary user, boxed and not."""
    users = [os.geteuid()] + [NOBODY] * (os.geteuid() == 0)
    boxed = [Place(user, best_box(user)) for user in users]
    bare = [Place(user, "off") for user in users[1:]]
    return [place for place in boxed + bare if place.level is not None]


def expanded(cases):
    """A case whose name ends in * is played at all places."""
    found = None
    for case in cases:
        if not case.name.endswith("*"):
            yield case
            continue
        name = case.name.rstrip("* ")
        yield case._replace(name=name)
        found = found or places()
        for place in found:
            who = "root" if place.user == 0 else "an ordinary user"
            yield case._replace(name=f"{name}, {who}, box {place.level}", place=place)


def limit(case):
    """0.2 s where the limit matters; elsewhere a busy machine must not make a difference."""
    return "0.2" if "late" in case.word or case.word == "any" else "60"


def folder_of(case, number):
    return FOLDER if case.place is None else f"{room()}/{number}"


def program(case):
    return ARBITER if case.place is None else f"{room()}/arbiter"


def command(case):
    names = {"%B": os.environ.get("PLAYERS_BUILD", ""), "%A": ARBITER}
    players = [re.sub("%[PBA]", lambda found, n=n: names.get(found[0], folder_of(case, n)), player)
               for n, player in enumerate((case.player, case.opponent))]
    words = shlex.split(case.options)
    if case.place is not None:
        words += ["--box", case.place.level]
        if case.place.level in ("2", "3"):
            words += ["--port", "8888"]  # inside, where the environment tells no other
    for option, value in (("--games", "1"), ("--seed", "1"), ("--time", limit(case))):
        if option not in words:
            words += [option, value]
    if "start_time" not in case.options and "not-ready" not in case.word:
        words += ["--set", "start_time=600"]
    if "--port" not in words:
        words += ["--port", os.environ["ARBITER_PORT"]]
    players = players[::1 if case.seat == "1" else -1]
    return [program(case), "match", case.game, *players, "--json", "--record", record_folder(case),
            *words]


def record_folder(case):
    return f"{os.environ['WORK']}/record" if case.place is None else f"{room()}/tmp/record"


def record_faults(case):
    """What has happened must be found true; the record is removed."""
    path = f"{record_folder(case)}/games.jsonl"
    ran = subprocess.run([ARBITER, "replay", path, "--check"], text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ran.returncode != 0:
        yield f"the record: {ran.stdout}"
    shutil.rmtree(record_folder(case), ignore_errors=True)


def replay_faults(case, result):
    """The moves must be legal and, where the rules ended the game, lead to the same end."""
    words = shlex.split(case.options)
    settings = [word for key, word in zip(words, words[1:])
                if key == "--set" and word.split("=")[0] in RULES]
    ran = subprocess.run(
        [ARBITER, "rules", case.game, *(word for pair in settings for word in ("--set", pair))],
        input="; ".join(result["moves"]) + "\n", text=True, stdout=subprocess.PIPE, check=False)
    try:
        answer = json.loads(ran.stdout)
    except ValueError:
        answer = {"error": ran.stdout}
    if "error" in answer:
        yield f"the moves are not legal: {answer['error']}"
    elif result["reason"] in ("forfeit", "aborted", "platform"):
        if answer["over"]:
            yield f"{result['reason']}, but the rules had ended it: {answer['reason']}"
    else:
        for key in ("over", "winner", "reason", "scores"):
            wanted = True if key == "over" else result[key]
            if answer[key] != wanted:
                yield f"{key} is {wanted}, by the rules {answer[key]}"


def result_faults(case, result):
    verdict = result["verdict"]
    word = verdict["word"] if verdict else "none"
    if case.winner != "any" and str(result["winner"]) != case.winner:
        yield f"winner {result['winner']}, not {case.winner}"
    if case.word != "any" and word not in case.word.split("/"):
        yield f"verdict {word}, not {case.word}"
    if verdict and str(verdict["player"]) != case.seat:
        yield f"the verdict is on player {verdict['player']}, not {case.seat}"
    if verdict and not verdict["evidence"]:
        yield "no evidence"
    if case.evidence and not re.search(case.evidence, verdict["evidence"] if verdict else ""):
        yield f"the evidence is not {case.evidence}"
    if case.reason != "any" and result["reason"] not in case.reason.split("/"):
        yield f"ended by {result['reason']}, not {case.reason}"
    if len(result["ms"]) != len(result["moves"]) or result["plies"] != len(result["moves"]):
        yield f"{len(result['moves'])} moves, {len(result['ms'])} times, {result['plies']} plies"
    yield from replay_faults(case, result)


def games(case):
    words = shlex.split(case.options)
    return int(words[words.index("--games") + 1]) if "--games" in words else 1


def faults(case, ran, complaints):
    lines = ran.out.decode("utf-8", "replace").splitlines()
    if ran.code != 0:
        yield f"{LIMIT_S} s were not enough" if ran.code is None else f"ended with code {ran.code}"
    elif len(lines) != games(case):
        yield f"{len(lines)} lines of output, not {games(case)}"
    else:
        try:
            for line in lines:
                yield from result_faults(case, json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            yield f"not the JSON of a game: {error!r}"
    if ran.left:
        yield f"left behind: {', '.join(ran.left)}"
    if ran.peak_kb > PEAK_KB and not sanitized():
        yield f"{ran.peak_kb} kB of memory"
    yield from complaints


def sanitized():
    """A program with ASan takes more memory than can be judged."""
    with open(ARBITER, "rb") as file:
        return b"__asan" in file.read()


def choose_port():
    """A port of our own, since another judge may have 8888 and its players would come here."""
    if "ARBITER_PORT" not in os.environ:
        os.environ["ARBITER_PORT"] = str(free_port())


def run(case):
    """Runs a case; returns what it printed and what is wrong."""
    path = f"{os.environ['WORK']}/complaints"
    moved = {} if case.place is None else {"cwd": f"{room()}/tmp"}
    ran = measure.run(command(case), LIMIT_S, env={**os.environ, "ARBITER_COMPLAINTS": path}, **moved,
                      **as_user(case.place))
    complaints = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            complaints = file.read().splitlines()
        os.remove(path)
    return ran, [*faults(case, ran, complaints), *record_faults(case)]


def main(words):
    verbose = "-v" in words
    chosen = [word for word in words if word != "-v"]
    choose_port()
    cases = list(expanded(case for case in read_cases()
                          if not chosen or any(re.search(word, case.name) for word in chosen)))
    failed = 0
    print(f"1..{len(cases)}", flush=True)
    for number, case in enumerate(cases, 1):
        if skip := os.environ.get("SKIP"):
            print(f"ok {number} - {case.name} # SKIP {skip}")
            continue
        ran, wrong = run(case)
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {case.name}")
        notes = list(wrong)
        if wrong or verbose:
            notes += [shlex.join(command(case)), f"{ran.seconds:.2f} s, {ran.peak_kb} kB"]
            notes += (ran.out + ran.err).decode("utf-8", "replace").splitlines()[:20]
        for note in notes:
            text = note.replace("\n", " ")[:1000]
            print(f"# {text}")
            if wrong:
                print(f"{case.name}: {text}", file=sys.stderr)  # which is what meson shows
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
