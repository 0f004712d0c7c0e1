// SPDX-License-Identifier: MIT
// A knock-out as a tree: a box per pair, the winner bold, pairs in play with an accent edge.
import { s } from "./dom.js";
import { t } from "./words.js";

const WIDTH = 170, STEP_X = 220, BOX = 60, STEP_Y = 80, TOP = 28;

// How many rounds a bracket of so many players has.
const roundsOf = (players) => Math.max(1, Math.ceil(Math.log2(Math.max(2, players))));

function roundName(round, rounds) {
  const left = rounds - round;
  return left === 1 ? t("final") : left === 2 ? t("semifinals") : left === 3 ? t("quarterfinals") : t("round.n", { n: round + 1 });
}

const cut = (name) => (name.length > 16 ? `${name.slice(0, 15)}…` : name);

function box(x, y, meeting, names) {
  const live = meeting && !meeting.over && meeting.players.every((p) => p >= 0);
  const parts = [s("rect", { class: live ? "now" : "", x: x + 1, y, width: WIDTH, height: BOX, rx: 8 })];
  [0, 1].forEach((i) => {
    const player = meeting ? meeting.players[i] : -1;
    const look = meeting?.over ? (meeting.winner === i ? "w" : "l") : "";
    parts.push(s("text", { class: player >= 0 ? look : "l", x: x + 14, y: y + 24 + 25 * i }, player >= 0 ? cut(names[player]) : meeting?.over ? t("bye") : "–"));
    if (player >= 0 && meeting) parts.push(s("text", { class: `r ${look}`, x: x + WIDTH - 12, y: y + 24 + 25 * i }, String(meeting.points[i] / 2)));
  });
  parts.push(s("path", { d: `M${x + 1} ${y + BOX / 2}h${WIDTH}`, opacity: 0.5 }));
  return parts;
}

// meetings of a knock-out stage; `third` is the game for the third place, at table 1 of the last round.
export function drawBracket(meetings, names, players) {
  const rounds = roundsOf(players), parts = [], high = TOP + STEP_Y * 2 ** (rounds - 1);
  const find = (round, table) => meetings.find((m) => m.round === round && m.table === table);
  const y = (round, table) => TOP + (STEP_Y * 2 ** round * (2 * table + 1)) / 2 - BOX / 2;
  for (let round = 0; round < rounds; round++) {
    const x = round * STEP_X, tables = 2 ** (rounds - 1 - round);
    parts.push(s("text", { class: "hd", x: x + 2, y: 14 }, roundName(round, rounds)));
    for (let table = 0; table < tables; table++) {
      const meeting = find(round, table), here = y(round, table) + BOX / 2;
      if (round < rounds - 1) {
        const to = y(round + 1, table >> 1) + BOX / 2 + (table % 2 ? 15 : -15);
        parts.unshift(s("path", { class: meeting?.over ? "wp" : "", d: `M${x + WIDTH + 1} ${here}h25V${to}h25` }));
      }
      parts.push(...box(x, y(round, table), meeting, names));
    }
  }
  const third = find(rounds - 1, 1);
  const bottom = third ? Math.max(high, y(rounds - 1, 0) + 150) : high;
  if (third) parts.push(s("text", { class: "hd", x: (rounds - 1) * STEP_X + 2, y: y(rounds - 1, 0) + 84 }, t("third")), ...box((rounds - 1) * STEP_X, y(rounds - 1, 0) + 92, third, names));
  const wide = (rounds - 1) * STEP_X + WIDTH + 4;
  return s("svg", { class: "tree", width: wide, viewBox: `0 0 ${wide} ${bottom + 8}`, role: "img", "aria-label": t("knockout") }, parts);
}
