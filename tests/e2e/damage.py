"""Stores that were damaged, by bits that flip and by hands: nothing that has changed is shown as if all
were well. FLIPS says how many damaged copies are tried, TEST_SEED which. Prints TAP."""
import json
import os
import random
import shutil
import sqlite3

from contests import check, finish, resum, run, shown, work, write

FORMS = (("--json",), ("--records",), ("--csv",))


def store_of(path):
    return path.replace(".conf", ".db")


def make():
    """A contest with all there is: stages, faults, a folder, a decision, an awarded game."""
    write("folder/main.py", "import sys\n" * 300 + "sys.exit(3)\n")
    path = write("whole.conf", '''
game = "cuptactoe"; jobs = 2; seed = 3;
stages = ( { name = "all"; format = "league"; games = 2; advance = 2; }, { name = "final"; format = "knockout"; } );
players = ( { name = "p0"; start = "random"; }, { name = "p1"; start = "builtin:easy,nodes=50"; },
            { name = "p2"; start = "abp:false"; }, { name = "p3"; start = "abp:python3 main.py"; folder = "folder"; } );''')
    said = run("contest", "run", path)
    check("a contest is played", said.returncode == 0, said.stderr)
    said = run("contest", "disqualify", path, "p2", "--why", "a test of decisions")
    check("and a decision kept", said.returncode == 0, said.stderr)
    return path


def outputs(path, store):
    return [(said.returncode, said.stdout) for said in
            (run("contest", "show", path, *form, "--store", store, errors="replace") for form in FORMS)]


def flip(source, target, rng, bits):
    data = bytearray(open(source, "rb").read())
    for _ in range(bits):
        at = rng.randrange(len(data) * 8)
        data[at // 8] ^= 1 << at % 8
    with open(target, "wb") as file:
        file.write(data)


def flipped(path, source, what, share=1, parts=lambda text: text):
    """Copies with flipped bits: whatever is shown with exit code 0 is what was there."""
    rng = random.Random(int(os.environ.get("TEST_SEED", "1")))
    count = int(os.environ.get("FLIPS", "120")) // share
    right = [(code, parts(text)) for code, text in outputs(path, source)]
    lies, refused = [], 0
    copy = os.path.join(work, "copy.db")
    for i in range(count):
        bits = rng.choice((1, 1, 2, 8, 64))
        flip(source, copy, rng, bits)
        for k, (code, text) in enumerate(outputs(path, copy)):
            refused += code != 0
            if code == 0 and parts(text) != right[k][1]:
                lies.append(f"copy {i}, {bits} bits, {FORMS[k][0]}")
        for tail in ("-wal", "-shm"):
            if os.path.exists(copy + tail):
                os.remove(copy + tail)
    check(f"{what}: {count} damaged copies, none shows what was not there", not lies, "\n".join(lies))
    check(f"{what}: some are refused", refused > count // 2, refused)  # of three times as many tries


def as_before(source, target):
    """The store as an earlier version has made it: its pages have no checksums."""
    old, new = sqlite3.connect(source), sqlite3.connect(target)
    new.executescript("\n".join(old.iterdump()))
    new.commit()
    new.close()
    old.close()


def games_of(text):
    """What is said of games, in any form; an old store has no checksums for the rest: decisions, from which tables
    come too."""
    if text.startswith("rank,"):
        return ""
    return json.loads(text)["games"] if text.startswith('{"contest"') else text


def after_crash(path, source):
    """A log that was left behind: the store is looked through before it is used."""
    folder = os.path.join(work, "crashed")
    os.makedirs(folder)
    live = os.path.join(work, "live.db")
    shutil.copy(source, live)
    reader = sqlite3.connect(live)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM game").fetchone()
    run("contest", "withdraw", path, "p3", "--why", "to write something", "--store", live)
    left = os.path.join(folder, "left.db")
    shutil.copy(live, left)
    shutil.copy(live + "-wal", left + "-wal")
    reader.close()  # the last to leave brings the log into the file, and knows nothing of checksums
    said = run("contest", "check", path, "--store", live)
    check("another program may read it, and be the last that has it open", said.returncode == 0 and
          "some pages without a checksum" in said.stdout, said.stdout + said.stderr)
    kept = {name: open(left + name, "rb").read() for name in ("", "-wal")}
    said = run("contest", "show", path, "--csv", "--store", left)
    check("a store that a crash has left is opened, with all that was committed", said.returncode == 0 and
          "withdrawn" in said.stdout, said.stderr)
    data = bytearray(kept[""])
    data[data.index(b'"by_referee"')] ^= 1  # in a record, which this form does not read
    for name, crashed in (("closed", False), ("crashed", True)):
        damaged = os.path.join(folder, f"{name}.db")
        with open(damaged, "wb") as file:
            file.write(data)
        if crashed:
            with open(damaged + "-wal", "wb") as file:
                file.write(kept["-wal"])
        said = run("contest", "show", path, "--csv", "--store", damaged)
        if crashed:
            check("after a crash the whole of it is looked through", said.returncode == 2 and
                  "is damaged" in said.stderr, said.stderr)
        else:
            check("one that was closed well is read where it is needed", said.returncode == 0, said.stderr)


def checked(path, source, what, words, change, summed=True):
    """contest check on a store that was changed by hand, with checksums that fit again."""
    copy = os.path.join(work, "changed.db")
    shutil.copy(source, copy)
    store = sqlite3.connect(copy)
    change(store)
    store.commit()
    store.close()
    if summed:
        resum(copy)
    said = run("contest", "check", path, "--store", copy)
    check(f"contest check: {what}", said.returncode in (1, 2) and words in said.stdout + said.stderr,
          f"{said.returncode} {said.stdout} {said.stderr}")
    os.remove(copy)


def checks(path, source):
    said = run("contest", "check", path)
    check("contest check: all is well", said.returncode == 0 and "0 wrong; the store fits together, every page "
          "with its checksum" in said.stdout, said.stdout + said.stderr)
    cases = (("a winner", "the same of 'winner'", "UPDATE game SET winner = 3 - winner WHERE number = 1"),
             ("a player", "the same of 'players'", "UPDATE game SET black = white, white = black WHERE number = 1"),
             ("a verdict", "the same of 'verdict'", "UPDATE game SET verdict = 'black late' WHERE verdict <> ''"),
             ("the table", "the table counts", "UPDATE tally SET games = games + 1"),
             ("a state", "state that is none", "UPDATE game SET state = 'dond' WHERE number = 1"),
             ("a record's text", "not as it was written",
              "UPDATE record SET text = replace(text, '\"plies\":', '\"plies\":1') WHERE number = 2"),
             ("a record that is gone", "have no record", "DELETE FROM record WHERE number = 2"),
             ("a folder", "not what its checksum says", "UPDATE file SET bytes = bytes || x'00'"))
    for what, words, sql in cases:
        checked(path, source, what, words, lambda store, sql=sql: store.executescript(sql))
    checked(path, source, "pages that another program has written", "page",
            lambda store: store.execute("UPDATE game SET plies = plies + 1"), summed=False)


conf = make()
original = store_of(conf)
before = shown(conf)
flipped(conf, original, "pages with checksums")
old_store = os.path.join(work, "old.db")
as_before(original, old_store)
check("a store of an earlier version shows the same", shown(conf, "--store", old_store) == before)
flipped(conf, old_store, "a store of an earlier version", 2, games_of)
after_crash(conf, original)
checks(conf, original)
finish()
