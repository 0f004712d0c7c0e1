// SPDX-License-Identifier: MIT
// Cup-Tac-Toe: cups stand upside down; a covered cup is a dashed line inside the one that covers it.
import { GridBoard } from "./grid.js";
import { drawing, h, s, disc } from "../dom.js";
import { t } from "../words.js";
import { prefs } from "../prefs.js";
import { VALUE } from "../positions.js";

const CUP = { 3: [60, 46, 116], 2: [45, 34, 78], 1: [30, 22, 42] }; // base, top, height

function cupPath(size) {
  const [a, top, high] = CUP[size];
  return `M${-a} 0L${-top} ${-high + 8}q1-8 9-8h${2 * top - 18}q8 0 9 8L${a} 0q0 5-5 5h${-2 * a + 10}q-5 0-5-5z`;
}

const mark = (p, y, r) => p === 1
  ? `<path class="mk" d="M${-r} ${y - r}l${2 * r} ${2 * r}m0-${2 * r}l${-2 * r} ${2 * r}"/>`
  : `<circle class="mk" cy="${y}" r="${r}"/>`;

// A stack of cups, the bottom one first.
export function drawStack(stack, x, y, look = "") {
  const [p, size] = stack[stack.length - 1], deep = stack.length > 1;
  let out = `<path class="cup" d="${cupPath(size)}"/>`;
  for (const [q, w] of stack.slice(0, -1).reverse())
    out += `<g class="under"><path class="cupin" d="${cupPath(w)}"/>${mark(q, -CUP[w][2] + (w === 1 ? 24 : 18), 7)}</g>`;
  const own = mark(p, deep ? -CUP[size][2] + 20 : -CUP[size][2] / 2 + 2, deep ? 9 : size === 1 ? 9 : 13);
  return `<g class="c${p} ${look}" transform="translate(${x} ${y})">${out}${own}</g>`;
}

const LIFT = 24; // how high a cup is carried

const X = (i) => 88 + (i % 3) * 160;
const Y = (i) => 148 + Math.floor(i / 3) * 160;

// "3 4" is a new large cup onto cell 4; "93 4" the cup of cell 3.
export function readMove(text) {
  const [a, b] = text.split(" ").filter(Boolean).map(Number);
  return a >= 90 ? { from: a - 90, to: b } : { size: a, to: b };
}

export function moveName(text) {
  const { from, size, to } = readMove(text);
  return from === undefined ? t("cup.new", { size: t(`cup.${size}`), to }) : t("cup.move", { from, to });
}

function drawHand(p, left, chosen) {
  let out = "", x = 0;
  for (const size of [3, 2, 1]) for (let i = 0; i < 2; i++) {
    x += CUP[size][0] + 4;
    const there = i < left[size];
    out += `<g data-size="${size}">${drawStack([[p, size]], x, 124, there ? (chosen === size && i === left[size] - 1 ? "picked" : "") : "gone")}</g>`;
    x += CUP[size][0] + 4;
  }
  return [out, x];
}

export class Board extends GridBoard {
  constructor(options) {
    super(options, { box: "0 0 496 496", look: "slab", rows: 3, columns: 3 });
    this.hands = h("div", { class: "card hands" });
    this.el.append(this.hands);
    this.picked = null; // "3" a size, or "94" a cell
  }

  cellBox(r, c) { return [8 + 160 * c, 8 + 160 * r, 160]; }

  cellOf(x, y) { return [Math.floor((y - 8) / 160), Math.floor((x - 8) / 160)]; }

  cellName([r, c]) {
    const stack = this.view.pos.cells[r * 3 + c];
    const cups = [...stack].reverse().map(([p, size]) => `${p === 1 ? "X" : "O"} ${t(`cup.${size}`)}`);
    return `${r * 3 + c}, ${cups.join(", ") || t("empty")}`;
  }

  forget() {
    this.picked = null;
    super.forget();
  }

  show(view) {
    super.show(view);
    this.drawHands();
  }

  drawHands() {
    const rows = [1, 2].map((p) => {
      const [markup, width] = drawHand(p, this.view.pos.left[p], this.view.turn === p && +this.picked);
      const svg = drawing({ class: "hand", viewBox: `0 0 ${width} 134`, preserveAspectRatio: "xMinYMax", role: "group" }, markup);
      svg.addEventListener("click", (e) => this.pickFromHand(p, e.target.closest("[data-size]")));
      return h("div", { class: `handrow${this.view.me && this.view.turn === p ? " mine" : ""}` },
        h("span", { class: "xs m" }, disc(p), t("in.hand", { mark: p === 1 ? "X" : "O" })), svg,
        this.view.me && this.view.turn === p ? this.handButtons(p) : null);
    });
    this.hands.replaceChildren(...rows);
  }

  // 1, 2 and 3 take a cup of that size in hand.
  key(event) {
    if (!"123".includes(event.key) || !this.view?.me || !this.view.pos.left[this.view.turn][event.key]) return super.key(event);
    this.pick(event.key);
    event.preventDefault();
    event.stopPropagation();
  }

  // The same cups for the keyboard.
  handButtons(p) {
    return h("span", { class: "row handkeys" }, [3, 2, 1].map((size) => h("button", {
      class: "btn small", "aria-pressed": String(this.picked === String(size)),
      disabled: !this.view.pos.left[p][size], onclick: () => this.pick(String(size)),
    }, t(`cup.${size}`))));
  }

  pickFromHand(p, cup) {
    if (cup && this.view.me && this.view.turn === p && this.view.pos.left[p][cup.dataset.size] > 0) this.pick(cup.dataset.size);
  }

  pick(what) {
    this.picked = this.picked === what ? null : what;
    this.aimed = null;
    this.options.aim(null);
    this.drawOver();
    this.drawHands();
  }

  targets() {
    if (!this.picked) return [];
    return this.view.legal.map((m) => m.split(" ")).filter(([a]) => a === this.picked).map(([, b]) => +b);
  }

  drawGround({ pos, last = [], line = [], hint = [], best = [], bad, lifted }) {
    let out = '<path class="tile" d="M8 8h480v480h-480z"/>';
    const move = last.length ? readMove(last[last.length - 1]) : null;
    if (move && !lifted) out += `<path class="lastcell" d="M${X(move.to) - 80} ${Y(move.to) - 140}h160v160h-160z"/>`;
    out += '<path class="grid" d="M8 168h480M8 328h480M168 8v480M328 8v480"/><path class="edge" d="M8 8h480v480h-480z"/>';
    pos.cells.forEach((stack, i) => { if (stack.length) out += `<g id="cup${i}">${drawStack(stack, X(i), Y(i))}</g>`; });
    if (lifted) out += `<g id="lifted" class="lifted">${drawStack([lifted.cup], X(lifted.from), Y(lifted.from) - LIFT)}</g>`;
    else if (move?.from !== undefined && line.length < 3) out += drawCarry(move.from, move.to);
    for (const one of [...hint, ...best].map(readMove))
      out += `<circle class="aimc" cx="${X(one.to)}" cy="${Y(one.to) - 60}" r="62"/><circle class="aim" cx="${X(one.to)}" cy="${Y(one.to) - 60}" r="62"/>`
        + (one.from === undefined ? "" : drawCarry(one.from, one.to));
    if (line.length === 3) {
      const [a, , b] = line;
      out += `<path class="case" d="M${X(a)} ${Y(a) - 40}L${X(b)} ${Y(b) - 40}"/><path class="hop" d="M${X(a)} ${Y(a) - 40}L${X(b)} ${Y(b) - 40}"/>`;
    }
    if (bad && move) out += `<path class="badge" d="M${X(move.to) + 48} ${Y(move.to) - 132}h22v22h-22z"/>`;
    out += '<g class="co cn">';
    for (let i = 0; i < 9; i++) out += `<text x="${X(i) - 66}" y="${Y(i) - 118}">${i}</text>`;
    return `${out}</g>`;
  }

  drawOver() {
    if (!this.view?.pos) return;
    let out = "";
    if (this.picked?.length === 2) {
      const i = +this.picked - 90;
      out += `<rect class="cursor" x="${X(i) - 76}" y="${Y(i) - 136}" width="152" height="152" rx="6"/>`;
    }
    if (prefs.legal) for (const i of this.targets()) out += `<circle class="nextcell" cx="${X(i) + 58}" cy="${Y(i) - 118}" r="11"/>`;
    if (this.cursor) {
      const i = this.cursor[0] * 3 + this.cursor[1];
      out += `<rect class="cursor" x="${X(i) - 72}" y="${Y(i) - 132}" width="144" height="144" rx="6"/>`;
    }
    this.over.innerHTML = out;
  }

  choose([r, c], touch) {
    const { view } = this, i = r * 3 + c;
    const text = `${this.picked} ${i}`;
    if (this.picked && this.targets().includes(i)) {
      this.take(text, moveName(text), touch || prefs.confirm);
      return;
    }
    const stack = view.pos.cells[i], top = stack[stack.length - 1];
    if (top && top[0] === view.turn && view.legal.some((m) => m.startsWith(`9${i} `))) this.pick(`9${i}`);
    else if (this.picked) this.options.refuse?.(text);
  }

  // A cup is lifted, carried and set down; one that may not be lifted stops in the air. What it stood on
  // stays where it is.
  animate(before, view) {
    const { from, to } = readMove(view.fresh[view.fresh.length - 1]);
    const at = (x, y, opacity = 1) => ({ transform: `translate(${x}px, ${y}px)`, opacity });
    if (view.lifted) {
      this.ground.querySelector("#lifted").animate([at(0, LIFT), at(0, 0)], { duration: 180, easing: "ease-out" });
      return;
    }
    const cell = this.ground.querySelector(`#cup${to}`), stack = view.pos.cells[to], under = stack.slice(0, -1);
    if (!cell) return;
    const flying = s("g");
    flying.innerHTML = drawStack([stack[stack.length - 1]], X(to), Y(to));
    cell.setAttribute("visibility", "hidden");
    const below = s("g");
    if (under.length) below.innerHTML = drawStack(under, X(to), Y(to));
    this.ground.append(below, flying);
    const [dx, dy] = from === undefined ? [0, 60] : [X(from) - X(to), Y(from) - Y(to)];
    const frames = from === undefined ? [at(0, -LIFT, 0), at(0, -LIFT, 1), at(0, 0)] : [at(dx, dy), at(dx, dy - LIFT), at(0, -LIFT), at(0, 0)];
    const done = () => { flying.remove(); below.remove(); cell.removeAttribute("visibility"); };
    flying.animate(frames, { duration: 240, easing: "ease-out" }).finished.then(done, done);
  }
}

function drawCarry(from, to) {
  const high = Math.min(Y(from), Y(to)) - 150;
  return `<path class="hop" d="M${X(from)} ${Y(from) - 40}Q${(X(from) + X(to)) / 2} ${high} ${X(to)} ${Y(to) - 124}"/><circle class="ring" cx="${X(from)}" cy="${Y(from) - 40}" r="9"/>`;
}

// "X3O1" is a stack from the top down; here the bottom comes first.
export function read(text) {
  const [board, turns] = [text.slice(0, text.lastIndexOf(" ")), +text.slice(text.lastIndexOf(" "))];
  const cells = board.split("/").flatMap((row) => row.split(" ")).map((cell) =>
    (cell.match(/[XO]\d/g) || []).map((cup) => [VALUE[cup[0]], +cup[1]]).reverse());
  const left = { 1: { 1: 2, 2: 2, 3: 2 }, 2: { 1: 2, 2: 2, 3: 2 } };
  for (const stack of cells) for (const [owner, size] of stack) left[owner][size]--;
  return { cells, left, turns };
}

// What is told of it: the seconds of a turn, how likely a value of the engine wins, the picture at home, those of the
// help, the files of its kits in C++, Python and C.
export const seconds = 3;
export const share = (v) => (v === 0 ? 0.5 : 0.5 + Math.sign(v) * 0.5 * (1 - Math.min(30, Math.abs(v)) / 90));
export const value = { plies: true }; // how the engine counts
export const sample = [{}, "3 0;1 5;2 7;2 6;3 4;1 2"];
export const pictures = [[{}, "3 0;2 4;1 8"], [{}, "1 4;2 4;3 4"], [{}, "3 0;2 4;3 1;1 4;90 4"]];
export const kit = ["player.cpp", "bot.py", "player.c"];

export const seatNote = ({ player }) => " XO"[player];

const THREES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

function threeCups({ cells }, { winner }) {
  const owner = (i) => cells[i][cells[i].length - 1]?.[0];
  return THREES.find((line) => line.every((i) => owner(i) === winner)) || [];
}

// The line that decided a game.
export const decidingLine = (pos, result) => (result?.winner ? threeCups(pos, result) : []);

// A cup that was lifted off a line of the opponent: it stays in the air above what it uncovered.
export function liftedCup({ moves, result }, rules) {
  if (result?.reason !== "lift") return null;
  const from = +moves[moves.length - 1].slice(1).split(" ")[0];
  const pos = read(rules.restart(moves.slice(0, -1)).position);
  return { pos, from, cup: pos.cells[from].pop() };
}

export function mini({ cells }) {
  let out = '<path class="tile" d="M8 8h480v480h-480z"/><path class="grid wide" d="M8 168h480M8 328h480M168 8v480M328 8v480M8 8h480v480h-480z"/>';
  cells.forEach((stack, i) => { if (stack.length) out += drawStack(stack, 88 + (i % 3) * 160, 148 + Math.floor(i / 3) * 160); });
  return ["slab", "0 0 496 496", out];
}
