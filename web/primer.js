// SPDX-License-Identifier: MIT
// The rules of a game in short, beside its empty board.
import { h } from "./dom.js";
import { currentLanguage, t, texts } from "./words.js";
import { outsideGame, outsideRules } from "./outside.js";

// What people read of the rules of a game from outside, as far as the first heading within; all of it on the help page.
export function rulesText(game, short = false) {
  const text = h("div", { class: "rulestext" });
  outsideRules(game, currentLanguage()).then((html) => {
    text.innerHTML = html; // made by the server from CommonMark, without HTML of its own
    text.querySelector("h1")?.remove();
    for (let one = short && text.querySelector("h2"); one;) {
      const next = one.nextSibling;
      one.remove();
      one = next;
    }
  });
  return text;
}

export function primerOf(game) {
  return h("section", { class: "card pad primer s m", "aria-label": t("rules.short") }, h("h2", {}, t("rules.short")),
    outsideGame(game) ? rulesText(game, true) : texts(`help.${game}`).map((text) => h("p", {}, text)), h("p", {}, h("a", { href: `/help/${game}` }, t("rules.all"))));
}
