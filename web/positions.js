// SPDX-License-Identifier: MIT
// Positions as the rules write them, read into plain arrays for drawing. 1 black, 2 white, 3 blocked.

export const VALUE = { X: 1, O: 2, "#": 3 };

// Rows of a grid where numbers stand for empty cells; what follows the board is left out.
export function readGrid(text) {
  return text.split(" ")[0].split("/").map((row) => {
    const cells = [];
    for (const part of row.match(/\d+|[XO#]/g) || [])
      if (part in VALUE) cells.push(VALUE[part]);
      else cells.push(...Array(+part).fill(0));
    return cells;
  });
}
