// SPDX-License-Identifier: MIT
// Small boards of every game: one path per colour, cheap enough for fifty at once.
import { drawing } from "../dom.js";
import { Rules } from "../rules.js";
import { readPosition } from "../positions.js";
import { drawStack } from "./cuptactoe.js";

let scratch = null;

const dots = (look, cells, width) => cells.length
  ? `<path class="${look}" stroke-width="${width}" d="${cells.map(([x, y]) => `M${x} ${y}h0`).join("")}"/>` : "";

function pieces(b, width, last = []) {
  const at = (p) => b.flatMap((row, y) => row.flatMap((v, x) => (v === p ? [[x, y]] : [])));
  return dots("db", at(1), width) + dots("dr", at(2), width) + dots("dw", at(2), +(width - 0.16).toFixed(2)) + dots("dl", last, 0.34);
}

const rowColumn = (text) => text.split(",").map(Number).reverse();

const draw = {
  connect6({ b }, last) {
    const n = b.length;
    let out = `<path class="grid" d="${b.map((_, i) => `M0 ${i}h${n - 1}M${i} 0v${n - 1}`).join("")}"/>`;
    b.forEach((row, y) => row.forEach((v, x) => { if (v === 3) out += `<path class="blk" d="M${x - 0.4} ${y - 0.4}h.8v.8h-.8z"/>`; }));
    return ["wood", `-1 -1 ${n + 1} ${n + 1}`, out + pieces(b, 0.92, last.map((m) => m.split(",").map(Number)))];
  },
  reversi({ b }, last) {
    const corners = b[0][0] >= 0;
    const plate = corners ? "M-.5-.5h8v8h-8z" : "M.5-.5h6v1h1v6h-1v1h-6v-1h-1v-6h1z";
    let lines = "";
    for (let i = 0; i < 7; i++) lines += `M-.5 ${i + 0.5}h8M${i + 0.5}-.5v8`;
    return ["felt", "-.6 -.6 8.2 8.2", `<path class="plate" d="${plate}"/><path class="grid" d="${lines}"/>${pieces(b, 0.8, last.map(rowColumn))}`];
  },
  hopchess({ b }, last) {
    let lines = "";
    for (let i = 0; i < 9; i++) lines += `M-.5 ${i - 0.5}h8M${i - 0.5}-.5v8`;
    const ends = last.filter((m) => m !== "pass").map((m) => rowColumn(m.split(" ").pop()));
    return ["slab", "-.6 -.6 8.2 8.2", `<path class="tile" d="M-.5-.5h8v8h-8z"/><path class="t2" d="M-.5-.5h2v8h-2z"/><path class="t1" d="M5.5-.5h2v8h-2z"/><path class="grid" d="${lines}"/>${pieces(b, 0.78, ends)}`];
  },
  cuptactoe({ cells }) {
    let out = '<path class="tile" d="M8 8h480v480h-480z"/><path class="grid wide" d="M8 168h480M8 328h480M168 8v480M328 8v480M8 8h480v480h-480z"/>';
    cells.forEach((stack, i) => { if (stack.length) out += drawStack(stack, 88 + (i % 3) * 160, 148 + Math.floor(i / 3) * 160); });
    return ["slab", "0 0 496 496", out];
  },
  tower4({ columns }, last) {
    return ["tower", "40 40 680 640", drawTower(columns, last)];
  },
};

// The tower from a corner, as a flat picture.
const TURN = 0.6, TILT = 0.4, FAR = 17, STEP = 0.94;
function project(l, r, c) {
  const x = c - 2.5, z = r - 2.5, y = l * STEP - 2.4;
  const xr = x * Math.cos(TURN) - z * Math.sin(TURN), zr = x * Math.sin(TURN) + z * Math.cos(TURN);
  const yr = y * Math.cos(TILT) - zr * Math.sin(TILT), d = FAR - (zr * Math.cos(TILT) + y * Math.sin(TILT));
  return [+(360 + (1060 * xr) / d).toFixed(1), +(330 - (1060 * yr) / d).toFixed(1), d, +(1060 / d / 62).toFixed(3)];
}

function drawTower(columns, last) {
  const point = (...p) => project(...p).slice(0, 2).join(" ");
  const quad = (...q) => `M${q.map((p) => point(...p)).join("L")}z`;
  const e = 5.7, o = -0.7, top = -0.55, low = -1.05;
  let out = `<path class="side" d="${quad([top, e, o], [top, e, e], [low, e, e], [low, e, o])}"/><path class="side2" d="${quad([top, e, e], [top, o, e], [low, o, e], [low, e, e])}"/><path class="plate3" d="${quad([top, o, o], [top, o, e], [top, e, e], [top, e, o])}"/><path class="top" d="`;
  const cells = columns.flatMap((row, r) => row.flatMap((column, c) => (column ? [[r, c]] : [])));
  for (const [r, c] of cells) out += quad([top, r - 0.46, c - 0.46], [top, r - 0.46, c + 0.46], [top, r + 0.46, c + 0.46], [top, r + 0.46, c - 0.46]);
  out += '"/>';
  const newest = last.length ? last[0] : null;
  for (const [r, c] of cells.sort((a, b) => project(0, ...b)[2] - project(0, ...a)[2])) {
    const a = project(-0.5, r, c), b = project(5.45, r, c);
    out += `<path class="post" stroke-width="${(4 * a[3]).toFixed(1)}" d="M${a[0]} ${a[1]}L${b[0]} ${b[1]}"/>`;
    columns[r][c].forEach((v, l) => {
      const [x, y, , scale] = project(l, r, c);
      out += `<use href="#t${v}" transform="translate(${x} ${y})scale(${scale})"/>`;
      if (newest === `${r},${c}` && l === columns[r][c].length - 1)
        out += `<ellipse class="last on${v}" cx="${x}" cy="${y}" rx="9" ry="7"/>`;
    });
  }
  return out;
}

// A picture of a game after some moves.
export function miniBoard(game, settings, moves, last = moves.slice(-1)) {
  scratch ||= new Rules(game, settings);
  scratch.open(game, settings);
  scratch.restart(moves);
  const [look, box, markup] = draw[game](readPosition(game, scratch.position), last);
  return drawing({ class: `board mini ${look}`, viewBox: box, "aria-hidden": "true" }, markup);
}
