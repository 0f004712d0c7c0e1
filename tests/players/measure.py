#!/usr/bin/env python3
"""measure.py COMMAND...: runs a command for an hour at most and says, on standard error, how it ended,
its greatest memory and which processes it left behind; these are ended.

It makes itself the reaper of all that descends from it, so that nothing escapes by forking twice or
by a session of its own. The memory is what wait4 tells: the greatest of the command and of those
children that it waited for, so never too low."""
import collections
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_S = 120  # for processes that are being ended when the command ends

Ran = collections.namedtuple("Ran", "code out err peak_kb left seconds")


def offspring():
    """The living descendants of this process: number and command line."""
    parents, words = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words[int(name)] = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if state not in "ZX":
            parents[int(name)] = int(parent)
    found = {os.getpid()}
    while new := {child for child, parent in parents.items() if parent in found} - found:
        found |= new
    return {child: words[child] for child in found - {os.getpid()}}


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def run(command, limit_s=3600, **options):
    """Runs it; the code is negative for a signal, None if it took too long."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    began = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 **options)
        late = False
        while True:
            pid, status, used = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if not late and time.monotonic() - began > limit_s:
                late = True
                os.kill(child.pid, signal.SIGKILL)
            time.sleep(0.005)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        until = time.monotonic() + PATIENCE_S
        while offspring() and time.monotonic() < until:
            reap()
            time.sleep(0.02)
        left = offspring()
        while rest := offspring():
            for pid in rest:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
            reap()
        reap()
        out.seek(0)
        err.seek(0)
        return Ran(None if late else child.returncode, out.read(), err.read(), used.ru_maxrss,
                   sorted(left.values()), seconds)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ran = run(sys.argv[1:])
    sys.stdout.buffer.write(ran.out)
    sys.stderr.buffer.write(ran.err)
    sys.stderr.write(f"code {ran.code}, {ran.seconds:.3f} s, {ran.peak_kb} kB, left: {ran.left}\n")
    sys.exit(1 if ran.code is None else abs(ran.code))
