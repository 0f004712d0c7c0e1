"""What the players of this folder share: how a behaviour is chosen, what any player can do wrong
whatever it speaks, and where a friendly player complains of the judge.

A behaviour is NAME, NAME@N, NAME@* or NAME@<N: the player is friendly except on its N-th turn (2 if not
said), on all of them, or on all before that. A misdeed is a function that stands in place of an answer; a setup is one
that changes how the player begins or ends. Both are found by their names: a new one is one more
function with a decorator. Without arguments a program lists what it can do."""
import os
import random
import signal
import sys
import time

MISDEEDS = {}
SETUPS = {}
GIGABYTE = 1 << 30
CHILD_LIFE_S = 3600  # longer than any case, in case nobody ends it


def misdeed(function):
    MISDEEDS[function.__name__] = function
    return function


def setup(function):
    SETUPS[function.__name__] = function
    return function


def complain(text):
    """The judge broke docs/protocol.md: says so on standard error and in $ARBITER_COMPLAINTS."""
    sys.stderr.write(f"complaint: {text}\n")
    if path := os.environ.get("ARBITER_COMPLAINTS"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{' '.join(sys.argv[1:])}: {text}\n")


def sleep_forever():
    while True:
        time.sleep(CHILD_LIFE_S)


def garbage(size):
    """Bytes without sense, always the same; as a 32-bit number they begin below zero."""
    return b"\xa5\xff\x00\xfe" + random.Random(6).randbytes(size - 4)


def leave_child():
    """A child that ignores SIGTERM and keeps all that is open."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(CHILD_LIFE_S)
        os._exit(0)


class Player:
    """A protocol fills in the first four; a request is whatever it makes of a turn."""

    def begin(self):
        """Connects or greets, until the first request can come."""

    def requests(self):
        """Yields requests until it is told to leave."""

    def answer(self, request):
        """The bytes of a friendly answer."""

    def write(self, data):
        """Sends bytes to the judge."""

    def end(self):
        """What it does when it has been told to leave."""

    def good(self, request):
        self.write(self.answer(request))

    def play(self, behaviour):
        name, _, when = behaviour.partition("@")
        deed = MISDEEDS.get(name)
        if name in SETUPS:
            SETUPS[name](self)
        elif deed is None and name != "good":
            sys.exit(f"{name} is no behaviour; without arguments they are listed")
        self.begin()
        for turn, request in enumerate(self.requests(), 1):
            due = deed and (when == "*" or turn < int(when[1:]) if when[:1] in ("*", "<") else turn == int(when or 2))
            (deed if due else Player.good)(self, request)
        self.end()


def usage(text):
    print(text, "\n\n  good: plays on, friendly\n\nOn a turn:")
    for table, title in ((MISDEEDS, "\nAt the start or the end:"), (SETUPS, "")):
        for name, function in sorted(table.items()):
            print(f"  {name}: {function.__doc__}")
        print(title)
    sys.exit(2)


@misdeed
def crash(_player, _request):
    """dies of a signal"""
    os.kill(os.getpid(), signal.SIGKILL)


@misdeed
def exit0(_player, _request):
    """leaves as if all were well"""
    os._exit(0)


@misdeed
def hang(_player, _request):
    """says nothing any more"""
    sleep_forever()


@misdeed
def hang_deaf(_player, _request):
    """says nothing any more and ignores SIGTERM, SIGINT and SIGHUP"""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sleep_forever()


@misdeed
def nap(player, request):
    """sleeps for three limits of a second, then answers and plays on"""
    time.sleep(3)
    player.good(request)


@misdeed
def stop_itself(_player, _request):
    """stops itself with SIGSTOP"""
    os.kill(os.getpid(), signal.SIGSTOP)


@misdeed
def slow(player, request):
    """a byte a second"""
    for byte in player.answer(request):
        player.write(bytes([byte]))
        time.sleep(1)


@misdeed
def half(player, request):
    """half a message, then nothing"""
    data = player.answer(request)
    player.write(data[:len(data) // 2])
    sleep_forever()


@misdeed
def split(player, request):
    """a byte at a time, but at once: friendly"""
    for byte in player.answer(request):
        player.write(bytes([byte]))


@misdeed
def close_stdin(player, request):
    """answers, closes its standard input and stays"""
    player.good(request)
    os.close(0)
    sleep_forever()


@misdeed
def close_stdout(_player, _request):
    """closes its standard output and stays"""
    os.close(1)
    sleep_forever()


@misdeed
def close_both(_player, _request):
    """closes its standard input and output and stays"""
    os.close(0)
    os.close(1)
    sleep_forever()


@misdeed
def hand_on(_player, _request):
    """closes its standard input and output, which a child keeps that says nothing, and stays"""
    leave_child()
    os.close(0)
    os.close(1)
    sleep_forever()


@misdeed
def log_much(player, request):
    """8 MB to standard error, then a friendly answer"""
    for _ in range(128):
        os.write(2, b"all is well, all is well, all is\n" * 1986)
    player.good(request)


@misdeed
def child(player, request):
    """leaves a child behind that ignores SIGTERM; friendly otherwise"""
    leave_child()
    player.good(request)


@misdeed
def daemon(player, request):
    """leaves a child in a session of its own, whose parent is gone; friendly otherwise"""
    first = os.fork()
    if first == 0:
        os.setsid()
        leave_child()
        os._exit(0)
    os.waitpid(first, 0)
    player.good(request)


@misdeed
def orphan(_player, _request):
    """exits, while a child keeps all that it had open"""
    leave_child()
    os._exit(0)


@setup
def exit_start(_player):
    """exits before a word is said"""
    os._exit(0)


@setup
def hang_start(_player):
    """starts and says nothing"""
    sleep_forever()


@setup
def stays(player):
    """plays on, friendly, but ignores SIGTERM and does not leave when it is told to"""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    player.end = sleep_forever
