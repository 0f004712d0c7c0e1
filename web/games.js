// SPDX-License-Identifier: MIT
// A game as the page sees it, whoever runs it. Two people at one screen need no server: LocalGame is
// the rules alone. Everything else is a game of the server: RemoteGame. Both tell `hear(state)`.
import { Rules } from "./rules.js";
import { about, post } from "./api.js";
import { watch } from "./live.js";
import { isReady, needGame } from "./boards/index.js";

// Blocked cells drawn here, as the server draws them for its games.
function drawBlocks(text, size = 19) {
  const count = +(text.split(":")[1] || 4), cells = new Set();
  while (cells.size < count) cells.add(`${Math.floor(Math.random() * size)},${Math.floor(Math.random() * size)}`);
  return [...cells].join(" ");
}

// A game of two people outlives the page: it is kept for the tab until it is over or another is begun.
const keptKey = (game) => `arbiter.local.${game}`;

function keep({ game, settings, seats, moves, ms, tally, number, state }) {
  try {
    if (state === "over") sessionStorage.removeItem(keptKey(game));
    else sessionStorage.setItem(keptKey(game), JSON.stringify({ game, settings, seats, moves, ms, tally, number }));
  } catch { /* for this page alone */ }
}

export const forgetGame = (game) => keep({ game, state: "over" });

// The game that was kept, or null.
export function keptGame(game, hear) {
  try {
    return LocalGame.from(JSON.parse(sessionStorage.getItem(keptKey(game))), hear);
  } catch {
    return null; // none, or one that the rules refuse
  }
}

export class LocalGame {
  constructor(plan, hear) {
    const settings = { ...plan.set };
    if (settings.blocks?.startsWith("random")) settings.blocks = drawBlocks(settings.blocks);
    if (settings.blocks === "none") delete settings.blocks;
    this.hear = hear;
    this.rules = new Rules(plan.game, settings);
    this.began = performance.now();
    this.state = { local: true, id: null, next: "", game: plan.game, settings, time_ms: 0, people: false,
      seats: plan.seats.map((player, i) => ({ player, name: plan.names?.[i] || "" })), moves: [], ms: [],
      state: "running", awaits: this.rules.turn, left_ms: null, result: null,
      tally: plan.tally || [0, 0], number: plan.number || 1, plan };
  }

  // Goes on with a game of the server that two people played when it was lost.
  static from(state, hear) {
    const game = new LocalGame({ game: state.game, set: state.settings, seats: state.seats.map((seat) => seat.player), names: state.seats.map((seat) => seat.name), tally: state.tally, number: state.number }, hear);
    game.rules.restart(state.moves);
    game.state = { ...game.state, moves: [...state.moves], ms: [...state.ms], awaits: game.rules.turn };
    return game;
  }

  start() {
    keep(this.state);
    this.hear(this.state, null);
  }

  leave() {}

  tell() {
    const { rules, state } = this;
    this.state = { ...state, moves: [...rules.moves], awaits: state.result ? 0 : rules.turn };
    keep(this.state);
    this.hear(this.state, null);
  }

  async play(moves) {
    const now = performance.now(), ms = [...this.state.ms];
    moves.forEach((move, i) => { this.rules.play(move); ms.push(i === moves.length - 1 ? now - this.began : 0); });
    this.began = now;
    this.state = { ...this.state, ms };
    if (this.rules.over) await this.end({ winner: this.rules.winner, reason: this.rules.ending });
    this.tell();
  }

  // Whoever is to move gives up.
  async resign() {
    const { turn } = this.rules;
    await this.end({ winner: 3 - turn, reason: "resigned" }, { resigned: turn });
    this.tell();
  }

  // A game that is over is kept by the server, if it is there and we may.
  async end(result, how = {}) {
    const { rules, state } = this;
    this.state = { ...state, state: "over", result: { ...result, scores: rules.scores, verdict: null } };
    if (!about.organiser && !about.visitors) return;
    try {
      const { id } = await post("kept", { game: state.game, set: state.settings, moves: rules.moves, ms: state.ms,
        names: state.seats.map((seat) => seat.name), ...how });
      this.state = { ...this.state, id };
    } catch { /* it was played all the same */ }
  }

  // Takes the last turn back.
  async undo() {
    const movers = moversOf(this.rules, this.state.moves);
    let from = movers.length - 1;
    while (from > 0 && movers[from - 1] === movers.at(-1)) from--;
    this.rules.restart(this.state.moves.slice(0, from));
    this.state = { ...this.state, ms: this.state.ms.slice(0, from) };
    this.began = performance.now();
    this.tell();
  }

  async again() {
    const { state } = this, won = state.result?.winner;
    const plan = { ...state.plan, seats: [...state.plan.seats].reverse(), names: state.seats.map((seat) => seat.name).reverse(),
      number: state.number + 1, tally: [state.tally[1] + (won === 2), state.tally[0] + (won === 1)] };
    return new LocalGame(plan, this.hear);
  }
}

// Follows a game of the server. The rules of one from outside are fetched before anything is told of it; if there are
// none, it is told all the same.
export function watchGame(id, hear) {
  let newest = null, ready = false;
  const stop = watch(`game/${id}`, (state, change) => {
    newest = state;
    ready ||= isReady(state.game);
    if (ready) return hear(state, change);
    return needGame(state.game).then(() => {
      if (ready) return; // told already, or nobody hears
      ready = true;
      hear(newest, null);
    });
  });
  return () => { ready = true; stop(); };
}

export class RemoteGame {
  constructor(id, hear) {
    this.id = id;
    this.hear = hear;
    this.state = null;
  }

  start() {
    this.leave = watchGame(this.id, (state, change) => { this.state = state; this.hear(state, change); });
  }

  play(moves) { return post(`games/${this.id}/move`, { ply: this.state.moves.length, moves: moves.join(";") }); }
  undo() { return post(`games/${this.id}/undo`); }
  pause() { return post(`games/${this.id}/pause`); }
  goOn() { return post(`games/${this.id}/continue`); }
  sit(name) { return post(`games/${this.id}/sit`, { name }); }
  resign() { return post(`games/${this.id}/resign`); }
  draw() { return post(`games/${this.id}/draw`); }
  decline() { return post(`games/${this.id}/decline`); }
  forsake() { return post(`games/${this.id}/leave`); }
  end() { return post(`games/${this.id}/end`); }

  // The id of the next game; none while the other is asked.
  async again() {
    const { id } = await post(`games/${this.id}/again`);
    return id || null;
  }
}

// Who made each move, by the rules.
export function moversOf(rules, moves) {
  const movers = [];
  rules.restart();
  for (const move of moves) { movers.push(rules.turn); rules.play(move); }
  return movers;
}
