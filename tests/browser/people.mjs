// SPDX-License-Identifier: MIT
// Visitors, who have no key: they play built-in players at every level, and each other by a link, with draw, resign and
// rematch; a game asks before it is dropped, and outlives a server that is killed.
import { readFileSync } from "node:fs";
import { check, clickBoard, end, openPage, picture, startBrowser, startServer, test, until } from "./harness.mjs";
import { choose, play } from "./players.mjs";

const browser = await startBrowser();
const server = await startServer("--no-demo");
const page = await openPage(browser, server.home);

const idOf = (one) => new URL(one.url()).pathname.split("/").pop();
const state = (one) => one.evaluate((id) => fetch(`/api/games/${id}`).then((r) => r.json()), idOf(one));
const button = (one, words) => one.locator(".acts .btn", { hasText: words });

async function setSeat(one, player, kind, level) {
  await one.locator(`.seat${player} .link`).click();
  await one.locator(`dialog input[value="${kind}"]`).check();
  if (level) await one.locator("dialog .levels button", { hasText: level }).click();
  await one.locator("dialog .btn.go").click();
  await one.waitForSelector("dialog", { state: "detached" });
}

async function start(one, game, kind, level) {
  await one.goto(`${server.home}/practice/${game}`);
  await one.waitForSelector(".acts .btn.go");
  await setSeat(one, 2, kind, level);
  await button(one, "Start").click();
  await one.waitForURL(/\/game\//);
}

// Plays as the first until it is over, each turn as `pick` says.
async function playOut(pick) {
  let now = await state(page);
  while (!now.result) {
    await until(async () => (now = await state(page)).result || now.awaits === 1);
    if (now.result) break;
    await page.locator(".seat1.turn").waitFor();
    await until(async () => (await page.locator(".moves tr").count()) === now.moves.length);
    await page.waitForSelector(".boardcol .mine");
    const ply = now.moves.length;
    await play[now.game](page, await page.evaluate(pick, { game: now.game, settings: now.settings, moves: now.moves }));
    await until(async () => (now = await state(page)).result || now.moves.length > ply);
  }
  return now.result;
}

// The first legal move; runs in the browser.
async function first({ game, settings, moves }) {
  const { Rules } = await import("/static/app.js");
  return [new Rules(game, settings).restart(moves).legal()[0]];
}

await test("a visitor without a key beats random", async () => {
  let result;
  for (let i = 0; i < 4 && result?.winner !== 1; i++) {
    await start(page, "cuptactoe", "builtin", "Random");
    result = await playOut(choose);
  }
  check(result.winner === 1, JSON.stringify(result));
  await page.locator(".verdict", { hasText: "Black wins" }).waitFor();
});

await test("and loses to strong", async () => {
  await start(page, "cuptactoe", "builtin", "Strong");
  const result = await playOut(first);
  check(result.winner === 2 && result.reason !== "forfeit", JSON.stringify(result));
  await page.locator(".verdict", { hasText: "White wins" }).waitFor();
});

await test("the five games are a click away, and a game under way asks first", async () => {
  await start(page, "reversi", "builtin", "Random");
  await page.locator(".seat1.turn").waitFor();
  await play.reversi(page, ["3,3"]);
  await until(async () => (await page.locator(".moves tr").count()) > 0);
  check((await page.locator(".switcher a").count()) === 5, "there is no switcher");
  await page.locator(".switcher a", { hasText: "Hop" }).click();
  await picture(page, "leave-question");
  await page.locator("dialog.question .btn", { hasText: "Stay" }).click();
  check(/\/game\//.test(page.url()), "it went all the same");
  await page.goBack();
  await page.locator("dialog.question .btn", { hasText: "Stay" }).click();
  check(/\/game\//.test(page.url()), "back has dropped it");
  const id = idOf(page);
  await page.locator(".switcher a", { hasText: "Hop" }).click();
  await page.locator("dialog.question .btn", { hasText: "Leave" }).click();
  await page.waitForURL(/\/practice\/hopchess/);
  const left = await page.evaluate((game) => fetch(`/api/games/${game}`).then((r) => r.json()), id);
  check(left.result.reason === "aborted", JSON.stringify(left.result));
  const hall = await page.evaluate(() => fetch("/api/hall").then((r) => r.json()));
  check(!hall.games.some((game) => game.id === id), "it is still listed");
});

await test("the stone of a seat opens the choice of player, by a click and by a key", async () => {
  await page.goto(`${server.home}/practice/cuptactoe`);
  await page.locator(".seat1 .stone").click();
  await page.locator("dialog", { hasText: "Black: who plays?" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.getByRole("button", { name: "White: who plays?" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog", { hasText: "White: who plays?" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
});

await test("two people at one screen take moves back", async () => {
  await page.goto(`${server.home}/practice/cuptactoe`);
  await page.waitForSelector(".acts .btn.go");
  await setSeat(page, 2, "human");
  await button(page, "Start").click();
  await page.locator(".seat1.turn").waitFor();
  await play.cuptactoe(page, ["1 4"]);
  await page.locator(".seat2.turn").waitFor();
  await button(page, "Undo").click();
  await page.locator(".seat1.turn").waitFor();
  check((await page.locator(".moves tr").count()) === 0, "the move is still there");
  check((await page.locator(".stone:visible").count()) === 0, "a stone asks who plays in the middle of a game");
  await button(page, "New game").click(); // nothing was played: nothing is asked
  await button(page, "Start").waitFor();
});

await test("two people at one screen can resign: whoever is to move", async () => {
  await button(page, "Start").click();
  await page.locator(".seat1.turn").waitFor();
  await play.cuptactoe(page, ["1 4"]);
  await page.locator(".seat2.turn").waitFor();
  await button(page, "Resign").click();
  await page.locator("dialog", { hasText: "White gives up, and Black wins." }).locator(".btn", { hasText: "Resign" }).click();
  await page.locator(".verdict", { hasText: "Black wins: the opponent resigned" }).waitFor();
  check((await page.locator(".seat.turn").count()) === 0, "somebody is still to move");
  check((await page.locator(".boardcol [aria-label]").first().getAttribute("aria-label")).includes("Black wins"), "the board says that it is somebody's turn");
  await button(page, "Rematch").click();
  await page.locator(".seat1.turn").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.dock .btn[aria-label="Resign"]').click();
  await page.locator("dialog .btn", { hasText: "Resign" }).click();
  await page.locator(".dock .btn", { hasText: "Rematch" }).waitFor();
  const [verdict, dock] = [await page.locator(".verdict").boundingBox(), await page.locator(".dock").boundingBox()];
  check(verdict.y + verdict.height <= dock.y && dock.height < 80, `the verdict ends at ${verdict.y + verdict.height}, the dock begins at ${dock.y} and is ${dock.height} high`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(page, "New game").click();
  await button(page, "Start").waitFor();
});

const other = await openPage(browser, server.home);

await test("two browsers play each other by link: draw, resign, rematch", async () => {
  await page.goto(`${server.home}/practice/cuptactoe`);
  await page.waitForSelector(".acts .btn.go");
  await setSeat(page, 2, "guest");
  await button(page, "Start").click();
  await page.locator(".invite").waitFor();
  await picture(page, "invite");
  const link = await page.locator(".invite input").inputValue();
  await other.goto(link);
  await button(other, "Join the game").click();
  await page.locator(".seat1.turn").waitFor();
  await play.cuptactoe(page, ["1 4"]);
  await other.locator(".seat2.turn").waitFor();
  await other.waitForSelector(".boardcol .mine");
  await play.cuptactoe(other, ["1 0"]);
  await page.locator(".seat1.turn").waitFor();
  // a third one watches
  const third = await openPage(browser, link);
  await third.locator(".facts .chip", { hasText: "Watching" }).waitFor();
  check((await third.locator(".acts .btn", { hasText: "Resign" }).count()) === 0, "a stranger may resign");
  await third.context().close();
  // a cup that was taken up stays so, whatever is heard meanwhile
  await page.waitForSelector(".boardcol .mine");
  await page.locator('.handrow.mine [data-size="2"] g:not(.gone)').first().click({ force: true });
  await button(other, "Offer a draw").click();
  await page.locator(".offer").waitFor();
  await page.locator(".note-line .btn", { hasText: "Decline" }).click();
  await other.locator(".note-line", { hasText: "You have offered" }).waitFor({ state: "detached" });
  await clickBoard(page, 88, 250);
  await other.locator(".seat2.turn").waitFor();
  check((await state(page)).moves[2] === "2 3", JSON.stringify(await state(page)));
  await button(page, "Offer a draw").click();
  await other.locator(".offer").waitFor();
  await picture(other, "draw-offered");
  await other.locator(".note-line .btn", { hasText: "Decline" }).click();
  await page.locator(".note-line", { hasText: "You have offered" }).waitFor({ state: "detached" });
  await button(page, "Offer a draw").click();
  await other.locator(".offer .btn", { hasText: "Accept" }).click();
  for (const one of [page, other]) await one.locator(".verdict", { hasText: "Draw: agreed" }).waitFor();
  const before = idOf(page);
  await button(page, "Rematch").click();
  await button(other, "Accept the rematch").click();
  for (const one of [page, other]) await until(() => idOf(one) !== before);
  await other.locator(".seat1.turn").waitFor();
  check(idOf(page) === idOf(other), "they are led to two games");
  await until(async () => (await state(other)).yours[0]);
  await button(other, "Resign").click();
  await other.locator("dialog.question .btn", { hasText: "Resign" }).click();
  for (const one of [page, other]) await one.locator(".verdict", { hasText: "White wins: the opponent resigned" }).waitFor();
});

await test("a game goes on in the same page when the server is killed", async () => {
  await start(page, "reversi", "builtin", "Random");
  await page.locator(".seat1.turn").waitFor();
  await play.reversi(page, ["3,3"]);
  let now;
  await until(async () => (now = await state(page)).moves.length >= 2 && now.awaits === 1);
  const children = () => readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, "utf8").trim().split(" ").map(Number);
  await until(async () => (await page.locator(".moves tr").count()) === now.moves.length);
  await new Promise((done) => setTimeout(done, 300)); // how it stands is written within a tenth of a second
  await page.evaluate(() => { window.sameAsBefore = true; });
  const [old] = children();
  process.kill(old, "SIGKILL");
  await page.locator(".toast").waitFor();
  await page.locator(".toast").waitFor({ state: "detached" });
  await page.locator(".seat1.turn").waitFor();
  const after = await state(page);
  check(JSON.stringify(after.moves) === JSON.stringify(now.moves) && after.yours[0], JSON.stringify(after));
  await page.waitForSelector(".boardcol .mine");
  await play.reversi(page, await page.evaluate(choose, { game: "reversi", settings: now.settings, moves: now.moves }));
  await until(async () => (await state(page)).moves.length > now.moves.length);
  check(await page.evaluate(() => window.sameAsBefore), "the page was loaded again");
});

await test("the end is told with its score", async () => {
  await button(page, "Resign").click();
  await page.locator("dialog.question .btn", { hasText: "Resign" }).click();
  await page.locator(".verdict", { hasText: /^White wins: \d+ : \d+, the opponent resigned$/ }).waitFor();
});

await test("a turn that a person lets go by is told, where the referee moves instead", async () => {
  const { id } = await page.evaluate(() => fetch("/api/games", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ game: "reversi", seats: ["human", "random"], people: true, time: "1" }) }).then((r) => r.json()));
  await page.goto(`${server.home}/game/${id}`);
  await page.waitForSelector(".boardcol .mine");
  await play.reversi(page, ["3,3"]); // from then on he has a clock
  await page.locator(".moves .fault", { hasText: "out of time: the referee moved" }).first().waitFor();
  await page.locator(".note-line", { hasText: "Black ran out of time: the referee moved instead." }).waitFor();
  const { faults, moves } = await state(page);
  check(faults[0].player === 1 && faults[0].word === "late" && faults[0].ply === 2 && moves.length > 2, JSON.stringify(faults));
  await button(page, "Resign").evaluate((drawn) => { drawn.kept = true; });
  await page.locator(".moves .fault", { hasText: "out of time: the referee moved" }).nth(faults.length).waitFor();
  check(await button(page, "Resign").evaluate((drawn) => drawn.kept), "the button was drawn anew while the game went on");
  await button(page, "Resign").click();
  await page.locator("dialog.question .btn", { hasText: "Resign" }).click();
  await page.locator(".verdict").waitFor();
  await page.goto(`${server.home}/replay/${id}`);
  await page.locator(".moves .fault").first().waitFor();
});

await test("nothing went wrong in the pages", () => {
  const wrong = [...page.errors, ...other.errors].filter((words) => !/409|403|404|WebSocket|ERR_CONNECTION|Failed to (load|fetch)/.test(words));
  check(wrong.length === 0, wrong.join("\n"));
});

await browser.close();
await server.stop();
end();
