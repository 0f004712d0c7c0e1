// SPDX-License-Identifier: MIT
// node pictures.mjs FOLDER [PATTERN]: pictures of every page, at three widths, light and dark, in the three languages,
// to be looked at; or of those whose name, such as visitor-home-1440-ko, has the pattern in it. Not a test.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { drawn, startBrowser } from "./harness.mjs";
import { Places } from "./places.mjs";

const SIZES = { 390: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, 1440: { viewport: { width: 1440, height: 900 } }, 1920: { viewport: { width: 1920, height: 1080 } } };
const [folder, pattern = ""] = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
const places = await Places.make();
for (const [width, options] of Object.entries(SIZES)) {
  for (const locale of ["en", "ko", "zh-TW"]) {
    const pages = await places.people(browser, { ...options, locale });
    for (const place of places.all().filter(({ name }) => `${name}-${width}-${locale}`.match(pattern))) {
      const page = await places.open(pages, place);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await drawn(page);
        await page.screenshot({ path: join(folder, `${place.name}-${width}-${locale}-${colorScheme}.png`) });
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) console.log(`${place.name} ${width} ${locale}: ${wide} px too wide`);
    }
    for (const page of Object.values(pages)) await page.context().close();
  }
}
await browser.close();
await places.stop();
