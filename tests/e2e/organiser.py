"""What goes wrong in contests, and what their organiser does about it: players that fail at their start,
stores that cannot be written to or are not there, games set back, folders that are gone. Prints TAP."""
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time

from checks import free_port
from contests import arbiter, check, contest, finish, played, players, resum, run, shown, work, write


def failing_starts():
    """Whoever fails at the start loses, also against another who fails."""
    starts = {"dies": "abp:exit 3", "sleeps": "abp:sleep 60", "absent": "tcp:7", "away": "tcp:8",
              "good": "random"}
    field = ", ".join(f'{{ name = "{name}"; start = "{start}"; }}' for name, start in starts.items())
    said, report = played(write("starts.conf", f'''game = "tower4"; games = 1; wait = 2; port = {free_port()};
        set = {{ start_time = 2; }}; players = ( {field} );'''))
    rows = {row["name"]: row for row in report["standings"]}
    check("nobody wins by failing later than the other", said.returncode == 0 and rows["good"]["won"] == 4 and
          sum(row["won"] for row in rows.values()) == 4, rows)
    both = [game for game in report["games"] if "good" not in (game["black"], game["white"])]
    check("both are blamed, with the reason", len(both) == 6 and all(
        game["winner"] is None and game["verdict"].count("not-ready: ") == 2 for game in both), both)
    for name, reason in (("dies", "exited with code 3"), ("absent", "not connected within 2.000 s"),
                         ("sleeps", "no answer to the greeting within 2.000 s, CPU time .*")):
        check(f"the table says why {name} lost",
              re.fullmatch(f"4 x not-ready(, the first)?: {reason}", rows[name]["remark"]), rows[name]["remark"])
    lines = run("contest", "show", os.path.join(work, "starts.conf"), "--records").stdout
    checked = run("replay", write("starts.jsonl", lines), "--check")
    check("records of games that were never begun are true", checked.stdout == "10 games, 0 wrong\n",
          checked.stdout)


def unbuilt():
    write("twice/player.c", "int main(void) { return first_error; }\nint f(void) { return second_error; }\n")
    _, report = played(write("twice.conf", '''game = "cuptactoe"; games = 1; players = (
        { name = "good"; start = "random"; }, { name = "bad"; start = "abp:./player"; folder = "twice";
        build = "cc -o player player.c"; } );'''))
    remark = report["standings"][1]["remark"]
    check("of a build that fails the first error is told", "first_error" in remark, remark)


def build_is_broken_off():
    write("slow/player", "")
    path = write("slow.conf", '''game = "cuptactoe"; games = 1; players = ( { name = "a"; start = "random"; },
        { name = "b"; start = "abp:./player"; folder = "slow"; build = "sleep 86400"; } );''')
    process = subprocess.Popen([arbiter, "contest", "run", path], stderr=subprocess.PIPE, text=True)
    while "building" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=280)[1]  # the build would be ended after 300 s
    check("an interrupt does not wait for a build", process.returncode == 130 and "contest run" in said, said)


def as_nobody():
    os.setgid(65534)
    os.setuid(65534)


def read_only():
    path = contest("only/read.conf", "games = 1;", 3)
    run("contest", "run", path)
    folder = os.path.dirname(path)
    os.chmod(work, 0o755)
    os.chmod(folder, 0o555)
    for name in os.listdir(folder):
        os.chmod(os.path.join(folder, name), 0o444)
    other = {"preexec_fn": as_nobody} if os.getuid() == 0 else {}
    said = run("contest", "show", path, **other)
    check("a store that nobody may write to is shown", said.returncode == 0 and "p0" in said.stdout, said.stderr)
    for words in (["annul", path, "1", "--why", "x"], ["run", path]):
        said = run("contest", *words, **other)
        check(f"{words[0]} says which store it cannot write to", said.returncode == 2 and
              "read.db" in said.stderr and "readonly" in said.stderr, said.stderr)
    os.chmod(folder, 0o755)
    broken = write("broken.db", "this is no database, but long enough to be read as one" * 10)
    said = run("contest", "show", contest("broken.conf", "", 2), "--store", broken)
    check("a file that is no store is named", said.returncode == 2 and "broken.db" in said.stderr, said.stderr)


def not_there():
    path = contest("nothing.conf", "", 2)
    for words in (["contest", "show", path], ["contest", "annul", path, "1", "--why", "x"],
                  ["contest", "withdraw", path, "p1", "--why", "x"],
                  ["contest", "show", path, "--store", os.path.join(work, "typo.db")],
                  ["worker", os.path.join(work, "typo.db")]):
        said = run(*words)
        made = [name for name in os.listdir(work) if name.startswith(("nothing.db", "typo.db"))]
        check(f"{' '.join(words[:2] if words[0] == 'contest' else words[:1])}: where there is no store none is "
              "made", said.returncode == 2 and "there is no" in said.stderr and not made,
              f"{said.stderr} {made}")


def nothing_is_left():
    path = contest("alike.conf", "", 2)
    said = run("contest", "similar", path)
    check("to compare players makes no store", not os.path.exists(path.replace(".conf", ".db")), said.stderr)


def set_back():
    """A game of a pair that is set back is played under the pair's conditions."""
    path = write("pair.conf", 'game = "reversi"; games = 2; openings = 6;\n' + players(2))
    run("contest", "run", path)
    said = run("contest", "replay", path, "1", "--why", "power")
    run("contest", "run", path)
    records = [json.loads(line) for line in run("contest", "show", path, "--records").stdout.splitlines()]
    openings = {tuple(record["moves"][:6]) for record in records}
    check("a game set back keeps the conditions of its pair", said.returncode == 0 and len(records) == 3 and
          len(openings) == 1, openings)
    for action in ("annul", "replay"):
        said = run("contest", action, path, "1", "--why", "again")
        check(f"what is annulled is not annulled again by {action}", said.returncode == 2 and
              "already" in said.stderr, said.stderr)
    check("and no decision is kept of that", len(shown(path)["decisions"]) == 1)
    for words, code in ((["withdraw"], 0), (["withdraw"], 2), (["disqualify"], 0), (["disqualify"], 2),
                        (["withdraw"], 2)):
        said = run("contest", *words, path, "p1", "--why", "x")
        check(f"{words[0]} {'is kept' if code == 0 else 'a second time is said to be so already'}",
              said.returncode == code and (code == 0 or "already" in said.stderr), said.stderr)
    check("each is kept once", len(shown(path)["decisions"]) == 3)


def taken_back():
    """What was decided is taken back, as long as nothing was paired by it."""
    path = contest("back.conf", "games = 2;", 3)
    before = played(path)[1]["standings"]
    for action, subject in (("annul", "2"), ("replay", "3")):
        run("contest", action, path, subject, "--why", "x")
        said = run("contest", "restore", path, subject, "--why", "it was right", "--by", "judge 2")
        report = shown(path)
        check(f"restore takes {action} back", said.returncode == 0 and report["over"] and report["standings"] == before and
              report["decisions"][-1]["by"] == "judge 2" and len(report["games"]) == 6, f"{said.stderr} {report}")
    run("contest", "replay", path, "1", "--why", "x")
    run("contest", "run", path)
    said = run("contest", "restore", path, "1", "--why", "x")
    check("what has been played again is not", said.returncode == 2 and "as game 7" in said.stderr, said.stderr)
    said = run("contest", "restore", path, "2", "--why", "x")
    check("nor what was never annulled", said.returncode == 2 and "not annulled" in said.stderr, said.stderr)
    late = write("late.conf", 'game = "cuptactoe"; format = "swiss"; rounds = 2; games = 1;\n' + players(4))
    played(late)
    run("contest", "withdraw", late, "p1", "--why", "x")
    said = run("contest", "readmit", late, "p1", "--why", "found again")
    check("who has left comes back", said.returncode == 0 and shown(late)["standings"] and
          not any("withdrawn" in row["remark"] for row in shown(late)["standings"]), said.stderr)
    said = run("contest", "readmit", late, "p1", "--why", "x")
    check("but not twice", said.returncode == 2 and "has not left" in said.stderr, said.stderr)
    run("contest", "disqualify", late, "p1", "--why", "cheated")
    remark = next(row["remark"] for row in shown(late)["standings"] if row["name"] == "p1")
    check("a reason that was taken back is told no more", remark == "disqualified: cheated", remark)
    knock = write("knock.conf", 'game = "cuptactoe"; format = "knockout"; best_of = 1; third = true;\n' + players(4))
    played(knock)
    said = run("contest", "annul", knock, "1", "--why", "x")
    check("not after the next round was paired", said.returncode == 2 and "paired" in said.stderr, said.stderr)
    champion = shown(knock)["standings"][0]["name"]
    run("contest", "disqualify", knock, champion, "--why", "another's program")
    rows = [(row["rank"], row.get("reached")) for row in shown(knock)["standings"]]
    check("the others move up when the champion is disqualified", rows[:3] == [(1, "champion"), (2, "finalist"), (3, "third")], rows)
    count = contest("count.conf", "games = 2;", 3)
    played(count)
    run("contest", "annul", count, "2", "--why", "x")
    run("contest", "replay", count, "3", "--why", "x")
    report = shown(count)
    check("what is annulled is not waited for", (report["done"], report["expected"]) == (4, 5), (report["done"], report["expected"]))


def drawn(path, number):
    """As if a game had been drawn; the next run repeats it."""
    set_winner(path, number, 0)
    return run("contest", "run", path)


def set_winner(path, number, winner):
    store = sqlite3.connect(path.replace(".conf", ".db"))
    store.execute("UPDATE game SET winner = ? WHERE number = ?", (winner, number))
    store.commit()
    store.close()
    resum(path.replace(".conf", ".db"))


def repeated_games():
    path = write("drawn.conf", '''game = "connect6"; games = 1; house = "random"; set = { blocks = "random:8"; };
        time = "off"; ''' + players(2))
    run("contest", "run", path)
    drawn(path, 1)
    for action in ("annul", "replay"):
        said = run("contest", action, path, "1", "--why", "x")
        check(f"a drawn game that was repeated: {action} is refused in words", said.returncode == 2 and
              "repeated as game 2" in said.stderr, said.stderr)
    drawn(path, 2)
    report = shown(path)
    house = [game for game in report["games"] if game.get("house")]
    check("games against the house are told as such", report["over"] and len(house) == 2 and
          all(game["leg"] == 0 and game["white"] == "(the house)" for game in house) and
          max(game["leg"] for game in report["games"]) == 0, report["games"])
    text = run("contest", "show", path).stdout
    check("what the house has decided is shown, with the game and in the table",
          "played out against the house: " in text and " against the house\n" in text, text)
    set_winner(path, 3, 0)
    set_winner(path, 4, 2)
    remarks = [row["remark"] for row in shown(path)["standings"]]
    check("a draw against the house is not called won, though it is better than the opponent's loss",
          remarks == ["1 x did better against the house", "1 x did worse against the house"], remarks)
    said = run("contest", "annul", path, "2", "--why", "x")
    check("a game that the house has decided is not annulled", said.returncode == 2 and
          "house" in said.stderr, said.stderr)
    said = run("contest", "annul", path, "3", "--why", "x")
    table = shown(path)["standings"]
    check("an annulled game against the house decides nothing", said.returncode == 0 and
          all(row["drawn"] == 1 for row in table), f"{said.stderr} {table}")


def folders():
    shutil.copytree("kits/cuptactoe/python", os.path.join(work, "files"))  # behind walls it sees no more
    path = write("files.conf", '''game = "cuptactoe"; games = 1; time = 60; set = { start_time = 600; }; players = ( { name = "a"; start = "random"; },
        { name = "b"; start = "abp:python3 abp_player.py"; folder = "files"; } );''')
    run("contest", "run", path)
    write("files/__pycache__/bot.pyc", "compiled")
    said = run("contest", "run", path)
    check("what Python leaves in a folder is no change", said.returncode == 0, said.stderr)
    run("contest", "replay", path, "1", "--why", "x")
    shutil.rmtree(os.path.join(work, "files"))
    said, report = played(path)
    check("a contest goes on without a folder that is in the store", said.returncode == 0 and report["over"] and
          report["games"][-1]["verdict"] == "", said.stderr)
    said = run("contest", "run", write("files2.conf", '''game = "cuptactoe"; games = 1;
        players = ( { name = "a"; start = "random"; },
        { name = "b"; start = "abp:./x"; folder = "nowhere"; } );'''))
    check("a folder that never was is named with its line", said.returncode == 2 and
          "line 3" in said.stderr and "nowhere" in said.stderr, said.stderr)
    wrong = write("wrong.conf", '''game = "cuptactoe"; games = 1; players = ( { name = "a"; start = "random"; },
        { name = "b"; start = "random"; folder = "nowhere"; } );''')
    said = run("contest", "run", wrong)
    check("a folder that is not there is named with its line", said.returncode == 2 and "line 2" in said.stderr and
          "nowhere" in said.stderr, said.stderr)
    write("wrong.conf", '''game = "cuptactoe"; games = 1;
        players = ( { name = "a"; start = "random"; }, { name = "b"; start = "random"; } );''')
    said = run("contest", "run", wrong)
    check("and the file can be mended", said.returncode == 0, said.stderr)


def upside_down():
    for table in ("win = 0; draw = 1; loss = 2;", "win = 2; draw = 3;", "win = 1; draw = -1; loss = 0;"):
        said = run("contest", "run", contest("down.conf", f"games = 1;\ntable = {{ {table} }};", 2))
        check(f"a table of {table} is refused with its line", said.returncode == 2 and "line 3" in said.stderr and
              "a win must bring more" in said.stderr, said.stderr)
    said = run("contest", "run", contest("mysql.conf", "games = 1;", 2), "--store", "mysql://judge/x")
    check("a store of another kind is refused in words", said.returncode == 2 and "mysql://judge/x" in said.stderr and
          "postgresql://" in said.stderr, said.stderr)
    path = write("formula.conf", '''game = "cuptactoe"; games = 1; players = ( { name = "=1+1,2"; start = "random"; },
        { name = "@b"; start = "random"; } );''')
    played(path)
    said = run("contest", "show", path, "--csv")
    check("a name is no formula in a spreadsheet", '"\'=1+1,2"' in said.stdout and ",'@b," in said.stdout, said.stdout)


def tables():
    _, report = played(contest("byes.conf", 'format = "swiss"; rounds = 3; games = 1;', 5))
    remarks = [row["remark"] for row in report["standings"]]
    check("byes stand in the table", sum(remark.count("bye in round") for remark in remarks) == 3, remarks)
    path = contest("wide.conf", 'format = "gauntlet"; games = 1;', 201)
    process = subprocess.Popen([arbiter, "contest", "run", path, "--jobs", "0"], stderr=subprocess.DEVNULL)
    while len(shown(path).get("games", [])) < 200:
        time.sleep(0.2)
    process.terminate()
    process.wait()
    page = run("contest", "show", path, "--html").stdout
    check("a page does not hold tables of hundreds of columns, and says so",
          "they would have 201 columns" in page and len(page) < 200000, len(page))
    _, report = played(contest("three.conf", '''stages = ( { format = "league"; groups = 3; advance = 2; games = 1; },
        { format = "knockout"; best_of = 1; } );''', 6))
    order = report["standings"]
    check("the final order is that of the knock-out, and has no points", report["by_bracket"] and
          [row["reached"] for row in order[:2]] == ["champion", "finalist"] and order[-1]["reached"] in ("stage", "quarterfinal", "round") and
          not any("points" in row for row in order) and [row["name"] for row in report["podium"]][:1] == [order[0]["name"]], order)
    for language, words in (("en", "final order"), ("ko", "최종 순위"), ("zh-TW", "最終名次")):
        page = run("contest", "show", os.path.join(work, "three.conf"), "--html", "--language", language).stdout
        check(f"the page in {language} has order and bracket, and no scores where the game has none", words in page and
              f'lang="{language}"' in page and 'class="bracket"' in page and "0 : 0" not in page, page[-300:])
    said = run("contest", "show", os.path.join(work, "three.conf"), "--html", "--language", "de")
    check("another language is refused in words", said.returncode == 2 and "zh-TW" in said.stderr, said.stderr)
    group = {row["name"]: i for i, rows in enumerate(report["stages"][0]["groups"]) for row in rows}
    first = [game for game in report["games"] if game["stage"] == 2 and game["round"] == 1]
    check("nobody meets somebody of his group in the first round of the knock-out", first and
          all(group[game["black"]] != group[game["white"]] for game in first), first)
    _, report = played(contest("brackets.conf", 'format = "double"; best_of = 1;', 4))
    rounds = {(game["bracket"], game["round"]) for game in report["games"]}
    check("rounds of a double elimination are told by their bracket", {("winners", 1), ("losers", 1),
          ("losers", 2), ("final", 1)} <= rounds and max(number for _, number in rounds) <= 2, rounds)


def options():
    path = os.path.join(work, "byes.conf")
    for words in (["show", path, "--why", "x"], ["show", path, "--jobs", "1"], ["run", path, "--csv"],
                  ["annul", path, "1", "--why", "x", "--csv"], ["withdraw", path, "p1", "--html"]):
        said = run("contest", *words)
        check(f"contest {words[0]} refuses {' '.join(words[2:])}", said.returncode == 2 and
              "it takes --store" in said.stderr, said.stderr)
    said = run("contest", "show", path, "--csv", "--json")
    check("show takes one form", said.returncode == 2 and "one of" in said.stderr, said.stderr)


for part in (failing_starts, unbuilt, build_is_broken_off, read_only, not_there, nothing_is_left, set_back, taken_back, repeated_games,
             folders, upside_down, tables, options):
    part()
finish()
