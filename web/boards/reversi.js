// SPDX-License-Identifier: MIT
// Reversi: discs on felt; legal squares dotted, larger where discs turn.
import { GridBoard } from "./grid.js";
import { t } from "../words.js";
import { prefs } from "../prefs.js";
import { readGrid } from "../positions.js";
import { curve } from "../shares.js";
import { pieces, rowColumn } from "./mini.js";

const P = (i) => 64 + i * 80;
const cellOfText = (text) => text.split(",").map(Number); // row, column

const NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7];
export const numbers8 = `<g class="co">${NUMBERS.map((i) =>
  `<text x="${P(i)}" y="18">${i}</text><text x="12" y="${P(i) + 5}">${i}</text>`).join("")}</g>`;

export const moveName = (text) => text;

export const read = (text) => ({ b: readGrid(text).map((row) => row.map((v) => (v === 3 ? -1 : v))) });

export class Board extends GridBoard {
  constructor(options, settings) {
    super(options, { box: "0 0 676 676", look: "felt", rows: 8, columns: 8 });
    this.corners = settings.board === "othello";
  }

  cellBox(r, c) { return [P(c) - 40, P(r) - 40, 80]; }

  cellOf(x, y) { return [Math.floor((y - 24) / 80), Math.floor((x - 24) / 80)]; }

  cellName([row, column]) {
    const v = this.view.pos.b[row][column];
    const last = this.view.last?.includes(`${row},${column}`) ? `, ${t("last.turn")}` : "";
    return `${row},${column}, ${v < 0 ? t("no.square") : this.stateName(v)}${last}`;
  }

  // Whether discs turn on a square, by the rules.
  turnsDiscs(text) {
    const { rules, turn } = this.view;
    const count = (position) => read(position).b.flat().filter((v) => v === 3 - turn).length;
    return count(rules.peek(text)) < count(rules.position);
  }

  drawGround({ pos, last = [], legal, turn, me, flipped = [], hint = [], best = [], bad }) {
    const plate = this.corners ? "M24 24h640v640h-640z" : "M104 24h480v80h80v480h-80v80h-480v-80h-80v-480h80z";
    let out = `${numbers8}<path class="plate" d="${plate}"/>`;
    if (!this.corners) out += '<path class="free" d="M104 104h480v480h-480z"/>';
    out += '<path class="grid" d="';
    for (let i = 1; i < 8; i++) out += `M24 ${24 + i * 80}h640M${24 + i * 80} 24v640`;
    out += '"/>';
    pos.b.forEach((row, r) => row.forEach((v, c) => {
      if (v > 0) out += `<use href="#d${v}" x="${P(c)}" y="${P(r)}"/>`;
    }));
    for (const [r, c] of flipped) out += `<circle class="flip on${pos.b[r][c]}" cx="${P(c)}" cy="${P(r)}" r="5"/>`;
    for (const [r, c] of last.map(cellOfText)) {
      out += `<circle class="last on${pos.b[r][c]}" cx="${P(c)}" cy="${P(r)}" r="13"/>`;
      if (bad) out += `<path class="badge" d="M${P(c) + 14} ${P(r) - 34}h18v18h-18z"/>`;
    }
    if (me && legal && prefs.legal) for (const one of legal) {
      const [r, c] = cellOfText(one);
      out += `<circle class="legal p${turn}" cx="${P(c)}" cy="${P(r)}" r="${this.turnsDiscs(one) ? 11 : 6}"/>`;
    }
    for (const [r, c] of [...hint, ...best].map(cellOfText))
      out += `<circle class="aimc" cx="${P(c)}" cy="${P(r)}" r="28"/><circle class="aim" cx="${P(c)}" cy="${P(r)}" r="28"/>`;
    return out;
  }

  drawOver() {
    if (!this.view) return;
    const cell = this.aimed ? cellOfText(this.aimed) : this.hovered;
    let out = "";
    if (cell && this.view.me && this.view.legal?.includes(String(cell)))
      out += `<use class="ghost" href="#d${this.view.turn}" x="${P(cell[1])}" y="${P(cell[0])}"/>`;
    if (this.aimed) out += `<circle class="aim" cx="${P(cell[1])}" cy="${P(cell[0])}" r="36"/>`;
    if (this.cursor) out += `<rect class="cursor" x="${P(this.cursor[1]) - 37}" y="${P(this.cursor[0]) - 37}" width="74" height="74" rx="4"/>`;
    this.over.innerHTML = out;
  }

  hover(cell) {
    if (String(cell) === String(this.hovered)) return;
    this.hovered = cell;
    this.drawOver();
  }

  choose(cell, touch) {
    const text = String(cell);
    if (this.view.legal?.includes(text)) this.take(text, t("place.at", { cell: text }), touch || prefs.confirm);
    else this.options.refuse?.(text);
  }

  show(view) {
    const before = this.view?.pos.b;
    if (view.fresh && before) {
      const placed = new Set(view.fresh);
      view.flipped = [];
      view.pos.b.forEach((row, r) => row.forEach((v, c) => {
        if (v > 0 && before[r][c] > 0 && before[r][c] !== v && !placed.has(`${r},${c}`)) view.flipped.push([r, c]);
      }));
    } else if (!view.flipped && this.view && String(this.view.last) === String(view.last)) view.flipped = this.view.flipped;
    super.show(view);
  }

  // A disc turns by getting thin and wide again; those further from the new one a little later.
  animate(before, view) {
    const [r0, c0] = cellOfText(view.fresh[view.fresh.length - 1]);
    for (const [r, c] of view.flipped || []) {
      const use = this.ground.querySelector(`use[x="${P(c)}"][y="${P(r)}"]`);
      const delay = 30 * Math.max(Math.abs(r - r0), Math.abs(c - c0));
      const old = use.cloneNode();
      old.setAttribute("href", `#d${before.pos.b[r][c]}`);
      use.after(old);
      const thin = `translate(${P(c) * 0.92}px, 0) scaleX(.08)`, wide = "translate(0, 0) scaleX(1)";
      old.animate([{ transform: wide }, { transform: thin }], { duration: 120, delay, easing: "ease-in" })
        .finished.then(() => old.remove(), () => {});
      use.animate([{ transform: thin, opacity: 0 }, { transform: thin, opacity: 0, offset: 0.5 },
        { transform: thin, opacity: 1, offset: 0.51 }, { transform: wide, opacity: 1 }],
      { duration: 240, delay, fill: "backwards", easing: "ease-out" });
    }
  }
}

// What is told of it: the seconds of a turn, how likely a value of the engine wins, the picture at home, those of the
// help, the files of its kits in C++, Python and C.
export const seconds = 5;
export const share = curve(8);
export const value = { unit: "discs" }; // how the engine counts
export const sample = [{}, "3,3;3,4;4,3;2,3;2,4;5,3;4,4;2,2;1,3;4,2;5,4;1,4;3,5;2,5;4,5;3,2;1,2;5,5;2,1;0,3"];
export const pictures = [[{}, "3,3"], [{}, "3,3;3,4;2,2;2,3;4,5;3,2"], [{}, "3,3;3,4;3,5;2,4;4,4;5,5;2,3"]];
export const kit = ["Sample.cpp", "Sample.py", "player.c"];
export const takesTeams = true; // by TCP

export const refusal = "note.no.move"; // where a click is none
export const showsOwnMoves = true; // the discs turn
export const score = (player, pos) => [pos.b.flat().filter((v) => v === player).length, "discs"];

export function mini({ b }, last) {
  const corners = b[0][0] >= 0;
  const plate = corners ? "M-.5-.5h8v8h-8z" : "M.5-.5h6v1h1v6h-1v1h-6v-1h-1v-6h1z";
  let lines = "";
  for (let i = 0; i < 7; i++) lines += `M-.5 ${i + 0.5}h8M${i + 0.5}-.5v8`;
  return ["felt", "-.6 -.6 8.2 8.2", `<path class="plate" d="${plate}"/><path class="grid" d="${lines}"/>${pieces(b, 0.8, last.map(rowColumn))}`];
}
