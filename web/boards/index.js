// SPDX-License-Identifier: MIT
// What the page knows of each game stands in one module of its name, which exports all of it; pages ask the module,
// never the name. Every module has Board, moveName, read, mini, seconds, share, value, sample, pictures and kit; what else
// one exports is what its game alone has: that is left out by the others, and stands below with what is true then.
import * as connect6 from "./connect6.js";
import * as reversi from "./reversi.js";
import * as tower4 from "./tower4.js";
import * as hopchess from "./hopchess.js";
import * as cuptactoe from "./cuptactoe.js";
import { drawing } from "../dom.js";
import { prefs } from "../prefs.js";
import { Rules } from "../rules.js";

const MODULES = {
  connect6, reversi, tower4, hopchess, cuptactoe,
};

export const GAMES = Object.keys(MODULES);

const PLAIN = {
  takesTeams: false, // players connect by TCP
  tellsInfo: false, // players name themselves by INFO, as the document of connect6 says
  letters: false, wantsBefore: false, showsOwnMoves: false, refusal: "",
  turnHolds: () => 1, // moves of the turn that begins after so many
  blocksOf: () => 0, settingsOf: () => ({}), // of the next game, by what a person has set
  score: () => null, // of a player: [number, key of its unit]
  seatNote: () => "", makeScore: () => null, count: () => null, decidingLine: () => [], liftedCup: () => null,
};

const looks = Object.fromEntries(Object.entries(MODULES).map(([game, module]) => [game, { ...PLAIN, ...module }]));

export const lookOf = (game) => looks[game];

export const readPosition = (game, text) => looks[game].read(text);

// A move as people write it.
export const moveName = (game, text, settings = {}) => looks[game].moveName(text, settings.size ? +settings.size : undefined);

export const secondsOf = (game) => prefs.seconds[game] ?? looks[game].seconds;

// The settings of the next game, as the server and the rules take them.
export const planOf = (game) => ({ game, set: looks[game].settingsOf(prefs), time: prefs.limit ? String(secondsOf(game)) : "off", people: prefs.limit && prefs.people });

// Where each turn of a game begins and ends.
export function turnsOf(game, moves) {
  const turns = [];
  for (let from = 0; from < moves.length;) {
    const to = Math.min(moves.length, from + looks[game].turnHolds(from));
    turns.push({ from, to });
    from = to;
  }
  return turns;
}

// The moves of the last turn.
export function lastTurn(game, moves) {
  const last = turnsOf(game, moves).at(-1);
  return last ? moves.slice(last.from, last.to) : [];
}

// What both players have: discs, points, pieces home; null where nothing is counted. `rules` has the scores.
export function scorePair(game, pos, rules) {
  const { score } = looks[game], one = score(1, pos, rules);
  return one ? [one[0], score(2, pos, rules)[0]] : rules.scores;
}

// A small picture of a position that the rules have written.
export function miniPosition(game, position, last = []) {
  const [look, box, markup] = looks[game].mini(readPosition(game, position), last);
  return drawing({ class: `board mini ${look}`, viewBox: box, "aria-hidden": "true" }, markup);
}

let scratch = null;

// A picture of a game after some moves.
export function miniBoard(game, settings, moves, last = moves.slice(-1)) {
  scratch ||= new Rules(game, settings);
  scratch.open(game, settings);
  scratch.restart(moves);
  return miniPosition(game, scratch.position, last);
}
