#!/usr/bin/env python3
"""simple.py HABIT [FILE [COLUMN]]: an abp player of tower4 that drops all its pieces into one column,
for games of 8 pieces. What it does besides:

  burn    works 30 ms before it answers
  doze    sleeps 30 ms before it answers
  wait    waits before it answers until FILE has as many lines as it has had turns
  ponder  works in the other's turn too; FILE gets how much each time
  daemon  keeps a process without parent and in a session of its own, whose number is in FILE
  hungry  asks for 256 MB, and leaves with code 3 if it does not get them"""
import os
import sys
import threading
import time

COLUMN = "5,2"  # the players of `arbiter bench` do not use it


def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def start_daemon(path):
    """Returns when its number is in the file."""
    hear, tell = os.pipe()
    first = os.fork()
    if first == 0:
        os.setsid()
        if os.fork() == 0:
            with open(path, "a", encoding="ascii") as file:
                print(os.getpid(), file=file, flush=True)
            for fd in 0, 1, 2, hear, tell:
                os.close(fd)
            time.sleep(3600)
        os._exit(0)
    os.waitpid(first, 0)
    os.close(tell)
    os.read(hear, 1)
    os.close(hear)


def lines(path):
    with open(path, encoding="ascii") as file:
        return len(file.readlines())


def main(habit, path=None, column=COLUMN):
    work = [0]

    def always():
        while True:
            work[0] += 1

    if habit == "ponder":
        sys.setswitchinterval(0.0005)
        threading.Thread(target=always, daemon=True).start()
    if habit == "daemon":
        start_daemon(path)
    if habit == "hungry":
        try:
            _food = bytearray(256 << 20)
        except MemoryError:
            os._exit(3)
    rested, turns = None, 0
    for line in sys.stdin:
        word = line.split()[0]
        if word == "abp":
            print("ready simple", flush=True)
        elif word == "quit":
            os._exit(0)
        elif word == "go":
            if habit == "ponder" and rested is not None:
                with open(path, "a", encoding="ascii") as file:
                    print(work[0] - rested, file=file)
            if habit == "burn":
                burn(0.03)
            elif habit == "doze":
                time.sleep(0.03)
            turns += 1
            while habit == "wait" and lines(path) < turns:
                time.sleep(0.01)
            print("move", line.split()[1], column, flush=True)
            rested = work[0]


main(*sys.argv[1:])
