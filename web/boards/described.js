// SPDX-License-Identifier: MIT
// What the page knows of a game from outside, made from its description (board.conf): the same as a module of one of our
// own games exports. No script comes from a folder.
import { has, said, t } from "../words.js";
import { Rules } from "../rules.js";
import { DescribedBoard } from "./describedboard.js";
import { SpaceBoard } from "./spaceboard.js";
import { drawSmall, facingOf, isSmall } from "./marks.js";
import { Notation, wordsOf } from "./spelling.js";
import { Shape } from "./shape.js";

const SURE = 1000, WIN = 10000; // of the general engine: what it expects is within -SURE and SURE, a proven win is near WIN

// A grid: rows separated by '/', a letter for each cell, numbers and dots for empty ones.
const readRows = (text) => text.split("/").map((row) => (row.match(/\d+|[^\d]/g) || []).flatMap((part) => (/\d/.test(part) ? Array(Math.min(+part, 64)).fill("") : [part === "." ? "" : part])));

// Some legal moves, the same ones every time, in the first half of a game.
export function sampleMoves(rules, plies = 16) {
  let seed = 7;
  const moves = [];
  for (let i = 0; i < plies && !rules.over && rules.count; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const legal = rules.legal(), move = legal[Math.floor((seed / 2147483648) * legal.length)];
    if (rules.play(move)) break;
    if (!rules.over) moves.push(move);
  }
  return moves;
}

// A word of a move that is no cell, as people read it.
const wordName = (word) => (has(`move.${word}`) ? t(`move.${word}`) : said(word));

export function lookFrom(one) {
  const { board, name, switches } = one, marks = new Map(board.marks.map((mark) => [mark.mark, mark]));
  const standard = Object.fromEntries(switches.map(({ key, standard: value }) => [key, value]));

  // Rows or columns may be what a switch says; "10x8" and the like count by their first number.
  const side = (value, settings) => (typeof value === "number" ? value : parseInt(settings[value] ?? standard[value], 10) || 8);
  const sizeOf = (settings) => ({ rows: side(board.rows, settings), columns: side(board.columns, settings), layers: board.layers });
  const notationOf = (settings) => new Notation(board, sizeOf(settings));

  const nameIn = (settings) => {
    const notation = notationOf(settings);
    return (move) => wordsOf(move).map((word) => (notation.cell(word) ? notation.name(notation.cell(word)) : wordName(word))).join(" › ");
  };

  const read = (text) => ({ layers: text.split(" ").slice(0, board.layers).map(readRows) });

  const inSpace = board.in_space && board.layers > 1;
  class Board extends (inSpace ? SpaceBoard : DescribedBoard) {
    constructor(options, settings) {
      const size = sizeOf(settings), notation = new Notation(board, size), shape = new Shape(board, size);
      shape.notation = notation;
      super(options, { shape, notation, marks, read, facing: facingOf(read(new Rules(name, settings).position).layers, marks), nameOf: nameIn(settings) });
    }
  }

  return {
    Board, read, letters: inSpace, turnHolds: null, wantsBefore: true, showsOwnMoves: true, refusal: "note.not.there",
    refusalOf: (why, rules) => (rules.legal().every((move) => wordsOf(move).length === 1) ? said(why) : ""), // where a click is a whole move, the rules say why not
    moveName: (text, size, settings = {}) => nameIn(settings)(text),
    mini: (pos, last) => mini(board, marks, pos, last),
    seconds: one.time[1],
    share: (v) => Math.max(0, Math.min(1, (v + SURE) / (2 * SURE))),
    value: { unit: "percent", in: SURE / 100, win: WIN },
    sample: null, pictures: null, kit: ["player.cpp", "bot.py", "player.c"], switches, from: one,
    settingsOf: (prefs) => ({ ...prefs.switches[name] }),
    score: (player, pos, rules) => (one.has_scores && rules.scores ? [rules.scores[player - 1], "tie.points"] : null),
    seatNote: ({ turn, person, pending, rules }) => (turn && person && (pending.length || rules.due > 1) ? t("move.of", { n: pending.length + 1, of: pending.length + rules.due }) : ""),
  };
}

// A small picture: one path per colour, whatever the pieces look like; dots and bars are drawn as they are.
function mini(board, marks, { layers }, last) {
  const size = { rows: layers[0].length, columns: layers[0][0].length, layers: layers.length }, shape = new Shape(board, size, true), notation = new Notation(board, size);
  const markOf = ({ layer, row, column }) => marks.get(layers[layer][row]?.[column]);
  const owned = (of) => shape.cells().filter((cell) => { const mark = markOf(cell); return mark && mark.shape !== "block" && !isSmall(mark) && mark.of === of; });
  const blocks = shape.cells().filter((cell) => markOf(cell)?.shape === "block");
  const small = shape.cells().filter((cell) => markOf(cell) && isSmall(markOf(cell))).map((cell) => drawSmall(markOf(cell), shape.at(cell))).join("");
  const dots = (look, cells, width) => (cells.length ? `<path class="${look}" stroke-width="${width}" d="${cells.map((cell) => `M${shape.at(cell).join(" ")}h0`).join("")}"/>` : "");
  const top = (column) => ({ layer: 0, row: Math.max(0, layers[0].findIndex((row) => row[column])), column });
  const ends = last.map((move) => wordsOf(move).map((word) => notation.cell(word)).filter(Boolean).at(-1)).filter(Boolean).map((cell) => (notation.isColumns ? top(cell.column) : cell));
  const wide = shape.kind === "points" ? 0.92 : 0.8;
  return [`${board.look} ${board.kind}`, shape.box, shape.ground() + blocks.map((cell) => `<path class="blk" d="${shape.outline(cell, 0.12)}"/>`).join("")
    + small + dots("dn", owned(0), wide) + dots("db", owned(1), wide) + dots("dr", owned(2), wide) + dots("dw", owned(2), +(wide - 0.16).toFixed(2)) + dots("dl", ends, 0.34)];
}
