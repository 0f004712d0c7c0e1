// SPDX-License-Identifier: MIT
// The levels of built-in players: ten rungs, the weakest first, and any legal move; what they are called, and what the
// rungs of a game were found to be worth.
import { about } from "./api.js";
import { t } from "./words.js";

export const levelWords = () => [...(about.levels || []), "random"];

export const levelPlayer = (level) => (level === "random" ? "random" : `builtin:${level}`);

// "builtin:easy,nodes=500" has a level, by its name or number; without one it is strong.
export function levelOf(player) {
  const word = player === "random" ? player : player.split(/[:,]/)[1] || "strong";
  return (about.levels || [])[word - 1] || (/^(easy|normal|strong|random|\d+)$/.test(word) ? word : "strong");
}

export const levelName = (level) => (/^\d+$/.test(level) ? t("level.number", { n: level }) : t(`level.${level}`));

// As short as it can be: its number, and its name if it has one.
export function levelLabel(level) {
  const n = (about.levels || []).indexOf(level) + 1;
  return !n ? levelName(level) : String(n) === level ? level : `${n} ${levelName(level)}`;
}

const rungOf = (game, level) => about.contests?.[game]?.rungs?.[about.levels.indexOf(level)];

// "Elo 1350", or nothing.
export function levelElo(game, level) {
  const rung = rungOf(game, level);
  return rung ? t("level.elo", { elo: rung.elo }) : "";
}

// The same with its interval, in a sentence.
export function levelWorth(game, level) {
  const rung = rungOf(game, level);
  return level === "random" ? t("level.words.random") : rung ? t("level.worth", rung) : t("level.unmeasured");
}
