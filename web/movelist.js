// SPDX-License-Identifier: MIT
// The moves of a game, a row for each turn; the current one is kept in view.
import { h } from "./dom.js";
import { t } from "./words.js";
import { turnsOf } from "./rules.js";
import { moveName } from "./boards/index.js";

export class MoveList {
  constructor(choose) {
    this.choose = choose; // (plies) => void, or none
    this.body = h("tbody");
    this.el = h("section", { class: "card moves", "aria-label": t("moves") }, h("table", {}, this.body));
    this.rows = [];
    this.drawn = "";
  }

  // notes: from the first ply of a turn to [sign, words, value]
  show({ game, settings, moves, ms, turns: movers }, current = moves.length, notes = {}) {
    const turns = turnsOf(game, moves);
    const drawn = JSON.stringify([moves, notes]);
    if (drawn !== this.drawn) {
      this.rows = turns.map((turn, i) => this.row(turn, i, { game, settings, moves, ms, movers, note: notes[turn.from] }));
      this.body.replaceChildren(...this.rows);
      this.drawn = drawn;
    }
    const at = turns.findIndex((turn) => current > turn.from && current <= turn.to);
    this.rows.forEach((row, i) => (i === at ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
    if (at >= 0) this.keepInView(this.rows[at]);
  }

  row({ from, to }, i, { game, settings, moves, ms, movers, note }) {
    const names = moves.slice(from, to).map((m) => moveName(game, m, settings)).join(" ");
    const time = ms[to - 1] ? `${(ms[to - 1] / 1000).toFixed(1)} ${t("s")}` : "";
    const cells = [h("th", {}, String(i + 1)),
      h("td", {}, h("i", { class: movers[from] === 1 ? "dot" : "dot w" }), names)];
    if (note) cells.push(h("td", { class: note[0] }, note[1]), h("td", { class: "ms" }, note[2]));
    else cells.push(h("td", { class: "ms" }, time));
    return h("tr", { onclick: this.choose && (() => this.choose(to)) }, cells);
  }

  keepInView(row) {
    const box = this.el;
    if (row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = row.offsetTop + row.offsetHeight - box.clientHeight;
    else if (row.offsetTop < box.scrollTop) box.scrollTop = row.offsetTop;
  }
}
