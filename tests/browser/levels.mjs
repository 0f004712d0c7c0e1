// SPDX-License-Identifier: MIT
// The levels of built-in players where one is chosen: all of them, what they are worth, and the one that is taken.
import { check, end, openPage, picture, startBrowser, startServer, test } from "./harness.mjs";

const browser = await startBrowser();
const server = await startServer("--no-demo");
const page = await openPage(browser, server.link);

await test("a player is chosen among ten levels and random", async () => {
  await page.goto(`${server.home}/practice/reversi`);
  await page.locator(".seat2 .link").click();
  const buttons = page.locator("dialog .levels button");
  const labels = await buttons.allTextContents();
  check(labels.join() === "1,2 easy,3,4,5 normal,6,7,8,9,10 strong,random", labels.join());
  await buttons.nth(6).click();
  const words = await page.locator("dialog .levels p").textContent();
  check(/^Elo \d+ in this game, 95 % interval \d+ to \d+;/.test(words), words);
  await picture(page, "levels");
  await page.locator("dialog .btn.go").click();
  await page.waitForSelector("dialog", { state: "detached" });
  const name = await page.locator(".seat2").textContent();
  check(name.includes("Built-in, level 7"), name);
});

await test("the analysis board plays on against any of them", async () => {
  await page.goto(`${server.home}/analysis/tower4`);
  await page.locator(".playon option").nth(10).waitFor({ state: "attached" });
  const options = await page.locator(".playon option").allTextContents();
  check(options.length === 11 && /^5 normal · Elo \d+$/.test(options[4]) && options[10] === "random", options.join());
});

await test("a contest takes them", async () => {
  await page.goto(`${server.home}/tournament`);
  await page.waitForSelector(".field-list input");
  const values = await page.locator(".field-list input").evaluateAll((boxes) => boxes.map(({ value }) => value));
  check(values[0] === "builtin:strong" && values[9] === "builtin:1" && values[10] === "random", values.join());
});

await browser.close();
await server.stop();
end();
