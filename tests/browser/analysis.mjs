// SPDX-License-Identifier: MIT
// As a visitor who looks at games: variations are made, shared and opened elsewhere; a replay's turn is in its address;
// an engine looks at a game because a visitor asks; a live game is stepped back while it goes on; games are found by
// who played; the television goes on to the next game.
import { check, clickBoard, drawn, end, openPage, picture, startBrowser, startServer, test, until } from "./harness.mjs";

const browser = await startBrowser();
const server = await startServer("--no-demo");
const page = await openPage(browser, server.link);
const guest = await openPage(browser, server.home);

const send = async (path, body) => {
  const answer = await page.evaluate(([p, b]) => fetch(`/api/${p}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(b) }).then((r) => r.json()), [path, body]);
  check(!answer.error, answer.error);
  return answer;
};
const ask = (path) => page.evaluate((p) => fetch(`/api/${p}`).then((r) => r.json()), path);
const square = (i) => 24 + 80 * i + 40;
const turns = (where) => where.locator(".vmove").allTextContents();
const lines = (where) => until(async () => (await where.locator(".lines li").count()) === 3);
const text = (where, query) => where.locator(query).first().textContent();

// A game of two people, played by the organiser.
const CUPS = ["1 0", "1 8", "1 1", "1 7", "2 2"];
const keep = async (names) => (await send("kept", { game: "cuptactoe", moves: CUPS, ms: [100, 200, 300, 400, 500], names })).id;

await test("a visitor makes variations, with the engine's lines beside", async () => {
  await guest.goto(`${server.home}/analysis/reversi`);
  await guest.waitForSelector(".boardcol .board");
  for (const [row, column] of [[3, 3], [3, 4], [4, 4]]) {
    const before = (await turns(guest)).length;
    await clickBoard(guest, square(column), square(row));
    await until(async () => (await turns(guest)).length === before + 1);
  }
  await guest.keyboard.press("ArrowLeft");
  await clickBoard(guest, square(3), square(4));
  await until(async () => (await turns(guest)).length === 4);
  check((await guest.locator(".aside .vmove").count()) === 1, "it is no variation");
  await lines(guest);
  check(/discs?|even/.test(await text(guest, ".lines .worth")), await text(guest, ".lines .worth"));
  await until(async () => (await guest.locator(".linecard [role=status]").textContent()) === ""); // it thinks no longer, so that they stay
  const first = await guest.locator(".lines li").first().locator(".pvmove").nth(1).textContent();
  await guest.locator(".lines li").first().locator(".pvmove").nth(1).click();
  await until(async () => (await turns(guest)).length === 6);
  check((await text(guest, ".vmove[aria-current]")).includes(first), "the line was not played");
  await picture(guest, "analysis");
});

await test("opened elsewhere they are the same", async () => {
  const other = await openPage(browser, guest.url(), { viewport: { width: 390, height: 844 }, locale: "ko" });
  await until(async () => (await turns(other)).length === 6);
  check((await turns(other)).join() === (await turns(guest)).join(), "other moves");
  check((await text(other, ".vmove[aria-current]")) === (await text(guest, ".vmove[aria-current]")), "another turn");
  check((await other.locator(".ground, .boardcol svg .sb").count()) === (await guest.locator(".ground, .boardcol svg .sb").count()), "another position");
  check(other.url() === guest.url(), "the address has changed");
  check(other.errors.length === 0, other.errors.join());
  await other.context().close();
});

await test("a branch is deleted, and an address without sense is an empty board", async () => {
  await guest.keyboard.press("Delete");
  await until(async () => (await turns(guest)).length === 5);
  await guest.goto(`${server.home}/analysis/reversi#moves=3,3;nonsense;4,4((((&turn=99`);
  await guest.reload();
  await until(async () => (await turns(guest)).length === 1);
  await guest.goto(`${server.home}/analysis/connect6#set.size=999`);
  await guest.locator("h1", { hasText: "no position" }).waitFor();
});

await test("a visitor goes on from there against a level", async () => {
  await guest.goto(`${server.home}/analysis/cuptactoe#moves=1+0;1+8&turn=2`);
  await guest.locator(".playon .btn").click();
  await guest.waitForURL(/\/game\/\w+/);
  await until(async () => (await guest.locator(".moves tr").count()) === 2);
  await guest.locator(".seat1.turn").waitFor();
});

await test("the turn of a replay is in its address", async () => {
  const id = await keep(["Ada", "Ben"]);
  await guest.goto(`${server.home}/replay/${id}#turn=2`);
  await until(async () => (await text(guest, ".counter")).startsWith("2 of 5"));
  await guest.keyboard.press("ArrowRight");
  await until(() => guest.url().endsWith("#turn=3"));
  await guest.evaluate(() => { location.hash = "turn=1"; });
  await until(async () => (await text(guest, ".counter")).startsWith("1 of 5"));
  check((await guest.locator(".moves tr .ms").last().textContent()) === "0.5 s", "no time");
  // rows are buttons, reached by the tab key and left by the arrows
  await guest.locator(".moves tr[aria-current] button").focus();
  await guest.keyboard.press("ArrowDown");
  await until(async () => (await text(guest, ".counter")).startsWith("2 of 5"));
  check(await guest.evaluate(() => document.activeElement.closest("tr")?.getAttribute("aria-current") === "true"), "the focus is elsewhere");
});

await test("a visitor asks for the engine's view, and plays on from a turn", async () => {
  await guest.locator(".evask .btn").click();
  await until(async () => (await guest.locator(".worthcell .worth").count()) > 0);
  check(/won in|lost in/.test(await text(guest, ".worthcell .worth")), await text(guest, ".worthcell .worth"));
  await guest.locator(".sharebar .btn", { hasText: "Analyse from here" }).click();
  await guest.waitForURL(/\/analysis\/cuptactoe#/);
  await until(async () => (await turns(guest)).length === 5);
  check((await text(guest, ".vmove[aria-current]")).startsWith("2."), "another turn");
});

await test("games are found by who played", async () => {
  await keep(["Ben", "Cleo"]);
  await guest.goto(`${server.home}/games`);
  await until(async () => (await guest.locator(".archive tbody tr").count()) === 2);
  check((await guest.locator(".archive .thumb svg").count()) === 2, "no pictures");
  await guest.locator('input[name="part"]').fill("cle");
  await until(async () => (await guest.locator(".archive tbody tr").count()) === 1);
  check(guest.url().endsWith("?part=cle"), guest.url());
  await guest.goto(`${server.home}/replay/${(await ask("archive?player=Ada")).games[0].id}`);
  await guest.locator("h1 a", { hasText: "Ben" }).click();
  await guest.locator("h1", { hasText: "Games of Ben" }).waitFor();
  await until(async () => (await guest.locator(".archive tbody tr").count()) === 2);
  check((await text(guest, ".head .s")).includes("won 1"), await text(guest, ".head .s"));
  await guest.locator('select[name="result"]').selectOption("lost");
  await until(async () => (await guest.locator(".archive tbody tr").count()) === 1);
  await guest.reload();
  await until(async () => (await guest.locator(".archive tbody tr").count()) === 1);
  await picture(guest, "games-found");
});

const begin = async () => {
  const { id } = await send("games", { game: "cuptactoe", seats: ["human", "human"], names: ["Ada", "Ben"], time: "60", people: true });
  await until(async () => (await ask(`games/${id}`)).state === "running");
  return id;
};
const play = async (id, moves) => {
  for (const move of moves) await send(`games/${id}/move`, { ply: (await ask(`games/${id}`)).moves.length, moves: move });
};

await test("a live game is stepped back while it goes on", async () => {
  const id = await begin();
  await play(id, CUPS.slice(0, 2));
  await guest.goto(`${server.home}/game/${id}`);
  await until(async () => (await guest.locator(".moves tr").count()) === 2);
  await guest.keyboard.press("ArrowLeft");
  await until(async () => (await text(guest, ".livestep .counter")).startsWith("1 of 2"));
  await play(id, CUPS.slice(2, 3));
  await until(async () => (await guest.locator(".moves tr").count()) === 3);
  check((await text(guest, ".livestep .counter")).startsWith("1 of 3"), "it has not stayed");
  await guest.locator(".livestep .go").click();
  await until(async () => (await text(guest, ".livestep .counter")).startsWith("3 of 3"));
  check(!(await guest.locator(".livestep .go").isVisible()), "it is live already");
  await guest.locator(".moves tr button").first().click();
  await until(async () => (await text(guest, ".livestep .counter")).startsWith("1 of 3"));
  await play(id, CUPS.slice(3));
  await guest.locator(".verdict").waitFor();
  check((await guest.locator(".seat.turn").count()) === 0 && (await guest.locator(".clock:not(.none)").count()) === 0, "a clock stays after the end");
});

await test("the television goes on to the next game", async () => {
  const [one, two] = [await begin(), await begin()];
  await play(one, CUPS.slice(0, 3));
  await guest.goto(`${server.home}/tv`);
  await until(async () => (await guest.locator(".moves tr").count()) === 3);
  await play(one, CUPS.slice(3));
  await guest.locator(".verdict").waitFor();
  await play(two, CUPS.slice(0, 4)); // the longest of those that are played
  await until(async () => (await guest.locator(".moves tr").count()) === 4);
  check(guest.url().endsWith("/tv"), guest.url());
  await drawn(guest);
  check(guest.errors.length === 0 && page.errors.length === 0, [...guest.errors, ...page.errors].join());
});

await test("the television leaves a game in which nobody moves, and comes back to one that goes on", async () => {
  for (const { id } of (await ask("hall")).games) await send(`games/${id}/end`, {});
  const [one, two] = [await begin(), await begin()];
  await play(one, CUPS.slice(0, 3));
  await play(two, CUPS.slice(0, 1));
  const television = await openPage(browser, server.link); // as the organiser, who could play in both
  await television.clock.install();
  await television.goto(`${server.home}/tv`);
  const shows = (count) => until(async () => (await television.locator(".moves tr").count()) === count);
  await shows(3);
  check((await television.locator(".acts .btn", { hasText: "Pause" }).count()) === 0, "who watches may act");
  await television.clock.runFor(45000);
  await shows(1);
  await play(one, CUPS.slice(3, 4));
  await television.clock.runFor(45000);
  await shows(4);
  await television.goto(`${server.home}/`);
  for (const id of [one, two]) check((await ask(`games/${id}`)).state === "running", "a game has ended because somebody looked at it");
  await television.context().close();
});

await test("a bracket leads to the games of a pair, a game to its contest, a player to his games", async () => {
  const player = (name, start) => `{ name = "${name}"; start = "${start}"; }`;
  const { id } = await send("contests", { text: `name = "Links"; game = "cuptactoe"; format = "knockout"; best_of = 1; jobs = 1; players = ( ${player("one", "random")}, ${player("two", "builtin:easy,nodes=20")} );` });
  await send(`contests/${id}/start`, {});
  await until(async () => (await ask(`contests/${id}`)).state === "over");
  await guest.goto(`${server.home}/tournament`);
  await guest.locator(".contest", { hasText: "1 of 1 game done" }).waitFor();
  await guest.goto(`${server.home}/tournament/${id}`);
  await guest.locator(".tree a").first().click();
  await guest.waitForURL(/\/games\?.*against=/);
  await until(async () => (await guest.locator(".archive tbody tr").count()) >= 1);
  await guest.locator(".archive td a", { hasText: "Cup-Tac-Toe" }).first().click();
  await guest.locator(".replayhead a", { hasText: "Links" }).click();
  await guest.waitForURL(new RegExp(`/tournament/${id}$`));
  await guest.locator(".standings .name a", { hasText: "one" }).first().click();
  await guest.locator("h1", { hasText: "Games of one" }).waitFor();
  check(guest.errors.length === 0, guest.errors.join());
});

await browser.close();
await server.stop();
end();
