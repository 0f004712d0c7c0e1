// SPDX-License-Identifier: MIT
// Positions as the rules write them, read into plain arrays for drawing. 1 black, 2 white, 3 blocked.

const VALUE = { X: 1, O: 2, "#": 3 };

// Rows of a grid where numbers stand for empty cells.
function readGrid(text) {
  return text.split("/").map((row) => {
    const cells = [];
    for (const part of row.match(/\d+|[XO#]/g) || [])
      if (part in VALUE) cells.push(VALUE[part]);
      else cells.push(...Array(+part).fill(0));
    return cells;
  });
}

const readers = {
  connect6: (text) => ({ b: readGrid(text.split(" ")[0]) }),
  reversi: (text) => ({ b: readGrid(text.split(" ")[0]).map((row) => row.map((v) => (v === 3 ? -1 : v))) }),
  hopchess: (text) => ({ b: readGrid(text.split(" ")[0]), plies: +text.split(" ").pop() }),
  cuptactoe: readCups,
  tower4: readTower,
};

// "X3O1" is a stack from the top down; here the bottom comes first.
function readCups(text) {
  const [board, turns] = [text.slice(0, text.lastIndexOf(" ")), +text.slice(text.lastIndexOf(" "))];
  const cells = board.split("/").flatMap((row) => row.split(" ")).map((cell) =>
    (cell.match(/[XO]\d/g) || []).map((cup) => [VALUE[cup[0]], +cup[1]]).reverse());
  const left = { 1: { 1: 2, 2: 2, 3: 2 }, 2: { 1: 2, 2: 2, 3: 2 } };
  for (const stack of cells) for (const [owner, size] of stack) left[owner][size]--;
  return { cells, left, turns };
}

// A column is written from the bottom up; "#" is cut off.
function readTower(text) {
  const rows = text.split("/").map((row) => row.split(" ").slice(0, 6));
  const columns = rows.map((row) => row.map((cell) =>
    cell === "#" ? null : [...cell].filter((c) => c !== ".").map((c) => VALUE[c])));
  const pieces = columns.flat().reduce((sum, column) => sum + (column ? column.length : 0), 0);
  return { columns, pieces };
}

export const readPosition = (game, text) => readers[game](text);

// Where a tower's lines of four are, as lists of [layer, row, column].
export function towerLines(columns, through) {
  const at = (l, r, c) => (columns[r]?.[c] ? columns[r][c][l] : undefined);
  const lines = [];
  for (let d = 0; d < 27; d++) {
    const [dl, dr, dc] = [Math.floor(d / 9) - 1, (Math.floor(d / 3) % 3) - 1, (d % 3) - 1];
    if (d <= 13) continue; // each line once
    for (let l = 0; l < 6; l++) for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) {
      const owner = at(l, r, c);
      if (!owner) continue;
      const cells = [0, 1, 2, 3].map((k) => [l + k * dl, r + k * dr, c + k * dc]);
      if (!cells.every(([a, b, e]) => at(a, b, e) === owner)) continue;
      if (!through || cells.some(([a, b, e]) => a === through[0] && b === through[1] && e === through[2]))
        lines.push({ owner, cells });
    }
  }
  return lines;
}
