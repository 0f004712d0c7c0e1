// SPDX-License-Identifier: MIT
// A server that falls is started again by its parent: at the same place, with the same key; contests that were
// going on go on, open pages come back by themselves, and the log says what has happened.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, end, openPage, remove, startBrowser, startServer, test, until } from "./harness.mjs";

const SLOW = `abp:'${process.env.ARBITER}' bot cuptactoe --slow 0.1 --level random`;
const contest = (name) => `name = "${name}"; game = "cuptactoe"; time = 60; jobs = 1; seed = 3; format = "league"; games = 2;
  players = (${["A", "B", "C"].map((one) => `{ name = "${one}"; start = ${JSON.stringify(SLOW)}; }`).join(", ")});`;

const browser = await startBrowser();
const server = await startServer("--no-demo");
const page = await openPage(browser, server.link);

const get = (path) => fetch(`${server.home}/api/${path}`).then((r) => r.json());
const reachable = () => get("about").then(() => true, () => false);
const post = (path, body = {}) => fetch(`${server.home}/api/${path}`, { method: "POST", body: JSON.stringify(body),
  headers: { origin: server.home, cookie: `${server.cookie}=${server.key}`, "content-type": "application/json" } })
  .then(async (r) => ({ status: r.status, ...(await r.json()) }));
const read = (path) => { try { return readFileSync(path, "utf8"); } catch { return ""; } };
const serving = () => read(`/proc/${server.child.pid}/task/${server.child.pid}/children`).trim().split(" ").filter(Boolean).map(Number);
const falls = () => read(join(server.data, "falls.log"));

// Whether another serves than before. (Asked once: between two answers it may change.)
function isAnother(old) {
  const all = serving();
  return all.length === 1 && all[0] !== old;
}

// Ends the server by a signal; returns when another has taken its place.
async function fall(signal) {
  const [old] = serving();
  process.kill(old, signal);
  await until(async () => isAnother(old) && (await reachable()));
}

let going, paused;

await test("the process that serves is told, and is a child of the one that was started", () => {
  check(serving().length === 1 && serving()[0] === server.pid, `${serving()}, not ${server.pid}`);
});

await test("a contest that was going on goes on after a fall, and one that was paused stays so", async () => {
  ({ id: paused } = await post("contests", { text: contest("Rests") }));
  await post(`contests/${paused}/start`);
  await until(async () => (await get(`contests/${paused}`)).done >= 1);
  await post(`contests/${paused}/pause`);
  await until(async () => (await get(`contests/${paused}`)).live.length === 0);
  ({ id: going } = await post("contests", { text: contest("Goes on") }));
  await page.goto(`${server.home}/tournament/${going}`);
  await page.evaluate(() => { window.sameAsBefore = true; });
  await post(`contests/${going}/start`); // now: it does not wait for the page
  await until(async () => { const one = await get(`contests/${going}`); return one.done >= 1 && one.live.length > 0; });
  const { done: before } = await get(`contests/${going}`);
  await fall("SIGSEGV");
  const shown = [];
  await until(async () => { shown.push(await get(`contests/${going}`)); return shown.at(-1).live.length > 0 || shown.at(-1).done === 6; });
  check(shown.every(({ state, done, expected }) => (state === "running" || (state === "over" && done === 6)) && done >= before && expected === 6), `after a fall it is ${shown.map(({ state, done, expected }) => `${state} ${done}/${expected}`)}`);
  await until(async () => (await get(`contests/${paused}`)).state === "paused");
});

await test("the page that was open comes back by itself and shows the rest", async () => {
  await page.locator(".head .chip", { hasText: "Over" }).waitFor(); // the runner that is lost may have to be waited for
  check(await page.evaluate(() => window.sameAsBefore), "it was loaded again");
  const { done, report } = await get(`contests/${going}`);
  check(done === 6 && report.games.length === 6, `${done} games`);
  check(report.games.every((game) => !game.verdict), `somebody lost by the fall: ${JSON.stringify(report.games)}`);
  check((await get(`contests/${paused}`)).state === "paused", "the other has begun");
});

await test("the log has the cause and where it was", () => {
  const said = falls();
  check(said.includes("It is started again; fall 1 within a minute"), said);
  if (process.env.SANITIZED) check(/it ended by itself with code 1/.test(said), said); // which reports by itself
  else check(/fell: signal 11, Segmentation fault/.test(said) && /#\d+ server_run at 0x/.test(said) && /sent by process \d+/.test(said), said);
});

await test("a page that watches a contest's game shows it again when it is played again", async () => {
  await post(`contests/${paused}/continue`);
  let live;
  await until(async () => { live = (await get(`contests/${paused}`)).live; return live.length > 0; });
  await page.goto(`${server.home}/game/${live[0].id}`);
  await page.locator(".boardcol .board").waitFor();
  await fall("SIGKILL");
  await until(async () => (await get(`contests/${paused}`)).state === "over");
  check(falls().includes("signal 9, Killed"), falls());
  // A game that was over before the fall is not live any more: the page goes on to its replay.
  const at = () => new URL(page.url()).pathname, id = live[0].id;
  await until(async () => at() === `/replay/${id}` || (at() === `/game/${id}` && (await page.locator(".note-line .verdict").count()) > 0));
  await page.locator(".boardcol .board").waitFor();
});

await test("a page with a game of practice goes on with it", async () => {
  const { id } = await post("games", { game: "cuptactoe", seats: ["human", "builtin:easy"], time: "off" });
  await page.goto(`${server.home}/game/${id}`);
  await page.locator(".boardcol .board").waitFor();
  await page.locator(".seat1.turn").waitFor();
  await fall("SIGBUS");
  await until(async () => (await get(`games/${id}`)).awaits === 1);
  await page.locator(".toast").waitFor({ state: "detached" });
  await page.locator(".seat1.turn").waitFor();
  check(page.url().endsWith(`/game/${id}`), page.url());
});

await test("the organiser is still the organiser", async () => {
  await page.goto(server.link);
  check((await page.evaluate(() => fetch("/api/about").then((r) => r.json()))).organiser, "the key is another");
});

await test("a port that is taken is told once, and nothing is started again", async () => {
  let said = "";
  const other = spawn(process.env.ARBITER, ["serve", "--no-demo", "--judge-port", "0", "--data", `${server.data}-other`, "--port", new URL(server.home).port], { stdio: ["ignore", "ignore", "pipe"] });
  other.stderr.on("data", (bytes) => { said += bytes; });
  const code = await new Promise((done) => other.on("close", done));
  await remove(`${server.data}-other`);
  check(code === 2 && said.split("\n").length === 2 && said.includes("already in use; --port"), `${code}: ${said}`);
});

await test("after five falls in a minute it stops, in words", async () => {
  const ended = new Promise((done) => { server.child.removeAllListeners("exit"); server.child.on("exit", done); });
  for (let over = false; !over;) {
    const [old] = serving();
    process.kill(old, process.env.SANITIZED ? "SIGKILL" : "SIGFPE"); // a sanitizer would end it with a code, as what cannot start does
    await until(() => (over = falls().includes("is not started again")) || isAnother(old));
  }
  check((await ended) === 1, "the code");
  check(falls().includes("It fell 5 times within a minute and is not started again."), falls());
});

await remove(server.data);
await browser.close();
end();
