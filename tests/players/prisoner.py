#!/usr/bin/env python3
"""prisoner.py COLUMN HABIT [WORDS]: an abp player of tower4 that drops all its pieces into one column, for
games of 8 pieces, and tries to get out of its box before, or to take more than its share. What came of
it stands on standard error, a line for each deed: "deed NAME refused WHY" or "deed NAME done".

  good                no misdeed; waits 20 ms before it answers, as all do
  slow                the same with 200 ms
  deeds PATH...       all that every filter refuses; the paths are files that are not its own
  reach PATH...       the same, and signals to those that have started it
  escape PATH...      deeds, and what walls refuse besides
  bomb                forks as often as it can
  malloc, shared, memfd, sockets, herd, helper [MB]   takes 200 MB, or so much: as its own memory, in a map
                      that it shares, in a file without a name, as words that nobody reads, by four children, by a
                      child that alone dies of it
  work [S]            uses 0.2 s of CPU time in each of its turns, or so much
  hog [N [NICE]]      has 127 children, or so many, that are busy all the time, so nice to itself
  ponder              works in the other's turn too
  daemon MARK         leaves a process behind whose command line holds MARK"""
import ctypes
import fcntl
import mmap
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time

MB = 1 << 20
GREED = 200  # MB
libc = ctypes.CDLL(None, use_errno=True)


def told(name, deed):
    """Does it and says what came of it."""
    try:
        result = deed()
        print("deed", name, "done" if result is None else result, file=sys.stderr, flush=True)
    except Exception as error:
        why = getattr(error, "strerror", None) or repr(error)
        print("deed", name, "refused", why, file=sys.stderr, flush=True)


def call(function, *words):
    if getattr(libc, function)(*words) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def write(path):
    with open(path, "wb") as file:
        file.write(b"x")


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(2)
        s.connect(address)


def listen():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
        s.bind(("127.0.0.1", 0))
        s.listen()


def fill_disk():
    """How many MB it could write, in files of 10."""
    count = 0
    try:
        for i in range(100):
            with open(f"file{i}", "wb", buffering=0) as file:
                for _ in range(10):
                    if file.write(bytes(MB)) < MB:
                        raise OSError("no room")
                    count += 1
    except OSError:
        pass
    for name in os.listdir("."):
        if name.startswith("file"):
            os.remove(name)
    return f"{count} MB"


def open_files():
    files = []
    try:
        while len(files) < 100000:
            files.append(os.dup(0))
    except OSError:
        pass
    for fd in files:
        os.close(fd)
    return f"{len(files)} files"


def setuid(path):
    said = subprocess.run([path, "-u"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if said.strip() != "0":
        raise OSError("still user " + said.strip())


def see_others():
    """Processes of the judge's that can be seen."""
    names = []
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                names.append(file.read().strip())
    return "judge" if any(name in ("arbiter", "arbiter-keeper") for name in names) else "nobody"


def kill_others():
    """How many processes it could kill, but for itself and its parent."""
    count = 0
    for pid in os.listdir("/proc"):
        if pid.isdigit() and int(pid) not in (os.getpid(), os.getppid()):
            try:
                with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                    name = file.read().strip()
                os.kill(int(pid), signal.SIGKILL)
                # The first of a box hears nothing from inside; who tells of refusals may be silenced.
                count += pid != "1" and name != "arbiter-witness"
            except OSError:
                pass
    return f"{count} killed"


def signal_by_reading(pid):
    """Has a signal sent to a process when there is something to read."""
    ours, other = socket.socketpair()
    fcntl.fcntl(ours, fcntl.F_SETOWN, pid)
    fcntl.fcntl(ours, 10, signal.SIGTERM)  # F_SETSIG
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC)
    other.send(b"x")


def kill_judge():
    """How many of those above us, or of their groups, could be sent a signal."""
    pid, count = os.getppid(), 0
    while pid > 1:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            above = int(file.read().rpartition(")")[2].split()[1])
        for target in pid, -os.getpgid(pid):
            if target in (0, -os.getpgrp()):
                continue  # ourselves
            for deed in lambda: os.kill(target, signal.SIGTERM), lambda: signal_by_reading(target):
                try:
                    deed()
                    count += 1
                except OSError:
                    pass
        pid = above
    return f"{count} killed"


def see_secret():
    """Whether the environment of any process tells what is none of our business."""
    for pid in os.listdir("/proc"):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if pid.isdigit() and b"PGPASSWORD" in file.read():
                    return
        except OSError:
            pass
    raise OSError("nobody tells")


def change_memory():
    """Of the first process in the box, which is not filtered and never frozen."""
    with open("/proc/1/mem", "r+b"):
        pass


def count_until(most, deed):
    """How often it can be done."""
    count = 0
    try:
        while count < most:
            deed(count)
            count += 1
    except (OSError, RuntimeError):
        pass
    return count


def make_files():
    count = count_until(100000, lambda i: os.close(os.open(f"/tmp/small{i}", os.O_CREAT)))
    for i in range(count):
        os.remove(f"/tmp/small{i}")
    return f"{count} small files"


def make_threads():
    end = threading.Event()
    threads = []

    def start(_):
        thread = threading.Thread(target=end.wait)
        thread.start()
        threads.append(thread)
    threading.stack_size(65536)
    count = count_until(1000, start)
    end.set()
    for thread in threads:
        thread.join()
    return f"{count} threads"


def deeds(*paths):
    for path in paths:
        told(f"read:{path}", lambda path=path: read(path))
    told("write:/usr/x", lambda: write("/usr/x"))
    told("write:/x", lambda: write("/x"))
    told("write:/dev/x", lambda: write("/dev/x"))
    told("write:own", lambda: write("own"))
    told("connect", lambda: connect(socket.AF_INET, ("1.1.1.1", 80)))
    told("connect:loopback", lambda: connect(socket.AF_INET, ("127.0.0.1", 22)))
    told("connect:6", lambda: connect(socket.AF_INET6, ("::1", 22)))
    told("listen", listen)
    told("ptrace", lambda: call("ptrace", 16, os.getppid(), None, None))
    told("mount", lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
    told("unshare", lambda: call("unshare", 0x10000000))
    told("files", open_files)
    if os.path.exists(os.path.dirname(os.path.abspath(__file__)) + "/root-id"):
        told("setuid", lambda: setuid(os.path.dirname(os.path.abspath(__file__)) + "/root-id"))


def reach(*paths):
    deeds(*paths)
    told("judge", kill_judge)


def escape(*paths):
    deeds(*paths)
    told("write:/tmp", lambda: write("/tmp/own"))
    told("disk", fill_disk)
    told("small", make_files)
    told("threads", make_threads)
    told("environ", see_secret)
    told("memory", change_memory)
    told("sight", see_others)
    told("kill", kill_others)
    told("nice", lambda: str(os.nice(0)))


def bomb():
    count = 0
    try:
        while count < 2000:
            if os.fork() == 0:
                time.sleep(3600)
                os._exit(0)
            count += 1
    except OSError:
        pass
    print("deed bomb", count, file=sys.stderr, flush=True)


def touch(memory):
    for i in range(0, len(memory), 4096):
        memory[i] = 1


def malloc(mb=GREED):
    touch(bytearray(int(mb) * MB))


def shared(mb=GREED):
    touch(mmap.mmap(-1, int(mb) * MB))


def memfd(mb=GREED):
    """In several, because the size of each is bounded."""
    for i in range(int(mb)):
        if i % 100 == 0:
            fd = os.memfd_create("x")
        os.write(fd, bytes(MB))


def sockets(mb=GREED):
    """As much as goes into pairs of sockets."""
    kept, done = [], 0
    while done < int(mb) * MB and len(kept) < 400:
        ours, other = socket.socketpair()
        kept.append((ours, other))
        ours.setblocking(False)
        try:
            while True:
                done += ours.send(bytes(65536))
        except OSError:
            pass
    print("deed sockets", done // MB, "MB", file=sys.stderr, flush=True)


def herd(mb=GREED, count=4):
    """Goes on when all have eaten, or are gone."""
    size = int(mb) * MB // count
    hear, tell = os.pipe()
    for _ in range(count):
        if os.fork() == 0:
            food = bytearray(size)
            touch(food)
            os.write(tell, b"x")
            time.sleep(3600)
            os._exit(0)
    while count > 0:
        if select.select([hear], [], [], 0.05)[0]:
            count -= len(os.read(hear, count))
        elif os.waitpid(-1, os.WNOHANG)[0] > 0:
            count -= 1


def helper(mb=GREED):
    child = os.fork()
    if child == 0:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
        malloc(mb)
        os._exit(0)
    os.waitpid(child, 0)


def daemon(mark):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3):
                os.close(fd)
            os.execvp("sleep", ["sleep", mark])
        os._exit(0)


def hog(most=127, nice=0):
    """None of them outlives this test, whatever becomes of it."""
    count = 0
    try:
        while count < int(most):
            if os.fork() == 0:
                os.nice(int(nice))
                end = time.monotonic() + 300
                while time.monotonic() < end:
                    pass
                os._exit(0)
            count += 1
    except OSError:
        pass
    print("deed hog", count, file=sys.stderr, flush=True)


def work(seconds=0.2):
    end = time.process_time() + float(seconds)
    while time.process_time() < end:
        pass


def ponder():
    def always():
        while True:
            pass
    sys.setswitchinterval(0.0005)
    threading.Thread(target=always, daemon=True).start()


HABITS = {
    "good": lambda: None,
    "slow": lambda: None,
    "deeds": deeds,
    "escape": escape,
    "reach": reach,
    "bomb": bomb,
    "malloc": malloc,
    "shared": shared,
    "memfd": memfd,
    "sockets": sockets,
    "herd": herd,
    "helper": helper,
    "hog": hog,
    "work": lambda *words: None,
    "ponder": ponder,
    "daemon": daemon,
}


def main(column, habit, *words):
    for line in sys.stdin:
        word = line.split()[0]
        if word == "abp":
            HABITS[habit](*words)
            print("ready prisoner", flush=True)
        elif word == "quit":
            os._exit(0)
        elif word == "go" and habit == "work":
            work(*words)
            print("move", line.split()[1], column, flush=True)
        elif word == "go":
            time.sleep(0.2 if habit in ("slow", "hog") else 0.02)
            print("move", line.split()[1], column, flush=True)


main(*sys.argv[1:])
