// SPDX-License-Identifier: MIT
// Tower Four: a scene in three dimensions, the six layers beside it, and the field from above, where
// every column is a key. Without WebGL the layers and the field are all there is.
import { h, s, say, isTouch } from "../dom.js";
import { t } from "../words.js";
import { prefs, isCalm } from "../prefs.js";
import { curve } from "../shares.js";
import { TowerScore, countLines, towerLines } from "../towerscore.js";
import { VALUE } from "../positions.js";
import { colour } from "../sentences.js";
import { poseOf } from "./grid.js";
import { Scene } from "./scene.js";

const P = (i) => 20 + i * 32;
const cellOfText = (text) => text.split(",").map(Number);

export const moveName = (text) => text;

let made = 0; // boards, so that the names of their cells differ

// The columns as cells of a grid that nobody sees: for the scene (h) or the field from above (s), by their place.
function makeCells(make, columns) {
  const id = `tower${++made}`, cells = new Map();
  const rows = columns.map((row, r) => make(make === h ? "div" : "g", { role: "row", "aria-rowindex": r + 1 }, row.map((column, c) => {
    if (!column) return null;
    const cell = make(make === h ? "span" : "rect", { id: `${id}-${r}-${c}`, role: "gridcell", "aria-colindex": c + 1, ...(make === h ? {} : { class: "cell", x: P(c) - 16, y: P(r) - 16, width: 32, height: 32 }) });
    cells.set(`${r},${c}`, cell);
    return cell;
  })));
  return { rows, cells };
}

// The number of a row at its left, of a column above it.
function coordinates(r, c) {
  const at = (x, y, n) => `<text class="co" x="${x}" y="${y}">${n}</text>`;
  return (r === 0 ? at(P(c), -1, c) : "") + (c === 0 ? at(-5, P(r) + 4, r) : "");
}

// The cells of a field that are not cut off, as one outline of squares.
function drawField(columns) {
  let out = "";
  columns.forEach((row, r) => row.forEach((column, c) => {
    if (r === 0 || c === 0) out += coordinates(r, c);
    if (column) out += `<path class="tile" d="M${P(c) - 16} ${P(r) - 16}h32v32h-32z"/><path class="grid" d="M${P(c) - 16} ${P(r) - 16}h32v32h-32z"/>`;
  }));
  return out;
}

export function drawLayer(l, { columns, lines = [], last, ghost }) {
  let out = drawField(columns);
  columns.forEach((row, r) => row.forEach((column, c) => {
    if (!column) return;
    const v = column[l];
    if (v) out += `<circle class="${v === 1 ? "sb" : "sw"}" cx="${P(c)}" cy="${P(r)}" r="12"/>`;
    else if (column.length === l) out += `<circle class="land" cx="${P(c)}" cy="${P(r)}" r="3"/>`;
    if (last && last[0] === l && last[1] === r && last[2] === c)
      out += `<circle class="last on${v}" cx="${P(c)}" cy="${P(r)}" r="5"/>`;
    if (ghost && ghost[0] === r && ghost[1] === c && column.length === l)
      out += `<circle class="${ghost[2] === 1 ? "sb" : "sw"} ghost" cx="${P(c)}" cy="${P(r)}" r="12"/><circle class="aim" cx="${P(c)}" cy="${P(r)}" r="13"/>`;
  }));
  for (const { cells } of lines) {
    const here = cells.filter((cell) => cell[0] === l);
    if (here.length === 4)
      out += `<path class="hop thin" d="M${P(here[0][2])} ${P(here[0][1])}L${P(here[3][2])} ${P(here[3][1])}"/>`;
    for (const [, r, c] of here) out += `<circle class="ring" cx="${P(c)}" cy="${P(r)}" r="14"/>`;
  }
  return out;
}

export class Board {
  constructor(options) {
    this.options = options;
    this.hovered = this.cursor = this.aimed = null;
    this.flat = false;
    this.top = 6; // layers above it are not shown in space
    this.landing = h("span", { class: "s m" });
    this.title = h("span", { class: "chip" });
    this.picture = h("div", { class: "scene", tabindex: 0, role: "grid", "aria-rowcount": 6, "aria-colcount": 6, "aria-label": t("tower.3d"), onkeydown: (e) => this.key(e), onblur: () => this.setCursor(null) });
    this.above = s("g", { role: "presentation" });
    this.field = s("svg", { class: "board layer field", viewBox: "-12 -12 212 212", tabindex: 0, role: "grid", "aria-rowcount": 6, "aria-colcount": 6,
      onpointermove: (e) => e.pointerType === "mouse" && this.hover(this.fieldCell(e)),
      onpointerleave: () => this.hover(null), onclick: (e) => this.choose(this.fieldCell(e)),
      onkeydown: (e) => this.key(e), onblur: () => this.setCursor(null) }, this.above);
    this.modes = ["3d", "above"].map((mode) => h("button", { onclick: () => this.setMode(mode) }, t(`tower.${mode}`)));
    this.stage = h("section", { class: "card stage", "aria-label": t("tower.3d") },
      h("div", { class: "pad row wrap" }, this.title, h("span", { class: "push seg" }, this.modes)),
      this.picture, this.field,
      h("div", { class: "tools" }, this.landing, h("span", { class: "push s q no-p" }, t("tower.turn"))));
    this.layers = [0, 1, 2, 3, 4, 5].map((l) => ({
      svg: s("svg", { class: "board layer", viewBox: "-12 -12 212 212", role: "img", "aria-label": t("layer", { n: l + 1 }),
        onpointermove: (e) => e.pointerType === "mouse" && this.hover(this.fieldCell(e)),
        onpointerleave: () => this.hover(null), onclick: (e) => this.choose(this.fieldCell(e)) }),
      count: h("span") }));
    this.el = h("div", { class: "towerbox" }, this.stage, this.layersCard());
    this.setMode("3d");
    this.load();
  }

  layersCard() {
    return h("section", { class: "card pad layerbox", "aria-label": t("layers") },
      h("div", { class: "head" }, h("h2", {}, t("layers")), h("span", { class: "push s q" }, t("layers.top"))),
      h("div", { class: "layers" }, this.layers.map(({ svg, count }, l) =>
        h("figure", {}, svg, h("figcaption", {}, h("span", {}, t("layer", { n: l + 1 })), count)))),
      h("div", { class: "legend lg" },
        h("span", {}, s("svg", { viewBox: "0 0 16 16" }, s("circle", { class: "land", cx: 8, cy: 8, r: 3 })), t("tower.lands")),
        h("span", {}, s("svg", { viewBox: "0 0 16 16" }, s("circle", { class: "ring", cx: 8, cy: 8, r: 6 })), t("tower.part"))));
  }

  close() {
    this.closed = true;
    this.scene?.close();
  }

  // three.js is large and comes only for this board.
  async load() {
    try {
      this.scene = await Scene.make(this.picture, {
        hover: (cell) => this.hover(cell), choose: (cell, touch) => this.choose(cell, touch) });
      if (this.closed) this.scene.close();
      else if (this.view) this.scene.show(this.sceneView());
    } catch {
      this.setMode("above");
      this.modes[0].disabled = true;
      this.modes[0].title = t("tower.no3d");
    }
  }

  setMode(mode) {
    this.flat = mode === "above";
    this.stage.classList.toggle("flat", this.flat);
    this.modes.forEach((button, i) => {
      if ((i === 1) === this.flat) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    this.scene?.resize();
  }

  fieldCell(event) {
    const svg = event.currentTarget;
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const cell = [Math.floor((p.y - 4) / 32), Math.floor((p.x - 4) / 32)];
    return this.view?.pos.columns[cell[0]]?.[cell[1]] ? cell : null;
  }

  height([r, c]) { return this.view.pos.columns[r][c].length; }

  show(view) {
    const before = this.view, pose = poseOf(view);
    this.view = view;
    if (!pose || pose !== this.pose) this.forget();
    this.pose = pose;
    const { columns, pieces } = view.pos;
    const newest = view.last?.length ? cellOfText(view.last[0]) : null;
    this.last = newest ? [columns[newest[0]][newest[1]].length - 1, ...newest] : null;
    this.lines = this.last ? towerLines(columns, this.last) : [];
    this.title.textContent = t("piece.of", { n: Math.min(64, pieces + 1), of: view.settings?.pieces || 64 });
    for (const grid of [this.field, this.picture]) grid.setAttribute("aria-label", view.label || t("tower.3d"));
    this.nameCells();
    this.fresh = Boolean(view.fresh && before && !isCalm());
    this.draw();
    this.scene?.show(this.sceneView());
    this.fresh = false;
  }

  forget() {
    this.aimed = null;
    this.options.aim(null);
  }

  // Both grids have the same cells; what is in a column is its name.
  nameCells() {
    if (!this.grids) {
      const hidden = makeCells(h, this.view.pos.columns), flat = makeCells(s, this.view.pos.columns);
      this.picture.append(h("div", { class: "vh", role: "presentation" }, hidden.rows));
      this.field.append(...flat.rows);
      this.grids = [[this.picture, hidden.cells], [this.field, flat.cells]];
    }
    for (const [, cells] of this.grids)
      for (const [place, cell] of cells) {
        const name = this.cellName(place.split(",").map(Number));
        if (cell.spoken !== name) cell.setAttribute("aria-label", (cell.spoken = name));
      }
  }

  get target() { return this.aimed ? cellOfText(this.aimed) : this.cursor || this.hovered; }

  ghost() {
    const cell = this.target;
    return cell && this.view.me && this.view.legal?.includes(String(cell)) ? [...cell, this.view.turn] : null;
  }

  sceneView() {
    return { columns: this.view.pos.columns, last: this.last, lines: this.lines, gains: this.view.gains || [],
      top: this.top, ghost: this.ghost(), hint: (this.view.hint || this.view.best || []).map(cellOfText), fresh: this.fresh };
  }

  draw() {
    const ghost = this.ghost(), { columns } = this.view.pos;
    const parts = { columns, lines: this.lines, last: this.last, ghost };
    this.layers.forEach(({ svg, count }, l) => {
      svg.innerHTML = drawLayer(l, parts);
      const filled = columns.flat().filter((c) => c && c.length > l).length;
      count.textContent = t("n.of", { n: filled, of: columns.flat().filter(Boolean).length });
    });
    this.drawFromAbove(ghost);
    const cell = this.target;
    this.landing.textContent = cell && columns[cell[0]]?.[cell[1]]
      ? this.height(cell) < 6 ? t("lands.on", { cell: String(cell), n: this.height(cell) + 1 }) : t("column.full", { cell: String(cell) })
      : "";
  }

  // The top piece of every column with its height.
  drawFromAbove(ghost) {
    const { columns } = this.view.pos;
    let out = drawField(columns);
    columns.forEach((row, r) => row.forEach((column, c) => {
      if (!column) return;
      const v = column[column.length - 1];
      if (v) out += `<circle class="${v === 1 ? "sb" : "sw"}" cx="${P(c)}" cy="${P(r)}" r="12"/><text class="high on${v}" x="${P(c)}" y="${P(r) + 4}">${column.length}</text>`;
      if (ghost && ghost[0] === r && ghost[1] === c) out += `<circle class="aim" cx="${P(c)}" cy="${P(r)}" r="14"/>`;
    }));
    for (const cell of this.view.hint || this.view.best || []) {
      const [r, c] = cellOfText(cell);
      out += `<circle class="aim" cx="${P(c)}" cy="${P(r)}" r="15"/>`;
    }
    if (this.cursor) out += `<rect class="cursor thin" x="${P(this.cursor[1]) - 15}" y="${P(this.cursor[0]) - 15}" width="30" height="30" rx="3"/>`;
    this.above.innerHTML = out;
  }

  hover(cell) {
    if (String(cell) === String(this.hovered)) return;
    this.hovered = cell;
    if (!this.view) return;
    this.draw();
    this.scene?.point(this.ghost());
  }

  choose(cell, touch = isTouch()) {
    if (!cell || !this.view?.me) return;
    const text = String(cell);
    if (!this.view.legal.includes(text)) this.options.refuse?.(text);
    else if ((touch || prefs.confirm) && this.aimed !== text) {
      this.aimed = text;
      this.options.aim(text, t("drop.at", { cell: text }));
      this.draw();
      this.scene?.point(this.ghost());
    } else this.options.act(text);
  }

  focus() { (this.flat ? this.field : this.picture).focus({ preventScroll: true }); }

  setCursor(cell) {
    if (!this.view) return;
    this.cursor = cell;
    this.draw();
    this.scene?.point(this.ghost());
    for (const [grid, cells] of this.grids || []) {
      if (cell) grid.setAttribute("aria-activedescendant", cells.get(String(cell)).id);
      else grid.removeAttribute("aria-activedescendant");
    }
    if (cell) say(`${this.cellName(cell)}. ${this.landing.textContent}`);
  }

  cellName([r, c]) {
    const column = this.view.pos.columns[r][c], v = column[column.length - 1];
    return v ? t("tower.cell", { cell: `${r},${c}`, n: column.length, who: colour(v) }) : `${r},${c}, ${t("empty")}`;
  }

  // Shows the layers up to one of them, and all when it is asked for again.
  showLayer(n) {
    this.top = this.top === n ? 6 : n;
    this.layers.forEach(({ svg }, l) => svg.parentElement.classList.toggle("on", this.top < 6 && l === this.top - 1));
    if (this.view) this.scene?.show(this.sceneView());
    say(this.top < 6 ? t("layers.to", { n: this.top }) : t("layers.all"));
  }

  key(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const at = this.cursor || [2, 2];
    if (step) {
      const next = this.cursor ? [at[0] + step[0], at[1] + step[1]] : at;
      if (this.view.pos.columns[next[0]]?.[next[1]]) this.setCursor(next);
    } else if ((event.key === "Enter" || event.key === " ") && this.view?.me) this.choose(at, false);
    else if ("123456".includes(event.key)) this.showLayer(+event.key);
    else if (!this.scene?.key(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

// A column is written from the bottom up; "#" is cut off.
export function read(text) {
  const rows = text.split("/").map((row) => row.split(" ").slice(0, 6));
  const columns = rows.map((row) => row.map((cell) =>
    cell === "#" ? null : [...cell].filter((c) => c !== ".").map((c) => VALUE[c])));
  const pieces = columns.flat().reduce((sum, column) => sum + (column ? column.length : 0), 0);
  return { columns, pieces };
}

// What is told of it: the seconds of a turn, how likely a value of the engine wins, the picture at home, those of the
// help, the files of its kits in C++, Python and C.
export const seconds = 5;
export const share = curve(40);
export const value = { unit: "points" }; // how the engine counts
export const sample = [{}, "2,2;2,3;3,2;3,3;2,2;3,3;1,2;2,3;1,2;4,2;4,3;2,4;3,4;3,4;3,1;2,1;1,3;4,1;4,4;2,5;0,2;3,3;2,2;2,3;1,3;3,2;5,3;1,1"];
export const pictures = [[{}, "2,2;3,3;2,3;3,2"], [{}, "2,1;3,1;2,2;3,2;2,3;3,3;2,4"], [{}, "2,2;3,2;2,2;3,2;2,2;3,2;2,2"]];
export const kit = ["Sample.cpp", "Sample.py", "player.c"];
export const takesTeams = true; // by TCP

export const letters = true; // single letters are keys of the board: it is turned and cut by them
export const seatNote = ({ player, rules }) => t("points", { n: rules.scores[player - 1] });
export const makeScore = () => new TowerScore();
export const count = (pos, moves, movers) => countLines(pos.columns, moves, movers);

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

export function mini({ columns }, last) {
  return ["tower", "40 40 680 640", drawTower(columns, last)];
}
