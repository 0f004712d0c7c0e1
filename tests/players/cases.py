"""Runs the cases of cases.txt; tests/e2e/hostile.sh starts it and says what the variables are."""
import collections
import json
import os
import random
import re
import shlex
import socket
import subprocess
import sys

import measure

ARBITER = os.environ["ARBITER"]
FOLDER = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 30
PEAK_KB = 50000
RULES = ("board", "corners", "pieces", "max_hops", "max_moves", "max_turns", "size", "blocks",
         "overline", "blocks_count")  # settings that `arbiter rules` knows

Case = collections.namedtuple(
    "Case", "name game player opponent seat options winner word evidence reason")


def read_cases():
    with open(f"{FOLDER}/cases.txt", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith("#"):
                fields = [field.strip() for field in line.split("|")]
                if len(fields) != len(Case._fields):
                    sys.exit(f"cases.txt:{number}: {len(fields)} fields, not {len(Case._fields)}")
                yield Case(*fields)


def limit(case):
    """0.2 s where the limit matters; elsewhere a busy machine must not make a difference."""
    return "0.2" if "late" in case.word or case.word == "any" else "2"


def command(case):
    places = {"%P": FOLDER, "%B": os.environ.get("PLAYERS_BUILD", ""), "%A": ARBITER}
    players = [re.sub("%[PBA]", lambda found: places[found[0]], player)
               for player in (case.player, case.opponent)]
    words = shlex.split(case.options)
    for option, value in (("--games", "1"), ("--seed", "1"), ("--time", limit(case))):
        if option not in words:
            words += [option, value]
    if "--port" not in words:
        words += ["--port", os.environ["ARBITER_PORT"]]
    players = players[::1 if case.seat == "1" else -1]
    return [ARBITER, "match", case.game, *players, "--json", "--record", record_folder(), *words]


def record_folder():
    return f"{os.environ['WORK']}/record"


def record_faults():
    """What has happened must be found true; the record is removed."""
    path = f"{record_folder()}/games.jsonl"
    ran = subprocess.run([ARBITER, "replay", path, "--check"], text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ran.returncode != 0:
        yield f"the record: {ran.stdout}"
    if os.path.exists(path):
        os.remove(path)


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
    elif result["reason"] in ("forfeit", "aborted"):
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
    """A port of our own, since another judge may have 8888 and its players would come here; below
    those that connections are given, where a player that dials can meet itself."""
    while "ARBITER_PORT" not in os.environ:
        port = random.randrange(20000, 30000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                os.environ["ARBITER_PORT"] = str(port)


def run(case):
    """Runs a case; returns what it printed and what is wrong."""
    path = f"{os.environ['WORK']}/complaints"
    ran = measure.run(command(case), LIMIT_S, env={**os.environ, "ARBITER_COMPLAINTS": path})
    complaints = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            complaints = file.read().splitlines()
        os.remove(path)
    return ran, [*faults(case, ran, complaints), *record_faults()]


def main(words):
    verbose = "-v" in words
    chosen = [word for word in words if word != "-v"]
    cases = [case for case in read_cases()
             if not chosen or any(re.search(word, case.name) for word in chosen)]
    failed = 0
    choose_port()
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
