// SPDX-License-Identifier: MIT
// Games that came as folders, on boards that are only described: a person plays hex by mouse and takes the swap, amazons
// by the keyboard alone; two built-in players play four in a row, watched; a game that is added while the page is open
// appears; the help shows what the folder says, in the language of the page. Also on a phone, and axe finds nothing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, drawn, end, openPage, picture, startBrowser, startServer, test, until } from "./harness.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples/games");
const browser = await startBrowser();
const data = mkdtempSync(join(tmpdir(), "arbiter-web-"));
const add = (name) => execFileSync(process.env.ARBITER, ["game", "add", join(examples, name), "--data", data], { stdio: ["ignore", "ignore", "inherit"] });
for (const name of ["hex", "amazons", "fourinarow"]) add(name);
const server = await startServer("--no-demo", "--data", data);
const page = await openPage(browser, server.link);
const phone = await openPage(browser, server.link, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const ask = (path) => page.evaluate((p) => fetch(`/api/${p}`).then((r) => r.json()), path);
const send = (path, body) => page.evaluate(([p, b]) => fetch(`/api/${p}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(b) }).then((r) => r.json()), [path, body]);
const rows = (where, count) => until(async () => (await where.locator(".moves tr").count()) === count);
const people = (where, game) => where.evaluate((name) => localStorage.setItem(`arbiter.seats.${name}`, '["human","human"]'), game);

// Where the cell of a name is on the screen.
const place = (where, name) => where.evaluate((words) => {
  const cell = [...document.querySelectorAll(".boardcol .cell")].find((one) => one.getAttribute("aria-label").startsWith(`${words}, `)), box = cell.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}, name);
const click = async (where, name) => where.mouse.click(...(await place(where, name)));
const label = (where, name) => where.evaluate((words) => [...document.querySelectorAll(".boardcol .cell")].find((one) => one.getAttribute("aria-label").startsWith(`${words}, `)).getAttribute("aria-label"), name);

// Two people at one screen.
async function begin(where, game, buttons = ".acts") {
  await where.goto(`${server.home}/practice/${game}`);
  await people(where, game);
  await where.reload();
  await where.locator(`${buttons} .btn.go`).click();
  await where.locator(".boardcol .mine").waitFor();
}

await test("the games are there, with titles and pictures", async () => {
  await page.goto(`${server.home}/`);
  await until(async () => (await page.locator(".games .pic svg").count()) === 8);
  await page.locator(".games b", { hasText: "Game of the Amazons" }).waitFor();
  await picture(page, "outside-home");
});

await test("hex is played by mouse, and White takes the first stone over", async () => {
  await begin(page, "hex");
  await click(page, "2,5");
  await rows(page, 1);
  await page.locator('.acts [data-word="swap"]').click();
  await rows(page, 2);
  check((await page.locator('[data-word="swap"]').count()) === 0, "it can be taken over again");
  check((await label(page, "5,2")) === "5,2, White, last turn", await label(page, "5,2"));
  check((await label(page, "2,5")) === "2,5, empty", await label(page, "2,5"));
  await click(page, "5,2");
  await page.locator(".note-line", { hasText: "taken" }).waitFor();
  await click(page, "5,5");
  await rows(page, 3);
  await picture(page, "outside-hex");
});

await test("another size is another board", async () => {
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${server.home}/practice/hex`);
  await page.locator('[name="switch-size"]').fill("4");
  await page.locator('[name="switch-size"]').press("Enter");
  await until(async () => (await page.locator(".boardcol .cell").count()) === 16);
  await page.locator(".acts .btn.go").click();
  for (const [i, cell] of ["0,0", "0,1", "1,0", "1,1", "2,0", "2,1", "3,0"].entries()) {
    await page.locator(".boardcol .mine").waitFor();
    await click(page, cell);
    await rows(page, i + 1);
  }
  await page.locator(".verdict", { hasText: "Black wins: two sides are joined" }).waitFor();
});

await test("amazons is played by the keyboard: a queen, then an arrow; Esc takes back", async () => {
  await begin(page, "amazons");
  await page.keyboard.press("ArrowUp"); // the cursor comes to the middle, 4,4
  const go = async (key, times) => { for (let i = 0; i < times; i++) await page.keyboard.press(key); };
  await go("ArrowDown", 5);
  await go("ArrowLeft", 1); // 9,3, a queen of Black
  await page.keyboard.press("Enter");
  await until(async () => (await page.locator(".boardcol .nextcell").count()) > 10);
  await page.keyboard.press("Escape");
  check((await page.locator(".boardcol .pick.on").count()) === 0, "she is still chosen");
  await page.keyboard.press("Enter");
  await go("ArrowUp", 6); // to 3,3
  await page.keyboard.press("Enter");
  await page.locator(".note-line", { hasText: "Finish the turn" }).waitFor();
  await go("ArrowUp", 1);
  await page.keyboard.press("Enter");
  await rows(page, 1);
  check((await page.locator(".moves tr td").first().textContent()).includes("9,3 › 3,3 2,3"), await page.locator(".moves tr td").first().textContent());
  check((await label(page, "2,3")) === "2,3, blocked, last turn", await label(page, "2,3"));
  await picture(page, "outside-amazons");
});

await test("two built-in players are watched at four in a row", async () => {
  let id; // on a busy machine the rules are not ready at once, and the server says so
  await until(async () => ({ id } = await send("games", { game: "fourinarow", seats: ["builtin:easy", "builtin:easy"], time: "off", set: {} })).id);
  await page.goto(`${server.home}/game/${id}`);
  await page.locator(".boardcol .columns .mark").first().waitFor();
  await page.locator(".verdict").waitFor();
  const { result, moves } = await ask(`games/${id}`);
  check(/^(Black|White) wins: four in a line$|^Draw/.test(await page.locator(".verdict").textContent()), await page.locator(".verdict").textContent());
  check(["four", "full"].includes(result.reason) && (await page.locator(".moves tr").count()) === moves.length, JSON.stringify(result));
  await page.goto(`${server.home}/replay/${id}`);
  await page.locator(".counter", { hasText: `${moves.length} of ${moves.length}` }).waitFor();
  await page.keyboard.press("Home");
  await page.locator(".counter", { hasText: `0 of ${moves.length}` }).waitFor();
  check((await page.locator(".boardcol .mark").count()) === 0, "the board is not empty");
});

await test("a game that is added meanwhile appears when it is looked for", async () => {
  await page.goto(`${server.home}/practice/qubic`);
  await page.locator("h1", { hasText: "No such game here" }).waitFor();
  add("qubic");
  await page.locator('#page a[href="/"]').click();
  await page.locator(".games b", { hasText: "Qubic" }).waitFor();
  await phone.goto(`${server.home}/practice/qubic`);
  await until(async () => (await phone.locator(".boardcol .cell").count()) === 64);
  await phone.locator(".modes button", { hasText: "3-D" }).click(); // three.js comes only now
  await phone.locator(".scene canvas").waitFor();
});

await test("the help shows what the folder says, in the language of the page", async () => {
  const korean = await openPage(browser, `${server.home}/help/hex`, { locale: "ko-KR" });
  await korean.locator(".rulestext li").first().waitFor();
  check((await korean.locator("h1").textContent()) === "헥스", await korean.locator("h1").textContent());
  check(/[가-힣]/.test(await korean.locator(".rulestext p").first().textContent()), "it is not Korean");
  await until(async () => (await korean.locator(".pics svg").count()) === 3);
  check(korean.errors.length === 0, korean.errors.join());
  await korean.context().close();
});

await test("a contest of a game from outside has its switches", async () => {
  await page.goto(`${server.home}/tournament`);
  await page.locator('.make [name="game"]').selectOption("amazons");
  await page.locator('.make [name="switch-board"]').selectOption("6");
  await page.locator('.field-list input[value="builtin:easy"]').check();
  await page.locator('.field-list input[value="random"]').check();
  await page.locator('.make [name="format"]').selectOption("league");
  await page.locator(".make .later").click();
  await page.waitForURL(/\/tournament\/\w+$/);
  const form = await ask(`contests/${page.url().split("/").pop()}/form`);
  check(form.set?.board === "6" || /board = "6"/.test(form.text || ""), JSON.stringify(form));
});

await test("on a phone a tap aims and a button plays", async () => {
  await begin(phone, "hex", ".dock");
  await phone.touchscreen.tap(...(await place(phone, "5,5")));
  await phone.locator(".dock .btn.go", { hasText: "Play 5,5" }).click();
  await rows(phone, 1);
  check(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is wider than the phone");
  await picture(phone, "outside-hex-phone");
});

const axe = await Promise.resolve().then(() => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")).catch(() => null);
if (axe)
  await test("axe finds nothing that keeps people out", async () => {
    const found = [];
    for (const where of [page, phone]) for (const path of ["/practice/hex", "/practice/qubic", "/analysis/amazons", "/help/hex"]) {
      await where.goto(server.home + path);
      await where.locator(".boardcol .board, .rulestext p").first().waitFor();
      await where.evaluate(axe);
      for (const colorScheme of ["light", "dark"]) {
        await where.emulateMedia({ colorScheme });
        await drawn(where);
        found.push(...(await where.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.filter(({ impact }) => impact === "serious" || impact === "critical")
          .flatMap(({ id, nodes }) => nodes.map(({ html, target }) => `${id}: ${target.join(" ")} ${html.slice(0, 160)}`)))).map((words) => `${path} ${colorScheme} ${words}`));
      }
      await where.emulateMedia({ colorScheme: "light" });
    }
    check(found.length === 0, found.join("\n"));
  });

await test("nothing has failed on these pages", async () => {
  const notReady = /status of 400 .*\/api\/games$/; // which is tried again above
  const wrong = [...page.errors, ...phone.errors].filter((words) => !notReady.test(words));
  check(wrong.length === 0, wrong.join());
});

await browser.close();
await server.stop();
end();
