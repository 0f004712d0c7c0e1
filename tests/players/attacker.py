#!/usr/bin/env python3
"""attacker.py COLUMN HABITS MARK: an abp player of tower4 like prisoner.py that wants to leave something behind,
or to stop the contest. HABITS are joined by commas. What came of single deeds stands on standard error: "deed
NAME refused WHY" or "deed NAME done".

  calls               system calls and devices that no game needs, and a local socket named MARK without a path
  litter              files named MARK where everybody may write, memory and queues that outlive who made them
  watch               as many watches and timers as it can have
  maze                folders deeper than any path, and files and folders without permissions
  runner              children that fork and end without pause, each in a session of its own, unreaped
  orphans             becomes a subreaper, with daemons called MARK that do the same
  stop                stops itself and its group in its turn, deaf to signals
  dump                dies in its turn, and wants its memory in a file"""
import ctypes
import os
import resource
import signal
import socket
import sys
import time

MB = 1 << 20
libc = ctypes.CDLL(None, use_errno=True)


def told(name, deed):
    try:
        deed()
        print("deed", name, "done", file=sys.stderr, flush=True)
    except OSError as error:
        print("deed", name, "refused", error.strerror, file=sys.stderr, flush=True)


def system(number, *words):
    result = libc.syscall(number, *words)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def write(path):
    with open(path, "xb") as file:
        file.write(bytes(4096))


def calls():
    for name, number, *words in (
            ("io_uring", 425, 8, ctypes.create_string_buffer(240)), ("userfaultfd", 323, 1), ("keyctl", 250, 0, -3, 1),
            ("add_key", 248, b"user", b"x", b"y", 1, -3), ("bpf", 321, 0, None, 0), ("perf", 298, None, 0, -1, -1, 0),
            ("fanotify", 300, 0, 0), ("setns", 308, 0, 0), ("chroot", 161, b"/"), ("swapon", 167, b"/x", 0),
            ("clock_settime", 227, 0, ctypes.create_string_buffer(16)), ("mknod", 133, b"device", 0o20666, 0x101),
            ("affinity", 203, 0, 8, b"\1\0\0\0\0\0\0\0"), ("new-user", 56, 0x10000000 | 17, 0, 0, 0, 0),
            ("type", 16, 0, 0x5412, b"x"), ("console", 16, 0, 0x541c, b"\3")):
        told(name, lambda number=number, words=words: system(number, *words))
    for name in "/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/proc/sysrq-trigger", "/proc/kcore":
        told(name, lambda name=name: os.close(os.open(name, os.O_RDWR)))
    told("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\0" + sys.argv[3]))
    for family in (16, 17, 38, 40):  # netlink, packets, the kernel's ciphers, virtual machines
        told(f"family-{family}", lambda family=family: socket.socket(family, socket.SOCK_RAW).close())


def litter():
    mark = sys.argv[3]
    for folder in "/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue":
        told(folder, lambda folder=folder: write(f"{folder}/{mark}"))
    told("shm", lambda: system(29, 0x41000000 | os.getpid(), MB, 0o1600))
    told("msg", lambda: system(68, 0x41000000 | os.getpid(), 0o1600))
    told("sem", lambda: system(64, 0x41000000 | os.getpid(), 1, 0o1600))
    told("mq", lambda: system(240, mark.encode(), os.O_CREAT | os.O_RDWR, 0o600, None))
    told("nameless", lambda: os.close(os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)))


def maze():
    os.mkdir("shut")
    write("shut/file")
    os.chmod("shut/file", 0)
    os.mkdir("shut/in", 0)
    os.chmod("shut", 0)
    home = os.getcwd()
    for _ in range(300):
        os.mkdir("n" * 255)
        os.chdir("n" * 255)
    write("file")
    os.chdir("/")
    os.chmod(home, 0)


def stop():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    os.kill(os.getpid(), signal.SIGSTOP)
    os.kill(0, signal.SIGSTOP)


def run_away(end):
    """From one process into the next."""
    while time.monotonic() < end:
        try:
            if os.getpid() != os.getsid(0):
                os.setsid()
            if os.fork() > 0:
                os._exit(0)
        except OSError:
            time.sleep(0.001)
    os._exit(0)


def runner():
    end = time.monotonic() + 60  # whatever becomes of this test
    libc.prctl(36, 1, 0, 0, 0)  # all come back to us when they end, and lie about
    for _ in range(4):
        if os.fork() == 0:
            run_away(end)


def leave_daemon():
    if os.fork() == 0:
        for fd in range(3):
            os.close(fd)
        os.execvp("sleep", ["sleep", sys.argv[3]])


def orphans():
    libc.prctl(36, 1, 0, 0, 0)
    for _ in range(3):
        leave_daemon()
        if os.fork() == 0:
            os.setsid()
            libc.prctl(36, 1, 0, 0, 0)
            leave_daemon()
            os._exit(0)


def dump():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    rest = bytearray(20 * MB)
    os.abort()
    del rest


def watch():
    for number, words in ((253, ()), (290, (0, 0)), (283, (1, 0)), (291, (0,)), (282, (-1, b"\0" * 8, 8, 0))):
        for _ in range(2000):
            if libc.syscall(number, *words) < 0:
                break
    for fd in range(3, 1024):
        try:
            os.close(fd)
        except OSError:
            pass


AT_ONCE = {"calls": calls, "litter": litter, "watch": watch, "maze": maze, "runner": runner, "orphans": orphans}
IN_TURN = {"stop": stop, "dump": dump}


def main(column, habits, *_):
    for line in sys.stdin:
        word = line.split()[0]
        if word == "quit":
            os._exit(0)
        deeds = AT_ONCE if word == "abp" else IN_TURN if word == "go" else {}
        for habit in habits.split(","):
            deeds.get(habit, lambda: None)()
        if word == "abp":
            print("ready attacker", flush=True)
        elif word == "go":
            print("move", line.split()[1], column, flush=True)


main(*sys.argv[1:])
