// SPDX-License-Identifier: MIT
// What outlives the server: a contest that was broken off is listed and shown at once and goes on; the
// games that were played, and what was thought of them, are kept. And the page that ends a server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, end, openPage, startBrowser, startServer, test, until, wait } from "./harness.mjs";

// A player that takes a tenth of a second for every turn.
const SLOW = `abp:'${process.env.ARBITER}' bot cuptactoe --slow 0.1 --level random`;
const TEXT = `name = "Broken off"; game = "cuptactoe"; time = 5; jobs = 1; seed = 3; format = "league"; games = 2;
  players = (${["A", "B", "C", "D"].map((name) => `{ name = "${name}"; start = ${JSON.stringify(SLOW)}; }`).join(", ")});`;

const browser = await startBrowser();
let server = await startServer("--no-demo");
let page = await openPage(browser, server.link);

const get = (path) => page.evaluate((p) => fetch(`/api/${p}`).then((r) => r.json()), path);
const post = (path, body = {}) => page.evaluate(([p, b]) => fetch(`/api/${p}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(b) })
  .then(async (r) => ({ status: r.status, ...(await r.json()) })), [path, body]);

async function restart(...options) {
  await page.context().close();
  await server.stop(true);
  server = await startServer(...(options.length ? options : ["--no-demo"]), "--data", server.data);
  page = await openPage(browser, server.link);
}

// The processes below one whose command has a word in it. (One may end while it is looked at.)
const read = (path) => { try { return readFileSync(path, "utf8"); } catch { return ""; } };
const below = (pid, word) => read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean)
  .flatMap((child) => [...(read(`/proc/${child}/cmdline`).includes(word) ? [+child] : []), ...below(child, word)]);

let id, game;

await test("the first page has games of four kinds, and a demo that has ended begins anew", async () => {
  const other = await startServer();
  const guest = await openPage(browser, other.home);
  const ask = (path) => guest.evaluate((p) => fetch(`/api/${p}`).then((r) => r.json()), path);
  await until(async () => new Set((await ask("hall")).games.map((one) => one.game)).size === 4);
  const seed = () => +readFileSync(join(other.data, "contests", "demo3.conf"), "utf8").match(/seed = (\d+)/)[1], before = seed();
  process.kill(below(other.child.pid, "demo3.conf")[0], "SIGKILL");
  await until(async () => (await ask("contests/demo3")).state === "failed");
  await until(async () => (await ask("contests/demo3")).state === "running" && (await ask("contests/demo3")).live.length > 0);
  check(seed() === before + 1, `the seed is ${seed()}`);
  await guest.context().close();
  await other.stop();
});

await test("a contest is paused, and finishes what it has begun", async () => {
  ({ id } = await post("contests", { text: TEXT }));
  await page.goto(`${server.home}/tournament/${id}`);
  await post(`contests/${id}/start`);
  await page.locator(".head .btn", { hasText: "Pause" }).waitFor();
  await until(async () => (await get(`contests/${id}`)).done >= 2);
  await page.locator(".head .btn", { hasText: "Pause" }).click();
  await page.locator(".head .chip", { hasText: "Paused" }).waitFor();
  // A game that has ended is kept at once and counted a little later.
  const kept = async () => (await get("games")).filter((one) => one.id.startsWith(`${id}g`)).length;
  await until(async () => { const { live, done } = await get(`contests/${id}`); return live.length === 0 && done === (await kept()); });
  const { done, expected } = await get(`contests/${id}`);
  await wait(1500);
  check((await get(`contests/${id}`)).done === done && done < expected, `${done} of ${expected}: it went on`);
});

await test("after a restart it is listed and shown at once", async () => {
  const { done } = await get(`contests/${id}`);
  await restart();
  await page.goto(`${server.home}/tournament`);
  await page.locator(".contest", { hasText: "Broken off" }).locator(".chip", { hasText: "Paused" }).waitFor();
  await page.locator(".contest", { hasText: `${done} of 12 games done` }).click();
  await until(async () => (await page.locator(".standings tbody tr").count()) === 4);
  check((await page.locator(".contestgames tbody tr").count()) === done, "the games are not listed");
});

await test("it goes on to its end", async () => {
  await page.locator(".head .btn", { hasText: "Continue" }).click();
  await page.locator(".head .chip", { hasText: "Over" }).waitFor();
  check((await get(`contests/${id}`)).done === 12, "games are missing");
  await restart();
  await page.goto(`${server.home}/tournament/${id}`);
  await page.locator(".head .chip", { hasText: "Over" }).waitFor();
  await until(async () => (await page.locator(".standings tbody tr").count()) === 4);
});

await test("what is heard of late is waited for, and what is not there is said at once", async () => {
  const late = await openPage(browser, server.home);
  await late.routeWebSocket(/\/live$/, async (socket) => { await wait(4000); socket.connectToServer(); });
  await late.goto(`${server.home}/tournament/${id}`);
  await late.locator(".head h1", { hasText: "Broken off" }).waitFor();
  await late.goto(`${server.home}/tournament/c99999`);
  await late.locator("h1", { hasText: "No such contest" }).waitFor();
  await late.context().close();
});

await test("its games can be replayed after a restart", async () => {
  await page.locator('.contestgames a[href^="/replay"]').first().click();
  await page.waitForURL(/\/replay\//);
  await page.waitForSelector(".stepbar");
});

await test("a game of practice and what was thought of it are kept", async () => {
  ({ id: game } = await post("games", { game: "cuptactoe", seats: ["builtin:easy,nodes=50", "random"] }));
  await until(async () => (await get(`games/${game}`)).state === "over");
  await post(`games/${game}/study`);
  await until(async () => (await get(`games/${game}/study`)).state === "done");
  const before = await get(`games/${game}/record`);
  await restart();
  check(JSON.stringify(await get(`games/${game}/record`)) === JSON.stringify(before), "the record is another");
  check((await get(`games/${game}/study`)).state === "done", "the thoughts are gone");
  check((await get("games")).some((one) => one.id === game), "it is not in the list");
  await page.goto(`${server.home}/games`);
  await page.locator(`a[href="/replay/${game}"]:not([aria-hidden])`).waitFor();
});

await test("Exit ends a server that was started for one person", async () => {
  check((await post("exit")).status === 409, "any server is ended");
  await restart("--no-demo", "--personal");
  const ended = new Promise((done) => { server.child.removeAllListeners("exit"); server.child.on("exit", done); });
  await page.locator(".exit").click();
  await page.locator("h1", { hasText: "Arbiter has ended" }).waitFor();
  check((await ended) === 0, "it has not ended well");
  await wait(200); // the page hears of it, and has nothing to say
  check(!(await page.evaluate(() => document.body.textContent)).includes("Connection lost"), "the page looks for a server that was ended");
});

await browser.close();
end();
