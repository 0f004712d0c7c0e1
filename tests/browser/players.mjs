// SPDX-License-Identifier: MIT
// How a test plays each game: chosen in the page by the page's own rules, played by clicks alone.
import { clickBoard } from "./harness.mjs";

// Chooses a whole turn for whoever is to move; runs in the browser.
export async function choose({ game, settings, moves }) {
  const { Rules } = await import("/static/app.js");
  const rules = new Rules(game, settings).restart(moves);
  const me = rules.turn, other = 3 - me;
  const after = (list) => new Rules(game, settings).restart([...moves, ...list]);
  if (game === "connect6") return chooseSix();
  const weigh = (move) => {
    const next = after([move]);
    if (next.over) return next.winner === me ? 1e6 : next.winner === 0 ? 0 : -1e6;
    let value = worth(next);
    if (game === "cuptactoe") {
      for (const reply of next.legal()) {
        const last = after([move, reply]);
        if (last.over && last.winner === other) return -1e5;
      }
    }
    return value + (game === "hopchess" ? progress(next.position) : 0);
  };
  const worth = (state) => (game === "reversi" ? chance(state) : state.scores ? 10 * (state.scores[me - 1] - state.scores[other - 1]) : 0);
  // How often it is won if both go on at random: to turn few discs, or to leave few moves, wins seven of ten games alone.
  const chance = (state) => {
    const { wasm, position } = state;
    let points = 0;
    for (let i = 0; i < 20; i++) {
      state.say(position);
      wasm.wasm_begin();
      while (!state.over) wasm.wasm_play(wasm.wasm_nth(Math.floor(Math.random() * state.count)));
      points += state.winner === me ? 1 : state.winner === 0 ? 0.5 : 0;
    }
    return points;
  };
  // Own pieces as far towards their target as they come, and few of the opponent's.
  const progress = (position) => {
    let sum = 0;
    position.split(" ")[0].split("/").forEach((row) => {
      let c = 0;
      for (const part of row.match(/\d|[XO]/g)) {
        if (/\d/.test(part)) { c += +part; continue; }
        if ((part === "X" ? 1 : 2) === me) sum += me === 1 ? Math.min(6, c) : 7 - Math.max(1, c);
        else sum -= 4;
        c++;
      }
    });
    return sum;
  };
  let best = null, most = -Infinity;
  for (const move of rules.legal()) {
    const value = weigh(move) + Math.random() * 0.1;
    if (value > most) { most = value; best = move; }
  }
  return [best];

  // The row of six that is furthest along, and free.
  function chooseSix() {
    const taken = new Map(), blocked = new Set((settings.blocks || "").split(" "));
    moves.forEach((move, i) => taken.set(move, Math.floor((i + 1) / 2) % 2 ? 2 : 1));
    const mine = (x, y) => taken.get(`${x},${y}`) === me, free = (x, y) => !taken.has(`${x},${y}`) && !blocked.has(`${x},${y}`);
    let found = null, have = -1;
    for (let y = 0; y < 19; y++) for (let x = 0; x + 5 < 19; x++) {
      const cells = [0, 1, 2, 3, 4, 5].map((k) => [x + k, y]);
      const own = cells.filter(([a, b]) => mine(a, b)).length;
      const ends = [[x - 1, y], [x + 6, y]].some(([a, b]) => mine(a, b) || blocked.has(`${a},${b}`));
      if (own > have && !ends && cells.every(([a, b]) => mine(a, b) || free(a, b))) { have = own; found = cells; }
    }
    return found.filter(([x, y]) => free(x, y)).slice(0, moves.length ? 2 : 1).map(String);
  }
}

const cell = (text) => text.split(",").map(Number);

// The board takes a click: the referee has asked, a little after the page shows whose turn it is.
const ready = (page) => page.waitForSelector(".boardcol .mine");

export const play = {
  async connect6(page, moves) {
    await ready(page);
    for (const [x, y] of moves.map(cell)) await clickBoard(page, 44 + 40 * x, 44 + 40 * y);
  },
  async reversi(page, [move]) {
    const [r, c] = cell(move);
    await ready(page);
    await clickBoard(page, 64 + 80 * c, 64 + 80 * r);
  },
  async hopchess(page, [move]) {
    await ready(page);
    for (const [r, c] of move.split(" ").map(cell)) await clickBoard(page, 64 + 80 * c, 64 + 80 * r);
    const go = page.locator(".acts .btn.go", { hasText: /\bhops?\b/ });
    if (await go.count()) await go.click();
  },
  async cuptactoe(page, [move]) {
    const [a, b] = move.split(" ").map(Number);
    const at = (i) => [88 + 160 * (i % 3), 90 + 160 * Math.floor(i / 3)];
    if (a >= 90) await clickBoard(page, ...at(a - 90));
    else await page.locator(`.handrow.mine [data-size="${a}"] g:not(.gone)`).first().click({ force: true });
    await clickBoard(page, ...at(b));
  },
  async tower4(page, [move]) {
    const [r, c] = cell(move);
    await clickBoard(page, 20 + 32 * c, 20 + 32 * r, ".stage .field");
  },
};
