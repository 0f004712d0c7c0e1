// SPDX-License-Identifier: MIT
// A bar of both players' shares, dark for Black, and the value in words.
import { h, s } from "./dom.js";
import { t } from "./words.js";
import { blackShare, sideValue } from "./values.js";

export class EvalBar {
  constructor() {
    this.black = s("rect", { class: "a1", height: 12, width: "50%" });
    this.svg = s("svg", { class: "evbar", role: "img", "aria-label": t("ev.title") }, s("rect", { class: "bgw", width: "100%", height: 12 }), this.black);
    this.words = h("span", { class: "s" });
    this.el = h("div", { class: "evline" }, this.svg, this.words);
  }

  // thought: { value, exact } of a position, with who moves in it; null: nothing is known
  show(game, thought, mover) {
    this.svg.classList.toggle("none", !thought);
    if (!thought) return this.words.replaceChildren();
    this.black.setAttribute("width", `${(100 * blackShare(game, thought.value, mover)).toFixed(1)}%`);
    this.words.replaceChildren(sideValue(game, thought.value, mover, thought.exact));
  }
}
