"""Strangers who speak to the real server over real sockets: requests, upgrades, WebSocket frames, many
requests in one packet, half closes, slow bytes, resets, those who never read, and all of it by TLS.
Everything is drawn from a seed; a round can be played again by its number. Prints TAP.

usage: strangers.py [--seed N] [--rounds N] [--first N] [--minutes N]

After every few rounds the server must answer a guest, an innocent watcher must still be connected and hear, and
the server must come to rest. Time on the wall decides nothing: a server that works without answering is found by
the CPU time it takes, one that sleeps without answering by its sleep. At the end it must hold no more
descriptors than at the beginning, end when it is told to, and have printed nothing."""
import argparse
import json
import os
import random
import re
import select
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

BATCH = 20  # rounds between two looks at the server
SPIN_S = 10  # of CPU time without an answer
SLEEPS = 60  # looks, a second apart, at a server that sleeps and does not answer
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
EXPECTED = re.compile(r"players that are handed in are not boxed|players are (not )?boxed")  # when a contest is started


class Fault(Exception):
    """The server has done what it must not."""


def family(pid):
    """A process and all below it."""
    found = [pid]
    for one in found:
        for task in listing(f"/proc/{one}/task"):
            found += [int(word) for word in text_of(f"/proc/{one}/task/{task}/children").split()]
    return found


def listing(path):
    try:
        return os.listdir(path)
    except OSError:
        return []


def text_of(path):
    """Of a process that may end at any moment, also between opening and reading."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def usage(pid):
    """CPU seconds of a process and those below it, and whether all of them sleep."""
    total, asleep = 0.0, True
    for one in family(pid):
        fields = text_of(f"/proc/{one}/stat").rpartition(")")[2].split()
        if fields:
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            asleep = asleep and fields[0] in "SI"
    return total, asleep


class Server:
    """One `arbiter serve` of its own, plain or by TLS."""

    def __init__(self, folder, tls):
        self.tls = tls
        self.data = os.path.join(folder, "tls" if tls else "plain")
        self.errors = os.path.join(folder, "errors-tls" if tls else "errors-plain")
        command = [os.environ["ARBITER"], "serve", "--port", "0", "--judge-port", "0", "--no-demo", "--data", self.data]
        told = subprocess.run([os.environ["ARBITER"], "help", "serve"], capture_output=True, text=True, check=False).stdout
        command += ["--once"] if "--once" in told else []  # nobody who starts it again and hides its fall
        if tls:
            command += ["--tls", os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")]
        with open(self.errors, "w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        for line in self.process.stdout:
            found = re.search(r"(https?)://localhost:(\d+)/key/(\w+)", line)
            if found:
                break
        else:
            raise Fault("the server did not start")
        self.port, self.key = int(found[2]), found[3]
        self.host = f"localhost:{self.port}"
        self.home = f"{found[1]}://{self.host}"
        self.contest, self.tokens, self.game = "", [], ""
        self.watcher = None

    def connect(self, source, tls=None):
        raw = socket.socket()
        raw.bind((source, 0))
        raw.setblocking(False)
        try:
            raw.connect(("127.0.0.1", self.port))
        except BlockingIOError:
            pass
        self.wait_for(raw, writing=True)
        if not (self.tls if tls is None else tls):
            return raw
        sock = context().wrap_socket(raw, server_hostname="localhost", do_handshake_on_connect=False)
        while True:
            try:
                sock.do_handshake()
                return sock
            except ssl.SSLWantReadError:
                self.wait_for(sock)
            except ssl.SSLWantWriteError:
                self.wait_for(sock, writing=True)

    def wait_for(self, sock, writing=False):
        """Waits for an event; a server that spins, sleeps or is gone meanwhile is at fault."""
        begin, _ = usage(self.process.pid)
        last, sleeps = begin, 0
        while True:
            ready = select.select([] if writing else [sock], [sock] if writing else [], [], 1)
            if ready[0] or ready[1]:
                return
            self.look()
            now, asleep = usage(self.process.pid)
            sleeps = sleeps + 1 if asleep and now == last else 0
            last = now
            if now - begin > SPIN_S:
                raise Fault(f"the server has taken {now - begin:.0f} s of CPU time and does not answer")
            if sleeps > SLEEPS:
                raise Fault("the server sleeps and does not answer")

    def look(self):
        code = self.process.poll()
        if code is not None:
            raise Fault(f"the server has ended with {code}")
        said = self.said()
        if said:
            raise Fault("the server has printed:\n" + said)

    def said(self):
        with open(self.errors, encoding="utf-8", errors="replace") as file:
            return "".join(line for line in file if not EXPECTED.search(line))

    def ask(self, method, path, body=None, source="127.0.0.2", cookie=""):
        """One plain request; returns the status and what was answered."""
        sock = self.connect(source)
        text = json.dumps(body) if body is not None else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n"
        if method == "POST":
            head += f"Origin: {self.home}\r\nContent-Length: {len(text)}\r\n"
        head += f"Cookie: {cookie}\r\n" if cookie else ""
        sock.sendall((head + "\r\n" + text).encode())
        heard = b""
        while True:
            try:
                piece = sock.recv(65536)
            except (ssl.SSLWantReadError, BlockingIOError):
                self.wait_for(sock)
                continue
            except (ssl.SSLError, OSError) as error:
                raise Fault(f"{method} {path} of a guest was broken off: {error}") from error
            heard += piece
            if not piece:
                break
        sock.close()
        found = re.match(rb"HTTP/1\.1 (\d+) ", heard)
        if not found:
            raise Fault(f"{method} {path} of a guest was answered by {heard[:80]!r}")
        return int(found[1]), heard.partition(b"\r\n\r\n")[2]

    def settle(self):
        """What there is to attack: a game, and a contest whose teams hand in."""
        cookie = f"arbiter_key_{self.port}={self.key}"
        _, answer = self.ask("POST", "/api/games", {"game": "reversi", "seats": ["human", "human"]}, cookie=cookie)
        self.game = json.loads(answer)["id"]
        players = [{"name": name, "player": "handed-in"} for name in ("Red", "Blue")]
        _, answer = self.ask("POST", "/api/contests", {"name": "Cup", "game": "cuptactoe", "format": "league", "players": players}, cookie=cookie)
        self.contest = json.loads(answer)["id"]
        _, answer = self.ask("GET", f"/api/contests/{self.contest}/teams", cookie=cookie)
        self.tokens = [team["token"] for team in json.loads(answer)]
        self.watcher = self.connect("127.0.0.3")
        self.watcher.sendall(upgrade(self, "/live").encode() + frame(0x81, b'{"watch": ["hall"]}'))
        if b" 101 " not in self.hear(b"whole"):
            raise Fault("nobody can watch")

    def hear(self, words):
        """What the innocent watcher hears until it has heard some words."""
        heard = b""
        while words not in heard:
            try:
                piece = self.watcher.recv(65536)
            except (ssl.SSLWantReadError, BlockingIOError):
                self.wait_for(self.watcher)
                continue
            except OSError as error:
                piece = b""
                heard += str(error).encode()
            if not piece:
                self.look()
                raise Fault(f"an innocent watcher was cut off: {heard[-80:]!r}")
            heard += piece
        return heard

    def check(self):
        """It answers a guest, and the watcher still hears."""
        self.look()
        status, _ = self.ask("GET", "/api/about")
        if status != 200:
            raise Fault(f"a guest was answered with {status}")
        self.watcher.sendall(frame(0x89, b"still there?"))
        self.hear(b"still there?")

    def rest(self):
        """It has nothing to do and does nothing: in some second it takes less than half of it."""
        for _ in range(30):
            before, _ = usage(self.process.pid)
            time.sleep(1)
            self.look()
            after, _ = usage(self.process.pid)
            if after - before < 0.5:
                return
        raise Fault("nobody asks for anything, and the server does not come to rest")

    def files(self):
        return sum(len(listing(f"/proc/{pid}/fd")) for pid in family(self.process.pid))

    def end(self):
        self.watcher.close()
        self.process.send_signal(signal.SIGTERM)
        begin, _ = usage(self.process.pid)
        while self.process.poll() is None:
            time.sleep(0.1)
            now, _ = usage(self.process.pid)
            if now - begin > SPIN_S:
                raise Fault("told to end, it goes on")
        said = self.said()
        if self.process.returncode != 0 or said:
            raise Fault(f"it has ended with {self.process.returncode}\n{said}")

    def kill(self):
        for pid in reversed(family(self.process.pid)):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        self.process.wait()


def context(protocols=("http/1.1",)):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    made.set_alpn_protocols(list(protocols))
    return made


def frame(first, payload, length=None, masked=True):
    length = len(payload) if length is None else length
    mask = 0x80 if masked else 0
    if length < 126:
        head = struct.pack("!BB", first, mask | length)
    elif length < 65536:
        head = struct.pack("!BBH", first, mask | 126, length)
    else:
        head = struct.pack("!BBQ", first, mask | 127, length)
    key = b"\x01\x02\x03\x04"
    return head + (key + bytes(byte ^ key[i % 4] for i, byte in enumerate(payload)) if masked else payload)


def upgrade(server, path):
    return (f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.home}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Protocol: arbiter.1\r\n\r\n")


class Stranger:
    """What one of them says, drawn from a seed."""

    def __init__(self, dice, server):
        self.dice, self.server = dice, server

    def path(self):
        s = self.server
        known = ["/", "/api/about", "/api/hall", "/api/games", f"/api/games/{s.game}", f"/api/games/{s.game}/move", f"/api/games/{s.game}/record",
                 "/api/contests", f"/api/contests/{s.contest}", f"/api/contests/{s.contest}/teams", f"/api/contests/{s.contest}/start",
                 f"/api/team/{s.contest}", f"/api/team/{s.contest}/submissions", f"/api/team/{s.contest}/logs/99999999999", "/api/jobs/4294967297",
                 "/static/three.js", "/static/app.js", "/static/../key", "/key/0", f"/team/{s.contest}/0", "/live", "/api/exit", "/api/check",
                 "/api/think", "/api/kept", "*", "http://localhost/", "/%2e%2e/%00", "/%zz", "/" + "a" * self.dice.choice([10, 250, 260, 9000]), "/api/games/%ff%fe", "/?" + "q" * 300]
        return self.dice.choice(known)

    def length(self, body):
        right = str(len(body))
        return self.dice.choice([right] * 8 + ["0", str(len(body) + 10), str(max(0, len(body) - 1)), "0x2", "-1", "+1", " 2", "1e3", "", "18446744073709551616", "99999999", f"{right}, {right}", f"{right}\r\nContent-Length: 1"])

    def body(self):
        s, dice = self.server, self.dice
        number = dice.choice([0, 1, -1, 2**31, 2**32, 2**40, 2**53, 2**63 - 1, 1.5, "7"])
        return dice.choice([
            "", "{}", "{", "[1,2]", "null", "\xff\xfe", json.dumps({"renew": number}), json.dumps({"ply": number, "moves": "3,4"}),
            json.dumps({"game": "reversi", "seats": ["human", "human"], "number": number, "tally": [number, number]}),
            json.dumps({"game": "tower4", "set": {"width": number}, "moves": ["1"] * 3}), json.dumps({"players": [number, "Red"]}),
            json.dumps({"name": "x", "game": "reversi", "wins": number, "jobs": number, "seed": number, "players": []}),
            json.dumps({"text": 'name = "x"; players = ();'}), json.dumps({"game": "connect6", "player": "own:nothing"}), "PK\x03\x04" + s.contest * 50, "x" * dice.choice([1, 4000, 70000])])

    def headers(self, body, post):
        s, dice = self.server, self.dice
        lines = [f"Host: {dice.choice([s.host] * 20 + ['evil.example', '', s.host + 'x'])}"]
        if post or dice.random() < 0.1:
            lines += [f"Content-Length: {self.length(body)}"] if dice.random() < 0.95 else []
            lines += [f"Origin: {dice.choice([s.home] * 9 + ['http://evil.example'])}"]
        cookies = [f"arbiter_key_{s.port}={s.key}", f"arbiter_key_{s.port}=0", *(f"arbiter_team_{s.port}={token}" for token in s.tokens)]
        if dice.random() < 0.5:
            lines += [f"Cookie: {dice.choice(cookies)}"]
        some = ["Transfer-Encoding: chunked", "Connection: close", "Connection: keep-alive", "Expect: 100-continue", "Accept-Encoding: gzip", "Host: other", " folded: line", "No colon", "X: \x00", "X:\x7f",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA", "Upgrade: websocket", "Range: bytes=0-", "X-Long: " + "y" * dice.choice([100, 9000]), "TE: trailers", "Trailer: x"]
        for _ in range(dice.choice([0, 0, 0, 1, 1, 2])):
            lines.append(dice.choice(some))
        return lines

    def request(self):
        dice = self.dice
        method = dice.choice(["GET"] * 8 + ["POST"] * 7 + ["HEAD", "OPTIONS", "PUT", "get", "PRI", "CONNECT", "TRACE"])
        body = self.body() if method == "POST" or dice.random() < 0.05 else ""
        version = dice.choice(["HTTP/1.1"] * 20 + ["HTTP/1.0", "HTTP/2.0", "HTTP/9.9", ""])
        end = "\r\n" if dice.random() < 0.97 else "\n"
        lines = [f"{method} {self.path()} {version}", *self.headers(body, method == "POST"), "", ""]
        return (end.join(lines) + body).encode("latin-1", "replace")

    def frames(self):
        dice, out = self.dice, b""
        for _ in range(dice.randint(1, 6)):
            topic = dice.choice(["hall", f"game/{self.server.game}", f"contest/{self.server.contest}", "nothing", "team/0"])
            text = json.dumps({"watch": [topic] * dice.choice([1, 1, 2, 64, 100])}).encode()
            out += dice.choice([
                *[lambda: frame(0x81, text)] * 12, *[lambda: frame(0x89, b"ping")] * 6, lambda: frame(0x89, b"ping"), lambda: frame(0x89, b"p" * 125), lambda: frame(0x8A, b""),
                lambda: frame(0x88, struct.pack("!H", 1000)), lambda: frame(0x88, b""), lambda: frame(0x81, text, masked=False), lambda: frame(0x01, text[:5]), lambda: frame(0x80, text[5:]), lambda: frame(0x82, b"\0\1"),
                lambda: frame(0xC1, text), lambda: frame(0x89, b"p" * 126), lambda: frame(0x81, b"x" * 5000), lambda: frame(0x81, b"x", 2**40), lambda: frame(0x81, b"x", 2**63), lambda: frame(0x81, b'{"move": 1}'),
                lambda: frame(0x81, b"\xff\xfe"), lambda: dice.randbytes(20)])()
        return out

    def socket(self):
        text = upgrade(self.server, self.dice.choice(["/live"] * 6 + ["/", "/api/about"]))
        if self.dice.random() < 0.3:
            text = text.replace(*self.dice.choice([("13", "8"), ("arbiter.1", "http"), (KEY, "short"), ("websocket", "h2c"), (self.server.home, "null"), ("GET", "POST")]))
        return text.encode() + self.frames()

    def http2(self):
        settings, window = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00", b"\x00\x00\x04\x08\x00\x00\x00\x00\x00\x00\x01\x00\x00"
        headers = b"\x00\x00\x01\x01\x05\x00\x00\x00\x03\x82" if self.dice.random() < 0.5 else b"\x00\x00\x10\x01\x05\x00\x00\x00\x01" + self.dice.randbytes(16)
        return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings * self.dice.randint(1, 3) + window * self.dice.randint(0, 1) + headers * self.dice.randint(0, 2)

    def upgraded(self):
        """A request that asks for HTTP/2, as clients do, and goes on in it."""
        head = (f"GET {self.dice.choice(['/api/about', '/', self.path()])} HTTP/1.1\r\nHost: {self.server.host}\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n")
        return head.encode("latin-1", "replace") + (self.http2() if self.dice.random() < 0.8 else b"")

    def mutated(self, data):
        data, dice = bytearray(data), self.dice
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(data)) if data else 0
            kind = dice.randrange(4)
            if kind == 0 and data:
                data[at] = dice.randrange(256)
            elif kind == 1:
                del data[at:at + dice.randint(1, 20)]
            elif kind == 2:
                data[at:at] = data[at:at + dice.randint(1, 60)]
            else:
                data[at:at] = dice.choice([b"\r\n", b"\r\n\r\n", b"\0", b" ", b"\n", b"Content-Length: 5\r\n", b"\xff" * 9])
        return bytes(data)

    def pipelined(self):
        """Requests in one packet, where the last may be shorter than it says."""
        data = b"".join(self.request() for _ in range(self.dice.randint(2, 5)))
        if self.dice.random() < 0.5:
            good = f"GET /api/about HTTP/1.1\r\nHost: {self.server.host}\r\n\r\n".encode()
            post = f"POST /api/exit HTTP/1.1\r\nHost: {self.server.host}\r\nOrigin: {self.server.home}\r\nCookie: arbiter_key_{self.server.port}={self.server.key}\r\nContent-Length: 100\r\n\r\n{{"
            data = good * self.dice.randint(1, 3) + post.encode()
        return data

    def words(self):
        dice = self.dice
        data = dice.choice([self.request] * 6 + [self.pipelined] * 4 + [self.socket] * 4 + [self.upgraded] * 2 + [self.http2, lambda: dice.randbytes(dice.randint(1, 300)), lambda: b"", lambda: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + dice.randbytes(60)])()
        if data and dice.random() < 0.3:
            data = self.mutated(data)
        return data[:dice.randint(0, len(data))] if dice.random() < 0.15 else data

    def pieces(self):
        """How the words are cut: at once, in some pieces, or slowly byte by byte."""
        data, dice = self.words(), self.dice
        kind = dice.random()
        if kind < 0.6 or len(data) < 2:
            return [data]
        if kind < 0.75:
            return [data[i:i + 1] for i in range(min(len(data), 300))] + [data[300:]]
        cuts = sorted(dice.randrange(len(data)) for _ in range(dice.randint(1, 6)))
        return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)])]


def say(sock, piece):
    try:
        sock.send(piece)
    except (OSError, ValueError):  # it has closed, or does not take any more
        pass


def listen(sock):
    try:
        for _ in range(4):
            if not sock.recv(65536):
                return
    except (OSError, ValueError):
        pass


def farewell(dice, sock):
    """A half close, a reset, or a plain end."""
    try:
        kind = dice.random()
        if kind < 0.3:
            socket.socket.shutdown(sock, socket.SHUT_WR)
        elif kind < 0.5:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif kind < 0.6:
            raw = socket.socket(fileno=os.dup(sock.fileno()))  # past TLS
            say(raw, dice.randbytes(30))
            raw.close()
    except OSError:
        pass


def play(seed, number, servers):
    """One round: a few strangers at once, each in pieces, in turns. Returns those who stay for a while."""
    dice = random.Random(f"{seed}:{number}")
    server = dice.choice([servers[0]] * 3 + [servers[1]])
    talks, stay = [], []
    for _ in range(dice.choice([1, 1, 2, 3, 6])):
        stranger = Stranger(dice, server)
        tls = server.tls and dice.random() < 0.85
        sock = server.connect(f"127.0.{dice.randint(1, 250)}.{dice.randint(1, 250)}", tls)
        talks.append((sock, stranger.pieces()))
    while talks:
        sock, pieces = talk = dice.choice(talks)
        say(sock, pieces.pop(0))
        if dice.random() < 0.5:
            listen(sock)
        if pieces:
            continue
        talks.remove(talk)
        farewell(dice, sock)
        if dice.random() < 0.3:
            stay.append(sock)
        else:
            sock.close()
    return stay


def shown(seed, first, last):
    return f"seed {seed}, rounds {first} to {last}: tests/e2e/strangers.py --seed {seed} --first {first} --rounds {last - first + 1} plays them again"


def run(seed, numbers, servers, deadline):
    """Plays rounds; returns how many."""
    stay, played, first = [], 0, None
    for number in numbers:
        first = number if first is None else first
        try:
            stay += play(seed, number, servers)
            played += 1
            if played % BATCH == 0:
                for server in servers:
                    server.check()
                first = None
            if played % (20 * BATCH) == 0:
                servers[0].rest()
                servers[1].rest()
        except (Fault, OSError) as fault:
            raise Fault(f"{fault}\n{shown(seed, first if first is not None else number, number)}") from fault
        while len(stay) > 100:
            stay.pop(0).close()
        if deadline and time.monotonic() > deadline:
            break
    for server in servers:
        server.check()
        server.rest()
    for sock in stay:
        sock.close()
    return played


def settled(server, before):
    """Whether the descriptors are no more than they were, once all have gone."""
    last, sleeps = 0, 0
    while sleeps <= SLEEPS:  # as long as it works, or one that it has started, it may have more
        if server.files() <= before:
            return
        time.sleep(1)
        server.look()
        now, asleep = usage(server.process.pid)
        sleeps = sleeps + 1 if asleep and now == last else 0
        last = now
    raise Fault(f"{server.files()} descriptors are open, {before} were")


def campaign(seed, options, deadline):
    folder = tempfile.mkdtemp(prefix="arbiter-strangers-")
    servers = []
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"],
                       check=True, capture_output=True)
        for tls in (False, True):
            servers.append(Server(folder, tls))
            servers[-1].settle()
        before = [server.files() for server in servers]
        played = run(seed, range(options.first, options.first + options.rounds), servers, deadline)
        for server, files in zip(servers, before):
            settled(server, files)
        for server in servers:
            server.end()
        return played
    finally:
        for server in servers:
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    for name, standard in (("--seed", 1), ("--rounds", 1000), ("--first", 0), ("--minutes", 0)):
        parser.add_argument(name, type=int, default=standard)
    options = parser.parse_args()
    deadline = time.monotonic() + 60 * options.minutes if options.minutes else 0
    played, seed, code = 0, options.seed, 0
    print("1..1")
    try:
        while True:
            played += campaign(seed, options, deadline)
            if not deadline or time.monotonic() > deadline:
                break
            seed += 1
            print(f"# {played} rounds", flush=True)
        print(f"ok 1 - the server stands, and serves others: {played} rounds")
    except Fault as fault:
        code = 1
        print("not ok 1 - the server stands, and serves others\n" + "\n".join("# " + line for line in str(fault).split("\n")[:80]))
        print(fault, file=sys.stderr)
    return code


sys.exit(main())
