// SPDX-License-Identifier: MIT
// The points of Tower Four: both sums, and what each line was worth in its turn.
import { h, s, disc } from "./dom.js";
import { t } from "./words.js";
import { colour } from "./sentences.js";

const SHOWN = 12;

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

// The owners of the lines in the order they were made, and what the last move gained.
export function countLines(columns, moves, movers) {
  const field = columns.map((row) => row.map((column) => (column ? [] : null)));
  const owners = [];
  let gains = [];
  moves.forEach((move, i) => {
    const [r, c] = move.split(",").map(Number);
    field[r][c].push(movers[i]);
    const made = towerLines(field, [field[r][c].length - 1, r, c]);
    gains = made.map(() => { owners.push(movers[i]); return Math.floor(100 / owners.length); });
  });
  return { owners, gains };
}

function ladder(owners) {
  const parts = [];
  for (let k = 1; k <= SHOWN; k++) {
    const worth = Math.floor(100 / k), high = Math.max(6, worth * 0.62), x = 8 + (k - 1) * 26;
    const look = owners[k - 1] ? `lb${owners[k - 1]}` : k === owners.length + 1 ? "nx" : "sk";
    parts.push(s("rect", { class: look, x, y: 86 - high, width: 18, height: high, rx: 3 }),
      s("text", { class: "v", x: x + 9, y: 81 - high }, String(worth)), s("text", { x: x + 9, y: 102 }, String(k)));
  }
  return s("svg", { class: "ladder", viewBox: "0 0 320 108", role: "img", "aria-label": t("ladder") }, parts);
}

export class TowerScore {
  constructor() { this.el = h("section", { class: "card pad scorecard" }); }

  show(scores, owners) {
    const [a, b] = scores, total = a + b, next = owners.length + 1;
    const bar = s("svg", { role: "img", "aria-label": `${colour(1)} ${a}, ${colour(2)} ${b}` },
      s("rect", { class: "s2", width: "100%", height: 12, rx: 6 }),
      s("rect", { class: "s1", width: `${total ? (100 * a) / total : 50}%`, height: 12, rx: 6 }),
      s("rect", { class: "bx", x: 0.5, y: 0.5, width: "99%", height: 11, rx: 5.5 }));
    const lead = a === b ? t("lead.none") : t("lead", { who: colour(a > b ? 1 : 2), n: Math.abs(a - b) });
    this.el.replaceChildren(h("div", { class: "score" }, h("span", {}, disc(1), String(a)), bar, h("span", {}, String(b), disc(2))),
      h("p", { class: "s m" }, t("line.worth", { k: next, n: Math.floor(100 / next) }), " ", lead), ladder(owners));
  }
}
