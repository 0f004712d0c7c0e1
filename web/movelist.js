// SPDX-License-Identifier: MIT
// The moves of a game, a row for each turn; the current one is kept in view. While a game goes on only what is
// new is drawn, and the style sheet keeps the end in view: asking where a row is would cost more than all else.
import { h } from "./dom.js";
import { t } from "./words.js";
import { moveName, turnsOf } from "./boards/index.js";
import { colour, turnFault } from "./sentences.js";
import { sideValue } from "./values.js";

export class MoveList {
  // choose: (plies) => void, or none; live: the game goes on, and the style sheet keeps the end in view
  constructor(choose, live = false) {
    this.choose = choose;
    this.live = live;
    this.body = h("tbody");
    this.el = h("section", { class: "card moves", "aria-label": t("moves") }, h("table", { onkeydown: (e) => this.choose && this.key(e) }, this.body));
    this.rows = [];
    this.texts = []; // of the turns that are drawn
    this.noted = "";
    this.at = -1;
  }

  // notes: from the first ply of a turn to { kind, words, value, mover, exact }; scores: after so many plies, [a, b]
  // faults: what players have done wrong, for which the referee moved or their turn was skipped
  show({ game, settings, moves, ms, turns: movers, scores, faults = [] }, current = moves.length, notes = {}) {
    const turns = turnsOf(game, moves, settings), kept = this.keep(turns, moves, JSON.stringify([notes, faults.length]));
    for (let i = kept; i < turns.length; i++) {
      const row = this.row(turns[i], i, { game, settings, moves, ms, movers, faults, score: scores?.[turns[i].to], note: notes[turns[i].from] });
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
    this.point(this.at, false);
    this.point(at, true);
    const focused = this.at >= 0 && this.rows[this.at]?.contains(document.activeElement);
    this.at = at;
    if (focused) this.button(at)?.focus({ preventScroll: true });
    if (this.choose && at >= 0 && !(this.live && at === this.rows.length - 1)) this.keepInView(this.rows[at]);
  }

  button(at) { return this.rows[at]?.querySelector("button"); }

  // The current row is the one that the tab key reaches.
  point(at, on) {
    const row = this.rows[at];
    if (!row) return;
    row.toggleAttribute("aria-current", on);
    if (on) row.setAttribute("aria-current", "true");
    this.button(at)?.setAttribute("tabindex", on ? 0 : -1);
  }

  // Arrows go from row to row.
  key(event) {
    const to = { ArrowUp: this.at - 1, ArrowDown: this.at + 1, Home: 0, End: this.rows.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.button(Math.max(0, Math.min(this.rows.length - 1, to)))?.click();
  }

  row({ from, to }, i, { game, settings, moves, ms, movers, faults, score, note }) {
    const names = moves.slice(from, to).map((m) => moveName(game, m, settings)).join(" ");
    const time = ms[to - 1] ? t("n.s", { n: (ms[to - 1] / 1000).toFixed(1) }) : "";
    const turn = [h("i", { class: movers[from] === 1 ? "dot" : "dot w" }), h("span", { class: "vh" }, `${colour(movers[from])} `), names];
    const wrong = turnFault(faults, moves, from, to);
    if (wrong) turn.push(h("span", { class: "fault" }, " ", wrong));
    const cells = [h("th", {}, String(i + 1)), h("td", {}, this.choose ? h("button", { class: "rowmove", tabindex: -1 }, turn) : turn)];
    if (score) cells.push(h("td", { class: "ms" }, `${score[0]} : ${score[1]}`));
    if (note) cells.push(h("td", { class: note.kind }, note.words), h("td", { class: "worthcell" }, note.value === null ? "" : sideValue(game, note.value, note.mover, note.exact)));
    cells.push(h("td", { class: "ms" }, time));
    return h("tr", { onclick: this.choose && (() => this.choose(to)) }, cells);
  }

  keepInView(row) {
    const { top, bottom } = this.el.getBoundingClientRect(), at = row.getBoundingClientRect();
    if (at.bottom > bottom) this.el.scrollTop += at.bottom - bottom;
    else if (at.top < top) this.el.scrollTop -= top - at.top;
  }

  // Where a live list ends: it is filled from below.
  toEnd() { this.el.scrollTop = 0; }
}
