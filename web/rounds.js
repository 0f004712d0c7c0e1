// SPDX-License-Identifier: MIT
// What the rounds of a contest are called, and which game comes next. Rounds and tables are numbered as in
// src/contest/double.c: in a double elimination the losers' bracket begins at 1000, the final is 2000.
import { t } from "./words.js";
import { playerName } from "./sentences.js";

export const LOSERS = 1000, FINAL = 2000;

// How many rounds a bracket has; all pairs of its first round are known from the beginning.
export function roundsOf(meetings) {
  const tables = meetings.filter((m) => m.round === 0).length;
  return Math.max(1, Math.ceil(Math.log2(Math.max(1, tables))) + 1);
}

export function roundName(format, round, rounds) {
  if (round >= FINAL) return t(round > FINAL ? "final.again" : "final");
  if (round >= LOSERS) return t("losers.n", { n: round - LOSERS + 1 });
  const left = rounds - round;
  if (format === "double") return left === 1 ? t("winners.final") : t("winners.n", { n: round + 1 });
  if (format !== "knockout" || left > 3) return t("round.n", { n: round + 1 });
  return t(left === 1 ? "final" : left === 2 ? "semifinals" : "quarterfinals");
}

// A pair of a bracket, as it is spoken of: "Semi-final 1".
export function pairName(format, round, table, rounds) {
  const left = rounds - round;
  if (format === "knockout" && left >= 1 && left <= 3) {
    if (left === 1) return t(table ? "third" : "final");
    return t(left === 2 ? "semifinal.n" : "quarterfinal.n", { n: table + 1 });
  }
  return `${roundName(format, round, rounds)} · ${t("table.n", { n: table + 1 })}`;
}

// A game of a contest: "Semi-final 1, game 3". Places are counted from 0.
export function gameName(report, { stage, round, table, leg }) {
  const plan = report?.plan[stage];
  if (!plan) return "";
  const bracket = plan.format === "knockout" || plan.format === "double";
  const name = bracket ? pairName(plan.format, round, table, roundsOf(report.meetings[stage] || [])) : t("round.n", { n: round + 1 });
  return bracket || plan.games > 1 ? t("name.game", { name, n: leg + 1 }) : name;
}

// The next games that wait, as "A – B, semi-final 2"; those in play do not, though the report is of before they began.
export function nextGames(report, live = [], most = 1) {
  const playing = new Set(live.map((game) => Number(game.id.replace(/.*g/, "")))); // "CONTESTgNUMBER"
  return (report?.games || []).filter((game) => game.state === "waiting" && !playing.has(game.number)).sort((a, b) => a.number - b.number).slice(0, most)
    .map((game) => t("next.pair", { a: playerName(game.black), b: playerName(game.white),
      name: gameName(report, { stage: game.stage - 1, round: game.round - 1, table: game.table - 1, leg: game.leg }) }));
}

// The meeting that a game belongs to.
export const meetingOf = (report, { stage, round, table }) =>
  (report?.meetings[stage] || []).find((m) => m.round === round && m.table === table) || null;

export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined) return "";
  return seconds < 90 ? t("left.minute") : t("left.minutes", { n: Math.round(seconds / 60) });
}
