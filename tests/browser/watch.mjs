// SPDX-License-Identifier: MIT
// A contest is made, run and read; its games are watched from a second browser, late too; a spectator
// can change nothing; a game is replayed; a player's name is text, whatever it is.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, countPlayersAsked, drawn, end, openPage, picture, startBrowser, startServer, test, until } from "./harness.mjs";

const NASTY = "<img src=x onerror=alert(1)>";

const browser = await startBrowser();
const server = await startServer("--no-demo");
mkdirSync(join(server.data, "players"), { recursive: true });
writeFileSync(join(server.data, "players", "other-game.py"), "class Bot:\n    pass\n");
const page = await openPage(browser, server.link);
const guest = await openPage(browser, server.home);
let alerts = 0;
for (const one of [page, guest]) one.on("dialog", (dialog) => { alerts++; dialog.dismiss(); });

const post = (where, path, body) => where.evaluate(([p, b]) => fetch(`/api/${p}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(b) })
  .then(async (r) => ({ status: r.status, ...(await r.json()) })), [path, body]);

await test("a contest is made from the form, and its table read", async () => {
  const playersAsked = countPlayersAsked(page);
  await page.goto(`${server.home}/tournament`);
  await page.locator('input[name="name"]').fill("Test cup");
  await page.locator('select[name="game"]').selectOption("reversi");
  await playersAsked(3);
  check((await page.locator('.field-list input[value="own:other-game.py"]').count()) === 0, "a player of another game is offered");
  check((await page.locator(".field-list input:checked").count()) === 0, "somebody takes part unasked");
  await page.locator('.field-list input[value="builtin:strong"]').check();
  await page.locator('select[name="game"]').selectOption("cuptactoe");
  await playersAsked(4);
  check(await page.locator('.field-list input[value="builtin:strong"]').isChecked() && !(await page.locator('.field-list input[value="random"]').isChecked()), "the ticks are forgotten");
  for (const player of ["builtin:normal", "builtin:easy", "random"]) await page.locator(`.field-list input[value="${player}"]`).check();
  await page.locator('.field-list input[value="builtin:strong"]').uncheck();
  await page.locator('select[name="format"]').selectOption("knockout");
  await page.locator(".make .btn.go").click();
  await page.waitForURL(/\/tournament\/\w+$/);
  await page.locator("h1", { hasText: "Test cup" }).waitFor();
  await until(async () => (await page.locator(".head .chip").first().textContent()) === "Over");
  const rows = await page.locator(".standings tbody tr").count();
  check(rows === 3, `${rows} rows`);
  const names = await page.locator(".standings .name").allTextContents();
  check(names.some((name) => name.includes("normal")), names.join());
  check((await page.locator(".tree").count()) === 1, "it is no knock-out");
  await picture(page, "contest-table");
});

await test("the form gives connect6 the conditions of its contest, or its own", async () => {
  const fileOf = async (whose) => {
    await page.goto(`${server.home}/tournament`);
    await page.locator('select[name="game"]').selectOption("connect6");
    await page.locator('textarea[name="teams"]').fill("Red\nBlue");
    if (whose) {
      await page.locator('select[name="time"]').selectOption(whose);
      await page.locator('select[name="blocks"]').selectOption("random");
      await page.locator('select[name="memory"]').selectOption("limit");
      await page.locator('input[name="jobs"]').fill("3");
    }
    const told = await page.locator('[data-part="conditions"]').textContent();
    await page.locator(".make .btn.go").click();
    await page.waitForURL(/\/tournament\/\w+$/);
    return [told, readFileSync(join(server.data, "contests", `${page.url().split("/").pop()}.conf`), "utf8")];
  };
  const [told, file] = await fileOf("");
  check(told.includes("2–7 s") && told.includes("drawn anew") && told.includes("6 GB"), told);
  check(!/^(time|set) /m.test(file), file);
  const [, own] = await fileOf("range");
  check(/^time = "5..7";/m.test(own) && own.includes('blocks = "random:4"') && own.includes('memory = "2048M"') && /^jobs = 3;/m.test(own), own);
  const [, off] = await fileOf("off");
  check(/^time = "off";/m.test(off), off);
});

await test("groups and a knock-out from a file; the bracket is drawn", async () => {
  const text = `name = "Bracket"; game = "cuptactoe"; time = 1; jobs = 2; seed = 3;
    stages = ({ name = "groups"; format = "league"; groups = 2; games = 1; advance = 2; }, { name = "ko"; format = "knockout"; best_of = 1; });
    players = (${[1, 2, 3, 4, 5, 6].map((n) => `{ name = "P${n}"; start = "${n % 2 ? "builtin:easy,nodes=50" : "random"}"; }`).join(", ")});`;
  await page.goto(`${server.home}/tournament`);
  await page.locator(".make summary").click();
  await page.locator('textarea[name="text"]').fill(text);
  await page.locator(".make details .btn").click();
  await page.waitForURL(/\/tournament\/\w+$/);
  await page.locator(".tree").waitFor();
  await until(async () => (await page.locator(".tree .w").count()) >= 3);
  check((await page.locator(".groups .card").count()) === 2, "there are not two groups");
  await drawn(page);
  await picture(page, "contest-bracket");
});

await test("a double elimination is drawn as a tree, and a Swiss by its rounds", async () => {
  const players = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `{ name = "P${n}"; start = "random"; }`).join(", ");
  for (const [format, meeting, boxes, titles] of [["double", "best_of = 1;", 14, ["Winners' round 1", "Winners' final", "Losers' round 4", "Final"]], ["swiss", "games = 1;", 12, ["Round 1", "Round 3"]]]) {
    const { id } = await post(page, "contests", { text: `name = "${format}"; game = "cuptactoe"; time = 5; jobs = 2; seed = 4; format = "${format}"; ${meeting} players = (${players});` });
    await post(page, `contests/${id}/start`, {});
    await page.goto(`${server.home}/tournament/${id}`);
    await until(async () => (await page.locator(".head .chip").first().textContent()) === "Over");
    const drawn = await page.locator(".tree rect").count(), said = await page.locator(".tree .hd").allTextContents();
    check(drawn === boxes || drawn === boxes + 1, `${format}: ${drawn} boxes`); // a second final if the first is lost
    check(titles.every((title) => said.includes(title)), said.join());
    check((await page.locator(".tree .w").count()) >= boxes, "winners are missing");
    await page.setViewportSize({ width: 1280, height: 800 });
    const small = await page.evaluate(() => Math.min(...[...document.querySelectorAll(".tree text")].map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)));
    check(small >= 12, `letters of ${small} px`);
    await picture(page, `contest-${format}`);
  }
});

await test("a contest says how long it will take and what comes next; so does the projector", async () => {
  const slow = JSON.stringify(`abp:'${process.env.ARBITER}' bot cuptactoe --slow 0.25 --level random`);
  const players = ["A", "B", "C", "D"].map((name) => `{ name = "${name}"; start = ${slow}; }`).join(", ");
  const { id } = await post(page, "contests", { text: `name = "Long cup"; game = "cuptactoe"; time = 5; jobs = 1; seed = 4; stages = ({ format = "league"; games = 1; advance = 2; }, { format = "knockout"; best_of = 25; }); players = (${players});` });
  await post(page, `contests/${id}/start`, {});
  await page.goto(`${server.home}/tournament/${id}`);
  await page.locator(".card", { hasText: "minute" }).first().waitFor();
  await page.locator(".next", { hasText: "Next: " }).waitFor();
  await page.locator(".lives .game").first().dispatchEvent("click"); // games are short, and frames may be slow
  await page.waitForURL(/\/game\//);
  await page.waitForSelector(".boardcol .board");
  await page.keyboard.press("f");
  await page.locator(".on-screen", { hasText: "Long cup" }).waitFor();
  await page.locator(".nextup", { hasText: "Next: " }).waitFor();
  await page.locator(".on-screen.ln", { hasText: "played" }).waitFor();
  await picture(page, "present-contest");
  await page.keyboard.press("Escape");
  check(!(await page.locator(".on-screen").first().isVisible()), "it is still for the projector");
  await post(page, `contests/${id}/pause`, {});
});

await test("every game of a long contest can be found and ruled on; a league of one group has its cross table, and all is linked", async () => {
  const players = ["A", "B", "C"].map((name) => `{ name = "${name}"; start = "random"; }`).join(", ");
  const { id } = await post(page, "contests", { text: `name = "Many"; game = "cuptactoe"; time = 5; jobs = 4; seed = 4; format = "league"; games = 70; players = (${players});` });
  await post(page, `contests/${id}/start`, {});
  await page.goto(`${server.home}/tournament/${id}`);
  await until(async () => (await page.locator(".head .chip").first().textContent()) === "Over");
  const rows = page.locator(".contestgames tr");
  await until(async () => (await rows.count()) === 200);
  await page.locator(".contestgames .more .btn").click();
  check((await rows.count()) === 210 && (await page.locator('tr[data-game="1"] .rule').count()) === 1, "the first game cannot be ruled on");
  await page.locator('.contestgames [name="part"]').fill("7");
  check((await rows.count()) === 1 && (await rows.getAttribute("data-game")) === "7", "a game is not found by its number");
  await page.locator('.contestgames [name="part"]').fill("a");
  check((await rows.count()) === 140, `${await rows.count()} games of A`);
  await rows.first().locator(".rule").click();
  await page.locator('dialog [name="why"]').fill("the lamp fell");
  await page.locator("dialog .btn.go").click();
  await page.locator(".contestgames tr.annulled").waitFor();
  check((await page.locator('.contestgames [name="part"]').inputValue()) === "a" && (await rows.count()) === 140, "what was looked for is forgotten");
  await page.locator('.contestgames [name="result"]').selectOption("annulled");
  check((await rows.count()) === 1, "the annulled game is not found");
  check((await page.locator(".crosspart .num a").count()) === 6, "there is no cross table");
  await page.keyboard.press("f");
  await page.locator('.ct[data-show="result"] .crosspart').waitFor();
  const cells = await page.evaluate(() => ["th", "tbody tr:first-child td"].map((cell) => [...document.querySelectorAll(`.standings ${cell}`)].filter((one) => one.offsetWidth).length));
  check(cells[0] === cells[1], `the projector shows ${cells[0]} heads over ${cells[1]} cells`);
  await page.keyboard.press("Escape");
  for (const part of [".podium", ".rate", ".crosspart td.name", ".contestgames", ".standings", ".decisions"]) check((await page.locator(`${part} a`).count()) > 0, `${part} has no links`);
  await page.locator(".rate a", { hasText: "B" }).click();
  await page.waitForURL(/\/games\?player=B&contest=/);
  await page.locator("h1", { hasText: "Games of B" }).waitFor();
});

await test("long names are cut, pairs that nobody came to are not drawn, a replay names its contest", async () => {
  const long = "N".repeat(300), players = ["A", "B", "C", "D", long].map((name) => `{ name = "${name}"; start = "random"; }`).join(", ");
  const { id } = await post(page, "contests", { text: `name = "Five"; game = "cuptactoe"; time = 5; jobs = 2; seed = 4; format = "double"; players = (${players});` });
  await post(page, `contests/${id}/start`, {});
  await page.goto(`${server.home}/tournament/${id}`);
  await until(async () => (await page.locator(".head .chip").first().textContent()) === "Over");
  const wide = await page.evaluate(() => [...document.querySelectorAll(".card:has(> table)")].filter((card) => card.scrollWidth > card.clientWidth).length);
  check(wide === 0, `${wide} tables are wider than their cards`);
  const byes = await page.locator(".tree").evaluate((tree) => [...tree.querySelectorAll("text")].map((text) => text.lastChild.textContent).join().match(/bye,bye/g)?.length || 0);
  const over = await page.evaluate(() => [...document.querySelectorAll(".tree text:not(.hd)")].filter((text) => text.getBBox().width > 150).length);
  check(over === 0, `${over} names are wider than their box`);
  check(byes === 0, `${byes} boxes with nobody`);
  await picture(page, "contest-long-names");
  await page.locator('.tb a[href^="/replay/"]').first().dispatchEvent("click"); // the tables are drawn anew when the contest's process has ended
  await page.locator(".replayhead a", { hasText: "Five" }).waitFor();
});

await test("a wrong contest file is refused with its line", async () => {
  const { status, error } = await post(page, "contests", { text: 'name = "x";\ngame = "chess";\n' });
  check(status === 400 && error.includes("line 2"), `${status} ${error}`);
});

let game;
await test("a game is watched from a second browser, and late", async () => {
  const { id } = await post(page, "games", { game: "reversi", seats: ["human", "random"], names: ["Ann", ""], time: "off" });
  game = id;
  await guest.goto(`${server.home}/game/${id}`);
  await guest.waitForSelector(".seat1.turn");
  await post(page, `games/${id}/move`, { ply: 0, moves: "3,3" });
  await until(async () => (await guest.locator(".moves tr").count()) === 2);
  const late = await openPage(browser, `${server.home}/game/${id}`);
  await until(async () => (await late.locator(".boardcol use").count()) === 2);
  check((await late.locator(".seat1 .who b").textContent()) === "Ann", "the name is missing");
  await picture(late, "watching");
  await late.context().close();
});

await test("a spectator cannot change anything", async () => {
  const { moves } = await page.evaluate((id) => fetch(`/api/games/${id}`).then((r) => r.json()), game);
  for (const [path, body] of [[`games/${game}/move`, { ply: moves.length, moves: "2,2" }], [`games/${game}/undo`, {}], [`games/${game}/pause`, {}], [`games/${game}/again`, {}],
    ["contests", { text: "" }], ["check", {}], ["think", {}], ["exit", {}], ["switches", {}]]) {
    const { status } = await post(guest, path, body);
    check(status === 403, `${path} was answered with ${status}`);
  }
  check((await post(guest, "games", { game: "reversi", seats: ["random", "random"] })).status === 400, "a visitor has programs play each other");
  const buttons = await guest.locator(".acts .btn").allTextContents();
  check(buttons.join() === "Back", `a spectator sees ${buttons}`);
  const after = await page.evaluate((id) => fetch(`/api/games/${id}`).then((r) => r.json()), game);
  check(after.moves.length === moves.length, "the game has changed");
});

await test("a name that is markup shows as text", async () => {
  const { id } = await post(page, "games", { game: "connect6", seats: ["human", "random"], names: [NASTY, ""], set: { blocks: "none" }, time: "off" });
  await guest.goto(`${server.home}/game/${id}`);
  await guest.waitForSelector(".seat1 .who b");
  check((await guest.locator(".seat1 .who b").textContent()) === NASTY, "the name is not shown whole");
  await guest.goto(server.home);
  await guest.locator(".strip .game", { hasText: NASTY }).waitFor();
  const text = `name = ${JSON.stringify(NASTY)}; game = "cuptactoe"; time = 1; games = 2; players = ({ name = ${JSON.stringify(NASTY)}; start = "random"; }, { name = "b"; start = "random"; });`;
  const made = await post(page, "contests", { text });
  await post(page, `contests/${made.id}/start`, {});
  await guest.goto(`${server.home}/tournament/${made.id}`);
  await guest.locator(".standings .name", { hasText: NASTY }).waitFor();
  check((await guest.locator("h1").textContent()) === NASTY, "the contest's name is not text");
  check((await guest.locator("main img").count()) === 0 && alerts === 0, "it became an element");
});

await test("a game is replayed, stepped and studied", async () => {
  const { id } = await post(page, "games", { game: "cuptactoe", seats: ["builtin:easy,nodes=100", "random"] });
  await until(async () => (await page.evaluate((g) => fetch(`/api/games/${g}`).then((r) => r.json()), id)).state === "over");
  await page.goto(`${server.home}/replay/${id}`);
  await page.waitForSelector(".stepbar");
  const plies = await page.locator(".moves tr").count();
  await page.keyboard.press("Home");
  check((await page.locator(".counter").textContent()) === `0 of ${plies}`, await page.locator(".counter").textContent());
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  check((await page.locator(".counter").textContent()).startsWith("2 of"), "two steps");
  await until(async () => (await page.locator(".evcard p").isHidden()) && (await page.locator(".ev .a1").count()) === 1);
  await page.keyboard.press("End");
  await picture(page, "replay");
  const study = await page.evaluate((g) => fetch(`/api/games/${g}/study`).then((r) => r.json()), id);
  check(study.state === "done" && study.result.values.length > 0, JSON.stringify(study).slice(0, 200));
  await guest.goto(`${server.home}/replay/${id}`); // kept: a spectator sees it too
  await until(async () => (await guest.locator(".ev .a1").count()) === 1);
});

await test("the letters of the plot keep their size on every screen", async () => {
  for (const width of [360, 800, 1280, 1900]) {
    await guest.setViewportSize({ width, height: 800 });
    await until(() => guest.evaluate((wide) => innerWidth === wide, width));
    await drawn(guest);
    const [scale, size, fits] = await guest.evaluate(() => {
      const plot = document.querySelector(".ev"), box = plot.getBoundingClientRect(), inside = plot.querySelector(".bgw").getBoundingClientRect();
      return [plot.getScreenCTM().a, parseFloat(getComputedStyle(plot.querySelector("text")).fontSize), inside.width > box.width * 0.85 && inside.height > 60];
    });
    check(Math.abs(scale - 1) < 0.02 && size >= 12 && fits, `${width} px wide: scale ${scale}, letters ${size}, fits ${fits}`);
  }
  await guest.setViewportSize({ width: 1440, height: 900 });
});

await test("a phone has the speeds, and only what was copied is called so", async () => {
  const phone = await openPage(browser, guest.url(), { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true });
  await phone.locator(".speeds button", { hasText: "4×" }).click();
  check((await phone.locator('.speeds [aria-current="true"]').textContent()) === "4×", "the speed is not taken");
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${wide} px too wide`);
  await phone.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no")); document.execCommand = () => false; });
  await phone.locator(".sharebar .btn").first().click();
  await phone.locator(".sharebar", { hasText: "Not copied" }).waitFor();
  await picture(phone, "replay-phone");
  await phone.context().close();
});

await test("the projector shows a contest and a replay in the whole width, and a finger leaves it", async () => {
  const replay = guest.url(), { id } = (await page.evaluate(() => fetch("/api/contests").then((r) => r.json())))[0];
  for (const [path, part, share] of [[`${server.home}/tournament/${id}`, ".ct", 0.9], [replay, ".side-col", 0.25]]) {
    await guest.goto(path);
    await guest.waitForSelector(`${part} *`);
    await guest.keyboard.press("f");
    const [left, right, all] = await guest.locator(part).evaluate((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().right, innerWidth]);
    check(right - left > share * all && right <= all, `${part} goes from ${left} to ${right} of ${all}`);
    await picture(guest, `present${part.replace(".", "-")}`);
    await guest.locator(".leave:not(.hold)").click();
    check(await guest.locator(".bar").isVisible(), "it is still for the projector");
  }
});

await test("an unknown link says so", async () => {
  await guest.goto(`${server.home}/replay/nosuchgame`);
  await guest.locator("h1", { hasText: "No such game" }).waitFor();
});

await browser.close();
await server.stop();
end();
