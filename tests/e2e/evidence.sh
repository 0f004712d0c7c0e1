#!/bin/sh
# What is kept of a game for those who want to know why it went so: who the players say they are, what
# stands in the log, and in the verdict on one that did not start or has ended. Prints TAP.
exec python3 - <<'PYTHON'
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/e2e")
from checks import check, finish, free_port

ARBITER = os.environ["ARBITER"]
work = tempfile.mkdtemp()

PLAYER = '''
import os, sys, time
coding, name, department, end = sys.argv[1:5]
out = sys.stdout.buffer
place = -1
for line in sys.stdin:
    word = line.split()[0]
    if word in ("START", "BLOCK"):
        out.write(b"OK\\n")
    elif word == "INFO":
        out.write(f"TeamName:{name}, Department: {department}\\r\\n".encode(coding))
    elif word in ("BEGIN", "TURN"):
        for byte in "생각 중 \\x1b[2J\\n".encode(coding):  # a write for every byte
            os.write(2, bytes([byte]))
        if end == "raise" and word == "TURN":
            raise ValueError("나쁜 수")
        row = 0 if end == "good" else 18
        stones = []
        for _ in range(1 if word == "BEGIN" else 2):
            place += 1
            stones.append(f"{place % 19},{row + (place // 19 if row == 0 else -(place // 19))}")
        out.write((" ".join(stones) + "\\n").encode())
    out.flush()
'''


def match(game, first, second, *words):
    """A game; its record, and the log without times, once it is found to be UTF-8."""
    shutil.rmtree(f"{work}/record", ignore_errors=True)
    ran = subprocess.run([ARBITER, "match", game, first, second, "--seed", "1", "--set", "start_time=600", "--record",
                          f"{work}/record", "--log", f"{work}/log", *words], text=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=3600, check=False)
    assert ran.returncode == 0, ran.stderr
    subprocess.run([ARBITER, "replay", f"{work}/record/games.jsonl", "--check"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(f"{work}/record/games.jsonl", encoding="utf-8") as file:
        record = json.loads(file.readline())
    with open(f"{work}/log", encoding="utf-8") as file:
        return record, [line[12:] for line in file.read().splitlines()], ran.stderr


def six(number, coding, name, department, end):
    folder = f"{work}/{number}"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/player.py", "w", encoding="utf-8") as file:
        file.write(PLAYER)
    return f"cmd:python3 {folder}/player.py {coding} {name} {department} {end}"


def levels():
    """No box, and the best there is."""
    yield ["--box", "off"]
    for level in "3", "2", "1", "0":
        if subprocess.run([ARBITER, "match", "cuptactoe", "random", "random", "--box", level], check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0:
            yield ["--box", level]
            return


@check
def names():
    """INFO: team and department of both are in the record, as UTF-8, boxed and not"""
    for words in levels():
        record, log, _ = match("connect6", six(0, "cp949", "한글팀", "컴퓨터공학과", "good"),
                               six(1, "utf-8", "Blé", "Wörter", "raise"), "--set", "blocks=none", "--time", "60", *words)
        assert record["names"] == ["한글팀", "Blé"], record["names"]
        assert record["departments"] == ["컴퓨터공학과", "Wörter"], record["departments"]
        assert any("TeamName:한글팀, Department: 컴퓨터공학과" in line for line in log), log


@check
def traceback():
    """the last line of a traceback stands in the verdict and in the log; standard error is kept by lines"""
    for words in levels():
        record, log, _ = match("connect6", six(0, "utf-8", "a", "b", "good"),
                               six(1, "cp949", "c", "d", "raise"), "--set", "blocks=none", "--time", "60", *words)
        verdict = record["verdict"]
        assert verdict["word"] == "gone" and verdict["player"] == 2, verdict
        assert verdict["evidence"] == "exited with code 1; it said: line 16: ValueError: 나쁜 수", verdict
        noise = [line for line in log if " !! O " in line]
        assert noise[0].endswith("raise 생각 중 \\x1b[2J"), noise
        assert noise[1].endswith("Traceback (most recent call last):"), noise
        assert noise[-1].endswith("ValueError: 나쁜 수"), noise
        end = next(line for line in log if "has ended after" in line)
        assert "ValueError: 나쁜 수" in end and log.index(noise[-1]) < log.index(end), log


@check
def long_lines():
    """a long line of standard error stands in the log in pieces that can be read, and its beginning in the verdict"""
    for coding in "utf-8", "cp949":
        path = f"{work}/long.py"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"import os\nos.write(2, b'long ' + '한글'.encode('{coding}') * 3000 + b'\\n')\n")
        record, log, _ = match("connect6", f"cmd:python3 {path}", "random")
        said = [line.partition("long.py ")[2] for line in log if " !! X " in line]
        assert "".join(said) == "long " + "한글" * 3000, said
        assert "it said: long 한글한글" in record["verdict"]["evidence"], record["verdict"]


@check
def python():
    """so does that of a Bot, and what it printed"""
    with open(f"{work}/bot.py", "w", encoding="utf-8") as file:
        file.write("class Bot:\n  def get_move(self, board, pieces, player):\n    print('생각')\n    return board[99]\n")
    record, log, _ = match("cuptactoe", f"py:{work}/bot.py", "random")
    assert record["verdict"]["word"] == "illegal", record["verdict"]
    assert "line 4: IndexError: list index out of range" in record["verdict"]["evidence"], record["verdict"]
    assert any("!! X" in line and line.endswith("생각") for line in log), log
    assert any("!! X" in line and "IndexError: list index" in line for line in log), log


@check
def python_words():
    """what a Bot raises can be read in any script, in verdict and log"""
    with open(f"{work}/bot.py", "w", encoding="utf-8") as file:
        file.write("class Bot:\n  def get_move(self, board, pieces, player):\n    raise ValueError('내 잘못')\n")
    record, log, _ = match("cuptactoe", f"py:{work}/bot.py", "random")
    assert record["verdict"]["evidence"] == "'line 3: ValueError: 내 잘못': no move", record["verdict"]
    assert any("<- X" in line and line.endswith("!line 3: ValueError: 내 잘못") for line in log), log


@check
def wrong_id():
    """a wrong team id, and the stop that was sent, stand in verdict, log and on standard error"""
    port = str(free_port())
    bot = f"{ARBITER} bot tower4 --protocol stcp --port {port} --level random --team"
    record, log, said = match("tower4", f"tcp:7={bot} 8", "random", "--set", "pieces=8", "--port", port)
    verdict = record["verdict"]
    assert verdict["word"] == "not-ready", verdict
    assert "team 8 was sent the stop: no seat has that id" in verdict["evidence"], verdict
    for place in said, "\n".join(log):
        assert "team 8 was sent the stop: no seat has that id" in place, place
    record, log, _ = match("tower4", f"tcp:7={bot} 7", "random", "--set", "pieces=8", "--port", port)
    assert record["verdict"] is None, record["verdict"]
    assert any("-> X" in line and "the stop: 0 " in line for line in log), log


@check
def wine32():
    """a Windows program of 32 bits where wine32 is missing: verdict and log say so, with the remedy"""
    if not shutil.which("wine") or os.path.exists("/usr/lib/wine/wine") or not os.path.exists("/usr/lib/wine/wine64"):
        return
    head = bytearray(512)
    struct.pack_into("<2s58xI", head, 0, b"MZ", 128)
    struct.pack_into("<4sH", head, 128, b"PE\0\0", 0x14c)
    with open(f"{work}/old.exe", "wb") as file:
        file.write(head)
    for words in levels():
        ran = subprocess.run([ARBITER, "match", "connect6", f"cmd:{work}/old.exe", "random", "--json", "--log",
                              f"{work}/log", "--set", "ponder=allow", *words], text=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=3600, check=True)
        verdict = json.loads(ran.stdout)["verdict"]
        with open(f"{work}/log", encoding="utf-8") as file:
            log = file.read()
        for place in verdict["evidence"], log:
            assert "wine32 is missing: dpkg --add-architecture i386" in place, place


shutil.rmtree(work)
finish()
PYTHON
