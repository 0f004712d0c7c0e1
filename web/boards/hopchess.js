// SPDX-License-Identifier: MIT
// Hop Chess: a piece is chosen, then the squares of its way, one after the other. The rules are asked
// which squares can follow.
import { GridBoard } from "./grid.js";
import { numbers8 } from "./reversi.js";
import { t } from "../words.js";
import { readGrid } from "../positions.js";
import { curve } from "../shares.js";
import { pieces, rowColumn } from "./mini.js";
import { prefs } from "../prefs.js";

const P = (i) => 64 + i * 80;
const path = (text) => text.split(" ").map((cell) => cell.split(",").map(Number));
const text = (cells) => cells.map(String).join(" ");
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

export const moveName = (move) => move === "pass" ? t("pass") : move.replaceAll(" ", " › ");

// The way as arcs, and what was hopped over and taken.
function drawPath(cells) {
  const at = ([r, c]) => `${P(c)} ${P(r)}`;
  let d = `M${at(cells[0])}`;
  for (let i = 1; i < cells.length; i++) {
    const [a, b] = [cells[i - 1], cells[i]], flat = a[0] === b[0];
    const mx = (P(a[1]) + P(b[1])) / 2, my = (P(a[0]) + P(b[0])) / 2;
    d += `Q${flat ? mx : mx + 44} ${flat ? my - 44 : my} ${at(b)}`;
  }
  return d;
}

function taken(b, cells, mover) {
  const caps = [];
  for (let i = 1; i < cells.length; i++) {
    const [a, e] = [cells[i - 1], cells[i]];
    if (Math.abs(a[0] - e[0]) + Math.abs(a[1] - e[1]) !== 2) continue;
    const mid = [(a[0] + e[0]) / 2, (a[1] + e[1]) / 2];
    if (b[mid[0]][mid[1]] === 3 - mover && !caps.some((c) => same(c, mid))) caps.push(mid);
  }
  return caps;
}

export class Board extends GridBoard {
  constructor(options) {
    super(options, { box: "0 0 676 676", look: "slab", rows: 8, columns: 8 });
    this.way = []; // squares chosen so far
  }

  cellBox(r, c) { return [P(c) - 40, P(r) - 40, 80]; }

  cellOf(x, y) { return [Math.floor((y - 24) / 80), Math.floor((x - 24) / 80)]; }

  cellName([r, c]) { return `${r},${c}, ${this.stateName(this.view.pos.b[r][c])}`; }

  forget() {
    this.way = [];
    this.options.chain?.(0);
    super.forget();
  }

  drawGround({ pos, last = [], before, hint = [], best = [], bad }) {
    let out = `${numbers8}<path class="tile" d="M24 24h640v640h-640z"/><path class="t2" d="M24 24h160v640h-160z"/>
      <path class="t1" d="M504 24h160v640h-160z"/><path class="h2" d="M24 24h160v640h-160z"/>
      <path class="h1" d="M504 24h160v640h-160z"/><path class="grid" d="`;
    for (let i = 0; i < 9; i++) out += `M24 ${24 + i * 80}h640M${24 + i * 80} 24v640`;
    out += '"/>';
    pos.b.forEach((row, r) => row.forEach((v, c) => {
      if (v) out += `<use href="#h${v}" x="${P(c)}" y="${P(r)}"/>`;
    }));
    const way = last.length && last[0] !== "pass" ? path(last[last.length - 1]) : null;
    if (way) {
      const d = drawPath(way), end = way[way.length - 1];
      for (const [r, c] of before ? taken(before.b, way, pos.b[end[0]][end[1]]) : [])
        out += `<path class="xc" d="M${P(c) - 14} ${P(r) - 14}l28 28m0-28l-28 28"/><path class="x" d="M${P(c) - 14} ${P(r) - 14}l28 28m0-28l-28 28"/>`;
      out += `<path class="case thin" d="${d}"/><path class="hop thin" d="${d}"/><circle class="pin" cx="${P(way[0][1])}" cy="${P(way[0][0])}" r="7"/>`;
      out += `<use href="#h${pos.b[end[0]][end[1]]}" x="${P(end[1])}" y="${P(end[0])}"/><circle class="last on${pos.b[end[0]][end[1]]}" cx="${P(end[1])}" cy="${P(end[0])}" r="22"/>`;
      if (bad) out += `<path class="badge" d="M${P(end[1]) + 14} ${P(end[0]) - 34}h18v18h-18z"/>`;
    }
    for (const one of [...hint, ...best])
      out += `<path class="case" d="${drawPath(path(one))}"/><path class="hop dash" d="${drawPath(path(one))}"/>`;
    return out;
  }

  // The squares that can follow those chosen.
  nexts() {
    const { rules } = this.view;
    const [r, c] = this.way[this.way.length - 1];
    const squares = [];
    for (const [dr, dc] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) for (const far of [1, 2]) {
      const cell = [r + far * dr, c + far * dc];
      if (far === 1 && this.way.length > 1) continue; // a step is a whole move
      if (cell[0] < 0 || cell[0] > 7 || cell[1] < 0 || cell[1] > 7) continue;
      if (!rules.refuse(text([...this.way, cell]))) squares.push(cell);
    }
    return squares;
  }

  drawOver() {
    const { view, way } = this;
    if (!view) return;
    let out = "";
    if (view.me && !way.length && prefs.legal)
      for (const [r, c] of this.starts()) out += `<circle class="pick" cx="${P(c)}" cy="${P(r)}" r="33"/>`;
    if (way.length) {
      const [r0, c0] = way[0];
      out += `<circle class="pick on" cx="${P(c0)}" cy="${P(r0)}" r="33"/>`;
      for (const [r, c] of taken(view.pos.b, way, view.turn))
        out += `<path class="xc" d="M${P(c) - 20} ${P(r) - 20}l40 40m0-40l-40 40"/><path class="x" d="M${P(c) - 20} ${P(r) - 20}l40 40m0-40l-40 40"/>`;
      if (way.length > 1) {
        const d = drawPath(way);
        out += `<path class="case" d="${d}"/><path class="hop" d="${d}"/>`;
        way.slice(1).forEach(([r, c], i) => {
          out += `<circle class="node" cx="${P(c)}" cy="${P(r)}" r="14"/><text class="nn" x="${P(c)}" y="${P(r) + 6}">${i + 1}</text>`;
        });
      }
      for (const [r, c] of this.nexts()) out += `<circle class="nextcell" cx="${P(c)}" cy="${P(r)}" r="11"/>`;
    }
    if (this.cursor) out += `<rect class="cursor" x="${P(this.cursor[1]) - 37}" y="${P(this.cursor[0]) - 37}" width="74" height="74" rx="4"/>`;
    this.over.innerHTML = out;
  }

  // Pieces that can move.
  starts() {
    this.view.startCells ||= [...new Map(this.view.legal.map((m) => path(m)[0]).map((c) => [String(c), c])).values()];
    return this.view.startCells;
  }

  choose(cell) {
    const { view } = this;
    const mine = view.pos.b[cell[0]][cell[1]] === view.turn;
    const follows = this.way.length && this.nexts().some((n) => same(n, cell));
    if (follows) this.step(cell);
    else if (this.way.length > 1 && same(cell, this.way[this.way.length - 1])) this.finish();
    else if (mine && this.starts().some((n) => same(n, cell)))
      this.way = this.way.length === 1 && same(this.way[0], cell) ? [] : [cell];
    else this.options.refuse?.(String(cell));
    this.options.chain?.(Math.max(0, this.way.length - 1));
    this.drawOver();
  }

  // A chain that cannot go on is played at once, and so is a step.
  step(cell) {
    const stepped = Math.abs(cell[0] - this.way[0][0]) + Math.abs(cell[1] - this.way[0][1]) === 1 && this.way.length === 1;
    this.way.push(cell);
    if (!this.confirms && (stepped || !this.nexts().length)) this.finish();
  }

  // Whether a square was taken back.
  back() {
    const there = this.way.length > 0;
    this.way.pop();
    this.options.chain?.(Math.max(0, this.way.length - 1));
    this.drawOver();
    return there;
  }

  finish() {
    if (this.way.length < 2) return;
    const move = text(this.way);
    this.way = [];
    this.options.act(move);
  }

  // The piece hops along its way, all hops together within 1.2 s.
  animate(before, view) {
    const move = view.fresh[view.fresh.length - 1];
    if (!move || move === "pass") return;
    const way = path(move), [r, c] = way[way.length - 1];
    const all = this.ground.querySelectorAll(`use[x="${P(c)}"][y="${P(r)}"]`);
    const frames = way.map(([a, b]) => ({ transform: `translate(${P(b) - P(c)}px, ${P(a) - P(r)}px)` }));
    for (const piece of all)
      piece.animate(frames, { duration: Math.min(1200, 240 * (way.length - 1)), easing: "ease-in-out" });
  }
}

export const read = (text) => ({ b: readGrid(text), plies: +text.split(" ").pop() });

// What is told of it: the seconds of a turn, how likely a value of the engine wins, the picture at home, those of the
// help, the files of its kits in C++, Python and C.
export const seconds = 5;
export const share = curve(2);
export const value = { unit: "pieces" }; // how the engine counts
export const sample = [{}, "2,2 2,3;3,5 3,4;1,1 1,2;2,6 2,5;4,2 4,3;4,6 4,5;3,1 3,2;5,5 5,4;5,1 5,2;1,7 1,6"];
export const pictures = [[{}, ""], [{}, "2,2 2,3"], [{}, "0,0 0,1;7,7 7,6;2,0 2,1"]];
export const kit = ["Sample.cpp", "Sample.py", "player.c"];
export const takesTeams = true; // by TCP

export const wantsBefore = true; // the position before the last move: it shows what was taken
export const showsOwnMoves = true; // the chain
export const score = (player, pos, rules) => [rules.scores[player - 1], "home"];

export function mini({ b }, last) {
  let lines = "";
  for (let i = 0; i < 9; i++) lines += `M-.5 ${i - 0.5}h8M${i - 0.5}-.5v8`;
  const ends = last.filter((m) => m !== "pass").map((m) => rowColumn(m.split(" ").pop()));
  return ["slab", "-.6 -.6 8.2 8.2", `<path class="tile" d="M-.5-.5h8v8h-8z"/><path class="t2" d="M-.5-.5h2v8h-2z"/><path class="t1" d="M5.5-.5h2v8h-2z"/><path class="grid" d="${lines}"/>${pieces(b, 0.78, ends)}`];
}
