// SPDX-License-Identifier: MIT
// Similar code: the organiser sees the pairs of a contest, flagged ones, who hangs together, and two side by side;
// nobody else does.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, end, openPage, picture, startBrowser, startServer, test, until } from "./harness.mjs";

const PLAYER = readFileSync(new URL("../../tests/players/good_abp.c", import.meta.url), "utf8");
const KIT = readFileSync(new URL("../../kits/tower4/c/player.c", import.meta.url), "utf8");

const browser = await startBrowser();
const server = await startServer("--no-demo");
const page = await openPage(browser, server.link);
const guest = await openPage(browser, server.home);
const post = (where, path, body) => where.evaluate(([p, b]) => fetch(`/api/${p}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(b) })
  .then(async (r) => ({ status: r.status, ...(await r.json()) })), [path, body]);

// One player, a copy of it in disguise, and one that is the kit's.
const sources = { one: PLAYER, copy: `// <script>alert(1)</script>\n${PLAYER.replace(/\bint\b/, "long")}`, kit: KIT };
mkdirSync(join(server.data, "contests"), { recursive: true });
for (const [name, text] of Object.entries(sources)) {
  mkdirSync(join(server.data, "contests", name));
  writeFileSync(join(server.data, "contests", name, "player.c"), text);
}
writeFileSync(join(server.data, "contests", "kit", "<i>book.txt"), PLAYER);
const { id } = await post(page, "contests", { text: `name = "Copies"; game = "tower4"; players = (${Object.keys(sources).map((name) => `{ name = "${name}"; folder = "${name}"; }`).join(", ")});` });

await test("pairs are listed, the copy flagged and clustered", async () => {
  await page.goto(`${server.home}/tournament/${id}`);
  await page.locator(".head a", { hasText: "Similar code" }).click();
  await page.locator("h1", { hasText: "Similar code: Copies" }).waitFor();
  await page.locator(".pairs tr.flagged").first().waitFor();
  const flagged = await page.locator(".pairs tr.flagged").allTextContents();
  check(flagged.length === 1 && flagged[0].includes("one") && flagged[0].includes("copy"), flagged.join());
  check(/\d\d\.\d %.*\d\d\.\d %/.test(flagged[0]), "the percents are missing");
  check((await page.locator(".clusters li").allTextContents()).join() === "onecopy", await page.locator(".clusters").textContent());
  const remarks = await page.locator(".remarks li").allTextContents();
  check(remarks.length === 1 && remarks[0] === "kitcompared in part: <i>book.txt looks like code, but is no source by its name", remarks.join());
  await picture(page, "similar");
});

await test("a pair is shown side by side, what both have in the same colour", async () => {
  await page.locator(".pairs tr.flagged a").click();
  await page.locator(".sides .side").nth(1).waitFor();
  const marks = await page.locator(".side").evaluateAll((sides) => sides.map((side) => [...side.querySelectorAll(".tile")].map((tile) => `${tile.dataset.tile} ${tile.className}`).sort().join()));
  check(marks[0].length > 0 && marks[0] === marks[1], marks.join(" | "));
  const texts = await page.locator(".side pre").evaluateAll((files) => files.map((file) => { for (const sup of file.querySelectorAll("sup")) sup.remove(); return file.textContent; }));
  check(texts.includes(PLAYER) && texts.includes(sources.copy), "a source is not whole");
  check((await page.locator("main script").count()) === 0, "a source became an element");
  await page.locator(".side").first().locator(".tile").first().click();
  await until(async () => (await page.evaluate(() => document.activeElement.closest(".side") === document.querySelectorAll(".side")[1])));
  await picture(page, "similar-pair");
  await page.setViewportSize({ width: 360, height: 760 });
  check((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "it is too wide for a phone");
  await page.setViewportSize({ width: 1440, height: 900 });
});

await test("only the organiser sees it", async () => {
  await guest.goto(`${server.home}/tournament/${id}/similar`);
  await guest.locator("main", { hasText: "Only the organiser sees this" }).waitFor();
  check((await post(guest, `contests/${id}/similar`, {})).status === 403, "a spectator compares");
  check((await post(guest, `contests/${id}/similar`, { players: ["one", "copy"] })).status === 403, "a spectator reads sources");
  check((await guest.evaluate(() => fetch("/api/jobs/1").then((r) => r.status))) === 403, "a spectator reads the answer");
});

await test("what cannot be compared is said", async () => {
  for (const [players, words] of [[["one"], "by their names"], [[1, 2], "by their names"]]) {
    const { status, error } = await post(page, `contests/${id}/similar`, { players });
    check(status === 400 && error.includes(words), `${status} ${error}`);
  }
  const { job } = await post(page, `contests/${id}/similar`, { players: ["one", "'; touch /tmp/arbiter-injected; '"] });
  const look = () => page.evaluate((n) => fetch(`/api/jobs/${n}`).then((r) => r.json()), job);
  await until(async () => (await look()).state === "failed");
  check((await look()).error.includes("no code in common"), JSON.stringify(await look()));
  const { id: none } = await post(page, "contests", { text: 'game = "reversi"; players = ({ name = "a"; start = "random"; }, { name = "b"; start = "random"; });' });
  await page.goto(`${server.home}/tournament/${none}/similar`);
  await page.locator("main", { hasText: "There is nothing to compare" }).waitFor();
});

await browser.close();
await server.stop();
end();
