"""tests/e2e/seats.py FOLDER: the kits in FOLDER/GAME/LANGUAGE, built, are laid into the players folder of a
platform and tried there. A line for each: "ok KIT", or "bad KIT" and what the platform says."""
import glob
import http.cookiejar
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

kits = sorted(glob.glob(os.path.join(sys.argv[1], "*", "[cp]*", "README.md")))
data = os.path.join(sys.argv[1], "data")
server = subprocess.Popen([os.environ["ARBITER"], "serve", "--port", "0", "--no-demo", "--data", data],
                          stdout=subprocess.PIPE, text=True)
link = None
while not link:
    link = re.search(r"(http://\S+)/key/\w+", server.stdout.readline())
home = link.group(1)
web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
web.open(link.group(0)).read()


def ask(path, body=None):
    request = urllib.request.Request(f"{home}/api/{path}", json.dumps(body).encode() if body else None,
                                     {"content-type": "application/json", "origin": home})
    return json.load(web.open(request))


def verdict(game, name):
    """What the platform says of a player: None if it is good."""
    try:
        number = ask("check", {"game": game, "player": f"own:{name}"})["job"]
        answer = {"state": "working"}
        while answer["state"] == "working":
            time.sleep(0.1)
            answer = ask(f"jobs/{number}")
        return None if answer["state"] == "done" else answer.get("error", answer)
    except urllib.error.HTTPError as error:
        return error.read().decode()


for kit in kits:
    game, language = os.path.dirname(kit).split(os.sep)[-2:]
    shutil.copytree(os.path.dirname(kit), os.path.join(data, "players", f"{game}-{language}"))
    wrong = verdict(game, f"{game}-{language}")
    print(f"{'bad' if wrong else 'ok'} {game}/{language} {wrong or ''}", flush=True)
server.terminate()
server.wait()
