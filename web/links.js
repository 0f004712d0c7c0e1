// SPDX-License-Identifier: MIT
// Where things are shown: the games of a player, the contest of a game.

// All games that are over, by what is looked for.
export function gamesAddress(asked) {
  const text = new URLSearchParams(Object.entries(asked).filter(([, value]) => value)).toString();
  return text ? `/games?${text}` : "/games";
}

// The games of whoever sits there: by name, or by what he is.
export const gamesLink = ({ player, name }) => gamesAddress({ player: name || player });

// The contest that a game belongs to, by its id: [contest, number], or [].
export const contestOf = (id) => (/^(\w+?)g(\d+)$/.exec(id || "") || []).slice(1);
