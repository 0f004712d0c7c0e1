#!/usr/bin/env python3
"""attacker.py COLUMN HABITS MARK [SOCKET]: an abp player of tower4 like prisoner.py that wants to leave something behind,
or to stop the contest. HABITS are joined by commas. What came of single deeds stands on standard error: "deed
NAME refused WHY" or "deed NAME done".

  calls               system calls and devices that no game needs, a local socket named MARK without a path, and one
                      with the path SOCKET
  pairs               pairs of sockets whose ends would reach SOCKET, or be found by a name
  newer               system calls of kernels that came after the list of those that are allowed
  locks               locks and watches on files that another player can see too
  litter              files named MARK where everybody may write, memory and queues that outlive who made them
  watch               as many watches and timers as it can have
  maze                folders deeper than any path, and files and folders without permissions
  runner              children that fork and end without pause, each in a session of its own, unreaped
  orphans             becomes a subreaper, with daemons called MARK that do the same
  stop                stops itself and its group in its turn, deaf to signals
  dump                dies in its turn, and wants its memory in a file"""
import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import struct
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
    told("path", lambda: socket.socket(socket.AF_UNIX).connect(sys.argv[4]))
    for family in (16, 17, 38, 40):  # netlink, packets, the kernel's ciphers, virtual machines
        told(f"family-{family}", lambda family=family: socket.socket(family, socket.SOCK_RAW).close())


def pairs():
    """What becomes of pairs: streams are what languages use."""
    for name, kind in ("stream", socket.SOCK_STREAM), ("datagram", socket.SOCK_DGRAM), ("packet", socket.SOCK_SEQPACKET), ("raw", socket.SOCK_RAW):
        for flags in 0, socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK:
            told(f"{name}:{flags}", lambda kind=kind, flags=flags: pair(kind | flags))
        told(f"connect:{name}", lambda kind=kind: reconnect(pair(kind)))
        told(f"send:{name}", lambda kind=kind: pair(kind).sendto(b"x", sys.argv[4]))
        told(f"bind:{name}", lambda kind=kind: pair(kind).bind("end"))
        told(f"name:{name}", lambda kind=kind: pair(kind).bind("\0" + sys.argv[3] + name))


def pair(kind):
    """One end of it; the other stays open."""
    ends = (ctypes.c_int * 2)()
    if libc.socketpair(socket.AF_UNIX, kind, 0, ends) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return socket.socket(fileno=ends[0])


def reconnect(end):
    unspecified = ctypes.create_string_buffer(16)
    libc.connect(end.fileno(), unspecified, 16)
    end.connect(sys.argv[4])


def newer():
    """Which of them are not answered as by a kernel that has never heard of them."""
    known = []
    for number in list(range(428, 520)) + [1000, 0x40000000 | 39]:
        if number in (434, 436, 437, 439, 441, 449):  # pidfd_open, close_range, openat2 and others on the list
            continue
        ctypes.set_errno(0)
        if libc.syscall(number, -1, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != errno.ENOSYS:
            known.append(number)
    print("deed newer", known or "none", file=sys.stderr, flush=True)


def locks():
    """Every way to shut another out of a file, to feel that, or to hear of what he does to it."""
    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
    shut = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
    for path, mode in (sys.executable, os.O_RDONLY), ("/dev/null", os.O_RDWR):
        fd = os.open(path, mode)
        for name, deed in (
                ("flock", lambda: fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)),
                ("set", lambda: fcntl.fcntl(fd, fcntl.F_SETLK, lock)), ("wait", lambda: fcntl.fcntl(fd, fcntl.F_SETLKW, lock)),
                ("get", lambda: fcntl.fcntl(fd, fcntl.F_GETLK, shut)), ("ofd-set", lambda: fcntl.fcntl(fd, 37, lock)),
                ("ofd-wait", lambda: fcntl.fcntl(fd, 38, lock)), ("ofd-get", lambda: fcntl.fcntl(fd, 36, shut)),
                ("lease", lambda: fcntl.fcntl(fd, 1024, fcntl.F_RDLCK)), ("unread", lambda: os.posix_fadvise(fd, 0, 0, 4)),
                ("inotify", lambda: system(254, system(253), path.encode(), 0x20)),
                ("dnotify", lambda: fcntl.fcntl(os.open("/usr", os.O_RDONLY), 1026, 1))):
            told(f"{name}:{path}", deed)
        told(f"shared:{path}", lambda: fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB))
        os.close(fd)


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
    end = time.monotonic() + 3600  # whatever becomes of this test
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


AT_ONCE = {"calls": calls, "pairs": pairs, "newer": newer, "locks": locks, "litter": litter, "watch": watch, "maze": maze, "runner": runner, "orphans": orphans}
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
