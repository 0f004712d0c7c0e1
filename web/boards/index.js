// SPDX-License-Identifier: MIT
// The board of each game; it is loaded when it is wanted.

export const GAMES = ["connect6", "reversi", "tower4", "hopchess", "cuptactoe"];

const loaded = {};

export async function loadBoard(game) {
  loaded[game] ||= await import(`./${game}.js`);
  return loaded[game];
}

// A move as people write it; the board must have been loaded.
export const moveName = (game, text, settings = {}) =>
  loaded[game] ? loaded[game].moveName(text, settings.size ? +settings.size : undefined) : text;
