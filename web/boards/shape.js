// SPDX-License-Identifier: MIT
// Where the cells of a described board are, and the ground they stand on: squares, crossings of lines, hexagons, or
// columns with holes. Layers are plans side by side. Everything is in units of a cell's side, which is 1 in small pictures.
import { t } from "../words.js";
import { round } from "./grid.js";

const SIDES = { squares: 80, points: 40, hexagons: 60, columns: 80 };
const STARS = { 19: [3, 9, 15], 15: [3, 7, 11], 13: [3, 6, 9], 9: [2, 4, 6] };
const COLOURS = { 1: "black", 2: "white" };

// How many plans stand in a row.
const acrossOf = (layers) => (layers <= 3 ? layers : Math.ceil(Math.sqrt(layers)));

export class Shape {
  // board: as described; size: { rows, columns, layers }; small: without letters and edges, a cell is 1
  constructor(board, { rows, columns, layers }, small = false) {
    const unit = small ? 1 : SIDES[board.kind], hex = board.kind === "hexagons";
    Object.assign(this, { board, kind: board.kind, rows, columns, layers, unit, small, hex, reach: unit / Math.sqrt(3) });
    this.across = acrossOf(layers);
    this.down = Math.ceil(layers / this.across);
    this.wide = (hex ? columns + (rows - 1) / 2 : columns) * unit;
    this.high = hex ? this.reach * (1.5 * rows + 0.5) : rows * unit;
    this.space();
  }

  // Room around the plans and between them: letters, the bands of edges, and beyond them the words of their owners. Beside
  // a rhombus there is room for these.
  space() {
    const { small, board: { coordinates, edges }, hex } = this, letters = coordinates !== "none" && !small, below = letters && this.writesLetters;
    const plain = small ? (hex ? 0.3 : 0.1) : 8, points = this.kind === "points", above = hex ? 34 : 24;
    const word = (side) => (edges[side] && !small && !(hex && (side === "left" || side === "right")) ? 34 : 0);
    this.beyond = { top: letters && !below ? above : 0, left: letters ? (hex ? 40 : 24) : 0, bottom: below ? 30 : 0, right: 0 };
    this.rim = Object.keys(edges).length && !small ? 12 : 0; // the band
    this.left = this.rim + word("left") + (this.beyond.left ? this.beyond.left + (points ? 8 : 0) : plain);
    this.top = this.rim + word("top") + (this.beyond.top || plain) + (this.layers > 1 && !small ? 26 : 0);
    this.bottom = this.rim + word("bottom") + (this.beyond.bottom || plain);
    this.right = this.rim + word("right") + (small ? plain : points ? 4 : 12);
    this.gap = [this.left, this.top].map((room) => room + (small ? 0.3 : 0.1 * this.unit));
    this.size = [this.left + this.across * this.wide + (this.across - 1) * this.gap[0] + this.right, this.top + this.down * this.high + (this.down - 1) * this.gap[1] + this.bottom];
  }

  get box() { return `0 0 ${this.size.map(round).join(" ")}`; }

  // Whether columns have letters, and rows count from below.
  get writesLetters() { return this.board.coordinates === "letters" || (this.board.cell === "a1" && this.board.coordinates !== "none"); }

  origin(layer) {
    return [this.left + (layer % this.across) * (this.wide + this.gap[0]), this.top + Math.floor(layer / this.across) * (this.high + this.gap[1])];
  }

  // The middle of a cell.
  at({ layer, row, column }) {
    const [x, y] = this.origin(layer), { unit, reach } = this;
    return this.hex ? [round(x + (column + row / 2 + 0.5) * unit), round(y + reach * (1 + 1.5 * row))] : [x + (column + 0.5) * unit, y + (row + 0.5) * unit];
  }

  // The cell at a place, or null.
  cellAt(x, y) {
    for (let layer = 0; layer < this.layers; layer++) {
      const [left, top] = this.origin(layer), cell = this.hex ? this.hexAt(x - left, y - top) : [Math.floor((y - top) / this.unit), Math.floor((x - left) / this.unit)];
      if (cell && cell[0] >= 0 && cell[0] < this.rows && cell[1] >= 0 && cell[1] < this.columns) return { layer, row: cell[0], column: cell[1] };
    }
    return null;
  }

  // The nearest middle is that of the hexagon.
  hexAt(x, y) {
    const { unit, reach } = this, near = Math.round((y / reach - 1) / 1.5);
    let best = null, far = (reach * 1.05) ** 2;
    for (const row of [near - 1, near, near + 1]) {
      const column = Math.round(x / unit - 0.5 - row / 2), dx = (column + row / 2 + 0.5) * unit - x, dy = reach * (1 + 1.5 * row) - y;
      if (dx * dx + dy * dy < far) { far = dx * dx + dy * dy; best = [row, column]; }
    }
    return best;
  }

  // All plans as one grid, for the cursor and for those who hear the board: [row, column] to a cell and back.
  flat({ layer, row, column }) { return [Math.floor(layer / this.across) * this.rows + row, (layer % this.across) * this.columns + column]; }

  cellOf([r, c]) {
    const layer = Math.floor(r / this.rows) * this.across + Math.floor(c / this.columns);
    return layer < this.layers ? { layer, row: r % this.rows, column: c % this.columns } : null;
  }

  cells() {
    const list = [];
    for (let layer = 0; layer < this.layers; layer++) for (let row = 0; row < this.rows; row++) for (let column = 0; column < this.columns; column++) list.push({ layer, row, column });
    return list;
  }

  // The edge of a cell, drawn a little inside.
  outline(cell, inset = 0) {
    const [x, y] = this.at(cell), a = this.unit / 2 - inset, n = round;
    if (!this.hex) return `M${n(x - a)} ${n(y - a)}h${n(2 * a)}v${n(2 * a)}h${n(-2 * a)}z`;
    const r = (2 * a) / Math.sqrt(3);
    return `M${n(x)} ${n(y - r)}l${n(a)} ${n(r / 2)}v${n(r)}l${n(-a)} ${n(r / 2)}l${n(-a)} ${n(-r / 2)}v${n(-r)}z`;
  }

  ground() {
    let out = this.edges();
    for (let layer = 0; layer < this.layers; layer++) out += this.plan(layer);
    return out + (this.small ? "" : this.letters());
  }

  plan(layer) {
    const [x, y] = this.origin(layer), { unit, rows, columns, kind, wide, high } = this;
    if (kind === "points") return this.crossings(x + unit / 2, y + unit / 2);
    if (this.hex) return this.cells().filter((cell) => cell.layer === layer).map((cell) => `<path class="tile hexcell" d="${this.outline(cell)}"/>`).join("");
    const plate = `M${x} ${y}h${wide}v${high}h${-wide}z`, fill = { felt: "plate", slab: "tile", wood: "woods" }[this.board.look];
    let lines = "", dark = "", holes = "";
    for (let i = 0; i <= rows; i++) lines += `M${x} ${y + i * unit}h${wide}`;
    for (let i = 0; i <= columns; i++) lines += `M${x + i * unit} ${y}v${high}`;
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
      if (this.board.checkered && (r + c) % 2) dark += `M${x + c * unit} ${y + r * unit}h${unit}v${unit}h${-unit}z`;
      if (kind === "columns") holes += `<circle class="hole" cx="${x + (c + 0.5) * unit}" cy="${y + (r + 0.5) * unit}" r="${0.44 * unit}"/>`;
    }
    return `<path class="${fill}" d="${plate}"/>${dark ? `<path class="chk" d="${dark}"/>` : ""}${kind === "columns" ? `${holes}<path class="grid" d="${plate}"/>` : `<path class="grid" d="${lines}"/>`}`;
  }

  crossings(x, y) {
    const { unit, rows, columns } = this, wide = (columns - 1) * unit, high = (rows - 1) * unit;
    let lines = "";
    for (let i = 0; i < rows; i++) lines += `M${x} ${y + i * unit}h${wide}`;
    for (let i = 0; i < columns; i++) lines += `M${x + i * unit} ${y}v${high}`;
    let out = `<path class="grid" d="${lines}"/>`;
    if (this.small) return out;
    out += `<path class="edge" d="M${x} ${y}h${wide}v${high}h${-wide}z"/>`;
    for (const r of (rows === columns && STARS[rows]) || []) for (const c of STARS[rows]) out += `<circle class="star" cx="${x + c * unit}" cy="${y + r * unit}" r="4"/>`;
    return out;
  }

  // Numbers above and at the left, or letters below.
  letters() {
    const { board, rows, columns, kind, rim, notation } = this;
    if (board.coordinates === "none" && this.layers === 1) return "";
    let out = "";
    for (let layer = 0; layer < this.layers; layer++) {
      const [x, y] = this.origin(layer);
      if (this.layers > 1) out += `<text class="lab" x="${x}" y="${y - (board.coordinates === "none" ? 8 : 28)}">${t("layer", { n: layer })}</text>`;
      if (board.coordinates === "none") continue;
      for (let column = 0; column < columns; column++) {
        const [cx] = this.at({ layer, row: this.writesLetters ? rows - 1 : 0, column });
        out += `<text x="${cx}" y="${this.writesLetters ? y + this.high + rim + 20 : y - rim - (this.hex ? 0 : 7)}">${this.columnName(column)}</text>`;
      }
      if (!notation?.isColumns) for (let row = 0; row < rows; row++) {
        const [cx, cy] = this.at({ layer, row, column: 0 });
        out += `<text x="${round(cx - this.unit / 2 - rim - (kind === "points" ? 13 : this.hex ? 18 : 12))}" y="${round(cy + 6)}">${this.writesLetters ? rows - row : row}</text>`;
      }
    }
    return `<g class="co">${out}</g>`;
  }

  columnName(column) { return this.writesLetters ? (this.notation?.letters || "abcdefghijklmnopqrstuvwxyz")[column] : column; }

  // The corners along a side of the board, and where its owner is named: [points, place, degrees].
  side(name) {
    const { rows, columns, reach, unit } = this, [x, y] = this.origin(0), last = { row: rows - 1, column: columns - 1 };
    if (!this.hex) {
      const [a, b] = [x + this.wide, y + this.high];
      const out = 28 + this.beyond[name];
      return { top: [[[x, y], [a, y]], [(x + a) / 2, y - out], 0], bottom: [[[x, b], [a, b]], [(x + a) / 2, b + out], 0],
        left: [[[x, y], [x, b]], [x - out, (y + b) / 2], -90], right: [[[a, y], [a, b]], [a + out, (y + b) / 2], 90] }[name];
    }
    const along = name === "top" || name === "bottom", count = along ? columns : rows;
    const middle = (i) => this.at({ layer: 0, row: along ? (name === "top" ? 0 : last.row) : i, column: along ? i : name === "left" ? 0 : last.column });
    const a = unit / 2, r = reach;
    const corners = { top: [[-a, -r / 2], [0, -r], [a, -r / 2]], bottom: [[-a, r / 2], [0, r], [a, r / 2]], left: [[-a, -r / 2], [-a, r / 2]], right: [[a, -r / 2], [a, r / 2]] }[name];
    const points = Array.from({ length: count }, (_, i) => corners.map(([dx, dy]) => [middle(i)[0] + dx, middle(i)[1] + dy])).flat();
    const [first, end] = [middle(0), middle(count - 1)], far = this.beyond[name];
    const out = { top: [0, -r - 26 - far], bottom: [0, r + 26 + far], left: [-a - 22 - far, 13 + far / 3], right: [a + 22, -13] }[name];
    return [points, [(first[0] + end[0]) / 2 + out[0], (first[1] + end[1]) / 2 + out[1]], along ? 0 : 60];
  }

  // Whose the sides are: a band in the colour of the player, with his word beside it.
  edges() {
    if (this.small && !this.hex) return "";
    return Object.entries(this.board.edges).map(([name, of]) => {
      const [points, [x, y], degrees] = this.side(name), d = `M${points.map((point) => point.map(round).join(" ")).join("L")}`;
      const word = this.small ? "" : `<text class="lab mid" transform="translate(${round(x)} ${round(y)}) rotate(${degrees})" y="6">${t(COLOURS[of])}</text>`;
      return `<path class="band0" d="${d}"/><path class="band${of}" d="${d}"/>${word}`;
    }).join("");
  }
}
