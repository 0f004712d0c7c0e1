// SPDX-License-Identifier: MIT
// The board of a game from outside, drawn from its description. Moves are spelled (spelling.js): a click or Enter adds a
// cell, words are offered as buttons, and a move that is whole is played.
import { GridBoard } from "./grid.js";
import { t } from "../words.js";
import { prefs } from "../prefs.js";
import { makeLens } from "./lens.js";
import { drawMark } from "./marks.js";
import { Spelling, wordsOf } from "./spelling.js";

const LENS_CELLS = 11; // from so many in a row on a finger hides what it points at

const BUSY = ["piece", "letter", "cup"]; // what has a sign in its middle

const same = (a, b) => a && b && a.layer === b.layer && a.row === b.row && a.column === b.column;

let made = 0;

export class DescribedBoard extends GridBoard {
  // parts: { shape, notation, marks, facing, read, nameOf }, as described.js makes them
  constructor(options, parts) {
    const { shape } = parts;
    super(options, { box: shape.box, look: `${shape.board.look} ${shape.kind}`, rows: shape.down * shape.rows, columns: shape.across * shape.columns });
    Object.assign(this, parts);
    this.spelling = new Spelling([], this.notation);
    this.ground.id = `ground${++made}`;
    this.svg.append(...this.makeCells());
  }

  makeCells() { return this.shape ? super.makeCells() : []; }

  cellBox(r, c) {
    const cell = this.shape.cellOf([r, c]), { unit } = this.shape;
    if (!cell) return null;
    const [x, y] = this.shape.at(cell);
    return [x - unit / 2, y - unit / 2, unit];
  }

  cellOf(x, y) {
    const cell = this.shape.cellAt(x, y);
    return cell ? this.shape.flat(cell) : [-1, -1];
  }

  markAt({ layer, row, column }, pos = this.view.pos) { return this.marks.get(pos.layers[layer]?.[row]?.[column]); }

  cellName(place) {
    const cell = this.shape.cellOf(place);
    if (!cell) return "";
    const name = this.notation.isColumns ? t("cell.column", { column: this.notation.name(cell), row: this.shape.rows - cell.row }) : this.notation.name(cell);
    const chosen = this.chosenCells().some((one) => same(one, cell)) ? `, ${t("cell.chosen")}` : "";
    return `${name}, ${this.markName(this.markAt(cell))}${chosen}${this.lastCells.some((one) => same(one, cell)) ? `, ${t("last.turn")}` : ""}`;
  }

  markName(mark) {
    if (!mark) return t("empty");
    const owner = mark.of ? this.stateName(mark.of) : mark.shape === "block" ? t("blocked") : "";
    return [owner, mark.shape === "letter" || !owner ? mark.text : ""].filter(Boolean).join(" ");
  }

  // What follows is drawn.

  forget() {
    this.spelling = new Spelling(this.view.me ? this.view.legal : [], this.notation);
    super.forget();
  }

  show(view) {
    this.lastMoves = (view.last || []).map((move) => this.cellsOf(move, view.pos));
    this.lastCells = this.lastMoves.flatMap((cells) => cells.slice(-1));
    if (view.last?.length && !this.lastCells.length && view.before) this.lastCells = this.changed(view.before, view.pos);
    super.show(view);
    this.tell();
  }

  // The cells of a move; of a column it is the topmost piece in it.
  cellsOf(move, pos = this.view.pos) {
    return wordsOf(move).map((word) => this.notation.cell(word)).filter(Boolean).map((cell) => (this.notation.isColumns ? this.topOf(cell.column, pos) : cell));
  }

  topOf(column, pos) {
    const row = pos.layers[0].findIndex((one) => one[column]);
    return { layer: 0, row: row < 0 ? this.shape.rows - 1 : row, column };
  }

  // Where something else stands than before.
  changed(before, after) {
    return this.shape.cells().filter((cell) => this.markAt(cell, after) && this.markAt(cell, after) !== this.markAt(cell, before));
  }

  drawGround(view) {
    const { shape } = this, { pos, hint = [], best = [], bad } = view, { unit } = shape;
    let out = shape.ground();
    for (const cell of shape.cells()) {
      const mark = this.markAt(cell, pos);
      if (mark) out += drawMark(mark, shape.at(cell), unit * this.scale, this.facing);
    }
    out += this.drawLast(view);
    if (bad) for (const cell of this.lastCells) out += `<path class="badge" d="M${shape.at(cell)[0] + 0.2 * unit} ${shape.at(cell)[1] - 0.45 * unit}h${unit / 4}v${unit / 4}h${-unit / 4}z"/>`;
    for (const move of [...hint, ...best]) out += this.drawMove(move);
    return out;
  }

  // A stone fills a hexagon less than a square.
  get scale() { return this.shape.hex ? 0.9 : 1; }

  drawLast({ pos, before }) {
    const { shape } = this, { unit } = shape, at = (cell) => shape.at(cell).join(" ");
    let out = "";
    for (const cells of this.lastMoves.filter((one) => one.length > 1))
      out += `<path class="case thin" d="M${cells.map(at).join("L")}"/><path class="hop thin" d="M${cells.map(at).join("L")}"/>${drawPin(shape.at(cells[0]), unit)}`;
    for (const cells of this.lastMoves.filter((one) => one.length > 1)) {
      const end = cells.at(-1), mark = this.markAt(end, pos);
      if (mark) out += drawMark(mark, shape.at(end), unit * this.scale, this.facing);
    }
    for (const cell of before && this.lastCells.length === 1 ? this.changed(before, pos) : []) // discs that were turned
      if (!this.lastCells.some((one) => same(one, cell)) && this.markAt(cell, before)) out += drawRing("flip", this.markAt(cell, pos), shape.at(cell), 0.06 * unit);
    for (const cell of this.lastCells) out += drawRing("last", this.markAt(cell, pos), shape.at(cell), (BUSY.includes(this.markAt(cell, pos)?.shape) ? 0.28 : 0.18) * unit);
    return out;
  }

  // A move that is not played: rings on its cells, and its way.
  drawMove(move) {
    const { shape } = this, cells = this.cellsOf(move).map((cell) => (this.notation.isColumns && this.markAt(cell) ? { ...cell, row: cell.row - 1 } : cell));
    const d = `M${cells.map((cell) => shape.at(cell).join(" ")).join("L")}`;
    return (cells.length > 1 ? `<path class="case" d="${d}"/><path class="hop dash" d="${d}"/>` : "")
      + cells.slice(-1).map((cell) => `<circle class="aimc" cx="${shape.at(cell)[0]}" cy="${shape.at(cell)[1]}" r="${0.38 * shape.unit}"/><circle class="aim" cx="${shape.at(cell)[0]}" cy="${shape.at(cell)[1]}" r="${0.38 * shape.unit}"/>`).join("");
  }

  chosenCells() { return this.spelling.chosen.map((word) => this.notation.cell(word)).filter(Boolean); }

  drawOver() {
    if (!this.view) return;
    const { shape } = this, { unit } = shape, chosen = this.chosenCells();
    let out = this.view.me && (prefs.legal || chosen.length) ? this.drawNext() : "";
    if (chosen.length > 1) out += `<path class="case" d="M${chosen.map((cell) => shape.at(cell).join(" ")).join("L")}"/><path class="hop" d="M${chosen.map((cell) => shape.at(cell).join(" ")).join("L")}"/>`;
    if (!this.notation.isColumns) for (const cell of chosen) out += `<circle class="pick on" cx="${shape.at(cell)[0]}" cy="${shape.at(cell)[1]}" r="${0.42 * unit}"/>`;
    out += this.drawGhost();
    const cursor = this.cursor && shape.cellOf(this.cursor);
    if (cursor) out += shape.kind === "points" ? `<circle class="cursor" cx="${shape.at(cursor)[0]}" cy="${shape.at(cursor)[1]}" r="${0.52 * unit}"/>` : `<path class="cursor" d="${shape.outline(cursor, 3)}"/>`;
    this.over.innerHTML = out;
    if (this.lens) this.over.append(makeLens(this.ground.id, shape.at(this.lens), shape));
  }

  // Pieces that can be taken up have a ring, other cells a dot; where every empty cell will do, nothing is said.
  drawNext() {
    const { shape, spelling } = this, cells = spelling.next().map((word) => this.notation.cell(word));
    const free = shape.cells().filter((cell) => !this.markAt(cell)).length;
    if (this.notation.isColumns || (!spelling.chosen.length && cells.length === free && cells.every((cell) => !this.markAt(cell)))) return "";
    return cells.map((cell) => {
      const [x, y] = shape.at(cell), own = this.markAt(cell)?.of === this.view.turn && !spelling.chosen.length;
      if (own) return `<circle class="pick" cx="${x}" cy="${y}" r="${0.42 * shape.unit}"/>`;
      return `<circle class="${spelling.chosen.length || shape.board.look !== "felt" ? "nextcell" : `legal p${this.view.turn}`}" cx="${x}" cy="${y}" r="${0.12 * shape.unit}"/>`;
    }).join("");
  }

  // What would stand there: by the rules, which are asked.
  drawGhost() {
    const { shape, view, spelling } = this, place = this.cursor || this.hovered;
    const cell = this.lens || (place && shape.cellOf(place)), word = cell && view.me && this.notation.word(cell);
    const move = spelling.whole && this.aimed ? spelling.whole : word && spelling.wholeWith(word);
    if (!move) return "";
    if (this.ghostOf?.key !== `${this.pose}${move}`) this.ghostOf = { key: `${this.pose}${move}`, pos: view.rules.peek(move) };
    const after = this.ghostOf.pos && this.read(this.ghostOf.pos), ends = after ? this.cellsOf(move, after).slice(-1) : [];
    return ends.filter((end) => this.markAt(end, after)).map((end) => {
      const ring = this.aimed || this.notation.isColumns ? `<circle class="aim" cx="${shape.at(end)[0]}" cy="${shape.at(end)[1]}" r="${0.46 * shape.unit}"/>` : "";
      return drawMark(this.markAt(end, after), shape.at(end), shape.unit * this.scale, this.facing, "ghost") + ring;
    }).join("");
  }

  // What follows is chosen.

  hover(cell) {
    if (String(cell) === String(this.hovered)) return;
    this.hovered = cell;
    this.drawOver();
  }

  drag(place) {
    if (!place || !this.view?.me || Math.max(this.rows, this.columns) < LENS_CELLS) return;
    this.lens = this.shape.cellOf(place);
    this.drawOver();
  }

  endDrag() {
    this.lens = null;
    this.drawOver();
  }

  choose(place, touch) {
    const cell = this.shape.cellOf(place), { spelling } = this;
    if (!cell) return;
    const word = this.notation.word(cell), again = spelling.chosen.at(-1) === word;
    if (spelling.canTake(word) && !(again && spelling.whole)) this.add(word, touch || prefs.confirm);
    else if (again && spelling.whole) this.play(spelling.whole);
    else if (again) this.back();
    else if (spelling.chosen.length) this.beginAnew(word, touch || prefs.confirm);
    else this.options.refuse?.(word);
  }

  // Another piece is taken up instead.
  beginAnew(word, confirms) {
    this.spelling.chosen = [];
    if (this.spelling.canTake(word)) this.add(word, confirms);
    else this.tell();
  }

  add(word, confirms) {
    const { spelling } = this;
    spelling.chosen.push(word);
    if (spelling.whole && !spelling.goesOn && !confirms) this.play(spelling.whole);
    else this.tell();
  }

  // Whether a word was taken back.
  back() {
    const there = this.spelling.chosen.length > 0;
    this.spelling.chosen.pop();
    if (there) this.tell();
    return there;
  }

  play(move) {
    this.spelling.chosen = [];
    this.aimed = null;
    this.options.aim(null);
    this.options.offer?.([]);
    this.options.act(move);
  }

  // Says what can be played now, and which words can follow.
  tell() {
    const { spelling, options } = this, { whole } = spelling;
    this.aimed = whole || null;
    options.aim(whole || null, whole && t("play.move", { move: this.nameOf(whole) }));
    options.offer?.(spelling.next(false).map((word) => ({ word, label: this.nameOf(word), act: () => this.add(word, false) })));
    this.drawOver();
    this.nameCells();
  }

  // A piece goes its way, or comes.
  animate(before, view) {
    for (const move of view.fresh) {
      const cells = this.cellsOf(move), end = cells.at(-1);
      if (!end) continue;
      const [x, y] = this.shape.at(end), timing = { duration: 180 * Math.max(1, cells.length - 1), easing: "ease-out" };
      const frames = cells.length > 1 ? cells.map((cell) => [this.shape.at(cell)[0] - x, this.shape.at(cell)[1] - y]) : this.notation.isColumns ? [[0, -y], [0, 0], [0, -0.06 * this.shape.unit], [0, 0]] : null;
      for (const mark of this.ground.querySelectorAll(`.mark[data-at="${x} ${y}"]`)) {
        if (!frames) mark.animate([{ opacity: 0 }, { opacity: 1 }], timing);
        else mark.animate(frames.map(([dx, dy]) => ({ transform: `translate(${x + dx}px, ${y + dy}px) scale(${(this.shape.unit * this.scale) / 80})` })), timing);
      }
    }
  }
}

const drawPin = ([x, y], unit) => `<circle class="pin" cx="${x}" cy="${y}" r="${0.09 * unit}"/>`;

const drawRing = (look, mark, [x, y], r) => `<circle class="${look} on${mark?.shape === "block" ? 1 : mark?.of || 0}" cx="${x}" cy="${y}" r="${r}"/>`;
