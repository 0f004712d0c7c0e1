// SPDX-License-Identifier: MIT
// Every page of the platform with something on it, for tests that look at all of them: a server with a contest under
// way, one that is over and one that waits for its teams, a team that has handed in, games and a replay with its
// analysis; and a list of addresses, each with who opens it and what is there once it stands.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, openPage, startServer, until } from "./harness.mjs";

const GAMES = ["connect6", "reversi", "tower4", "hopchess", "cuptactoe"];
const KIT = new URL("../../kits/cuptactoe/python", import.meta.url).pathname;

// Plays four turns of reversi and thinks from then on, so that a game stays as it is.
const SLOW = `import sys
MOVES = ["3,3", "3,4", "4,4", "4,3"]
for line in sys.stdin:
    done = [move for move in line.rsplit("|", 1)[-1].split(";") if move.strip()]
    if line.startswith("abp"): print("ready", flush=True)
    elif line.startswith("go") and len(done) < len(MOVES): print("move", line.split()[1], MOVES[len(done)], flush=True)
`;

const list = (players) => `players = (${players.map(([name, how]) => `{ name = "${name}"; ${how}; }`).join(", ")});`;

export class Places {
  static async make() {
    const places = new Places();
    places.server = await startServer("--no-demo");
    await places.furnish();
    return places;
  }

  get home() { return this.server.home; }

  async ask(path, body, headers = { "content-type": "application/json", cookie: `${this.server.cookie}=${this.server.key}` }) {
    const answer = await fetch(`${this.home}/api/${path}`, body === undefined ? { headers } : { method: "POST", headers: { origin: this.home, ...headers }, body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body) });
    const said = await answer.json();
    check(answer.ok, `${path}: ${said.error}`);
    return said;
  }

  async furnish() {
    const folder = join(this.server.data, "contests");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "slow.py"), SLOW);
    const make = async (text) => (await this.ask("contests", { text })).id;
    this.waiting = await make(`name = "Open cup"; game = "cuptactoe"; format = "knockout"; best_of = 1; deadline = "2099-12-01T18:00:00Z"; ${list([["Red", "handed_in = true"], ["Blue", "handed_in = true"]])}`);
    this.over = await make(`name = "Spring cup"; game = "reversi"; time = 5; jobs = 2; seed = 3; stages = ({ name = "groups"; format = "league"; groups = 2; games = 1; advance = 2; }, { name = "ko"; format = "knockout"; best_of = 1; }); ${list([1, 2, 3, 4, 5, 6].map((n) => [`Team ${n}`, `start = "${n % 2 ? "builtin:easy,nodes=50" : "random"}"`]))}`);
    this.running = await make(`name = "Autumn league"; game = "reversi"; time = 3600; jobs = 2; format = "league"; games = 1; ${list([1, 2, 3, 4].map((n) => [`Slow ${n}`, `start = "abp:python3 ${join(folder, "slow.py")}"`]))}`);
    for (const id of [this.over, this.running]) await this.ask(`contests/${id}/start`, {});
    await this.ask(`contests/${this.over}/notices`, { text: "Prizes at four." });
    await this.handIn();
    await until(async () => (await this.ask(`contests/${this.over}`)).state === "over");
    await until(async () => (await this.ask(`contests/${this.running}`)).live?.some((game) => game.plies === 4));
    this.live = (await this.ask(`contests/${this.running}`)).live.find((game) => game.plies === 4).id;
    await this.study();
  }

  async handIn() {
    const folder = mkdtempSync(join(tmpdir(), "arbiter-places-")), archive = join(folder, "mine.tgz");
    execFileSync("tar", ["-czf", archive, "--exclude=__pycache__", "-C", KIT, "."]);
    const [{ token }] = await this.ask(`contests/${this.waiting}/teams`);
    const cookie = `${this.server.cookie.replace("key", "team")}=${token}`;
    await this.ask(`team/${this.waiting}/submissions`, readFileSync(archive), { cookie });
    rmSync(folder, { recursive: true });
    await until(async () => (await this.ask(`team/${this.waiting}`, undefined, { cookie })).good);
    this.teamLink = `${this.home}/team/${this.waiting}/${token}`;
  }

  // A game in which the organiser is to move. It is begun when it is looked at: one that nobody looks at is given up.
  async playPractice(game) {
    const { id } = await this.ask("games", { game, seats: ["human", "human"], names: ["Ada", "Ben"], time: "off", people: false });
    await until(async () => (await this.ask(`games/${id}`)).state === "running");
    if (game === "reversi") await this.ask(`games/${id}/move`, { ply: 0, moves: "3,3" });
    return `/game/${id}`;
  }

  // One game of the contest that is over has been looked at by the engine.
  async study() {
    const { games } = await this.ask(`archive?contest=${this.over}`);
    this.replayed = games[0].id;
    await this.ask(`games/${this.replayed}/study`, {});
    await until(async () => (await this.ask(`games/${this.replayed}/study`)).state === "done");
  }

  // Each: name, who, path (or what makes it), ready (a selector), and what is done then.
  all() {
    const of = (who, name, path, ready, then) => ({ who, name: `${who}-${name}`, path, ready, then });
    const seats = async (page) => { await page.locator(".seat2 .stone").click(); await page.locator("dialog").waitFor(); };
    return [
      of("visitor", "home", "/", ".games .btn"),
      ...GAMES.map((game) => of("visitor", `before-${game}`, `/practice/${game}`, ".primer p")),
      of("visitor", "watched", `/game/${this.live}`, ".moves tr:nth-child(4)"),
      of("visitor", "tv", "/tv", ".moves tr"),
      of("visitor", "replay", `/replay/${this.replayed}#turn=9`, ".worthcell .worth"),
      of("visitor", "analysis", "/analysis/reversi#moves=3,3;3,4;4,4&turn=3", ".lines li:nth-child(3)"),
      of("visitor", "games", "/games", ".archive tbody tr"),
      of("visitor", "contests", "/tournament", ".contest"),
      of("visitor", "running", `/tournament/${this.running}`, ".lives .game"),
      of("visitor", "over", `/tournament/${this.over}`, ".podium li"),
      of("visitor", "waiting", `/tournament/${this.waiting}`, ".ready"),
      of("visitor", "settings", "/settings", ".form"),
      ...["", "/write", "/reversi"].map((topic) => of("visitor", `help${topic.replace("/", "-")}`, `/help${topic}`, "article")),
      of("visitor", "team-wrong", `/team/${this.waiting}/badtoken`, "main h1"),
      of("visitor", "key-wrong", "/key/0123", "main h1"),
      of("visitor", "nowhere", "/nonsense", "main h1"),
      of("team", "page", `/team/${this.waiting}`, ".submission .counts"),
      of("team", "replay", `/team/${this.waiting}/replay/1`, ".moves tr"),
      ...GAMES.map((game) => of("organiser", `during-${game}`, () => this.playPractice(game), ".seat.turn")),
      of("organiser", "seats", "/practice/reversi", ".primer p", seats),
      of("organiser", "form", "/tournament", ".make .btn.go"),
      of("organiser", "running", `/tournament/${this.running}`, ".lives .game"),
      of("organiser", "over", `/tournament/${this.over}`, ".podium li", (page) => page.locator(".manage summary").click()),
      of("organiser", "waiting", `/tournament/${this.waiting}`, ".teams .text.link"),
    ];
  }

  // A page for each of the three, of one size.
  async people(browser, options) {
    const links = { visitor: this.home, team: this.teamLink, organiser: this.server.link };
    return Object.fromEntries(await Promise.all(Object.entries(links).map(async ([who, link]) => [who, await openPage(browser, link, options)])));
  }

  async open(pages, { who, path, ready, then }) {
    const page = pages[who];
    await page.goto("about:blank"); // an address that differs in its turn alone would stay where it is
    await page.goto(this.home + (path.call ? await path() : path));
    await page.locator(ready).first().waitFor();
    await then?.(page);
    return page;
  }

  stop() { return this.server.stop(); }
}
