// SPDX-License-Identifier: MIT
// A person beats random at each of the five games, by clicks on the real board; undo, hint, pause and
// again; a player of one's own, accepted and refused.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, end, openPage, picture, startBrowser, startServer, test, until, wait } from "./harness.mjs";
import { choose, play } from "./players.mjs";

// With the sanitizers one: the page is not what they look at, and the server does the same for all.
const GAMES = ["connect6", "reversi", "tower4", "hopchess", "cuptactoe"];
const TRIES = 4;

const browser = await startBrowser();
const server = await startServer("--no-demo");
const page = await openPage(browser, server.link);

const state = (id) => page.evaluate((game) => fetch(`/api/games/${game}`).then((r) => r.json()), id);
const idOf = () => page.url().split("/").pop();

async function setSeat(player, kind, level) {
  await page.locator(`.seat${player} .link`).click();
  await page.locator(`dialog input[value="${kind}"]`).check();
  if (level) await page.locator("dialog .levels button", { hasText: level }).click();
  await page.locator("dialog .btn.go").click();
  await page.waitForSelector("dialog", { state: "detached" });
}

async function start(game) {
  await page.goto(`${server.home}/practice/${game}`);
  await page.waitForSelector(".acts .btn.go");
  await setSeat(2, "builtin", "random");
  await page.locator(".acts .btn.go").click();
  await page.waitForURL(/\/game\//);
  await page.waitForSelector(".seat1.turn");
}

// Waits until it is the person's turn at another ply, or the game is over.
async function nextTurn(id, ply) {
  let game;
  await until(async () => {
    game = await state(id);
    return game.result || (game.moves.length > ply && game.awaits === 1);
  });
  return game;
}

// Waits until the page has heard what the server has said: a row for every turn, and the person's turn.
const rows = ({ game, moves }) => (game === "connect6" ? Math.floor((moves.length + 1) / 2) : moves.length);
const heard = (now) => until(async () => (await page.locator(".moves tr").count()) === rows(now) && (await page.locator(".seat1.turn").count()) === 1);

async function playOut(game) {
  await start(game);
  if (game === "tower4") await page.locator(".stage .seg button", { hasText: "From above" }).click();
  const id = idOf();
  let now = await state(id);
  while (!now.result) {
    await heard(now);
    await page.waitForSelector(".boardcol .mine, .stage .field");
    const ply = now.moves.length;
    await play[game](page, await page.evaluate(choose, { game, settings: now.settings, moves: now.moves }));
    now = await nextTurn(id, ply);
    if (ply === 8) await picture(page, `play-${game}`);
  }
  return now.result;
}

for (const game of GAMES)
  await test(`a person beats random at ${game} by clicking`, async () => {
    let result;
    for (let i = 0; i < TRIES && result?.winner !== 1; i++) result = await playOut(game);
    check(result.winner === 1, `the last of ${TRIES} games ended ${JSON.stringify(result)}`);
    await page.waitForSelector(".verdict");
    const said = await page.locator(".verdict").textContent();
    check(said.startsWith("Black wins"), said);
    if (game === "connect6" && result.reason === "six") check((await page.locator(".boardcol .hop.six").count()) === 1, "the six are not marked");
  });

await test("undo, hint and pause against a built-in player", async () => {
  await start("reversi");
  const id = idOf();
  await play.reversi(page, ["3,3"]);
  await heard(await nextTurn(id, 0)); // or the button may be drawn anew while it is pressed
  await page.locator(".acts .btn", { hasText: "Undo" }).click();
  await until(async () => (await page.locator(".moves tr").count()) === 0);
  await page.waitForSelector(".seat1.turn");
  await page.locator(".acts .btn", { hasText: "Hint" }).click();
  await page.waitForSelector(".boardcol .aim");
  await page.locator(".acts .btn", { hasText: "Pause" }).click();
  await page.locator(".acts .btn", { hasText: "Continue" }).click();
  await page.waitForSelector(".seat1.turn");
  check((await state(id)).state === "running", "it does not go on");
});

await test("both colours in turn: again swaps the seats", async () => {
  await start("cuptactoe");
  let now = await state(idOf());
  while (!now.result) {
    const ply = now.moves.length;
    await heard(now);
    await play.cuptactoe(page, await page.evaluate(choose, { game: "cuptactoe", settings: now.settings, moves: now.moves }));
    now = await nextTurn(idOf(), ply);
  }
  const before = idOf();
  await page.locator(".acts .btn", { hasText: "Rematch" }).click();
  await until(async () => idOf() !== before);
  await page.waitForSelector(".seat2.turn");
  const next = await state(idOf());
  check(next.seats[0].player === "random" && next.seats[1].player === "human", JSON.stringify(next.seats));
  check(next.number === 2 && next.tally[0] + next.tally[1] >= 0, "the games are not counted");
});

await test("own players are checked when they are chosen", async () => {
  const folder = join(server.data, "players");
  writeFileSync(join(folder, "broken.py"), "class Bot:\n    def __init__(self):\n        raise ValueError('not today')\n");
  writeFileSync(join(folder, "good.py"), "class Bot:\n    def get_move(self, board, pieces, player):\n        return '3 0'\n");
  writeFileSync(join(folder, "notes.txt"), "no program\n");
  chmodSync(join(folder, "notes.txt"), 0o644);
  await page.goto(`${server.home}/practice/cuptactoe`);
  await page.locator(".seat2 .link").click();
  await page.locator('dialog [data-player="own:broken.py"]').click();
  await page.locator("dialog .btn.go").click();
  await page.locator("dialog .refusal", { hasText: "broken.py was refused" }).waitFor();
  check((await page.locator('dialog [data-player="own:notes.txt"]').count()) === 0, "what is no player is offered");
  await picture(page, "seat-refused");
  await page.locator('dialog [data-player="own:good.py"]').click();
  await page.locator("dialog .btn.go").click();
  await page.waitForSelector("dialog", { state: "detached" });
  check((await page.locator(".seat2 .who b").textContent()) === "good.py", "the seat was not taken");
});

await test("a program of connect6 is named by its INFO, and refused in the document's words", async () => {
  const folder = join(server.data, "players");
  const player = (name, start, info) => writeFileSync(join(folder, name), `#!/bin/sh\nwhile read -r word rest; do case "$word" in START) echo "${start}";; INFO) echo "${info}";; BLOCK) echo OK;; BEGIN) sleep 600;; esac; done\n`, { mode: 0o755 });
  player("named6", "OK", "TeamName:한강, Department:수학과");
  player("mute6", "OK", "한강");
  player("other6", "hello", "");
  const korean = await openPage(browser, server.link, { locale: "ko-KR" });
  await korean.goto(`${server.home}/practice/connect6`);
  await korean.locator(".seat2 .link").click();
  for (const [name, words, answer] of [["mute6", "INFO가 잘못되었습니다", "한강"], ["other6", "올바르지 않은 AI파일 입니다", "hello"]]) {
    await korean.locator(`dialog [data-player="own:${name}"]`).click();
    await korean.locator("dialog .btn.go").click();
    await korean.locator("dialog .refusal", { hasText: name }).waitFor();
    const told = await korean.locator("dialog .refusal").textContent();
    check(told.split(words).length === 2 && told.includes(answer), told);
  }
  await picture(korean, "seat-info-refused");
  await korean.locator('dialog [data-player="own:named6"]').click();
  await korean.locator("dialog .btn.go").click();
  await korean.waitForSelector("dialog", { state: "detached" });
  check((await korean.locator(".seat2 .who").textContent()).includes("한강") && (await korean.locator(".seat2 .who").textContent()).includes("소속 수학과"), await korean.locator(".seat2 .who").textContent());
  await korean.context().close();
});

await test("a column of the tower is clicked in space", async () => {
  await start("tower4");
  await page.waitForSelector(".scene canvas");
  let box;
  await until(async () => { // the scene is drawn, and knows what lies under the pointer
    box = await page.locator(".scene canvas").boundingBox();
    for (const y of [0.69, 0.7]) await page.mouse.move(box.x + box.width / 2, box.y + box.height * y);
    return (await page.locator(".stage .tools span").first().textContent()).includes("lands on");
  });
  await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.7);
  await nextTurn(idOf(), 0);
  await page.mouse.move(box.x + box.width * 0.55, box.y + box.height * 0.65);
  await wait(300);
  await picture(page, "tower-in-space");
});

await test("nothing went wrong in the page", async () => {
  const wrong = page.errors.filter((words) => !/409|400|404|GPU|WebGL/.test(words));
  check(wrong.length === 0, wrong.join("\n"));
});

await browser.close();
await server.stop();
end();
