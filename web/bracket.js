// SPDX-License-Identifier: MIT
// A knock-out or double elimination as a tree: a box per pair, the winner bold, pairs in play with an accent
// edge, the way of a winner drawn thicker. And the rounds of a Swiss as columns of boxes.
import { s } from "./dom.js";
import { playerName } from "./sentences.js";
import { t } from "./words.js";
import { gamesAddress } from "./links.js";
import { FINAL, LOSERS, pairName, roundName, roundsOf } from "./rounds.js";

const WIDTH = 176, STEP_X = 224, BOX = 60, STEP_Y = 80, TOP = 28;

const NAME = 134; // the room of a name in its box, before the points

let pen = null;
function widthOf(text) {
  pen ||= document.createElement("canvas").getContext("2d");
  pen.font = `650 14px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

// By its width: letters differ, and those of Korean and Chinese are twice as wide.
function cut(name) {
  let letters = [...name].slice(0, 40);
  if (letters.length === name.length && widthOf(name) <= NAME) return name;
  while (letters.length && widthOf(`${letters.join("")}…`) > NAME) letters = letters.slice(0, -1);
  return `${letters.join("")}…`;
}

// A pair that nobody came to.
const isHollow = (meeting) => Boolean(meeting?.over) && meeting.players.every((player) => player < 0);

class Tree {
  constructor(format, meetings, names, contest) {
    Object.assign(this, { format, meetings, names, contest, rounds: roundsOf(meetings), boxes: [], ways: [], wide: 0, high: 0 });
  }

  find(round, table) { return this.meetings.find((m) => m.round === round && m.table === table); }

  title(x, y, words) { this.boxes.push(s("text", { class: "hd", x: x + 2, y }, words)); }

  // feeders: the pairs that a side comes from, while it is not known: [round, table].
  box(x, y, meeting, feeders = []) {
    if (isHollow(meeting)) return;
    const live = meeting && !meeting.over && meeting.players.every((p) => p >= 0), first = this.boxes.length;
    this.boxes.push(s("rect", { class: live ? "now" : "", x: x + 1, y, width: WIDTH, height: BOX, rx: 8 }));
    [0, 1].forEach((i) => this.side(x, y + 24 + 25 * i, meeting, i, feeders[i]));
    this.boxes.push(s("path", { d: `M${x + 1} ${y + BOX / 2}h${WIDTH}`, opacity: 0.5 }));
    if (meeting?.players.every((p) => p >= 0)) this.link(first, meeting);
    this.wide = Math.max(this.wide, x + WIDTH + 4);
    this.high = Math.max(this.high, y + BOX + 8);
  }

  // What was drawn last leads to the games of the pair.
  link(first, { players }) {
    const [player, against] = players.map((p) => this.names[p]);
    this.boxes.push(s("a", { href: gamesAddress({ contest: this.contest, player, against }) }, this.boxes.splice(first)));
  }

  side(x, y, meeting, i, feeder) {
    const player = meeting ? meeting.players[i] : -1;
    const look = meeting?.over ? (meeting.winner === i ? "w" : "l") : "";
    const unknown = meeting?.over ? t("bye") : feeder ? t("winner.of", { name: pairName(this.format, ...feeder, this.rounds).toLowerCase() }) : "–";
    const words = player >= 0 ? playerName(this.names[player]) : unknown;
    this.boxes.push(s("text", { class: player >= 0 ? look : feeder && !meeting?.over ? "l wait" : "l", x: x + 14, y }, s("title", {}, words), player >= 0 ? cut(words) : words));
    if (player >= 0) this.boxes.push(s("text", { class: `r ${look}`, x: x + WIDTH - 12, y }, String(meeting.points[i] / 2)));
  }

  // From a box at (x, y) into the upper or lower half of the box at (x2, y2).
  way(meeting, x, y, x2, y2, half) {
    if (isHollow(meeting)) return;
    const to = y2 + BOX / 2 + 15 * half, bend = x2 - 23;
    this.ways.push(s("path", { class: meeting?.over ? "wp" : "", d: `M${x + WIDTH + 1} ${y + BOX / 2}H${bend}V${to}H${x2 + 1}` }));
  }

  draw(label) {
    return s("svg", { class: "tree", width: this.wide, viewBox: `0 0 ${this.wide} ${this.high}`, role: "group", "aria-label": label }, this.ways, this.boxes);
  }
}

const halving = (round, table, top) => top + (STEP_Y * 2 ** round * (2 * table + 1)) / 2 - BOX / 2;

// The rounds in which every pair halves, from one of them on.
function addWinners(tree, last, from = 0) {
  const { rounds } = tree;
  for (let round = from; round < rounds; round++) {
    const x = (round - from) * STEP_X;
    tree.title(x, 14, roundName(tree.format, round, rounds));
    for (let table = 0; table < 2 ** (rounds - 1 - round); table++) {
      const meeting = tree.find(round, table), y = halving(round - from, table, TOP);
      tree.box(x, y, meeting, round ? [[round - 1, 2 * table], [round - 1, 2 * table + 1]] : []);
      if (round < rounds - 1) tree.way(meeting, x, y, x + STEP_X, halving(round - from + 1, table >> 1, TOP), table % 2 ? 1 : -1);
      else last?.(meeting, x, y);
    }
  }
}

// All of it, or as many of the last rounds.
export function drawKnockout(meetings, names, contest, rounds = Infinity) {
  const tree = new Tree("knockout", meetings, names, contest), last = tree.rounds - 1, third = tree.find(last, 1);
  const from = Math.max(0, tree.rounds - rounds);
  addWinners(tree, null, from);
  if (third) {
    const x = (last - from) * STEP_X, y = halving(last - from, 0, TOP) + 92;
    tree.title(x, y - 8, t("third"));
    tree.box(x, y, third);
  }
  return tree.draw(t("knockout"));
}

// The losers' bracket below: odd rounds take those who come down, even ones halve.
function addLosers(tree, top, last) {
  const { rounds } = tree, count = 2 * (rounds - 1);
  for (let round = 0; round < count; round++) {
    const x = round * STEP_X;
    tree.title(x, top - 14, roundName("double", LOSERS + round, rounds));
    for (let table = 0; table < 2 ** (rounds - 2 - (round >> 1)); table++) {
      const meeting = tree.find(LOSERS + round, table), y = halving(round >> 1, table, top);
      tree.box(x, y, meeting);
      if (round === count - 1) last(meeting, x, y);
      else if (round % 2) tree.way(meeting, x, y, x + STEP_X, halving((round + 1) >> 1, table >> 1, top), table % 2 ? 1 : -1);
      else tree.way(meeting, x, y, x + STEP_X, y, 1);
    }
  }
}

export function drawDouble(meetings, names, contest) {
  const tree = new Tree("double", meetings, names, contest), { rounds } = tree;
  const x = Math.max(rounds, 2 * (rounds - 1)) * STEP_X, y = halving(rounds - 1, 0, TOP), again = tree.find(FINAL + 1, 0);
  addWinners(tree, (meeting, fx, fy) => tree.way(meeting, fx, fy, x, y, -1));
  if (rounds > 1) addLosers(tree, TOP + STEP_Y * 2 ** (rounds - 1) + 36, (meeting, lx, ly) => tree.way(meeting, lx, ly, x, y, 1));
  tree.title(x, y - 8, t("final"));
  tree.box(x, y, tree.find(FINAL, 0));
  if (again) {
    tree.title(x, y + 84, t("final.again"));
    tree.box(x, y + 92, again);
  }
  return tree.draw(t("format.double"));
}

// Round by round, side by side.
export function drawRounds(meetings, names, contest) {
  const tree = new Tree("swiss", meetings, names, contest);
  for (const meeting of meetings) {
    if (meeting.table === 0) tree.title(meeting.round * STEP_X, 14, t("round.n", { n: meeting.round + 1 }));
    tree.box(meeting.round * STEP_X, TOP - 6 + meeting.table * 68, meeting);
  }
  return tree.draw(t("format.swiss"));
}
