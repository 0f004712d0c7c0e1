// SPDX-License-Identifier: MIT
// A team that connects by itself to the judge's port appears in the list of seats, is seated, plays,
// and stays for the next game.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { check, clickBoard, countPlayersAsked, end, freePort, openPage, picture, startBrowser, startServer, test, until } from "./harness.mjs";

const TEAM = 12, BOARD = 268;

// A client of the course: any empty square of the centre is legal.
function startTeam(port) {
  const socket = connect(port, "127.0.0.1");
  let rest = Buffer.alloc(0);
  const number = (n) => { const b = Buffer.alloc(4); b.writeInt32LE(n); return b; };
  socket.write(number(TEAM));
  socket.boards = 0;
  socket.on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= BOARD && rest.readInt32LE(0) !== 0) {
      const id = rest.readInt32LE(4);
      let cell = null;
      for (let i = 0; i < 64 && !cell; i++) {
        const [r, c] = [Math.floor(i / 8), i % 8];
        if (r > 0 && r < 7 && c > 0 && c < 7 && rest.readInt32LE(8 + 4 * i) === 0) cell = [r, c];
      }
      rest = rest.subarray(BOARD);
      socket.boards++;
      socket.write(Buffer.concat([number(1), number(id), number(cell[0]), number(cell[1])]));
    }
  });
  socket.on("error", () => {});
  return socket;
}

const browser = await startBrowser();
const port = await freePort();
const server = await startServer("--no-demo", "--judge-port", String(port));
const page = await openPage(browser, server.link, { prefs: { people: false, limit: false } });
let team;

async function seatTeam() {
  await page.goto(`${server.home}/practice/reversi`);
  await page.waitForSelector(".acts .btn.go");
  await page.locator(".seat2 .link").click();
  await page.locator(`dialog [data-player="tcp:${TEAM}"]`).click();
}

// Leaves the game; the team is free once the server has heard of it.
async function newGame() {
  await page.locator(".acts .btn", { hasText: "New game" }).click();
  await Promise.all([page.waitForResponse(/\/leave$/), page.locator("dialog.question .btn", { hasText: "Leave" }).click()]);
}

async function playOne() {
  await page.locator(".acts .btn.go").click();
  await page.waitForURL(/\/game\//);
  await page.waitForSelector(".seat1.turn");
  await clickBoard(page, 64 + 80 * 3, 64 + 80 * 3);
  await until(async () => (await page.locator(".moves tr").count()) >= 2);
}

await test("a team that connects appears by itself in the open dialog", async () => {
  await page.goto(`${server.home}/practice/reversi`);
  await page.waitForSelector(".acts .btn.go");
  await page.locator(".seat2 .link").click();
  await page.locator("dialog", { hasText: "No team is connected" }).waitFor();
  team = startTeam(port);
  await page.locator(`dialog [data-player="tcp:${TEAM}"]`).waitFor();
  await picture(page, "team-appears");
  await page.locator(`dialog [data-player="tcp:${TEAM}"]`).click();
  await page.locator("dialog .btn.go").click();
  check((await page.locator(".seat2 .who b").textContent()) === `Team ${TEAM}`, "it has no seat");
});

await test("it plays, and is free again for the next game", async () => {
  await playOne();
  check(team.boards === 1, `it was asked ${team.boards} times`);
  await newGame();
  await seatTeam();
  await page.locator("dialog .btn.go").click();
  await playOne();
  check(team.boards === 2, `it was asked ${team.boards} times in all`);
});

await test("a team that leaves goes from the list", async () => {
  await newGame();
  await seatTeam();
  team.destroy();
  await page.locator("dialog", { hasText: "No team is connected" }).waitFor();
});

await test("a connected team is chosen for a contest, plays all its games and stays", async () => {
  const playersAsked = countPlayersAsked(page);
  await page.goto(`${server.home}/tournament`);
  await page.locator(".make").waitFor();
  await page.selectOption('[name="game"]', "reversi");
  await page.selectOption('[name="format"]', "league");
  await page.locator(".make", { hasText: `port ${port}` }).waitFor();
  const bot = spawn(process.env.ARBITER, ["bot", "reversi", "--protocol", "stcp", "--port", String(port), "--team", String(TEAM), "--level", "random"], { stdio: "ignore" });
  await page.locator(`.field-list [value="tcp:${TEAM}"]`).waitFor();
  await playersAsked(4);
  await page.locator('.field-list [value="random"]').check();
  check(await page.locator(`.field-list [value="tcp:${TEAM}"]`).isChecked(), "it does not take part");
  await page.locator(".make .btn.go").click();
  await page.waitForURL(/\/tournament\/\w+/);
  const api = `${server.home}/api/contests/${page.url().split("/").pop()}`;
  await until(async () => (await (await fetch(api)).json()).state === "over");
  const { report } = await (await fetch(api)).json();
  check(report.games.length === 2 && report.games.every((game) => game.state === "done" && !game.verdict), `not played out: ${JSON.stringify(report.games)}`);
  // It comes back by itself, the result by the contest's process: in any order.
  await until(async () => bot.exitCode !== null || (await (await fetch(`${server.home}/api/hall`)).json()).teams.includes(TEAM));
  check(bot.exitCode === null, "it does not wait for more");
  await page.locator("tr", { hasText: `Team ${TEAM}` }).first().waitFor();
  bot.kill();
});

// The relay of the kits stands at port 8888 of the contestant's machine and joins it to the judge elsewhere.
const free = await new Promise((done) => { const one = createServer().on("error", () => done(false)).listen(8888, "127.0.0.1", () => one.close(() => done(true))); });
await test(`a team comes by the kits' relay${free ? "" : " # SKIP port 8888 is taken"}`, async () => {
  if (!free) return;
  const relay = spawn("python3", [new URL("../../kits/relay/relay.py", import.meta.url).pathname, "127.0.0.1", String(port)], { stdio: "ignore" });
  try {
    await until(async () => (await new Promise((done) => { const probe = connect(8888, "127.0.0.1"); probe.on("connect", () => { probe.destroy(); done(true); }); probe.on("error", () => done(false)); })));
    await page.goto(`${server.home}/practice/reversi`);
    await page.waitForSelector(".acts .btn.go");
    await page.locator(".seat2 .link").click();
    team = startTeam(8888);
    await page.locator(`dialog [data-player="tcp:${TEAM}"]`).click();
    await page.locator("dialog .btn.go").click();
    await playOne();
    check(team.boards === 1, `it was asked ${team.boards} times`);
  } finally {
    team.destroy();
    relay.kill();
  }
});

await browser.close();
await server.stop();
end();
