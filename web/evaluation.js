// SPDX-License-Identifier: MIT
// What an engine thinks of a whole game: a graph of both players' shares, the times below it, and the
// mistakes. A value is the mover's, in the units of `arbiter analyse`.
import { h, s } from "./dom.js";
import { t } from "./words.js";
import { lookOf, turnsOf } from "./boards/index.js";

const MISTAKE = 0.1, BLUNDER = 0.25; // of the share lost by a turn
const LEFT = 20, TOP = 12, BARS = 50;

function resultShare(result) {
  return result?.winner === 1 ? 1 : result?.winner === 2 ? 0 : 0.5;
}

// Black's share before every turn and after the last, with what was thought.
export function judge({ game, settings, moves, result }, movers, values) {
  const { share } = lookOf(game), turns = turnsOf(game, moves, settings);
  const at = new Map(values.map((value) => [value.ply, value]));
  const black = (ply, mover) => {
    const value = at.get(ply);
    if (!value) return null;
    return mover === 1 ? share(value.value) : 1 - share(value.value);
  };
  const points = turns.map(({ from }) => black(from, movers[from]));
  points.push(result ? resultShare(result) : black(moves.length, movers[moves.length]));
  return turns.map(({ from, to }, i) => {
    const mover = movers[from], before = points[i], after = points[i + 1], thought = at.get(from);
    const lost = before === null || after === null ? 0 : (mover === 1 ? 1 : -1) * (before - after);
    const kind = lost >= BLUNDER ? "blunder" : lost >= MISTAKE ? "mistake" : "";
    return { from, to, mover, share: before, after, thought, kind, exact: Boolean(thought?.exact), next: at.get(to), nextMover: movers[to] ?? 3 - mover };
  });
}

export const signed = (n) => (n === null ? "" : n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

export class EvaluationCard {
  // choose(turn): a place was picked; ask(): somebody wants the engine's view
  constructor(choose, ask) {
    this.choose = choose;
    this.svg = s("svg", { class: "plot ev", role: "img", "aria-label": t("ev.label"),
      onpointerdown: (e) => { this.svg.setPointerCapture(e.pointerId); this.pick(e); }, onpointermove: (e) => e.buttons && this.pick(e) });
    this.words = h("span", { class: "push legend" });
    this.state = h("p", { class: "s m", role: "status" });
    this.ask = h("button", { class: "btn small", hidden: true, onclick: () => ask?.() }, t("ev.ask"));
    this.resize(500, 260);
    this.sizes = new ResizeObserver(([{ contentRect: { width, height } }]) => width && this.resize(width, height));
    this.sizes.observe(this.svg);
    this.el = h("section", { class: "card pad evcard" }, h("div", { class: "head" }, h("h2", {}, t("ev.title")), this.words), h("div", { class: "row evask" }, this.state, this.ask), this.svg);
  }

  // Drawn in the units of the screen: letters and marks keep their size, whatever room there is.
  resize(width, height) {
    this.right = width - 16;
    this.floor = height - 22;
    this.bars = Math.min(BARS, height / 5);
    this.high = this.floor - this.bars - TOP - 28;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (this.shown) this.show(this.shown);
  }

  x(i) { return LEFT + ((this.right - LEFT) * i) / Math.max(1, this.count); }

  pick(event) {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const i = Math.round(((p.x - LEFT) / (this.right - LEFT)) * this.count);
    this.choose(Math.max(0, Math.min(this.count, i)));
  }

  // turns as judged, times of turns in ms, the limit in ms, the number of turns shown, and whether it can be asked for
  show(shown) {
    const { turns, times, limit, current, words, result, open } = shown;
    this.shown = shown;
    this.count = turns.length;
    this.state.textContent = words;
    this.state.hidden = !words;
    this.ask.hidden = !open;
    const exact = turns.findIndex((turn, i) => turns.slice(i).every((one) => one.exact));
    this.words.replaceChildren(h("span", {}, `▲ ${t("mistake")}`), h("span", {}, `■ ${t("blunder")}`),
      exact >= 0 && turns.length ? h("span", {}, t("ev.exact", { n: exact + 1 })) : "");
    this.svg.replaceChildren(...this.shares(turns, result), ...this.times(turns, times, limit), this.marks(turns),
      s("path", { class: "now", d: `M${this.x(current)} 4v${this.floor - 4}` }));
  }

  y(share) { return TOP + this.high * (1 - share); }

  shares(turns, result) {
    const known = turns.map((turn, i) => [i, turn.share]).filter(([, share]) => share !== null);
    if (result && known.length === turns.length && turns.length) known.push([turns.length, turns[turns.length - 1].after]);
    const parts = [s("rect", { class: known.length ? "bgw" : "bgw none", x: LEFT, y: TOP, width: this.right - LEFT, height: this.high })];
    if (known.length) {
      const line = known.map(([i, share]) => `L${this.x(i).toFixed(1)} ${this.y(share).toFixed(1)}`).join("");
      parts.push(s("path", { class: "a1", d: `M${this.x(known[0][0])} ${TOP + this.high}${line}L${this.x(known[known.length - 1][0])} ${TOP + this.high}z` }));
    }
    parts.push(s("path", { class: "base", d: `M${LEFT} ${TOP + this.high / 2}h${this.right - LEFT}` }),
      s("circle", { class: "tb2", cx: 9, cy: TOP + 8, r: 5 }), s("circle", { class: "tb1", cx: 9, cy: TOP + this.high - 8, r: 5 }));
    return parts;
  }

  marks(turns) {
    return s("g", {}, turns.map((turn, i) => {
      if (!turn.kind) return null;
      const x = this.x(i + 1), y = this.y(turn.after);
      return turn.kind === "mistake" ? s("path", { class: "mis", d: `M${x} ${y - 10}l10 17h-20z` }) : s("path", { class: "bad", d: `M${x - 8} ${y - 8}h16v16h-16z` });
    }));
  }

  times(turns, times, limit) {
    const most = Math.max(limit || 0, ...times, 1), width = Math.max(1, Math.min(14, ((this.right - LEFT) / Math.max(1, turns.length)) * 0.6));
    const { right, floor, bars } = this, top = floor - bars, parts = [s("text", { x: LEFT, y: top - 6 }, t("ev.times"))];
    if (limit) parts.push(s("text", { x: right - 4, y: top - 6, "text-anchor": "end" }, t("ev.limit", { n: limit / 1000 })), s("path", { class: "lim", d: `M${LEFT} ${top}h${right - LEFT}` }));
    turns.forEach((turn, i) => {
      const high = Math.max(1, (bars * times[i]) / most);
      parts.push(s("rect", { class: `tb${turn.mover}`, x: this.x(i + 1) - width / 2, y: floor - high, width, height: high, rx: Math.min(2, width / 3) }));
    });
    parts.push(s("path", { class: "base", d: `M${LEFT} ${floor}h${right - LEFT}` }));
    for (const n of this.ticks(turns.length)) parts.push(s("text", { x: this.x(n), y: floor + 17, "text-anchor": "middle" }, String(n)));
    return parts;
  }

  close() { this.sizes.disconnect(); }

  ticks(count) {
    const step = [1, 2, 5, 10, 20, 50, 100].find((n) => count / n <= 6) || 100, list = [];
    for (let n = step; n <= count; n += step) list.push(n);
    return list;
  }
}
