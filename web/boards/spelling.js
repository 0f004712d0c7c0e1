// SPDX-License-Identifier: MIT
// Moves are spelled by their words: those that are cells are clicked, others are buttons. What can follow is read from
// the legal moves, so that a cell, from and to, a path, or a cell and a choice need not be declared.

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const PATTERNS = { "row,column": /^(\d+),(\d+)$/, "column,row": /^(\d+),(\d+)$/, column: /^(\d+)$/, "layer,row,column": /^(\d+),(\d+),(\d+)$/, a1: /^([a-z])(\d+)$/ };

// How cells are written: { layer, row, column } from a word and back.
export class Notation {
  constructor({ cell, coordinates, kind }, { rows, columns, layers }) {
    Object.assign(this, { form: cell, rows, columns, layers });
    // Boards of points leave out the I, as people are used to; "a1" has every letter.
    this.letters = coordinates === "letters" && cell !== "a1" ? (kind === "points" ? LETTERS.replace("i", "") : LETTERS).toUpperCase() : null;
  }

  // The cell of a word, or null; of a column it is the whole column, with row 0.
  cell(word) {
    const [whole, ...parts] = PATTERNS[this.form].exec(word) || [];
    if (whole === undefined) return null;
    const [a, b, c] = parts.map(Number);
    const cell = { "row,column": { layer: 0, row: a, column: b }, "column,row": { layer: 0, row: b, column: a }, column: { layer: 0, row: 0, column: a },
      "layer,row,column": { layer: a, row: b, column: c }, a1: { layer: 0, row: this.rows - b, column: LETTERS.indexOf(parts[0]) } }[this.form];
    return cell.layer < this.layers && cell.row >= 0 && cell.row < this.rows && cell.column < this.columns ? cell : null;
  }

  word({ layer, row, column }) {
    return { "row,column": `${row},${column}`, "column,row": `${column},${row}`, column: String(column), "layer,row,column": `${layer},${row},${column}`, a1: LETTERS[column] + (this.rows - row) }[this.form];
  }

  // As people write it.
  name(cell) {
    if (this.letters && this.form === "column") return this.letters[cell.column];
    return this.letters ? this.letters[cell.column] + (this.rows - cell.row) : this.word(cell);
  }

  get isColumns() { return this.form === "column"; }
}

export const wordsOf = (move) => move.split(" ").filter(Boolean);

const begins = (words, first) => first.every((word, i) => words[i] === word);

export class Spelling {
  constructor(legal, notation) {
    this.moves = legal.map((text) => ({ text, words: wordsOf(text) }));
    this.notation = notation;
    this.chosen = [];
  }

  fitting(chosen = this.chosen) { return this.moves.filter(({ words }) => begins(words, chosen)); }

  // The words that can follow, each once; `cells`: those that are clicked, or the others.
  next(cells = true) {
    const words = new Set(this.fitting().map(({ words: all }) => all[this.chosen.length]).filter(Boolean));
    return [...words].filter((word) => Boolean(this.notation.cell(word)) === cells);
  }

  canTake(word) { return this.fitting([...this.chosen, word]).length > 0; }

  // The move that is spelled out, or undefined.
  get whole() { return this.moves.find(({ words }) => words.length === this.chosen.length && begins(words, this.chosen))?.text; }

  get goesOn() { return this.fitting().some(({ words }) => words.length > this.chosen.length); }

  // The only move that a further word would spell out, or null.
  wholeWith(word) {
    const fits = this.fitting([...this.chosen, word]);
    return fits.length === 1 && fits[0].words.length === this.chosen.length + 1 ? fits[0].text : null;
  }
}
