// SPDX-License-Identifier: MIT
// The moves of a game, a row for each turn; the current one is kept in view. While a game goes on only what is
// new is drawn, and the style sheet keeps the end in view: asking where a row is would cost more than all else.
import { h } from "./dom.js";
import { t } from "./words.js";
import { moveName, turnsOf } from "./boards/index.js";

export class MoveList {
  constructor(choose) {
    this.choose = choose; // (plies) => void, or none
    this.body = h("tbody");
    this.el = h("section", { class: "card moves", "aria-label": t("moves") }, h("table", {}, this.body));
    this.rows = [];
    this.texts = []; // of the turns that are drawn
    this.noted = "";
    this.at = -1;
  }

  // notes: from the first ply of a turn to [sign, words, value]
  show({ game, settings, moves, ms, turns: movers }, current = moves.length, notes = {}) {
    const turns = turnsOf(game, moves), kept = this.keep(turns, moves, JSON.stringify(notes));
    for (let i = kept; i < turns.length; i++) {
      const row = this.row(turns[i], i, { game, settings, moves, ms, movers, note: notes[turns[i].from] });
      this.rows.push(row);
      this.body.append(row);
    }
    this.mark(turns.findIndex((turn) => current > turn.from && current <= turn.to));
  }

  // Removes the rows that are not as they were; returns how many stay.
  keep(turns, moves, noted) {
    const texts = turns.map(({ from, to }) => moves.slice(from, to).join());
    let kept = 0;
    if (noted === this.noted) while (kept < this.texts.length && texts[kept] === this.texts[kept]) kept++;
    for (const row of this.rows.splice(kept)) row.remove();
    this.texts = texts;
    this.noted = noted;
    return kept;
  }

  mark(at) {
    this.rows[this.at]?.removeAttribute("aria-current");
    this.rows[at]?.setAttribute("aria-current", "true");
    this.at = at;
    if (this.choose && at >= 0) this.keepInView(this.rows[at]);
  }

  row({ from, to }, i, { game, settings, moves, ms, movers, note }) {
    const names = moves.slice(from, to).map((m) => moveName(game, m, settings)).join(" ");
    const time = ms[to - 1] ? t("n.s", { n: (ms[to - 1] / 1000).toFixed(1) }) : "";
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
