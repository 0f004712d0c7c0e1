"""The platform keeps no more of a hundred contests than of ten. Prints TAP. ARBITER is the program."""
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

WARM, MORE = 4, 8  # contests
KB_EACH = 60  # that one may cost at most; before reports and games were put away it was 240. (A sanitizer keeps
# what is freed: there it is not held against it.)
count = failed = 0
work = tempfile.mkdtemp()
server = subprocess.Popen([os.environ["ARBITER"], "serve", "--port", "0", "--judge-port", "0", "--no-demo", "--data", f"{work}/data"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
said = ""
while "process" not in said:
    said += server.stdout.readline()
port, key = re.search(r"localhost:(\d+)/key/(\w+)", said).groups()
pid = int(re.search(r"process (\d+)", said).group(1))


def check(name, good, words=""):
    global count, failed
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    if not good:
        failed += 1
        print(f"# {words}")


def ask(path, body=None):
    connection = http.client.HTTPConnection("localhost", int(port))
    connection.request("POST" if body is not None else "GET", f"/api/{path}", json.dumps(body) if body is not None else None,
                       {"origin": f"http://localhost:{port}", "cookie": f"arbiter_key_{port}={key}", "content-type": "application/json"})
    return json.loads(connection.getresponse().read())


def own_kb():
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return int(re.search(r"Anonymous:\s+(\d+)", file.read()).group(1))


def report_of(name):
    return f"{work}/data/contests/{name}.report"


def contest(number):
    players = ", ".join(f'{{ name = "P{i}"; start = "random"; }}' for i in range(4))
    text = f'name = "C{number}"; game = "cuptactoe"; time = "off"; jobs = 2; seed = {number + 1}; games = 2; players = ( {players} );'
    name = ask("contests", {"text": text})["id"]
    ask(f"contests/{name}/start", {})
    while True:
        state = ask(f"contests/{name}")
        if state["state"] in ("over", "failed"):
            break
        time.sleep(0.05)
    while not os.path.exists(report_of(name)):  # it is put away when its process has gone; till then it takes memory
        time.sleep(0.05)
    return name, state


try:
    names = [contest(i) for i in range(WARM)]
    before = own_kb()
    names += [contest(WARM + i) for i in range(MORE)]
    grown = own_kb() - before
    print(f"# {grown} kB more than {before} kB")
    check(f"{MORE} contests more take no more memory", "SANITIZED" in os.environ or grown < MORE * KB_EACH, f"{grown} kB more than {before} kB")
    again = [ask(f"contests/{name}") for name, _ in names]
    check("the report of every one is there as it was", all(a["report"] == b["report"] and a["report"]["over"] and
          len(a["report"]["games"]) == 12 and a["done"] == 12 for (_, a), b in zip(names, again)), again)
finally:
    server.terminate()
    server.wait()
check("and is not left behind", not [name for name in os.listdir(f"{work}/data/contests") if name.endswith(".report")])
shutil.rmtree(work)
print(f"1..{count}")
raise SystemExit(failed > 0)
