// SPDX-License-Identifier: MIT
// Values of the engines as people say them, in the same way as `arbiter analyse --lines` (src/engine/told.c): "+2.6
// pieces", "won in 5 turns", "even". A value is in the units of `arbiter analyse`, for the player to move.
import { h, disc } from "./dom.js";
import { t } from "./words.js";
import { lookOf } from "./boards/index.js";
import { colour } from "./sentences.js";

const TURNS_MAX = 1000;

// How many turns of the winner until an end that is in sight; 0: none is.
function turnsLeft({ plies, win }, value) {
  const left = win - Math.abs(value);
  if (plies) return Math.floor((Math.abs(value) + 1) / 2);
  return win && left <= TURNS_MAX ? Math.floor((left + 1) / 2) : 0;
}

const amount = (n, unit) => {
  const size = Math.abs(n), words = t(`value.${unit}`, { n: size });
  return `${n > 0 ? "+" : "−"}${words}`;
};

export function valueWords(game, value, exact = false) {
  const told = lookOf(game).value, turns = turnsLeft(told, value), tenths = Math.round((10 * value) / (told.in || 1)) / 10;
  const words = turns ? t(value > 0 ? "value.won" : "value.lost", { n: turns })
    : told.win && Math.abs(value) >= told.win * 0.9 - 1 ? t(value > 0 ? "value.winning" : "value.losing")
      : tenths ? amount(tenths, told.unit) : t("value.even");
  return exact ? t("value.exact", { words }) : words;
}

// The side that is better, and by how much.
function better(game, value, mover, exact) {
  return [value > 0 ? mover : value < 0 ? 3 - mover : 0, valueWords(game, Math.abs(value), exact)];
}

export function sideWords(game, value, mover, exact = false) {
  const [side, words] = better(game, value, mover, exact);
  return side ? `${colour(side)} ${words}` : words;
}

// The same with a disc for the side.
export function sideValue(game, value, mover, exact = false) {
  const [side, words] = better(game, value, mover, exact);
  return h("span", { class: "worth" }, side ? [disc(side), h("span", { class: "vh" }, colour(side))] : null, words);
}

// Black's share of the game, from 0 to 1.
export const blackShare = (game, value, mover) => (mover === 1 ? lookOf(game).share(value) : 1 - lookOf(game).share(value));
