// SPDX-License-Identifier: MIT
// What the page knows of each game stands in one module of its name, which exports all of it; pages ask the module,
// never the name. Every module has Board, moveName, read, mini, seconds, share, value, sample, pictures and kit; what else
// one exports is what its game alone has: that is left out by the others, and stands below with what is true then.
// A game from outside has the same, made from its description (described.js).
import * as connect6 from "./connect6.js";
import * as reversi from "./reversi.js";
import * as tower4 from "./tower4.js";
import * as hopchess from "./hopchess.js";
import * as cuptactoe from "./cuptactoe.js";
import { drawing } from "../dom.js";
import { outsideGame, outsideModule, outsideNames, loadOutside } from "../outside.js";
import { prefs } from "../prefs.js";
import { Rules } from "../rules.js";
import { lookFrom, sampleMoves } from "./described.js";

const MODULES = {
  connect6, reversi, tower4, hopchess, cuptactoe,
};

export const GAMES = Object.keys(MODULES);

const PLAIN = {
  takesTeams: false, // players connect by TCP
  tellsInfo: false, // players name themselves by INFO, as the document of connect6 says
  letters: false, wantsBefore: false, showsOwnMoves: false, refusal: "",
  turnHolds: () => 1, // moves of the turn that begins after so many; null: as the rules say
  blocksOf: () => 0, settingsOf: () => ({}), // of the next game, by what a person has set
  score: () => null, // of a player: [number, key of its unit]
  seatNote: () => "", makeScore: () => null, count: () => null, decidingLine: () => [], liftedCup: () => null,
};

const looks = new Map(Object.entries(MODULES).map(([game, module]) => [game, { ...PLAIN, ...module }]));
const described = new Map(); // looks of games from outside, by their descriptions

// The names of all games: ours, and those from outside.
export const gameNames = () => [...GAMES, ...outsideNames()];

function outsideLook(game) {
  const one = outsideGame(game);
  if (one && !described.has(one)) described.set(one, { ...PLAIN, ...lookFrom(one) });
  return described.get(one);
}

// Undefined for a game that is not here.
export const lookOf = (game) => looks.get(game) || outsideLook(game);

// Whether a game is here; its rules can be asked then.
export const needGame = async (game) => looks.has(game) || loadOutside(game);
export const isReady = (game) => looks.has(game) || Boolean(outsideModule(game));

export const readPosition = (game, text) => lookOf(game).read(text);

// A move as people write it.
export const moveName = (game, text, settings = {}) => lookOf(game).moveName(text, settings.size ? +settings.size : undefined, settings);

export const secondsOf = (game) => prefs.seconds[game] ?? lookOf(game).seconds;

// The settings of the next game, as the server and the rules take them.
export const planOf = (game) => ({ game, set: lookOf(game).settingsOf(prefs), time: prefs.limit ? String(secondsOf(game)) : "off", people: prefs.limit && prefs.people });

const scratches = new Map(); // rules by their module: null is ours

// Rules to ask something of, for a moment.
function scratch(game, settings) {
  const module = outsideModule(game) || null;
  if (!scratches.has(module)) scratches.set(module, new Rules(game, settings));
  return scratches.get(module).open(game, settings);
}

// How many moves the turns hold that follow each other in a game from outside, as its rules say.
const counted = new Map();
function dueOf(game, moves, settings) {
  const key = JSON.stringify([game, settings, moves]);
  if (counted.has(key)) return counted.get(key);
  const rules = scratch(game, settings), due = moves.map((move) => { const { due: count } = rules; rules.play(move); return Math.max(1, count); });
  if (counted.size > 40) counted.clear();
  counted.set(key, due);
  return due;
}

// Where each turn of a game begins and ends.
export function turnsOf(game, moves, settings = {}) {
  const turns = [], { turnHolds } = lookOf(game), due = turnHolds ? null : dueOf(game, moves, settings);
  for (let from = 0; from < moves.length;) {
    const to = Math.min(moves.length, from + (due ? due[from] : turnHolds(from)));
    turns.push({ from, to });
    from = to;
  }
  return turns;
}

// The moves of the last turn.
export function lastTurn(game, moves, settings = {}) {
  const last = turnsOf(game, moves, settings).at(-1);
  return last ? moves.slice(last.from, last.to) : [];
}

// What both players have: discs, points, pieces home; null where nothing is counted. `rules` has the scores.
export function scorePair(game, pos, rules) {
  const { score } = lookOf(game), one = score(1, pos, rules);
  return one ? [one[0], score(2, pos, rules)[0]] : rules.scores;
}

// A small picture of a position that the rules have written.
export function miniPosition(game, position, last = []) {
  const [look, box, markup] = lookOf(game).mini(readPosition(game, position), last);
  return drawing({ class: `board mini ${look}`, viewBox: box, "aria-hidden": "true" }, markup);
}

// A picture of a game after some moves.
export function miniBoard(game, settings, moves, last = moves.slice(-1)) {
  return miniPosition(game, scratch(game, settings).restart(moves).position, last);
}

// A picture of what a game looks like when it is under way; the rules of one from outside play some moves for it.
export function samplePicture(game) {
  const look = lookOf(game);
  if (look.sample) return miniBoard(game, look.sample[0], look.sample[1].split(";"));
  return miniBoard(game, {}, sampleMoves(scratch(game, {})));
}

// The same for those of its help, in order: [moves, picture].
export const samplePictures = (game) => [0, 2, 9].map((plies) => sampleMoves(scratch(game, {}), plies)).map((moves) => miniBoard(game, {}, moves));
