// SPDX-License-Identifier: MIT
// What the browser tests share: a server of their own, Debian's Chromium, and TAP.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";
const FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

// With what hangs. How long anything takes decides nothing: the machine may be busy.
export const PATIENCE = 1000 * (process.env.PATIENCE_S || 1200);

let count = 0;
let failed = 0;

export async function test(name, run) {
  const begin = Date.now();
  count++;
  try {
    await run();
    console.log(`ok ${count} - ${name}`);
    console.log(`# ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed++;
    console.log(`not ok ${count} - ${name}`);
    console.log(String(error.stack || error).replace(/^/gm, "# "));
    console.error(name, error); // which is what meson shows
  }
}

export function check(good, words) {
  if (!good) throw new Error(words);
}

export function end() {
  console.log(`1..${count}`);
  process.exitCode = failed ? 1 : 0;
}

export function skip(why) {
  console.log(`1..0 # SKIP ${why}`);
  process.exit(0);
}

// A port for a server that is ended and started again: below those that the kernel gives to others meanwhile, and above
// those that tests/e2e draws.
export async function freePort() {
  for (;;) {
    const port = 30000 + Math.floor(Math.random() * 2768);
    const free = await new Promise((done) => { const one = createServer().on("error", () => done(false)).listen(port, "127.0.0.1", () => one.close(() => done(true))); });
    if (free) return port;
  }
}

// Removes a folder. What a server has started may write into it for a moment after its end.
export const remove = (folder) => until(() => {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== "ENOTEMPTY") throw error;
  }
  return !existsSync(folder);
});

// A server on a port of its own, with an empty folder or that of one which was stopped. `child` is its small
// parent, `pid` the process that serves.
export const startServer = (...options) => startServerBy([], ...options);

// The same by another program, such as `prlimit`, that starts what it is given.
export async function startServerBy(starter, ...options) {
  const given = options.indexOf("--data");
  const data = given < 0 ? mkdtempSync(join(tmpdir(), "arbiter-web-")) : options[given + 1];
  const [program, ...words] = [...starter, process.env.ARBITER, "serve"];
  const child = spawn(program, [...words, "--port", "0", "--judge-port", "0", "--data", data, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const last = () => child.kill("SIGKILL"); // should the test itself break
  process.once("exit", last);
  child.once("exit", () => process.off("exit", last));
  let said = "";
  const link = await new Promise((done, fail) => {
    child.on("exit", (code) => fail(new Error(`arbiter serve has ended with ${code}`)));
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const found = said.match(/https?:\/\/\S+\/key\/\w+[^]*process (\d+)\./);
      if (found) done(found[0].match(/\S+\/key\/\w+/)[0]);
    });
  });
  const stop = (keep = false) => new Promise((done, fail) => {
    child.removeAllListeners("exit");
    child.on("exit", (code, signal) => {
      const removed = keep ? Promise.resolve() : remove(data);
      removed.then(() => (code === 0 ? done() : fail(new Error(`arbiter serve has ended with ${code ?? signal}`))), fail);
    });
    child.kill("SIGTERM");
  });
  return { link, home: link.replace(/\/key\/.*/, ""), key: link.replace(/.*\/key\//, ""), cookie: `arbiter_key_${new URL(link).port}`, data, stop, child, pid: +said.match(/process (\d+)/)[1] };
}

export async function startBrowser() {
  if (!existsSync(CHROMIUM)) skip(`there is no ${CHROMIUM}`);
  const playwright = await import("playwright-core").catch(() => skip("playwright-core is not installed: tools/install test"));
  return playwright.chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

// A page of its own; with the organiser's key if it is given his link.
export async function openPage(browser, address, options = {}) {
  const { standard, prefs, ...others } = options;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en", ...others });
  context.setDefaultTimeout(PATIENCE);
  if (prefs) await context.addInitScript((text) => localStorage.getItem("arbiter.prefs") || localStorage.setItem("arbiter.prefs", text), JSON.stringify(prefs));
  // Tests take their time: people play without a clock, unless that is what is tested.
  else if (!standard) await context.addInitScript(() => localStorage.getItem("arbiter.prefs") || localStorage.setItem("arbiter.prefs", '{"people":false}'));
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") page.errors.push(`${message.text()} ${message.location().url}`); });
  await page.goto(address);
  if (address !== "about:blank") await page.waitForSelector("main");
  return page;
}

// Pictures go where BROWSER_PICTURES says, beside the build.
export async function picture(page, name) {
  const folder = process.env.BROWSER_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// Waits until what the page has drawn is on the screen.
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// Waits until something holds. (The page's policy forbids what Playwright would do for that.)
export async function until(holds) {
  const begin = Date.now();
  while (!(await holds())) {
    if (Date.now() - begin > PATIENCE) throw new Error(`it did not come to hold: ${holds}`);
    await wait(50);
  }
}

// The players of a contest's form are drawn anew whenever they were asked for: when the page opens, when it hears of
// teams, for another game. Returns what waits until that was so often since now: a click meanwhile could be lost.
export function countPlayersAsked(page) {
  let count = 0;
  page.on("requestfinished", (request) => { count += request.url().endsWith("/api/players"); });
  return async (times) => {
    await until(() => count >= times);
    await drawn(page);
  };
}

// Clicks a point of the board's own units.
export async function clickBoard(page, x, y, board = ".boardcol .board") {
  const [left, top] = await page.evaluate(([px, py, query]) => {
    const p = new DOMPoint(px, py).matrixTransform(document.querySelector(query).getScreenCTM());
    return [p.x, p.y];
  }, [x, y, board]);
  await page.mouse.click(left, top);
}
