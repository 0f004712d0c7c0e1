"""Follows docs/adding-a-game-of-ours.md word by word in a copy of the tree, adding.sh starts it: writes the files and lines of
its blocks, runs its commands, and then what goes over all games. Prints TAP."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from checks import check, finish

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
scratch = tempfile.TemporaryDirectory()
tree = pathlib.Path(scratch.name) / "tree"
page = (ROOT / "docs/adding-a-game-of-ours.md").read_text(encoding="utf-8")

# "`a`, `b`, new:" or "`a`, after `words`:", and the block that follows
BLOCK = re.compile(r"^(`[^`\n]+`(?:, `[^`\n]+`)*), (new|after `([^\n]+)`):\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# What the page loads, in Node: the modules of all games, with the rules and the dictionaries.
MODULE = """
import { readFileSync } from "node:fs";
const [, , web, wasm] = process.argv;
globalThis.fetch = async (path) => {
  const bytes = readFileSync(path.endsWith(".wasm") ? wasm : path.replace("/static", web));
  return { json: () => JSON.parse(bytes), arrayBuffer: () => bytes };
};
globalThis.document = { documentElement: {} };
const { loadRules, Rules } = await import(`${web}/rules.js`);
const { loadWords, has } = await import(`${web}/words.js`);
const boards = await import(`${web}/boards/index.js`);
await loadRules();
await loadWords("en");
const name = "newgame", look = boards.lookOf(name), [settings, line] = look.sample;
const rules = new Rules(name, settings).restart(line.split(";"));
const expect = (good, what) => { if (!good) throw new Error(what); };
expect(boards.GAMES.includes(name), "the list of games");
for (const key of ["Board", "moveName", "read", "mini", "seconds", "share", "sample", "pictures", "kit"])
  expect(look[key] !== undefined, key);
expect(boards.readPosition(name, rules.position).b.flat().filter((v) => v).length === line.split(";").length, "a position read");
expect(look.mini(boards.readPosition(name, rules.position), [])[2].includes("<path"), "a small board");
for (const key of ["game.", "fact.", "note.", "help."].map((kind) => kind + name + (kind === "help." ? ".1" : "")))
  expect(has(key), key);
console.log("good");
"""


def run(*words, **options):
    """A command in the copy that must succeed; what it has said."""
    ran = subprocess.run(words, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if ran.returncode != 0:
        raise AssertionError(f"{words} ended with {ran.returncode}: {ran.stdout[-3000:]}")
    return ran.stdout


def expect(good, said):
    if not good:
        raise AssertionError(said)


def copied():
    """the tree is copied"""
    shutil.copytree(ROOT, tree, symlinks=True, ignore=lambda folder, names: [
        name for name in names if name == ".git" or name.startswith("build") and folder == str(ROOT)])
    run("git", "init", "--quiet")


def written():
    """the blocks of the page are put where it says"""
    blocks = BLOCK.findall(page)
    expect(len(blocks) > 10, f"{len(blocks)} blocks")
    for paths, how, line, text in blocks:
        for path in re.findall("`([^`]+)`", paths):
            file = tree / path
            if how == "new":
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
                continue
            lines = file.read_text(encoding="utf-8").split("\n")
            places = [number for number, words in enumerate(lines) if line in words]
            expect(len(places) == 1, f"{path}: {len(places)} lines with {line}")
            lines[places[0] + 1:places[0] + 1] = text.rstrip("\n").split("\n")
            file.write_text("\n".join(lines), encoding="utf-8")
    run("git", "add", "--all")


def commanded():
    """its commands work as they stand"""
    commands = COMMANDS.search(page)[1].strip().split("\n")
    environment = {key: value for key, value in os.environ.items() if key not in ("ARBITER", "ARBITER_BOX")}
    said = {line: run("sh", "-c", line, env=environment) for line in commands}

    def of(words):
        return next(text for line, text in said.items() if words in line)

    expect("X" in of("rules newgame") and "O" in of("rules newgame"), of("rules newgame"))
    expect(of("perft").endswith("9 255168\n"), of("perft"))  # all games of three in a row
    expect("builtin against random: " in of("random --games 20"), of("random --games 20"))
    expect(of("replay") == "20 games, 0 wrong\n", of("replay"))
    expect(re.search("wins after|drawn after", of("abp:")) and "forfeit" not in of("abp:"), of("abp:"))
    expect(re.search("1  general +2 ", of("contest run")), of("contest run"))
    expect("2 of 2 games" in of("contest show"), of("contest show"))


def tested():
    """the contract holds, and the browser's rules say the same"""
    run("tools/build", "build", "-Dbuildtype=plain", "--", "tests/test-contract", "tests/wasm/wasm-native")
    expect("newgame" in run("build/tests/test-contract"), "no such ruleset")
    said = run("node", "tests/wasm/compare.mjs", "build/src/games/games.wasm", "build/tests/wasm/wasm-native")
    expect(re.search("^ok .*newgame", said, re.MULTILINE), said)


def shown():
    """the page loads its module and finds its words"""
    (tree / "web/package.json").write_text('{"type": "module"}')  # Node wants to be told
    (tree / "module.mjs").write_text(MODULE)
    expect(run("node", "module.mjs", tree / "web", "build/src/games/games.wasm") == "good\n", "it does not")
    (tree / "web/package.json").unlink()
    (tree / "module.mjs").unlink()


def kept():
    """the checks of the tree pass"""
    run("tools/check-layers")
    for name in "check_files", "check_games", "check_dictionaries", "check_format", "check_words":
        run(f"tests/tree/{name}.sh")


for function in copied, written, commanded, tested, shown, kept:
    check(function)
scratch.cleanup()
finish()
