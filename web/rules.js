// SPDX-License-Identifier: MIT
// The rules of the games: src/games as WebAssembly, and a module for each game from outside. One object plays one game.
import { outsideModule } from "./outside.js";

let module = null;

export async function loadRules() {
  const bytes = await (await fetch("/static/games.wasm")).arrayBuffer();
  module = await WebAssembly.compile(bytes);
}

export class Rules {
  constructor(game, settings = {}) {
    this.open(game, settings);
  }

  words() {
    const memory = new Uint8Array(this.wasm.memory.buffer);
    return new TextDecoder().decode(memory.subarray(this.buffer, memory.indexOf(0, this.buffer)));
  }

  say(text) {
    const memory = new Uint8Array(this.wasm.memory.buffer);
    memory.set(new TextEncoder().encode(text + "\0"), this.buffer);
  }

  use(wanted) {
    if (this.module === wanted) return;
    this.module = wanted;
    this.wasm = new WebAssembly.Instance(wanted, {}).exports;
    this.buffer = this.wasm.wasm_buffer();
  }

  // Another game, from its start. Throws the reason if it cannot be.
  open(game, settings = {}) {
    this.use(outsideModule(game) || module);
    for (let i = 0; this.wasm.wasm_open(i) >= 0; i++) if (this.words() === game) break;
    if (this.words() !== game) throw new Error(game);
    for (const [key, value] of Object.entries(settings)) {
      this.say(`${key}=${value}`);
      if (!this.wasm.wasm_set()) throw new Error(this.words());
    }
    this.game = game;
    this.settings = settings;
    return this.restart();
  }

  restart(moves = []) {
    this.say("");
    if (!this.wasm.wasm_begin()) throw new Error(this.words());
    this.moves = [];
    for (const move of moves) this.play(move);
    return this;
  }

  // Plays a move; returns why it cannot be played, or null.
  play(text) {
    if (text === "pass") {
      if (!this.wasm.wasm_play(0xffffffff)) return this.words();
    } else {
      this.say(text);
      if (!this.wasm.wasm_read_move()) return this.words();
      if (!this.wasm.wasm_play(this.wasm.wasm_last_read())) return this.words();
    }
    this.moves.push(text);
    return null;
  }

  // Why a move cannot be played, or null; plays nothing.
  refuse(text) {
    this.say(text);
    if (!this.wasm.wasm_read_move()) return this.words();
    return this.wasm.wasm_legal(this.wasm.wasm_last_read()) ? null : this.words();
  }

  // The position after a move; plays nothing.
  peek(text) {
    const here = this.position, moves = [...this.moves];
    const why = this.play(text);
    const there = why ? null : this.position;
    this.say(here);
    this.wasm.wasm_begin();
    this.moves = moves;
    return there;
  }

  legal() {
    const list = [];
    const count = this.wasm.wasm_count();
    for (let i = 0; i < count; i++) {
      this.wasm.wasm_write_move(this.wasm.wasm_nth(i));
      list.push(this.words());
    }
    return list;
  }

  get turn() { return this.wasm.wasm_turn(); }
  get count() { return this.wasm.wasm_count(); }
  get over() { return this.turn === 0; }
  get ending() { this.wasm.wasm_ending(); return this.words(); }
  get winner() { return this.wasm.wasm_winner(); }
  get scores() { return this.wasm.wasm_has_scores() ? [this.wasm.wasm_score(1), this.wasm.wasm_score(2)] : null; }
  get position() { this.wasm.wasm_position(); return this.words(); }

  // How many moves the rest of the turn holds.
  get due() { return this.wasm.wasm_due(); }
}
