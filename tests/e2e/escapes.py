"""What strangers say reaches no terminal as anything but text: builds, archives, names, moves. Prints TAP.
ARBITER is the program; arbiter-box lies beside it."""
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile

PROGRAM = os.environ["ARBITER"]
# A title, colours, a cleared screen, what begins a sequence in one byte and in UTF-8, turned writing.
EVIL = "\x1b]0;owned\x07\x1b[31mred\x1b[2J\x9b31m\u202etxet"
count = failed = 0
work = tempfile.mkdtemp()


def check(name, good, words=""):
    global count, failed
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}")
    if not good:
        failed += 1
        print("# " + repr(words)[:3000])


def run(*words):
    done = subprocess.run([PROGRAM, *words], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout


def harmless(said):
    """Whether a terminal would only show it: UTF-8, and no control but line ends and tabs."""
    try:
        text = said.decode()
    except UnicodeDecodeError:
        return False
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)


def shows(name, word, *command):
    """It is printed, so the word of it is there, and it is harmless."""
    said = run(*command)
    check(name, word.encode() in said and harmless(said), said)


def write(name, text):
    path = os.path.join(work, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


octal = "".join(f"\\{byte:03o}" for byte in EVIL.encode())
write("bad/Makefile", f"all:\n\t@printf 'error: {octal}'; sleep 0; printf 'the end\\n'; false\n")
shows("what a build prints", "owned", "submit", "cuptactoe", "bad", "--box", "off")
shows("the same as JSON", "owned", "submit", "cuptactoe", "bad", "--box", "off", "--json")
home = os.path.join(work, "home")
run("submit", "cuptactoe", "bad", "--box", "off", "--home", home, "--team", "a")
kept = [open(os.path.join(folder, name), "rb").read() for folder, _, names in os.walk(home) for name in names
        if name.endswith((".log", ".txt", "log"))]
check("what is kept of a build's output", kept and all(map(harmless, kept)) and any(b"owned" in one for one in kept), kept)

shutil.copytree("kits/cuptactoe/python", f"{work}/noisy")
write("noisy/Makefile", f"all:\n\t@printf 'warning: {octal}\\233\\n'\n")
shows("what a build prints that succeeds", "owned", "submit", "cuptactoe", "noisy", "--box", "off", "--time", "20")

packed = io.BytesIO()
with tarfile.open(fileobj=packed, mode="w") as tar:
    entry = tarfile.TarInfo(f"evil{EVIL}/x")
    tar.addfile(entry, io.BytesIO(b""))
write("evil.tar", packed.getvalue())
shows("a path in an archive", "owned", "submit", "cuptactoe", "evil.tar", "--box", "off")

write("liar.sh", f"printf 'ready 1{octal}\\n'; while read a; do printf 'move {octal}\\n'; printf '{octal}' >&2; done\n")
liar = f"abp:sh {work}/liar.sh # {EVIL}"
for option in ([], ["--json"]):
    shows(f"a match {' '.join(option)}", "owned", "match", "cuptactoe", liar, "random", "--games", "2", "--box", "off", *option)

# A name with the other control bytes is refused, in words that are harmless.
shows("a contest file with such a name", "control byte", "contest", "run", write("evil.conf", f'name = "a{EVIL}"; game = "cuptactoe";'))
quoted = "".join(f"\\x{byte:02x}" for byte in "owned\x9b31m\u202etxet".encode())
write("evil.conf", f'''name = "evil{quoted}"; game = "cuptactoe"; games = 1; jobs = 1; time = 20;
    players = ( {{ name = "a{quoted}"; start = "abp:sh {work}/liar.sh"; }}, {{ name = "b"; start = "random"; }} );''')
shows("a contest that is run", "owned", "contest", "run", "evil.conf", "--box", "off")
for option in ([], ["--csv"], ["--html"], ["--json"], ["--records"]):
    shows(f"contest show {' '.join(option)}", "owned", "contest", "show", "evil.conf", *option)

run("match", "cuptactoe", liar, "random", "--games", "1", "--box", "off", "--record", ".")
shows("a record that is replayed", "owned", "replay", "games.jsonl")

for name in ("one", f"two{EVIL}"):
    write(f"all/{name}/player.c", "int main(void) { int a = 0; for (int i = 0; i < 9; i++) a += i * i - 3; return a; }\n" * 9)
shows("submissions that are compared", "owned", "similar", "all")
shows("a command that is none", "owned", f"x{EVIL}")
shutil.rmtree(work)
print(f"1..{count}")
raise SystemExit(failed > 0)
