// SPDX-License-Identifier: MIT
// Connect6: stones on crossings, blocked cells, the last turn ringed.
import { GridBoard } from "./grid.js";
import { s } from "../dom.js";
import { t } from "../words.js";
import { readGrid } from "../positions.js";
import { curve } from "../shares.js";
import { pieces } from "./mini.js";

const CELL = 40, MARGIN = 44;
const COLUMNS = "ABCDEFGHJKLMNOPQRST";
const P = (i) => MARGIN + i * CELL;

const cellOfText = (text) => text.split(",").map(Number); // x, y

export const moveName = (text, size = 19) => {
  const [x, y] = cellOfText(text);
  return COLUMNS[x] + (size - y);
};

const STARS = { 19: [3, 9, 15], 13: [3, 6, 9], 9: [2, 4, 6] };

function drawLines(n) {
  const length = (n - 1) * CELL;
  let out = '<path class="grid" d="';
  for (let i = 0; i < n; i++) out += `M${MARGIN} ${P(i)}h${length}M${P(i)} ${MARGIN}v${length}`;
  out += `"/><path class="edge" d="M${MARGIN} ${MARGIN}h${length}v${length}h-${length}z"/>`;
  for (const y of STARS[n] || []) for (const x of STARS[n])
    out += `<circle class="star" cx="${P(x)}" cy="${P(y)}" r="4"/>`;
  out += '<g class="co">';
  for (let i = 0; i < n; i++)
    out += `<text x="${P(i)}" y="${P(n - 1) + 36}">${COLUMNS[i]}</text><text x="15" y="${P(i) + 5}">${n - i}</text>`;
  return out + "</g>";
}

export class Board extends GridBoard {
  constructor(options, settings) {
    const n = +(settings.size || 19);
    const side = (n - 1) * CELL + 68;
    super(options, { box: `0 20 ${side} ${side}`, look: "wood", rows: n, columns: n });
    this.n = n;
    this.lens = null;
    this.ground.id = "c6ground";
  }

  cellBox(r, c) { return [P(c) - CELL / 2, P(r) - CELL / 2, CELL]; }

  cellOf(x, y) { return [Math.round((y - MARGIN) / CELL), Math.round((x - MARGIN) / CELL)]; }

  cellName([row, column]) {
    const text = `${column},${row}`;
    const last = this.view.last?.includes(text) ? `, ${t("last.turn")}` : "";
    return `${moveName(text, this.n)}, ${this.stateName(this.view.pos.b[row][column])}${last}`;
  }

  drawGround({ pos, last = [], best = [], bad, hint = [], line = [] }) {
    let out = drawLines(this.n);
    pos.b.forEach((row, y) => row.forEach((v, x) => {
      if (v) out += `<use href="#${v === 3 ? "blk" : `s${v}`}" x="${P(x)}" y="${P(y)}"/>`;
    }));
    for (const [x, y] of last.map(cellOfText)) {
      out += `<circle class="last on${pos.b[y][x]}" cx="${P(x)}" cy="${P(y)}" r="8"/>`;
      if (bad) out += `<path class="badge" d="M${P(x) + 7} ${P(y) - 21}h14v14h-14z"/>`;
    }
    if (line.length) {
      const way = `M${P(line[0][0])} ${P(line[0][1])}L${P(line[line.length - 1][0])} ${P(line[line.length - 1][1])}`;
      out += `<path class="case six" d="${way}"/><path class="hop six" d="${way}"/>`;
    }
    for (const [x, y] of [...best, ...hint].map(cellOfText))
      out += `<circle class="aim" cx="${P(x)}" cy="${P(y)}" r="17"/>`;
    return out;
  }

  free([row, column]) { return this.view.pos.b[row][column] === 0; }

  drawOver() {
    const { view } = this;
    if (!view) return;
    const cell = this.aimed ? cellOfText(this.aimed).reverse() : this.hovered;
    let out = "";
    if (view.me && cell && this.free(cell)) {
      const [y, x] = cell, far = P(this.n - 1) - MARGIN;
      if (this.aimed || this.cursor) out += `<path class="cross" d="M${P(x)} ${MARGIN}v${far}M${MARGIN} ${P(y)}h${far}"/>`;
      out += `<use class="ghost" href="#s${view.turn}" x="${P(x)}" y="${P(y)}"/>`;
      if (this.aimed) out += `<circle class="aim" cx="${P(x)}" cy="${P(y)}" r="22"/>`;
    }
    if (this.cursor) out += `<circle class="cursor" cx="${P(this.cursor[1])}" cy="${P(this.cursor[0])}" r="21"/>`;
    this.over.innerHTML = out;
    this.drawLens();
  }

  hover(cell) {
    if (String(cell) === String(this.hovered)) return;
    this.hovered = cell;
    this.drawOver();
  }

  // A finger hides what it points at: a lens shows it above.
  drag(cell) {
    if (!cell || !this.view?.me) return;
    this.lens = cell;
    if (this.free(cell)) {
      this.aimed = `${cell[1]},${cell[0]}`;
      this.options.aim(this.aimed, t("place.at", { cell: moveName(this.aimed, this.n) }));
    }
    this.drawOver();
  }

  endDrag() { this.lens = null; this.drawOver(); }

  drawLens() {
    if (!this.lens) return;
    const [row, column] = this.lens, x = P(column), y = P(row);
    const above = y > 300 ? y - 250 : y + 90;
    const lens = s("svg", { x: Math.max(10, Math.min(x - 90, P(this.n - 1) - 150)), y: above, width: 180,
      height: 180, viewBox: `${x - 60} ${y - 60} 120 120`, class: "lens" });
    lens.append(s("rect", { x: x - 60, y: y - 60, width: 120, height: 120, class: "lensbg" }),
      s("use", { href: "#c6ground" }), s("use", { class: "ghost", href: `#s${this.view.turn}`, x, y }),
      s("rect", { x: x - 59, y: y - 59, width: 118, height: 118, class: "lensrim" }));
    this.over.append(lens);
  }

  choose(cell, aimOnly) {
    if (!this.free(cell)) return;
    const text = `${cell[1]},${cell[0]}`;
    if (aimOnly) { // the finger has aimed already; the button plays
      this.aimed = text;
      this.options.aim(text, t("place.at", { cell: moveName(text, this.n) }));
      this.drawOver();
    } else this.take(text, t("place.at", { cell: moveName(text, this.n) }), this.confirms);
  }

  animate(before, view) {
    for (const text of view.fresh) {
      const [x, y] = cellOfText(text);
      const stone = this.ground.querySelector(`use[x="${P(x)}"][y="${P(y)}"]`);
      stone?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180, easing: "ease-out" });
    }
  }
}


export const read = (text) => ({ b: readGrid(text) });

// What is told of it: the seconds of a turn, how likely a value of the engine wins, the picture at home, those of the
// help, the files of its kits in C++, Python and C.
export const seconds = 7;
export const share = (v) => (Math.abs(v) > 9000 ? (v > 0 ? 1 : 0) : curve(150)(v));
export const value = { unit: "stones", in: 100, win: 10000 }; // how the engine counts
export const sample = [{ blocks: "4,5 12,4 13,12 6,14" }, "9,9;8,8;10,8;10,10;8,10;9,8;11,9;9,10;9,11;8,9;7,9;10,7;10,11;11,10;7,11;12,11;8,12;9,7;7,8;6,8;11,7"];
export const pictures = [
  [{}, "4,9;6,8;8,8;5,9;6,9;7,10;9,10;7,9;8,9;11,8;10,7;9,9"],
  [{}, "4,9;6,8;8,8;5,9;6,9;7,10;9,10;7,9;8,9;11,8;10,7;10,9;9,9"],
  [{ blocks: "6,9 0,18" }, "4,9;6,8;8,8;5,9;7,9;7,10;9,10;8,9;9,9"],
];
export const kit = ["AI_Algorithm_Code.cpp", "abp_player.py", "player.c"];

export const tellsInfo = true; // TeamName and Department

// One stone, then two and two.
export const turnHolds = (played) => (played ? 2 : 1);
export const seatNote = ({ turn, person, moves, pending }) => (turn && person && moves.length ? t("stone.of", { n: pending.length + 1 }) : "");
export const blocksOf = (prefs) => (prefs.blocking ? prefs.blocks : 0);
export const settingsOf = (prefs) => ({ blocks: blocksOf(prefs) ? `random:${prefs.blocks}` : "none" });

const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];

// Stones of one colour from (x, y) on: [x, y] of each.
function run(b, x, y, [dx, dy]) {
  const stones = [], colour = b[y][x];
  for (; b[y]?.[x] === colour; x += dx, y += dy) stones.push([x, y]);
  return stones;
}

// Six, or the seven and more that lose, through a stone of the last turn.
function longRow({ b }, last) {
  for (const [x, y] of last.map((text) => text.split(",").map(Number)))
    for (const [dx, dy] of WAYS) {
      const back = run(b, x, y, [-dx, -dy]), all = [...back.reverse(), ...run(b, x, y, [dx, dy]).slice(1)];
      if (all.length >= 6) return all;
    }
  return [];
}

// The line that decided a game; last: the moves of the last turn.
export const decidingLine = (pos, result, last) => (["six", "overline"].includes(result?.reason) ? longRow(pos, last) : []);

export function mini({ b }, last) {
  const n = b.length;
  let out = `<path class="grid" d="${b.map((_, i) => `M0 ${i}h${n - 1}M${i} 0v${n - 1}`).join("")}"/>`;
  b.forEach((row, y) => row.forEach((v, x) => { if (v === 3) out += `<path class="blk" d="M${x - 0.4} ${y - 0.4}h.8v.8h-.8z"/>`; }));
  return ["wood", `-1 -1 ${n + 1} ${n + 1}`, out + pieces(b, 0.92, last.map((m) => m.split(",").map(Number)))];
}
