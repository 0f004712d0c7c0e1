// SPDX-License-Identifier: MIT
// What a person has set, kept in the browser.

const STANDARD = {
  language: "", theme: "system", board: "wood", stones: "stone",
  blocking: true, blocks: 4, switches: {} /* of games from outside, by game: what is not the standard */, limit: true, seconds: {} /* by game, if it is not the usual */,
  people: false, wins: 2, league: "normal",
  sound: true, volume: 60, countdown: false,
  legal: true, confirm: false, coordinates: true, calm: false, name: "",
  monitor: "" /* of the projector, by its label; "": the one the window is on */, rotate: 15 /* seconds of a view there */,
};

const KEY = "arbiter.prefs";
const watchers = new Set();

function read() {
  try {
    return { ...STANDARD, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { ...STANDARD };
  }
}

export const prefs = read();

export function setPref(key, value) {
  prefs[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch { /* kept for this page alone */ }
  applyLooks();
  for (const hear of watchers) hear(key);
}

export const onPref = (hear) => { watchers.add(hear); return () => watchers.delete(hear); };

// Looks are attributes of the root; the style sheet does the rest.
export function applyLooks() {
  const root = document.documentElement;
  if (prefs.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = prefs.theme;
  root.dataset.board = prefs.board;
  root.dataset.stones = prefs.stones;
  root.dataset.calm = prefs.calm ? "yes" : "no";
  root.dataset.coordinates = prefs.coordinates ? "yes" : "no";
}

// The system has become light or dark: what is drawn, and not styled, is drawn anew.
export function followSystem() {
  applyLooks();
  for (const hear of watchers) hear("theme");
}

export const isCalm = () => prefs.calm || matchMedia("(prefers-reduced-motion: reduce)").matches;

export function isDark() {
  if (prefs.theme !== "system") return prefs.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// The seats a person chose last for a game.
export function seatsOf(game) {
  try {
    return JSON.parse(localStorage.getItem(`arbiter.seats.${game}`)) || ["human", "builtin:easy"];
  } catch {
    return ["human", "builtin:easy"];
  }
}

export function keepSeats(game, seats) {
  try {
    localStorage.setItem(`arbiter.seats.${game}`, JSON.stringify(seats));
  } catch { /* for this page alone */ }
}
