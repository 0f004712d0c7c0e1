"""Contests from the command line: formats, the organiser's hand, players that fail, reports, errors.
Prints TAP."""
import csv
import html.parser
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import time
import xml.etree.ElementTree

from contests import (PATIENCE_S, arbiter, check, contest, finish, gated, open_gate, played, players, resum, run, shown,
                      work, write)


def formats():
    cases = [("league", 'format = "league"; games = 2;', 5, 20),
             ("gauntlet", 'format = "gauntlet"; challengers = 2; games = 2;', 5, 12),
             ("swiss", 'format = "swiss"; rounds = 3; games = 2;', 7, 18),
             ("knockout", 'format = "knockout"; best_of = 1; third = true;', 6, None),
             ("double", 'format = "double"; best_of = 1;', 5, None)]
    for name, settings, count, games in cases:
        said, report = played(contest(f"{name}.conf", settings, count))
        good = said.returncode == 0 and report["over"] and len(report["standings"]) == count
        check(f"{name} is played to its end", good and (not games or len(report["games"]) == games),
              said.stderr)
        check(f"{name}: ranks begin with 1 and rise", [row["rank"] for row in report["standings"]][0] == 1
              and report["standings"] == sorted(report["standings"], key=lambda row: row["rank"]))
    meetings = {}
    for game in shown(os.path.join(work, "swiss.conf"))["games"]:
        pair = frozenset((game["black"], game["white"]))
        meetings.setdefault(pair, set()).add(game["round"])
    check("swiss: nobody meets anybody twice", all(len(rounds) == 1 for rounds in meetings.values()))
    said = run("contest", "run", os.path.join(work, "league.conf"))
    check("run on what is over prints the table again", said.returncode == 0 and "p0" in said.stdout)


def stages():
    path = contest("stages.conf", 'stages = ( { name = "groups"; format = "league"; groups = 2; '
                   'advance = 2; }, { name = "final"; format = "knockout"; best_of = 3; } );', 8)
    said, report = played(path)
    first, second = report["stages"]
    best = {row["name"] for group in first["groups"] for row in group[:2]}
    check("the best two of each group meet in the knock-out", said.returncode == 0 and
          {row["name"] for row in second["groups"][0]} == best, said.stderr)
    check("who was left behind stands below", {row["name"] for row in report["standings"][:4]} == best
          and len(report["standings"]) == 8)


def hand():
    path = contest("hand.conf", "games = 2;", 4)
    said = run("contest", "annul", path, "1", "--why", "a test")
    check("a contest that has not begun has nothing to annul", said.returncode == 2, said.stderr)
    _, before = played(path)
    for words, wrong in ((["annul", path, "1"], "--why"), (["annul", path, "99", "--why", "x"], "99"),
                         (["annul", path, "--why", "x"], "GAME"),
                         (["withdraw", path, "px", "--why", "x"], "p0"),
                         (["withdraw", path, "p1"], "--why")):
        said = run("contest", *words)
        check(f"refused: contest {words[0]} {' '.join(words[2:])}",
              said.returncode == 2 and wrong in said.stderr, said.stderr)
    said = run("contest", "replay", path, "1", "--why", "the power failed")
    after = shown(path)
    check("a game set back is annulled and waits", said.returncode == 0 and not after["over"] and
          sorted(game["state"] for game in after["games"]).count("annulled") == 1, said.stderr)
    _, after = played(path)
    again = [game for game in after["games"] if game["attempt"] == 1]
    check("it is played again", after["over"] and len(again) == 1 and again[0]["state"] == "done" and
          len(after["games"]) == len(before["games"]) + 1)
    run("contest", "annul", path, "2", "--why", "the judge slept")
    after = shown(path)
    check("an annulled game counts for nobody",
          sum(row["played"] for row in after["standings"]) == 2 * (len(before["games"]) - 1))
    check("the decisions and their reasons are kept", [d["why"] for d in after["decisions"]] ==
          ["the power failed", "the judge slept"])
    said = run("contest", "disqualify", path, "p0", "--why", "another's program")
    after = shown(path)
    last = after["standings"][-1]
    check("who is disqualified comes last, without points, and it is told why", last["name"] == "p0"
          and last["points"] == 0 and "another's program" in last["remark"], last)
    text = run("contest", "show", path).stdout
    check("the text tells of it too", "disqualified: another's program" in text and
          "the judge slept" in text)


def leaving():
    path = gated("leave.conf", 'format = "swiss"; rounds = 4; games = 1;', "p7", 8)
    process = subprocess.Popen([arbiter, "contest", "run", path, "--jobs", "2", "--box", "off", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    ended = 0
    while ended < 5:  # in the second round, which p7 does not let end
        ended += '"ended"' in process.stdout.readline()
    process.kill()
    process.wait()
    said = run("contest", "withdraw", path, "p3", "--why", "a broken laptop")
    open_gate(path)
    done, report = played(path, "--box", "off")
    rounds = [game["round"] for game in report["games"] if "p3" in (game["black"], game["white"])]
    walkovers = [game for game in report["games"] if game.get("reason") == "walkover"]
    check("who withdraws is not paired any more", said.returncode == 0 and done.returncode == 0 and
          report["over"] and max(rounds) <= 2, f"{rounds} {said.stderr} {done.stderr}")
    check("his open game is lost", all("p3" in (g["black"], g["white"]) and "withdrawn" in g["verdict"]
                                       for g in walkovers), walkovers)
    games = len(report["games"])
    path = gated("leave2.conf", "games = 2;", "p2", 4)
    process = subprocess.Popen([arbiter, "contest", "run", path, "--jobs", "1", "--box", "off", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    while '"ended"' not in process.stdout.readline():
        pass
    process.kill()
    process.wait()
    run("contest", "disqualify", path, "p2", "--why", "he was late")
    open_gate(path)
    _, report = played(path, "--box", "off")
    lost = [game for game in report["games"] if game.get("reason") == "walkover"]
    check("who is disqualified loses all games he has still to play", report["over"] and lost and all(
        game["winner"] == (2 if game["black"] == "p2" else 1) for game in lost), lost)
    late = run("contest", "annul", os.path.join(work, "swiss.conf"), "1", "--why", "too late")
    check("a game that later rounds were paired by is not annulled", late.returncode == 2 and
          "later rounds" in late.stderr and games > 0, late.stderr)


def interrupted():
    path = gated("interrupted.conf", "games = 2;", "p0", 4)
    process = subprocess.Popen([arbiter, "contest", "run", path, "--jobs", "1", "--box", "off", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while '"ended"' not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=PATIENCE_S)[1]
    states = [game["state"] for game in shown(path)["games"]]
    check("an interrupted run says how to go on, and gives its games back", process.returncode == 130 and
          "contest run" in said and "playing" not in states and "done" in states, f"{said} {states}")
    open_gate(path)
    done, report = played(path, "--box", "off")
    check("it is continued", done.returncode == 0 and report["over"] and len(report["games"]) == 12)


def failing_players():
    os.mkdir(os.path.join(work, "unbuilt"))
    write("unbuilt/player.c", "this is no C\n")
    path = write("fail.conf", '''
game = "cuptactoe"; jobs = 2; games = 1; time = 1; set = { start_time = 2; };
players = (
    { name = "good"; start = "random"; },
    { name = "unbuilt"; start = "abp:./player"; folder = "unbuilt"; build = "cc -o player player.c"; },
    { name = "missing"; start = "py:nowhere.py"; },
    { name = "dies"; start = "abp:exit 3"; },
    { name = "sleeps"; start = "abp:sleep 60"; }
);''')
    said, report = played(path)
    rows = {row["name"]: row for row in report["standings"]}
    check("nothing a player does stops a contest", said.returncode == 0 and report["over"], said.stderr)
    check("who does not build loses, and the table says so", rows["unbuilt"]["won"] == 0 and
          "does not build" in rows["unbuilt"]["remark"], rows["unbuilt"])
    check("so does who has no file", "nowhere.py" in rows["missing"]["remark"], rows["missing"])
    check("so does who dies or is never ready", "not-ready" in rows["dies"]["remark"] and
          "not-ready" in rows["sleeps"]["remark"])
    check("the good one wins", rows["good"]["rank"] == 1 and rows["good"]["won"] == 4)
    nobody = [g for g in report["games"] if {g["black"], g["white"]} == {"unbuilt", "missing"}]
    check("where neither can be started nobody wins", nobody[0]["winner"] is None)
    write("unbuilt/more.txt", "changed since\n")
    said = run("contest", "run", path)
    check("a folder that has changed is noticed", said.returncode == 2 and "changed" in said.stderr,
          said.stderr)


# Players made from their folders alone, two of them from the same source.
def folders():
    with open("tests/players/good_abp.c", encoding="utf-8") as file:
        source = file.read()
    for name, text in ("one", source), ("copy", re.sub(r"\bint\b", "long", source, count=3)):
        os.mkdir(os.path.join(work, name))
        write(f"{name}/player.c", text)
    os.mkdir(os.path.join(work, "kit"))
    for name in "player.c", "abp.h":
        with open(f"kits/tower4/c/{name}", encoding="utf-8") as file:
            write(f"kit/{name}", file.read())
    path = write("folders.conf", '''
game = "tower4"; games = 1; time = 60; set = { start_time = 600; };
players = ( { name = "one"; folder = "one"; }, { name = "copy"; folder = "copy"; }, { name = "kit"; folder = "kit"; },
            { name = "none"; start = "random"; } );''')
    said = run("contest", "similar", path)
    check("similar: before it has begun", said.returncode == 0 and "3 players with sources, 1 pair flagged" in said.stdout,
          said)
    said, report = played(path)
    check("players are built and started as their folders say", said.returncode == 0 and
          len(report["games"]) == 6 and all(not g["verdict"] for g in report["games"]), report["games"])
    check("copies are told of", "one and copy have code in common" in said.stderr and "kit" not in
          re.findall("(.*) have code in common", said.stderr)[0], said.stderr)
    pairs = report["similar"]
    check("and shown with the table", len(pairs) == 1 and set(pairs[0]["players"]) == {"one", "copy"} and
          min(pairs[0]["percent"]) > 90 and "code in common, 25 % or more" in said.stdout and
          "in common" in run("contest", "show", path, "--html").stdout, pairs)
    found = json.loads(run("contest", "similar", path, "--json").stdout)
    check("similar --json, --html", found["pairs"][0]["flagged"] and found["clusters"] == [["one", "copy"]] and
          found["percent"] == 25 and "kit" in found["players"] and
          "<html" in run("contest", "similar", path, "--html").stdout, found)
    lines = run("contest", "similar", path, "--json", "--progress", "--pair", "copy", "--pair", "one").stdout.splitlines()
    sides = json.loads(lines[-1])
    texts = ["".join(part["text"] for part in side[0]["parts"]) for side in sides["sides"]]
    check("similar --pair: both whole, what they share marked alike", texts[0] != texts[1] and source in texts and
          [part["tile"] for part in sides["sides"][0][0]["parts"] if part["tile"] >= 0] ==
          [part["tile"] for part in sides["sides"][1][0]["parts"] if part["tile"] >= 0] != [] and
          json.loads(lines[0]) == {"done": 1, "of": 4}, sides)
    said = run("contest", "similar", path, "--json", "--pair", "one", "--pair", "kit")
    check("similar --pair: two that share nothing", said.returncode == 2 and "no code in common" in said.stderr, said)


def too_much_memory():
    path = write("memory.conf", '''
game = "cuptactoe"; games = 1; jobs = 3; set = { memory = "512G"; };
players = ( { name = "a"; start = "abp:true"; }, { name = "b"; start = "abp:true"; } );''')
    said = run("contest", "run", path)
    check("limits that are more than the machine has are refused with their sum", said.returncode == 2 and
          "3072.0 GB of memory together" in said.stderr, said.stderr)


KILLER = '''
game = "cuptactoe"; jobs = 2; games = 1; time = 1; set = { start_time = 2; };
players = (
    { name = "good"; start = "random"; },
    { name = "fair"; start = "random"; },
    { name = "killer"; start = "abp:kill -9 $(ps -o ppid= -p $PPID); sleep 5"; }
);'''


# Without a box, whoever kills the process that plays its game ends that game for both, and the others
# go on. Behind walls he does not reach it, and has lost.
def killing_players():
    said, report = played(write("killer.conf", KILLER), "--box", "off")
    rows = {row["name"]: row for row in report["standings"]}
    check("a referee that is killed stops nobody else's game", said.returncode == 0 and report["over"], said.stderr)
    check("nobody wins the game of a killed referee", rows["killer"]["won"] == 0 and
          rows["good"]["won"] + rows["fair"]["won"] == 1, rows)
    if json.loads(run("doctor", "--json").stdout)["level"] < 2:
        return
    said, report = played(write("boxed-killer.conf", KILLER))
    rows = {row["name"]: row for row in report["standings"]}
    check("behind walls a player does not reach its referee", said.returncode == 0 and
          rows["killer"]["lost"] == 2 and rows["good"]["won"] + rows["fair"]["won"] == 3 and
          "not-ready" in rows["killer"]["remark"], f"{said.stderr} {rows}")


def reports():
    path = os.path.join(work, "league.conf")
    report = shown(path)
    check("json: standings and games", {"rank", "name", "points"} <= report["standings"][0].keys() and
          report["games"][0]["state"] == "done")
    doubts = report["superiority"]
    check("json: of two players one or the other is stronger",
          all(abs(doubts[i][k] + doubts[k][i] - 1) < 1e-9 for i in range(5) for k in range(5) if i != k))
    rows = list(csv.DictReader(io.StringIO(run("contest", "show", path, "--csv").stdout, newline="")))
    same = all(int(row["points"]) == full["points"] and row["name"] == full["name"] and
               int(row["rank"]) == full["rank"] and abs(float(row["elo"]) - full["elo"]) < 0.06
               for row, full in zip(rows, report["standings"]))
    check("csv: the same table", same and len(rows) == 5, rows)
    page = run("contest", "show", path, "--html").stdout
    html.parser.HTMLParser(convert_charrefs=True).feed(page)
    plot = re.search(r"<svg.*</svg>", page, re.DOTALL).group()
    bars = xml.etree.ElementTree.fromstring(plot.replace("&plusmn;", "+")).findall(".//circle")
    check("html: one page that needs nothing else", not re.search(r"(src|href)=|url\(|@import", page) and
          page.startswith("<!DOCTYPE html>"))
    check("html: a plot with a dot for everybody", len(bars) == 5)
    nasty = write("nasty.conf", 'game = "cuptactoe"; games = 1;\nplayers = ( { name = "<b>&\\"x"; '
                  'start = "random"; }, { name = "a,b\\"c"; start = "random"; } );')
    run("contest", "run", nasty)
    page = run("contest", "show", nasty, "--html").stdout
    rows = list(csv.DictReader(io.StringIO(run("contest", "show", nasty, "--csv").stdout)))
    check("html and csv: names are names, whatever they hold", "<b>" not in page and
          "&lt;b&gt;&amp;&quot;x" in page and {row["name"] for row in rows} == {'<b>&"x', 'a,b"c'}, rows)
    sick = write("sick.conf", 'game = "cuptactoe"; format = "knockout"; best_of = 1; seed = 1;\nplayers = ( { name = "A"; '
                 'start = "random"; }, { name = "B"; start = "abp:echo nonsense"; }, { name = "C"; start = "builtin:easy"; } );')
    run("contest", "run", sick)
    pages = {code: run("contest", "show", sick, "--html", "--language", code).stdout for code in ("en", "ko", "zh-TW")}
    day = time.strftime("%Y-%m-", time.gmtime())
    check("html: when the games were played", f"Played from {day}" in pages["en"] and f"대국 기간: {day}" in pages["ko"] and
          f"對局時間：{day}" in pages["zh-TW"] and report["games"][0]["ended_ms"] > 1.7e12, pages["en"])
    check("html: remarks and verdicts are in its language", "1 x not-ready: " in pages["en"] and "1라운드 부전승" in pages["ko"] and
          "준비 시간 초과 1회: " in pages["ko"] and "未及時就緒 1 次：" in pages["zh-TW"] and "not-ready" not in pages["ko"] + pages["zh-TW"],
          pages["ko"])
    records = write("games.jsonl", run("contest", "show", path, "--records").stdout)
    checked = run("replay", records, "--check")
    check("the records are true", checked.returncode == 0 and checked.stdout == "20 games, 0 wrong\n",
          checked.stdout)


def same_seed():
    texts = [open(os.path.join(work, "league.conf"), encoding="utf-8").read(), ""]
    texts[1] = texts[0].replace("jobs = 2", "jobs = 1")
    tables = []
    for i, text in enumerate(texts):
        path = write(f"same{i}.conf", text)
        run("contest", "run", path)
        lines = run("contest", "show", path, "--records").stdout.splitlines()
        tables.append(sorted((json.loads(line)["seed"], json.loads(line)["number"],
                              json.loads(line)["moves"]) for line in lines))
    check("the same seed plays the same games, however many at once", tables[0] == tables[1])


def errors():
    said = run("contest", "run", write("wrong.conf", 'game = "reversi";\nformat = "swis";\n' + players(2)))
    check("an error in the file names its line and what would be right", said.returncode == 2 and
          "line 2" in said.stderr and "swiss" in said.stderr, said.stderr)
    said = run("contest", "fly", "x.conf")
    check("an unknown action is told what there is", said.returncode == 2 and "annul" in said.stderr)
    said = run("contest", "run", os.path.join(work, "nowhere.conf"))
    check("a file that is not there is named", said.returncode == 2 and "nowhere.conf" in said.stderr)
    path = contest("changed.conf", "games = 1;", 2)
    run("contest", "run", path)
    with open(path, "a", encoding="utf-8") as file:
        file.write("# changed\n")
    for words in (["run", path], ["show", path], ["annul", path, "1", "--why", "x"],
                  ["disqualify", path, "p1", "--why", "x"]):
        said = run("contest", *words)
        check(f"a file that was changed since is refused by {words[0]}",
              said.returncode == 2 and "another text" in said.stderr, said.stderr)
    said = run("contest", "run", write("include.conf", 'game = "cuptactoe";\n@include "other.conf"\n'))
    check("a contest is one file", said.returncode == 2 and "line 2" in said.stderr, said.stderr)
    path = contest("newer.conf", "games = 1;", 2)
    run("contest", "run", path)
    store = sqlite3.connect(path.replace(".conf", ".db"))
    store.execute("INSERT INTO version (number) VALUES (99)")
    store.commit()
    store.close()
    resum(path.replace(".conf", ".db"))
    said = run("contest", "show", path)
    check("a store of a newer version is left alone", said.returncode == 2 and "99" in said.stderr, said.stderr)


for part in (formats, stages, hand, leaving, interrupted, failing_players, killing_players, folders, too_much_memory, reports,
             same_seed, errors):
    part()
finish()
