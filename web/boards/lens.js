// SPDX-License-Identifier: MIT
// A finger hides what it points at: a lens shows it above, or below where there is no room.
import { s } from "../dom.js";

// ground: the id of what is drawn; at: the place looked at; size: [width, height] and unit of the board
export function makeLens(ground, [x, y], { size: [wide, high], unit }) {
  const side = 3 * unit, shown = Math.min(180 * Math.max(1, wide / 790), wide / 2.5);
  const above = y > shown * 1.4 ? y - shown * 1.35 : Math.min(y + shown * 0.5, high - shown);
  const lens = s("svg", { x: Math.max(6, Math.min(x - shown / 2, wide - shown - 6)), y: above, width: shown, height: shown, viewBox: `${x - side / 2} ${y - side / 2} ${side} ${side}`, class: "lens" });
  lens.append(s("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, class: "lensbg" }), s("use", { href: `#${ground}` }),
    s("circle", { cx: x, cy: y, r: 0.45 * unit, class: "aim" }), s("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, class: "lensrim" }));
  return lens;
}
