// SPDX-License-Identifier: MIT
// Pages as visitor, team and organiser, on a phone and a desktop, light and dark: axe finds nothing that keeps people out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { check, drawn, end, openPage, skip, startBrowser, test } from "./harness.mjs";
import { Places } from "./places.mjs";

const SIZES = { phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, desktop: { viewport: { width: 1440, height: 900 } } };

// What ./test looks at; ./test long looks at every page in both sizes.
const SHORT = { phone: ["visitor-home", "visitor-before-connect6", "visitor-replay", "team-page", "organiser-over"],
  desktop: ["visitor-analysis", "visitor-games", "visitor-help-write", "organiser-form", "organiser-during-reversi", "organiser-waiting"] };

const browser = await startBrowser();
const axe = await Promise.resolve().then(() => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"))
  .catch(() => skip("axe-core is not installed: tools/install test"));
const places = await Places.make();

// What is serious, a line each. Of a second theme the colours alone are new.
const findings = (page, onlyColours) => page.evaluate(async (only) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...(only ? { runOnly: { type: "rule", values: ["color-contrast"] } } : {}) });
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(({ id, nodes }) =>
    nodes.map(({ html, target, any }) => `${id}: ${target.join(" ")} ${html.slice(0, 160)} ${any[0]?.message || ""}`));
}, onlyColours);

await test("what is pale or has no name is found", async () => {
  const page = await openPage(browser, places.home, SIZES.desktop);
  await page.locator(".games .btn").first().waitFor();
  await page.evaluate(axe);
  await page.evaluate(() => {
    const pale = document.createElement("p");
    pale.append("pale", document.createElement("button"));
    pale.style.color = "#e0e0e0";
    document.querySelector("main").append(pale);
  });
  const found = (await findings(page)).map((words) => words.split(":")[0]);
  check(found.join() === "button-name,color-contrast", found.join());
  await page.context().close();
});

for (const [size, options] of Object.entries(SIZES)) {
  const pages = await places.people(browser, options);
  for (const place of places.all().filter(({ name }) => process.env.TEST_LONG || SHORT[size].includes(name)))
    await test(`${place.name}, ${size}`, async () => {
      const page = await places.open(pages, place), found = [];
      await page.evaluate(axe);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await drawn(page);
        found.push(...(await findings(page, colorScheme === "dark")).map((words) => `${colorScheme}: ${words}`));
      }
      await page.emulateMedia({ colorScheme: "light" });
      check(found.length === 0, `${place.name}\n${found.join("\n")}`);
    });
  for (const page of Object.values(pages)) await page.context().close();
}

await browser.close();
await places.stop();
end();
