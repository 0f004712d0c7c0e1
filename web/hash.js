// SPDX-License-Identifier: MIT
// What follows the # of an address: names and values. It holds what is shown, so that a link shows the same.

export const readHash = () => new URLSearchParams(location.hash.slice(1));

// Written so that people can read it.
export function hashText(values) {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "" && value !== undefined && value !== null)).toString();
  return text.replace(/%2C/g, ",").replace(/%3B/g, ";").replace(/%28/g, "(").replace(/%29/g, ")").replace(/%3A/g, ":");
}

// Replaces it without a step in the history.
export function writeHash(values) {
  const text = hashText(values);
  history.replaceState(history.state, "", `${location.pathname}${location.search}${text ? `#${text}` : ""}`);
}

// The address of the analysis board for a position.
export const analysisLink = ({ game, settings = {}, moves = "", turn, via, from }) =>
  `/analysis/${game}#${hashText({ ...settingsOf(settings), moves, turn, via, from })}`;

const SET = "set.";
const settingsOf = (settings) => Object.fromEntries(Object.entries(settings).map(([key, value]) => [SET + key, value]));

export const settingsIn = (hash) => Object.fromEntries([...hash].filter(([key]) => key.startsWith(SET)).map(([key, value]) => [key.slice(SET.length), value]));
