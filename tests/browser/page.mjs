// SPDX-License-Identifier: MIT
// The page itself: languages, settings, phone width, both themes, the projector, two people without
// a server, its weight and what it costs.
import { check, clickBoard, end, openPage, picture, startBrowser, startServer, test, until, wait } from "./harness.mjs";

const PAGES = ["/", "/practice/connect6", "/practice/reversi", "/practice/tower4", "/practice/hopchess", "/practice/cuptactoe", "/tournament", "/settings", "/help", "/games"];

const browser = await startBrowser();
const server = await startServer();

await test("the first page is alive, and weighs less than 300 kB", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en" });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  const files = [];
  client.on("Network.loadingFinished", (e) => { bytes += e.encodedDataLength; });
  page.on("request", (r) => files.push(r.url()));
  await page.goto(server.link);
  await page.waitForSelector(".strip .game", { timeout: 20000 });
  await wait(500);
  console.log(`# ${files.length} requests, ${bytes} bytes`);
  check(bytes < 300000, `${bytes} bytes`);
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
  for (const [locale, words] of [["ko-KR", "선수마다 63자 이내의 이름이 있어야 합니다."], ["zh-TW", "每位棋手都要有最多 63 字的名字。"], ["en", "Every player needs a name of at most 63 letters."]]) {
    const page = await openPage(browser, server.link, { locale });
    const said = await page.evaluate(async () => {
      const { post } = await import("/static/api.js");
      return post("contests", { game: "reversi", players: [{ name: "", player: "random" }, { name: "b", player: "random" }] }).catch((error) => error.message);
    });
    check(said === words, said);
    await page.context().close();
  }
});

await test("settings change the next game", async () => {
  const page = await openPage(browser, server.link);
  await page.goto(`${server.home}/settings`);
  await page.locator('[data-pref="blocks"] button').nth(1).click();
  await page.locator('[data-pref="blocks"] button').nth(1).click();
  await page.locator('[data-pref="seconds-connect6"] button').nth(0).click();
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

await test("two people play with the server gone", async () => {
  const other = await startServer("--no-demo");
  const page = await openPage(browser, other.home);
  await page.goto(`${other.home}/practice/reversi`);
  await page.waitForSelector(".acts .btn.go");
  await page.locator(".acts .btn.go").click();
  await page.waitForSelector(".seat1.turn");
  await other.stop();
  await page.locator(".toast").waitFor();
  for (const [r, c] of [[3, 3], [3, 4], [4, 4], [4, 3]]) { await clickBoard(page, 64 + 80 * c, 64 + 80 * r); await wait(60); }
  check((await page.locator(".moves tr").count()) === 4, "the moves were not played");
  await page.context().close();
});

for (const [name, options] of [["360 px", { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true }], ["1024 px", { viewport: { width: 1024, height: 768 } }]])
  await test(`nothing is wider than the page at ${name}`, async () => {
    const page = await openPage(browser, server.link, options);
    for (const path of PAGES) {
      await page.goto(server.home + path);
      await page.waitForSelector("main *");
      await wait(200);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `${path} is ${wide} px too wide`);
      await picture(page, `${name.replace(" ", "")}${path.replaceAll("/", "-")}`);
    }
    await page.context().close();
  });

await test("a phone aims first and places by the button", async () => {
  const page = await openPage(browser, server.home, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
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

await test("the keyboard alone plays", async () => {
  const page = await openPage(browser, server.home);
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
  await page.waitForSelector(".strip .game");
  await page.locator(".strip .game").first().click();
  await page.waitForSelector(".boardcol .board");
  await page.keyboard.press("f");
  await wait(300);
  const high = await page.evaluate(() => document.querySelector(".boardcol .board").getBoundingClientRect().height / innerHeight);
  check(high > 0.9, `the board has ${high} of the height`);
  await picture(page, "present-dark");
  await page.context().close();
});

await test("scripts take less than 8 ms of a frame while games run", async () => {
  const page = await openPage(browser, server.link);
  await page.waitForSelector(".strip .game");
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const script = async () => (await client.send("Performance.getMetrics")).metrics.find((m) => m.name === "ScriptDuration").value * 1000;
  await page.locator(".strip .game").first().click();
  await page.waitForSelector(".boardcol .board");
  await wait(500);
  await page.bringToFront();
  const before = await script();
  const frames = await page.evaluate(() => new Promise((done) => {
    let n = 0;
    const begin = performance.now();
    const step = () => (performance.now() - begin < 4000 ? (n++, requestAnimationFrame(step)) : done(n));
    requestAnimationFrame(step);
  }));
  const each = ((await script()) - before) / frames;
  console.log(`# ${each.toFixed(2)} ms a frame over ${frames} frames`);
  check(each < 8, `${each} ms`);
  await page.context().close();
});

await browser.close();
await server.stop();
end();
