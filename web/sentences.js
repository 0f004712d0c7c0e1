// SPDX-License-Identifier: MIT
// What is said of players and results.
import { h } from "./dom.js";
import { isSentence, said, t } from "./words.js";
import { levelName, levelOf } from "./levels.js";
import { outsideGame, reasonWords } from "./outside.js";

export const colour = (player) => t(player === 1 ? "black" : "white");

export const isPerson = (seat) => seat.player === "human";
export const isBuiltin = (seat) => seat.player === "random" || seat.player.startsWith("builtin");

export function seatName(seat) {
  const { player, name } = seat;
  if (player === "guest") return t("guest");
  if (player === "human") return name || t(seat.free ? "guest" : "visitor");
  if (player === "random") return t("random");
  if (player.startsWith("builtin")) return t("builtin.level", { level: levelName(levelOf(player)) });
  if (player.startsWith("own:")) return name && name !== player.slice(4) ? `${name} · ${player.slice(4)}` : player.slice(4);
  if (player.startsWith("tcp:")) return name || t("team", { n: player.slice(4) });
  if (player === "house") return t("house");
  return name || player;
}

// What a program has told of itself (INFO of connect6): how it is called, where that is not its name here, and where it is from.
export function seatOrigin(seat) {
  if (isBuiltin(seat) || isPerson(seat)) return "";
  const called = seat.called && seat.called !== seat.name && !seat.called.startsWith("arbiter ") ? t("info.team", { name: seat.called }) : "";
  return [called, seat.department ? t("info.department", { name: seat.department }) : ""].filter(Boolean).join(" · ");
}

// A player of a contest. Built-in ones are named there by what starts them, so that each reads them in his language.
export const playerName = (name) => (name === "(the house)" ? t("house") : /^(random|builtin(:(easy|normal|strong|[1-9]|10))?)$/.test(name) ? seatName({ player: name }) : name);

export function seatKind(seat) {
  const { player } = seat;
  if (player === "human" || player === "guest") return t("kind.person");
  if (isBuiltin(seat)) return t("kind.builtin");
  if (player.startsWith("tcp:")) return t("kind.team");
  return player.startsWith("own:") ? t("kind.own") : t("kind.entrant");
}

// What a player did wrong; of a late answer also how late it was.
function fault({ word, ms }, limit) {
  return word === "late" && ms && limit ? t("verdict.late.of", { used: seconds(ms), limit: seconds(limit) }) : t(`verdict.${word}`);
}

// What was done wrong where a turn was due and the game went on: the judge has moved instead, or skipped it. "": nothing.
export function turnFault(faults, moves, from, to) {
  const one = faults.findLast(({ ply }) => ply >= from && ply < to);
  return one ? t(moves[one.ply] === "pass" ? "fault.skipped" : "fault.moved", { why: t(`verdict.${one.word}`) }) : "";
}

// What shows a fault. What is in the dictionary is ours, anything else are the program's own words.
export function evidence({ evidence: words }) {
  if (!words) return "";
  return isSentence(words) ? t("evidence", { words: said(words) }) : t("evidence.said", { words });
}

// Why it ended, after what both have counted in the end, where the caller knows it.
const reasonOf = ({ game, reason, counted }) => (counted ? t("reason.score", { a: counted[0], b: counted[1], why: reasonWords(game, reason) }) : reasonWords(game, reason));

// Whether a person has lost it on time, who is told so as people say it.
const isLatePerson = ({ winner, reason, verdict }, seats) =>
  reason === "forfeit" && verdict?.word === "late" && verdict.player === 3 - winner && Boolean(seats) && isPerson(seats[verdict.player - 1]);

// Whether the rules of a game from outside have ended it: what the platform tells begins so.
const haveRulesFailed = ({ platform }) => Boolean(platform?.startsWith("the rules of "));

// How a game ended, in one sentence; a result has the name of its game where it may be one from outside. The limit is that of a turn, in ms. `yours` are the seats of whoever reads it.
export function resultSentence(result, limit = 0, seats = null, yours = [false, false]) {
  if (!result) return "";
  const { winner, reason, verdict } = result;
  if (isLatePerson(result, seats)) return yours[verdict.player - 1] && !yours[winner - 1] ? t("late.you") : t("late.person", { who: colour(verdict.player) });
  if (winner === null) return t(reason !== "platform" ? "nobody" : haveRulesFailed(result) ? "nobody.rules" : "nobody.platform");
  if (winner === 0) return t("draws", { why: reasonOf(result) });
  const loser = 3 - winner;
  if (verdict && verdict.player === loser && reason === "forfeit") return t("loses", { who: colour(loser), why: fault(verdict, limit) });
  if (reason === "overline" && !outsideGame(result.game)) return t("loses", { who: colour(loser), why: reasonOf(result) });
  return t("wins", { who: colour(winner), why: reasonOf(result) });
}

// The score of a game in a contest's list: both counts, or by how much it was won where that is what counts.
export function scoreAside({ scores, reason }) {
  const [a, b] = scores || [0, 0];
  if ((!a && !b) || reason === "forfeit") return "";
  return h("span", { class: "num" }, ` · ${a === -b ? `+${Math.abs(a)}` : `${a} : ${b}`}`);
}

// What shows the fault that decided a game. Load and CPU time are nothing that a person did: who asks is told.
export function evidenceOf(result, seats) {
  const words = evidence(result.verdict || { evidence: result.platform });
  if (!result.verdict) return words ? h("details", { class: "s m" }, h("summary", {}, t("details")), words) : "";
  if (!isLatePerson(result, seats)) return h("span", { class: "evidence" }, ` ${words}`);
  return h("details", { class: "s m" }, h("summary", {}, t("details")), words);
}

export const seconds = (ms) => (Math.max(0, ms) / 1000).toFixed(1);
