// SPDX-License-Identifier: MIT
// The page itself: languages, settings, phone width, both themes, the projector, two people without
// a server, its weight and what it costs.
import { existsSync } from "node:fs";
import { check, clickBoard, drawn, end, openPage, picture, startBrowser, startServer, test, until, wait } from "./harness.mjs";
import { play } from "./players.mjs";

const PAGES = ["/", "/practice/connect6", "/practice/reversi", "/practice/tower4", "/practice/hopchess", "/practice/cuptactoe", "/tournament", "/settings", "/help", "/games"];

const FREE = { people: false, blocking: false }; // no clock, and no cell that is blocked by chance

const DEMO = '.strip .game[href^="/game/demog"]'; // of reversi

const browser = await startBrowser();
const server = await startServer();

await test("the first page is alive, and weighs less than 300 kB", async () => {
  const page = await openPage(browser, "about:blank"), context = page.context();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  const files = [];
  client.on("Network.loadingFinished", (e) => { bytes += e.encodedDataLength; });
  page.on("request", (r) => files.push(r.url()));
  await page.goto(server.link);
  await page.waitForSelector(".strip .game");
  await wait(500);
  console.log(`# ${files.length} requests, ${bytes} bytes`);
  check(bytes < 300000, `${bytes} bytes`);
  check(files.length < 20, `${files.length} requests`);
  check(!files.some((url) => url.includes("three")), "three.js was loaded");
  await picture(page, "home");
  await context.close();
});

await test("the browser's language is chosen, and can be changed", async () => {
  for (const [locale, words] of [["ko-KR", "연습하기"], ["zh-TW", "練習"], ["en-GB", "Practice"], ["fr", "Practice"]]) {
    const page = await openPage(browser, server.home, { locale });
    check((await page.locator(".menu b").first().textContent()) === words, locale);
    if (locale === "ko-KR") {
      await page.locator('.lang button[lang="zh-TW"]').click();
      await page.locator(".menu b", { hasText: "練習" }).waitFor();
      check((await page.evaluate(() => document.documentElement.lang)) === "zh-TW", "lang is not set");
      await page.reload();
      await page.locator(".menu b", { hasText: "練習" }).waitFor();
    }
    await page.context().close();
  }
});

await test("every dictionary has the same keys, and none is missing in a page", async () => {
  const page = await openPage(browser, server.home);
  const keys = await page.evaluate(() => Promise.all(["en", "ko", "zh-TW"].map((l) => fetch(`/static/words/${l}.json`).then((r) => r.json()).then((d) => Object.keys(d).sort().join()))));
  check(keys[0] === keys[1] && keys[0] === keys[2], "they differ");
  await page.context().close();
});

await test("what the server refuses is said in the language of the page", async () => {
  for (const [locale, words] of [["ko-KR", "선수마다 63자 이내의 이름이 있어야 합니다."], ["zh-TW", "每位選手都要有最多 63 字的名稱。"], ["en", "Every player needs a name of at most 63 letters."]]) {
    const page = await openPage(browser, server.link, { locale });
    const said = await page.evaluate(async () => {
      const { post } = await import("/static/app.js");
      return post("contests", { game: "reversi", players: [{ name: "", player: "random" }, { name: "b", player: "random" }] }).catch((error) => error.message);
    });
    check(said === words, said);
    await page.context().close();
  }
});

await test("so is what is wrong with a contest file, and what shows a fault", async () => {
  const wrong = [['name = "x";\ngame = "Chess 960";\n', { ko: "2행: game: cuptactoe, reversi, tower4, hopchess, connect6 가운데 하나여야 합니다.", "zh-TW": "第 2 行：game: 須為 cuptactoe, reversi, tower4, hopchess, connect6 其中之一。" }],
    ['name = "x";\ngame = "chess";\n', { ko: "2행: game: 이 서버는 chess 게임을 모릅니다.", "zh-TW": "第 2 行：game: 此伺服器沒有遊戲 chess。" }],
    ['game = "reversi";\nplayers = ( { name = "a"; start = "random"; } );', { ko: "2행: players: 선수 2~4096명의 목록", "zh-TW": "第 2 行：players: 須為 2 到 4096 位選手的清單" }],
    ['game = "reversi"; format = "swiss"; rounds = 9;\nplayers = ( { name = "a"; start = "random"; }, { name = "b"; start = "random"; } );', { ko: "스위스 방식의 라운드는 선수 수의 절반까지입니다", "zh-TW": "瑞士制的輪數最多為人數的一半" }],
    ['game = "reversi"\nplayers = ;', { ko: "문법 오류", "zh-TW": "語法錯誤" }]];
  const faults = [["'9,9': the square is taken", { ko: "프로그램의 답 “9,9”: 이미 차 있는 칸입니다", "zh-TW": "程式回應「9,9」：該格已被占" }],
    ["exited with code 3", { ko: "종료 코드 3", "zh-TW": "結束代碼 3" }], ["2 x late; bye in round 3", { ko: "시간 초과 2회; 3라운드 부전승", "zh-TW": "逾時 2 次; 第 3 輪輪空" }],
    ["black illegal: '1': no such move", { ko: "흑 둘 수 없는 수: 프로그램의 답 “1”: 그런 수는 없습니다", "zh-TW": "黑方 不合法的著手：程式回應「1」：沒有這種著手" }], ["Segmentation fault in line 3", { ko: "Segmentation fault in line 3", "zh-TW": "Segmentation fault in line 3" }]];
  for (const locale of ["ko", "zh-TW"]) {
    const page = await openPage(browser, server.link, { locale });
    for (const [text, words] of wrong) {
      const said = await page.evaluate(async (file) => (await import("/static/app.js")).post("contests", { text: file }).catch((error) => error.message), text);
      check(said.includes(words[locale]), `${locale}: ${said}`);
    }
    for (const [text, words] of faults) {
      const said = await page.evaluate(async (fault) => (await import("/static/app.js")).saidEach(fault), text);
      check(said === words[locale], `${locale}: ${said}`);
    }
    await page.context().close();
  }
});

await test("settings change the next game", async () => {
  const page = await openPage(browser, server.link);
  await page.goto(`${server.home}/settings`);
  await page.locator('[data-pref="blocks"] button').nth(1).click();
  await page.locator('[data-pref="blocks"] button').nth(1).click();
  await page.locator('[data-pref="seconds-connect6"] button').nth(0).click();
  check((await page.locator('[data-pref="wins"]').textContent()).endsWith("2+wins"), await page.locator('[data-pref="wins"]').textContent());
  await page.locator('[data-pref="wins"] button').nth(0).click();
  check((await page.locator('[data-pref="wins"]').textContent()).endsWith("1+win"), "one is not said as one");
  await page.goto(`${server.home}/practice/connect6`);
  await page.locator(".chip", { hasText: "8 blocked" }).waitFor();
  await page.locator(".chip", { hasText: "6 s a turn" }).waitFor();
  await page.locator(".acts .btn.go").click();
  await page.waitForURL(/\/game\//);
  await until(async () => (await page.locator('.boardcol use[href="#blk"]').count()) === 8);
  const game = await page.evaluate(() => fetch(`/api${location.pathname.replace("/game", "/games")}`).then((r) => r.json()));
  check(game.time_ms === 6000, `${game.time_ms} ms`);
  await page.goto(`${server.home}/settings`);
  await page.locator('[data-pref="blocking"]').click();
  await page.locator('[data-pref="limit"]').click();
  await page.goto(`${server.home}/practice/connect6`);
  await page.locator(".chip", { hasText: "No time limit" }).waitFor();
  check((await page.locator(".chip", { hasText: "blocked" }).count()) === 0, "cells are still blocked");
  await page.context().close();
});

// Two people sit at this screen, whatever game is chosen.
const seatTwo = (page) => page.evaluate(() => { for (const game of ["connect6", "reversi", "tower4", "hopchess", "cuptactoe"]) localStorage.setItem(`arbiter.seats.${game}`, '["human","human"]'); });

await test("two people play with the server gone", async () => {
  const other = await startServer("--no-demo");
  const page = await openPage(browser, other.home);
  await seatTwo(page);
  await page.goto(`${other.home}/practice/reversi`);
  await page.waitForSelector(".acts .btn.go");
  await page.locator(".acts .btn.go").click();
  await page.waitForSelector(".seat1.turn");
  await other.stop();
  await page.locator(".toast").waitFor();
  for (const [r, c] of [[3, 3], [3, 4], [4, 4], [4, 3]]) { await clickBoard(page, 64 + 80 * c, 64 + 80 * r); await drawn(page); }
  await until(async () => (await page.locator(".moves tr").count()) === 4);
  await page.context().close();
});

await test("a game of two people outlives a reload and a language, and has no clock", async () => {
  const page = await openPage(browser, server.home, { standard: true });
  await seatTwo(page);
  await page.goto(`${server.home}/practice/reversi`);
  await page.locator(".chip", { hasText: "No time limit" }).waitFor();
  await page.locator(".acts .btn.go").click();
  await page.waitForSelector(".seat1.turn");
  for (const [i, [r, c]] of [[3, 3], [3, 4], [4, 4]].entries()) {
    await clickBoard(page, 64 + 80 * c, 64 + 80 * r);
    await until(async () => (await page.locator(".moves tr").count()) === i + 1);
  }
  await page.reload();
  await until(async () => (await page.locator(".moves tr").count()) === 3);
  await page.locator('.lang button[lang="ko"]').click();
  await page.waitForSelector("html[lang=ko] .seat2.turn");
  check((await page.locator(".moves tr").count()) === 3, "the moves are lost");
  await page.locator(".acts .btn", { hasText: "새 대국" }).click();
  await page.locator("dialog.question .btn", { hasText: "나가기" }).click();
  await until(async () => (await page.locator(".moves tr").count()) === 0);
  await page.context().close();
});

await test("two clicks on Start begin one game", async () => {
  const page = await openPage(browser, server.link);
  let begun = 0;
  page.on("request", (request) => { begun += request.method() === "POST" && request.url().endsWith("/api/games"); });
  await page.goto(`${server.home}/practice/cuptactoe`);
  await page.waitForSelector(".acts .btn.go");
  await page.evaluate(() => { const start = document.querySelector(".acts .btn.go"); start.click(); start.click(); });
  await page.waitForURL(/\/game\//);
  check(begun === 1, `${begun} games`);
  await page.context().close();
});

await test("a toast covers no button of a page that is scrolled", async () => {
  const other = await startServer("--no-demo");
  const page = await openPage(browser, `${other.home}/settings`, { viewport: { width: 390, height: 600 } });
  await page.waitForSelector(".form");
  await page.evaluate(() => { scrollTo(0, 300); window.seen = [...document.querySelectorAll("main button, main input, main select, main a")].filter((one) => { const { top, bottom, height } = one.getBoundingClientRect(); return height && top >= 0 && bottom <= innerHeight - 80; }); });
  check((await page.evaluate(() => scrollY)) === 300, "it is not scrolled");
  await other.stop();
  await page.locator(".toast").waitFor();
  await drawn(page);
  const [seen, covered] = await page.evaluate(() => {
    const toast = document.querySelector(".toasts").getBoundingClientRect();
    return [window.seen.length, window.seen.filter((one) => { const { top, bottom } = one.getBoundingClientRect(); return top < toast.bottom && bottom > toast.top; }).length];
  });
  check(seen > 2 && covered === 0, `${covered} of ${seen} are covered`);
  await page.context().close();
});

await test("every game, page and language is there when the server has gone after the first page", async () => {
  const other = await startServer("--no-demo");
  const page = await openPage(browser, other.home);
  await page.waitForSelector(".games");
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").map((r) => r.name));
  await until(async () => (await loaded()).filter((url) => /words\/(ko|zh-TW)\.json$/.test(url)).length === 2); // they come last
  await other.stop();
  await page.locator(".toast").waitFor();
  for (const game of ["connect6", "reversi", "tower4", "hopchess", "cuptactoe"]) {
    await page.locator(".logo").dispatchEvent("click"); // frames may be slow
    await page.locator(`.games a[href="/practice/${game}"]`).dispatchEvent("click");
    await page.locator(".acts .btn.go").dispatchEvent("click");
    await page.waitForSelector(".seat1.turn");
  }
  await page.locator('.lang button[lang="ko"]').dispatchEvent("click");
  await page.locator(".bar nav", { hasText: "연습하기" }).waitFor();
  check(page.errors.every((words) => /ERR_|WebSocket/.test(words)), page.errors.join("; "));
  await page.context().close();
});

await test("the page asked for last is shown, whatever comes late; unknown ones say so", async () => {
  const page = await openPage(browser, server.home);
  await page.waitForSelector(".games");
  let release;
  const released = new Promise((done) => { release = done; });
  await page.context().route("**/api/contests", async (route) => { await released; await route.continue(); });
  await page.goto(`${server.home}/settings`);
  await page.waitForSelector(".form");
  await page.evaluate(() => { const games = document.createElement("a"); games.href = "/games"; document.body.append(games); games.click(); document.querySelector('.bar a[href="/settings"]').click(); });
  await page.waitForURL(/\/settings$/);
  await page.waitForSelector(".form");
  await Promise.all([page.waitForEvent("requestfinished", (request) => request.url().endsWith("/api/contests")), release()]);
  await wait(1000); // in which it does what it wants
  check((await page.locator(".form").count()) === 1 && page.url().endsWith("/settings"), "another page is shown");
  for (const path of ["/nonsense", "/game/", "/practice/nosuch"]) {
    check((await page.goto(server.home + path)).status() === (path === "/practice/nosuch" ? 200 : 404), path);
    await page.locator("h1", { hasText: path === "/practice/nosuch" ? "No such game here" : "No such page" }).waitFor();
  }
  await page.goto(`${server.home}/tournament/`);
  await page.locator("h1", { hasText: "Tournament" }).waitFor();
  check((await page.goto(`${server.home}/api/nonsense`)).headers()["content-type"].startsWith("application/json"), "a program gets a page");
  await page.context().close();
});

await test("before a game its rules stand beside the board, and the help names files that the kits have", async () => {
  const page = await openPage(browser, server.link);
  await page.goto(`${server.home}/practice/reversi`);
  await page.locator(".primer", { hasText: "no corners" }).waitFor();
  check(!(await page.locator(".moves").isVisible()), "an empty list is shown");
  await page.goto(`${server.home}/help/write`);
  await page.locator("table code").first().waitFor();
  const files = await page.evaluate(() => [...document.querySelectorAll("tbody tr")].flatMap((row) => [...row.querySelectorAll("code")].map((code) => code.textContent)));
  const games = ["connect6", "reversi", "tower4", "hopchess", "cuptactoe"], languages = ["cpp", "python", "c"];
  check(files.length === 15, `${files.length} files`);
  files.forEach((file, i) => {
    const path = new URL(`../../kits/${games[Math.floor(i / 3)]}/${languages[i % 3]}/${file}`, import.meta.url);
    check(existsSync(path), `there is no ${path.pathname}`);
  });
  await page.context().close();
});

for (const [name, options] of [["360 px", { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true }], ["1024 px", { viewport: { width: 1024, height: 768 } }]])
  await test(`nothing is wider than the page at ${name}`, async () => {
    const page = await openPage(browser, server.link, options);
    for (const path of PAGES) {
      await page.goto(server.home + path);
      await page.waitForSelector("main *");
      await drawn(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `${path} is ${wide} px too wide`);
      await picture(page, `${name.replace(" ", "")}${path.replaceAll("/", "-")}`);
    }
    await page.context().close();
  });

await test("a phone aims first and places by the button", async () => {
  const page = await openPage(browser, server.home, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, prefs: FREE });
  await seatTwo(page);
  await page.goto(`${server.home}/practice/connect6`);
  await page.locator(".dock .btn.go").click();
  await page.waitForSelector(".seat1.turn");
  const [x, y] = await page.evaluate(() => { const p = new DOMPoint(44 + 40 * 9, 44 + 40 * 9).matrixTransform(document.querySelector(".boardcol .board").getScreenCTM()); return [p.x, p.y]; });
  await page.touchscreen.tap(x, y);
  await page.locator(".dock .btn.go", { hasText: "Place K10" }).click();
  await until(async () => (await page.locator('.boardcol use[href="#s1"]').count()) >= 1);
  await picture(page, "phone");
  await page.context().close();
});

await test("768 px hold the bar of a server for one person", async () => {
  const other = await startServer("--no-demo", "--personal");
  const page = await openPage(browser, other.link, { viewport: { width: 768, height: 1024 } });
  await page.goto(`${other.home}/practice/tower4`);
  await page.waitForSelector(".acts .btn.go");
  const [wide, right] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.querySelector(".exit").getBoundingClientRect().right]);
  check(wide <= 0 && right <= 768, `${wide} px too wide, Exit ends at ${right}`);
  await picture(page, "tower4-768");
  await page.context().close();
  await other.stop();
});

await test("people may have a clock, which starts after the first move, and are told in their words", async () => {
  const page = await openPage(browser, server.link, { prefs: { people: true }, locale: "ko" });
  await page.goto(`${server.home}/practice/cuptactoe`);
  await page.locator(".acts .btn.go").click();
  await page.waitForURL(/\/game\//);
  const id = page.url().split("/").pop(), now = () => page.evaluate((game) => fetch(`/api/games/${game}`).then((r) => r.json()), id);
  await until(async () => (await now()).awaits === 1);
  check((await now()).left_ms === null, "the first turn is timed");
  await page.waitForSelector(".boardcol .mine");
  await play.cuptactoe(page, ["1 4"]);
  await until(async () => (await now()).moves.length === 2);
  await page.locator(".verdict", { hasText: "시간이 다 되었습니다" }).waitFor();
  check(!(await page.locator(".note-line details").evaluate((details) => details.open)), "load and CPU time are told at once");
  await page.context().close();
});

await test("two people with a clock go on when the server is gone", async () => {
  const other = await startServer("--no-demo");
  const page = await openPage(browser, other.link, { prefs: { people: true, seconds: { connect6: 7, reversi: 3600, tower4: 5, hopchess: 5, cuptactoe: 3 } } });
  await page.goto(`${other.home}/practice/reversi`);
  await page.locator(".seat2 .link").click();
  await page.locator('dialog input[value="human"]').check();
  await page.locator("dialog .btn.go").click();
  await page.locator(".chip", { hasText: "3600 s a turn" }).waitFor(); // the server is reached
  await page.locator(".acts .btn.go").click();
  await page.waitForURL(/\/game\//);
  await page.waitForSelector(".seat1.turn");
  check((await page.locator(".seat1 .kind, .seat1 .who").textContent()).includes(" s"), "there is no clock");
  await clickBoard(page, 64 + 80 * 3, 64 + 80 * 3);
  await until(async () => (await page.locator(".moves tr").count()) >= 1);
  await other.stop();
  await page.locator(".toast").waitFor();
  await page.locator(".chip", { hasText: "No time limit" }).waitFor(); // the board is drawn anew
  check((await page.locator(".moves tr").count()) === 1, "the move is lost");
  for (const [i, [r, c]] of [[3, 4], [4, 4], [4, 3]].entries()) {
    await clickBoard(page, 64 + 80 * c, 64 + 80 * r);
    await until(async () => (await page.locator(".moves tr").count()) === i + 2);
  }
  await page.context().close();
});

const KEYED = { connect6: ["ArrowDown", "Enter"], reversi: ["ArrowRight", "Enter"], tower4: ["ArrowDown", "Enter"], hopchess: ["ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowLeft"], cuptactoe: ["3", "ArrowDown", "Enter"] };
for (const [game, keys] of Object.entries(KEYED))
  await test(`the keyboard plays ${game}, and its cells are named`, async () => {
    const page = await openPage(browser, server.home, { prefs: FREE });
    await seatTwo(page);
    await page.goto(`${server.home}/practice/${game}`);
    await page.locator(".acts .btn.go").click();
    await page.waitForSelector(".seat1.turn");
    await page.evaluate(() => document.activeElement.blur());
    if (game === "cuptactoe") await page.locator(".boardcol .board").focus();
    for (const key of keys) await page.keyboard.press(key);
    if (game === "hopchess") { // a piece, then an empty square beside it
      const legal = await page.evaluate(async () => { const { Rules } = await import("/static/app.js"); return new Rules("hopchess", {}).legal()[0]; });
      const [[r0, c0], [r1, c1]] = legal.split(" ").map((cell) => cell.split(",").map(Number));
      const move = async (dr, dc) => { for (let i = 0; i < Math.abs(dr); i++) await page.keyboard.press(dr > 0 ? "ArrowDown" : "ArrowUp"); for (let i = 0; i < Math.abs(dc); i++) await page.keyboard.press(dc > 0 ? "ArrowRight" : "ArrowLeft"); };
      for (let i = 0; i < 8; i++) { await page.keyboard.press("ArrowUp"); await page.keyboard.press("ArrowLeft"); }
      await move(r0, c0);
      await page.keyboard.press("Enter");
      await move(r1 - r0, c1 - c0);
      await page.keyboard.press("Enter");
    }
    await until(async () => (await page.locator(".moves tr").count()) === 1);
    check((await page.locator("#say").textContent()).length > 0, "nothing was said");
    const names = await page.locator(".boardcol [role=gridcell]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
    check(names.every(Boolean) && names.some((name) => /Black|X large/.test(name)), names.join("; ").slice(0, 300));
    const grids = await page.locator(".boardcol [role=grid]").evaluateAll((all) => all.map((grid) => [grid.querySelectorAll("[role=row]").length, [...grid.querySelectorAll("[role=gridcell]")].every((cell) => cell.closest("[role=row]")), grid.tabIndex]));
    check(grids.length > 0 && grids.every(([rows, inRows, tab]) => rows > 0 && inRows && tab === 0), JSON.stringify(grids));
    if (game === "tower4") {
      await page.locator(".scene").focus();
      await page.keyboard.press("ArrowDown");
      const named = await page.locator(".scene").evaluate((grid) => document.getElementById(grid.getAttribute("aria-activedescendant"))?.getAttribute("aria-label"));
      check(/^3,2, /.test(named), `the cursor is at ${named}`);
      check((await page.locator(".scene [role=gridcell]").count()) === 24, "the scene has not 24 columns");
    }
    await page.context().close();
  });

await test("the tower is turned and cut by keys", async () => {
  const page = await openPage(browser, server.home);
  await seatTwo(page);
  await page.goto(`${server.home}/practice/tower4`);
  await page.locator(".acts .btn.go").click();
  await page.waitForSelector(".seat1.turn");
  await page.keyboard.press("2");
  await page.waitForSelector(".layers figure.on:nth-child(2)");
  check((await page.locator("#say").textContent()) === "Layers up to 2", await page.locator("#say").textContent());
  await page.keyboard.press("2");
  check((await page.locator(".layers figure.on").count()) === 0, "it is still cut");
  for (const key of ["q", "e", "+", "-", "r"]) await page.keyboard.press(key);
  check(page.url().endsWith("/tower4") && page.errors.length === 0, page.errors.join());
  await page.context().close();
});

await test("the keyboard alone plays", async () => {
  const page = await openPage(browser, server.home);
  await seatTwo(page);
  await page.goto(`${server.home}/practice/reversi`);
  await page.locator(".acts .btn.go").click();
  await page.waitForSelector(".seat1.turn");
  await page.locator(".boardcol .board").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await until(async () => (await page.locator(".moves tr").count()) === 1);
  check((await page.locator("#say").textContent()).length > 0, "nothing was said");
  await page.context().close();
});

await test("dark, and for the projector", async () => {
  const page = await openPage(browser, server.link, { colorScheme: "dark" });
  check((await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === "rgb(17, 19, 22)", "it is not dark");
  await page.waitForSelector(DEMO);
  await page.locator(DEMO).first().dispatchEvent("click"); // it is drawn anew with every move
  await page.waitForSelector(".boardcol .board");
  await page.keyboard.press("f");
  await until(() => page.evaluate(() => document.querySelector(".boardcol .board").getBoundingClientRect().height > 0.9 * innerHeight));
  for (const game of ["reversi", "tower4"]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${server.home}/practice/${game}`);
    await page.waitForSelector(".acts .btn.go");
    await page.locator(".acts .btn.go").dispatchEvent("click"); // frames in space may be slow
    await page.waitForSelector(".seat1.turn");
    await page.keyboard.press("f");
    const low = await page.locator(".leave").evaluate((e) => e.getBoundingClientRect().bottom - innerHeight);
    check(low <= 0, `${game}: the way out is ${low} px below the screen`);
    if (game === "reversi") check((await page.locator(".seat2 .left").evaluate((e) => e.clientHeight && parseFloat(getComputedStyle(e).fontSize) / innerHeight)) >= 0.07, "the clock is small");
    await picture(page, `present-${game}`);
    await page.keyboard.press("Escape");
  }
  await picture(page, "present-dark");
  await page.context().close();
});

// The CPU time of scripts in every sixtieth of a second of a trace, in ms. (Frames themselves are few where the
// machine is busy, and the wall clock counts what others do.)
function scriptTimes(trace) {
  const calls = trace.traceEvents.filter((e) => e.ph === "X" && ["FunctionCall", "EvaluateScript", "v8.run"].includes(e.name)).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const ends = new Map(), frames = new Map();
  for (const { ts, dur, tdur, tid } of calls) {
    if (ts < (ends.get(tid) || 0)) continue; // inside another
    ends.set(tid, ts + dur);
    const frame = Math.floor((ts * 60) / 1e6);
    frames.set(frame, (frames.get(frame) || 0) + (tdur ?? dur) / 1000);
  }
  return [...frames.values()];
}

for (const where of ["a game", "the first page"])
  await test(`scripts take less than 8 ms of a frame while games run: ${where}`, async () => {
    const page = await openPage(browser, server.link);
    await page.waitForSelector(DEMO);
    if (where === "a game") {
      await page.locator(DEMO).first().dispatchEvent("click");
      await page.waitForSelector(".boardcol .board");
    }
    await wait(2000);
    // Others on the machine can make one look slow, not each of five; what is slow itself is slow in each.
    let least = Infinity;
    for (let look = 0; look < 5 && least >= 8; look++) {
      const times = []; // on a busy machine it takes longer until something has happened
      for (let tries = 0; times.length <= 10 && tries < 100; tries++) {
        await browser.startTracing(page, { categories: ["devtools.timeline", "v8"] });
        await wait(5000);
        times.push(...scriptTimes(JSON.parse(await browser.stopTracing())));
      }
      check(times.length > 10, `only ${times.length} frames with scripts`);
      const most = Math.max(...times), all = times.reduce((a, b) => a + b, 0);
      console.log(`# ${where}: at most ${most.toFixed(2)} ms in a frame, ${(all / 300).toFixed(2)} ms on average`);
      least = Math.min(least, most);
    }
    check(least < 8, `${least} ms in a frame`);
    await page.context().close();
  });

await browser.close();
await server.stop();
end();
