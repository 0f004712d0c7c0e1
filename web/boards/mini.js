// SPDX-License-Identifier: MIT
// Parts of small boards: one path per colour, cheap enough for fifty at once.

const dots = (look, cells, width) => cells.length
  ? `<path class="${look}" stroke-width="${width}" d="${cells.map(([x, y]) => `M${x} ${y}h0`).join("")}"/>` : "";

export function pieces(b, width, last = []) {
  const at = (p) => b.flatMap((row, y) => row.flatMap((v, x) => (v === p ? [[x, y]] : [])));
  return dots("db", at(1), width) + dots("dr", at(2), width) + dots("dw", at(2), +(width - 0.16).toFixed(2)) + dots("dl", last, 0.34);
}

export const rowColumn = (text) => text.split(",").map(Number).reverse();
