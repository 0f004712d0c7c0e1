// SPDX-License-Identifier: MIT
// Teams hand in: the organiser gets their links, a team sends archives and sees them built and tried, bad ones
// are refused in words, tokens give no other right, and the contest plays what counts.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, countPlayersAsked, end, openPage, picture, startBrowser, startServer, test, until, wait } from "./harness.mjs";

const KIT = new URL("../../kits/cuptactoe/python", import.meta.url).pathname;
const NASTY = "<img src=x onerror=alert(1)>";
const folder = mkdtempSync(join(tmpdir(), "arbiter-archives-"));
const inFolder = (name) => join(folder, name);

// Archives of all kinds, made by Python's own library.
execFileSync("python3", ["-c", `
import io, sys, tarfile, zipfile
def tar(name, *members):
    with tarfile.open(name, "w:gz") as t:
        for info, data in members: t.addfile(info, io.BytesIO(data))
def member(name, data=b"", kind=tarfile.REGTYPE, link=""):
    info = tarfile.TarInfo(name); info.size = len(data) if kind == tarfile.REGTYPE else 0; info.type = kind; info.linkname = link; return info, data
tar("out.tgz", member("../escaped.py", b"x = 1\\n"))
tar("link.tgz", member("bot.py", kind=tarfile.SYMTYPE, link="/etc/passwd"))
tar("device.tgz", member("bot.py", kind=tarfile.CHRTYPE))
tar("broken-code.tgz", member("player.c", b"int main(void) { return undeclared; }\\n"))
tar("empty.tgz")
tar("cheat.tgz", member("bot.py", b"class Bot:\\n    def __init__(self, *a):\\n        pass\\n    def move(self, *a):\\n        return [9, 9]\\n    step = turn = play = move\\n"))
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
    for i in range(3): z.writestr(f"bot{i}.py", bytes(40 << 20))
with tarfile.open("good.tgz", "w:gz") as t: t.add(sys.argv[1], "mine", filter=lambda i: None if "__pycache__" in i.name else i)
`, KIT], { cwd: folder });
writeFileSync(inFolder("bot.py"), "class Bot:\n    def turn(self:\n        return 1\n");
writeFileSync(inFolder("nothing.py"), "");
writeFileSync(inFolder("large.zip"), Buffer.alloc(9 << 20, 7));

const browser = await startBrowser();
const server = await startServer("--no-demo");
const organiser = await openPage(browser, server.link);
const guest = await openPage(browser, server.home);
let id, links, red;

const ask = (path, options = {}) => fetch(`${server.home}${path}`, { redirect: "manual", ...options });
const order = (path, body, cookie) => ask(`/api/${path}`, { method: "POST", headers: { origin: server.home, cookie, "content-type": "application/json" }, body: JSON.stringify(body) });
const token = (n) => links[n].replace(/.*\//, "");
const asTeam = (n) => `${server.cookie.replace("key", "team")}=${token(n)}`;
const asOrganiser = `${server.cookie}=${server.key}`;
const handIn = (name, cookie = asTeam(0), more = {}) => ask(`/api/team/${id}/submissions`, { method: "POST", headers: { origin: server.home, cookie, ...more }, body: readFileSync(inFolder(name)) });
// Hands in by the page, once it takes something: not while the last one is sent or worked on.
const choose = async (page, name) => {
  await page.locator(".drop").waitFor();
  await page.locator(".sending").waitFor({ state: "hidden" });
  await page.locator(".drop input").setInputFiles(inFolder(name));
};
const newest = (page) => page.locator(".submission").first();

await test("the organiser makes a contest of teams, and gets a link for each", async () => {
  const playersAsked = countPlayersAsked(organiser);
  await organiser.goto(`${server.home}/tournament`);
  await organiser.locator('input[name="name"]').fill("Open cup");
  await organiser.locator('select[name="game"]').selectOption("cuptactoe");
  await playersAsked(3);
  await organiser.locator('.field-list input[value="random"]').check();
  await organiser.locator('textarea[name="teams"]').fill(`Red\n${NASTY}`);
  await organiser.locator(".make .btn.go", { hasText: "take submissions" }).click();
  await organiser.waitForURL(/\/tournament\/\w+$/);
  id = organiser.url().replace(/.*\//, "");
  await until(async () => (await organiser.locator(".teams .text.link").count()) === 2);
  links = await organiser.locator(".teams .text.link").evaluateAll((fields) => fields.map((field) => field.value));
  check(links.every((link) => new RegExp(`^${server.home}/team/${id}/[0-9a-f]{40}$`).test(link)), links.join());
  check((await organiser.locator(".teams td.name").allTextContents()).join() === `Red,${NASTY}`, "names are text");
  await organiser.locator(".head .chip", { hasText: "Taking submissions" }).waitFor();
});

await test("tokens are the organiser's alone to see", async () => {
  const kept = join(server.data, "contests", `${id}.teams`, "tokens.json");
  check((statSync(kept).mode & 0o777) === 0o600 && readFileSync(kept, "utf8").includes(token(0)), "they are not kept for their owner alone");
  await guest.goto(`${server.home}/tournament/${id}`);
  await guest.locator("main", { hasText: "The teams are submitting" }).waitFor();
  for (const path of ["/api/contests", `/api/contests/${id}`, "/api/hall", `/api/contests/${id}/teams`]) {
    const answer = await ask(path);
    check(!(await answer.text()).includes(token(0)), `${path} tells a token`);
  }
  for (const cookie of ["", asTeam(0)]) {
    check((await ask(`/api/contests/${id}/teams`, { headers: { cookie } })).status === 403, "somebody else sees the links");
    check((await order(`contests/${id}/teams`, { renew: 0 }, cookie)).status === 403, "somebody else renews a link");
  }
});

await test("a team opens its link and hands in; it is built and tried at once", async () => {
  red = await openPage(browser, links[0]);
  check(red.url() === `${server.home}/team/${id}`, `the token stays in ${red.url()}`);
  await red.locator("h1", { hasText: "Red" }).waitFor();
  check((await red.context().cookies(`${server.home}/api/team/${id}`)).some((c) => c.httpOnly && c.sameSite === "Strict" && c.path === `/api/team/${id}`), "the cookie is not bound to its contest");
  await choose(red, "good.tgz");
  await newest(red).locator(".verdictchip.good", { hasText: "Good" }).waitFor();
  await newest(red).locator(".chip", { hasText: "This one counts" }).waitFor();
  await red.locator(".now .game .board").waitFor();
  await picture(red, "team-good");
  await organiser.locator(".teams tr", { hasText: "Red" }).locator("td", { hasText: "submission 1 counts" }).waitFor();
  await picture(organiser, "teams");
});

await test("its test game can be replayed, and is nobody else's", async () => {
  await newest(red).locator("a", { hasText: "Replay" }).click();
  await red.waitForURL(/\/replay\/1$/);
  await red.locator(".replayhead h1", { hasText: "Red" }).waitFor();
  await red.keyboard.press("Home");
  await red.keyboard.press("ArrowRight");
  await red.locator(".counter", { hasText: /^1 of/ }).waitFor();
  check((await ask(`/api/team/${id}/games/1`)).status === 403, "a spectator sees it");
  check((await ask(`/api/team/${id}/games/1`, { headers: { cookie: asTeam(1) } })).status === 404, "another team sees it");
  check(!(await (await ask("/api/games")).text()).includes("Red"), "it is in the list of games");
  await red.goBack();
});

await test("what does not build is shown with its first errors, and the good one still counts", async () => {
  await choose(red, "broken-code.tgz");
  await newest(red).locator(".verdictchip.bad", { hasText: "Does not build" }).waitFor();
  check((await newest(red).locator(".log").first().textContent()).includes("undeclared"), "the compiler's error is missing");
  await newest(red).locator(".btn", { hasText: "Build log" }).click();
  await newest(red).locator(".btn", { hasText: "Hide the log" }).waitFor();
  check((await red.locator('.submission[data-number="1"] .chip.on').count()) === 1, "the first one does not count any more");
  await picture(red, "team-bad");
});

for (const [name, words] of [["out.tgz", "leads out of the folder"], ["link.tgz", "is a link"], ["device.tgz", "such as a device"], ["bomb.zip", "more than 67108864 bytes"], ["empty.tgz", ""], ["large.zip", null]])
  await test(`${name} is refused`, async () => {
    await red.bringToFront();
    const before = await red.locator(".submission").first().getAttribute("data-number");
    await choose(red, name);
    if (words === null) {
      await red.locator(".take .badline", { hasText: "9 MB; at most 8 MB" }).waitFor();
      const status = await handIn(name).then((answer) => answer.status, () => 0); // it may hang up before all is sent
      check([0, 413].includes(status) && (await newest(red).getAttribute("data-number")) === before, `the server has taken it: ${status}`);
      return;
    }
    await until(async () => (await newest(red).getAttribute("data-number")) !== before);
    await newest(red).locator(".verdictchip", { hasText: "Archive refused" }).waitFor();
    check((await newest(red).textContent()).includes(words), await newest(red).textContent());
    check((await red.locator('.submission[data-number="1"] .chip.on').count()) === 1, "the first one does not count any more");
  });

await test("one file is handed in by itself; of a syntax error its line is read", async () => {
  await choose(red, "nothing.py");
  await red.locator(".take .badline", { hasText: "nothing.py is empty" }).waitFor();
  await choose(red, "bot.py");
  await newest(red).locator(".verdictchip", { hasText: "Does not build" }).waitFor();
  const said = await newest(red).textContent();
  check(said.includes('bot.py", line 2') && said.includes("def turn(self:"), said);
});

await test("a file of another kind is named and not sent, with what can be handed in", async () => {
  let sent = 0;
  red.on("request", (request) => { sent += request.method() === "POST" && request.url().endsWith("/submissions"); });
  const give = (...names) => red.locator(".drop input").setInputFiles(names.map((name) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from("PK\x03\x04 words") })));
  const told = (words) => red.locator(".take .badline", { hasText: words }).waitFor();
  for (const name of ["report.docx", "bot.exe", "notes.txt"]) {
    await give(name);
    await told(`${name} cannot be submitted. Submit your source files (.py, .c, .cpp, .h)`);
  }
  await give("a.txt", "b.pdf");
  await told("a.txt, b.pdf cannot be submitted");
  await give("bot.py", "mine.zip");
  await told("mine.zip is an archive");
  check(sent === 0, `${sent} were sent`);
});

await test("a source is pasted, and plays", async () => {
  await red.locator(".sending").waitFor({ state: "hidden" });
  await red.locator(".paste summary").click();
  await red.locator(".paste textarea").fill(readFileSync(`${KIT}/bot.py`, "utf-8"));
  check((await red.locator(".paste select").inputValue()) === "bot.py", "it is not taken for Python");
  await red.locator(".paste .btn.go").click();
  await newest(red).locator(".verdictchip.good", { hasText: "Good" }).waitFor();
});

await test("kits are downloaded as zip", async () => {
  const [file] = await Promise.all([red.waitForEvent("download"), red.locator('.take [data-kit="python"]').click()]);
  check(file.suggestedFilename() === "cuptactoe-python.zip", file.suggestedFilename());
  execFileSync("python3", ["-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None and 'cuptactoe-python/bot.py' in z.namelist(), z.namelist()", await file.path()]);
});

await test("a submission that plays wrongly has lost its test game", async () => {
  await choose(red, "cheat.tgz");
  await newest(red).locator(".verdictchip", { hasText: "Fault in the test game" }).waitFor();
});

await test("a team's page speaks three languages, and its refusals, too", async () => {
  for (const [locale, heading, words] of [["ko-KR", "제출하기", "압축 파일 거부"], ["zh-TW", "繳交程式", "壓縮檔遭拒"]]) {
    const page = await openPage(browser, links[0], { locale, viewport: { width: 360, height: 760 } });
    await page.locator("h2", { hasText: heading }).waitFor();
    await page.locator(".verdictchip", { hasText: words }).first().waitFor();
    check(!/leads out|is a link|is refused/.test(await page.locator("main").textContent()), "English is left");
    check((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "it is too wide");
    await picture(page, `team-${locale}`);
    await page.context().close();
  }
});

await test("a team's token gives no other right", async () => {
  const orders = [["contests", { text: "" }], [`contests/${id}/start`, {}], ["exit", {}], ["switches", {}], ["think", {}], ["check", {}]];
  for (const cookie of [asTeam(0), `${server.cookie}=${token(0)}`])
    for (const [path, body] of orders) check((await order(path, body, cookie)).status === 403, `${path} with ${cookie.slice(0, 16)}`);
  check((await order("games", { game: "reversi", seats: ["random", "random"] }, asTeam(0))).status === 400, "it starts programs");
  for (const path of ["/api/players", "/api/jobs/1"]) check((await ask(path, { headers: { cookie: asTeam(0) } })).status === 403, path);
  check((await handIn("good.tgz", asOrganiser)).status === 403, "the organiser's key is no team's");
  check((await handIn("good.tgz", asTeam(0), { origin: "http://evil.example" })).status === 403, "from another page");
  const other = await (await order("contests", { name: "Other", game: "cuptactoe", players: [{ name: "a", player: "handed-in" }, { name: "b", player: "handed-in" }] }, asOrganiser)).json();
  check((await ask(`/api/team/${other.id}`, { headers: { cookie: asTeam(0) } })).status === 403, "in another contest");
  const { team, submissions } = await (await ask(`/api/team/${id}`, { headers: { cookie: asTeam(1) } })).json();
  check(team === NASTY && submissions.length === 0, "a team sees another's submissions");
});

await test("a link that is renewed is void before, and good after", async () => {
  const old = asTeam(0);
  const row = organiser.locator(".teams tr", { hasText: "Red" });
  await row.locator("td", { hasText: "Fault in the test game" }).waitFor(); // which draws it anew
  await row.locator(".btn", { hasText: "New link" }).click();
  await row.locator(".btn", { hasText: "The old link stops working" }).click();
  await until(async () => (await row.locator(".text.link").inputValue()) !== links[0]);
  links[0] = await row.locator(".text.link").inputValue();
  check((await ask(`/api/team/${id}`, { headers: { cookie: old } })).status === 403, "the old one is still taken");
  check((await handIn("good.tgz", old)).status === 403, "it hands in");
  await red.goto(links[0]);
  await red.locator("h1", { hasText: "Red" }).waitFor();
  check((await red.locator(".submission").count()) > 3, "its submissions are gone");
});

// A contest of teams by an order of the organiser: its id, and the cookie of each team.
const open = async (game, names, more = {}) => {
  const made = await (await order("contests", { name: "Cup", game, players: names.map((name) => ({ name, player: "handed-in" })), ...more }, asOrganiser)).json();
  const teams = await (await ask(`/api/contests/${made.id}/teams`, { headers: { cookie: asOrganiser } })).json();
  return [made.id, (teams.teams || teams).map((one) => `${server.cookie.replace("key", "team")}=${one.token}`)];
};
const teamOf = async (contest, cookie) => (await ask(`/api/team/${contest}`, { headers: { cookie } })).json();
const give = async (contest, cookie, name) => {
  const answer = await ask(`/api/team/${contest}/submissions`, { method: "POST", headers: { origin: server.home, cookie }, body: readFileSync(inFolder(name)) });
  check(answer.status === 200, `${name}: ${answer.status}`);
  await until(async () => { const team = await teamOf(contest, cookie); return !team.now && team.submissions.length > 0; });
  return (await teamOf(contest, cookie)).submissions[0];
};

await test("what the contest does not take is refused in words, and the team's page says what it takes", async () => {
  const [cup, [first]] = await open("connect6", ["A", "B"], { takes: "contest" });
  const { takes } = await teamOf(cup, first);
  check(takes.languages.join() === "c,c++" && takes.files.join() === "Connect6Algo.h,Connect6Algo.cpp,AI_Algorithm_Code.cpp" && takes.cpp === null, JSON.stringify(takes));
  const foreign = await give(cup, first, "good.tgz");
  check(foreign.finding === "rules" && foreign.text.includes("this is a kit of cuptactoe"), JSON.stringify(foreign));
  const report = await give(cup, first, "cheat.tgz");
  check(report.finding === "rules" && report.text.includes("none of the files that this contest takes"), JSON.stringify(report));
  const page = await openPage(browser, `${server.home}/team/${cup}/${first.split("=")[1]}`);
  await page.locator(".takes", { hasText: "C, C++" }).waitFor();
  await page.locator(".takes", { hasText: "AI_Algorithm_Code.cpp" }).waitFor();
  await newest(page).locator(".verdictchip.bad", { hasText: "Not allowed in this contest" }).waitFor();
  await page.context().close();
});

await test("wrong tokens are refused, and slowed down", async () => {
  const guess = (path, options) => ask(path, options).then((answer) => answer.status);
  const link = (i) => guess(`/team/${id}/${String(i).padStart(40, "0")}`);
  check((await link(0)) === 403, "the first one");
  // Many links at once, and then another guess, over and over: however slow the machine is, there are too many some time.
  for (const [another, words] of [[() => link(99), "links are not counted"], [() => guess(`/key/${"0".repeat(40)}`), "the organiser's key may be guessed"],
    [() => guess(`/api/team/${id}`, { headers: { cookie: `${server.cookie.replace("key", "team")}=${"0".repeat(40)}` } }), "by a cookie they are not counted"]]) {
    let told;
    for (let i = 0; i < 100 && told !== 429; i++) {
      const all = await Promise.all([...Array.from({ length: 40 }, (_, n) => link(n)), another()]);
      check(all.every((one) => one === 403 || one === 429), all.join());
      told = all.at(-1);
    }
    check(told === 429, words);
  }
  check((await ask(`/api/team/${id}`, { headers: { cookie: asTeam(0) } })).status === 200, "the right one is refused");
});

await test("only one at a time, and bodies are bounded before they are read", async () => {
  await wait(1500);
  const answers = await Promise.all([1, 2, 3].map(() => handIn("good.tgz", asTeam(1)).then((answer) => answer.status)));
  check(answers.filter((one) => one === 200).length === 1 && answers.filter((one) => one === 409).length === 2, answers.join());
  await until(async () => !(await (await ask(`/api/team/${id}`, { headers: { cookie: asTeam(1) } })).json()).now);
});

await test("a team tries its player out against a level and against another of its own; replay and log are its alone", async () => {
  await red.goto(`${server.home}/team/${id}`);
  const form = red.locator(".tryform");
  const play = async (n, level, as) => {
    await form.locator('[name="against"]').selectOption(level);
    await form.locator('[name="colour"]').selectOption(as);
    await form.locator(".btn.go:enabled").click();
    await red.locator(".tryouts h3", { hasText: `Try-out ${n} is` }).waitFor();
    await red.locator(".tryouts .game .board").waitFor();
    await red.locator(`.trylist [data-tryout="${n}"] a`).waitFor();
  };
  const { good } = await (await ask(`/api/team/${id}`, { headers: { cookie: asTeam(0) } })).json();
  await red.locator(`.submission[data-number="${good}"] .btn.try`).click();
  check((await form.locator('[name="submission"]').inputValue()) === String(good), "another submission is chosen");
  await play(1, "builtin:easy", "White");
  const item = red.locator('.trylist [data-tryout="1"]');
  check((await item.textContent()).includes("(White) against Built-in, easy"), await item.textContent());
  await play(2, (await form.locator('[name="against"] option').last().getAttribute("value")), "Black");
  await picture(red, "team-tryouts");
  await item.locator("a").click();
  await red.waitForURL(/\/tryout\/1$/);
  check((await red.locator(".replayhead h1").textContent()).endsWith(`Red #${good}`), "it was not white");
  await red.locator(".gamelog summary").click();
  const log = await red.locator(".gamelog details .log").textContent();
  check(/-> O /.test(log) && !/[<-][->] X /.test(log), log.slice(0, 400));
  check((await ask(`/api/team/${id}/tryouts/1`)).status === 403, "a spectator sees it");
  check((await ask(`/api/team/${id}/tryouts/1`, { headers: { cookie: asTeam(1) } })).status === 404, "another team sees it");
  await red.goBack();
  await red.locator('.trylist [data-tryout="2"]').waitFor();
});

await test("the contest plays what counts, and takes nothing more", async () => {
  await organiser.locator(".head .btn", { hasText: "Start" }).click();
  await organiser.locator(".head .chip", { hasText: "Over" }).waitFor();
  const names = await organiser.locator(".standings .name").allTextContents();
  check(["Red", NASTY, "Random"].every((name) => names.includes(name)), names.join());
  check((await organiser.locator("main img").count()) === 0, "a name became an element");
  const { good } = await (await ask(`/api/team/${id}`, { headers: { cookie: asTeam(0) } })).json();
  check(good > 0 && new RegExp(`folder = ".*teams/1/${good}"`).test(readFileSync(join(server.data, "contests", `${id}.conf`), "utf8")), "another submission has played");
  await red.locator(".chip", { hasText: "Closed" }).waitFor();
  check(await red.locator(".drop").isHidden(), "it still takes archives");
  check(await red.locator(".tryform").isHidden(), "it still tries out");
  check((await handIn("good.tgz")).status === 409, "the server still takes archives");
});

await test("a team whose program does not build is in the table, with the reason", async () => {
  const [cup, [works, broken]] = await open("cuptactoe", ["Works", "Broken", "Silent"], { time: "5" });
  check((await give(cup, works, "good.tgz")).finding === "good", "the good one");
  check((await give(cup, broken, "broken-code.tgz")).finding === "build", "the broken one");
  check((await order(`contests/${cup}/start`, {}, asOrganiser)).status === 200, "it does not start");
  await organiser.goto(`${server.home}/tournament/${cup}`);
  await organiser.locator(".head .chip", { hasText: "Over" }).waitFor();
  const names = await organiser.locator(".standings .name").allTextContents();
  check(names.length === 2 && names[0] === "Works" && names[1] === "Broken", names.join());
  const row = await organiser.locator(".standings tr", { hasText: "Broken" }).textContent();
  check(row.includes("does not build") && row.includes("undeclared"), row);
  const { report } = await (await ask(`/api/contests/${cup}`)).json();
  check(report.standings.find((one) => one.name === "Broken").remark.includes("undeclared"), "the report has no reason");
});

await browser.close();
await server.stop();
rmSync(folder, { recursive: true, force: true });
end();
