// SPDX-License-Identifier: MIT
// The line that decided a game, for the board to mark: three cups, or the stones of connect6.

const THREES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];

function threeCups({ cells }, { winner }) {
  const owner = (i) => cells[i][cells[i].length - 1]?.[0];
  return THREES.find((line) => line.every((i) => owner(i) === winner)) || [];
}

// Stones of one colour from (x, y) on: [x, y] of each.
function run(b, x, y, [dx, dy]) {
  const stones = [], colour = b[y][x];
  for (; b[y]?.[x] === colour; x += dx, y += dy) stones.push([x, y]);
  return stones;
}

// Six, or the seven and more that lose, through a stone of the last turn.
function longRow({ b }, last) {
  for (const [x, y] of last.map((text) => text.split(",").map(Number)))
    for (const [dx, dy] of WAYS) {
      const back = run(b, x, y, [-dx, -dy]), all = [...back.reverse(), ...run(b, x, y, [dx, dy]).slice(1)];
      if (all.length >= 6) return all;
    }
  return [];
}

// last: the moves of the last turn.
export function decidingLine(game, pos, result, last) {
  if (game === "cuptactoe") return result?.winner ? threeCups(pos, result) : [];
  return game === "connect6" && ["six", "overline"].includes(result?.reason) ? longRow(pos, last) : [];
}
