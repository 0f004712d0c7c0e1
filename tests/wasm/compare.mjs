// SPDX-License-Identifier: MIT
// node compare.mjs GAMES.wasm NATIVE: the same random games by both builds of the rules, move for
// move. Prints TAP, a test per ruleset.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const SEED = 1n;
const GAMES = 100;
const [, , wasmPath, nativePath] = process.argv;

const bytes = readFileSync(wasmPath);
const module = new WebAssembly.Module(bytes);
const imports = WebAssembly.Module.imports(module);
const wasm = new WebAssembly.Instance(module, {}).exports;

function words() {
  const memory = new Uint8Array(wasm.memory.buffer);
  const start = wasm.wasm_buffer();
  return new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start)));
}

function say(text) {
  const memory = new Uint8Array(wasm.memory.buffer);
  const encoded = new TextEncoder().encode(text + "\0");
  memory.set(encoded, wasm.wasm_buffer());
}

function open(game, settings) {
  for (let i = 0; wasm.wasm_open(i) >= 0; i++) {
    if (words() !== game) continue;
    for (const setting of settings) {
      say(setting);
      if (!wasm.wasm_set()) throw new Error(words());
    }
    return;
  }
  throw new Error(`no game ${game}`);
}

// splitmix64 and the bounded draw of src/base/rng.h
const U64 = (n) => BigInt.asUintN(64, n);
function random(seed) {
  let state = seed;
  return (n) => {
    state = U64(state + 0x9e3779b97f4a7c15n);
    let z = U64((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = U64((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    z ^= z >> 31n;
    return Number(((z >> 32n) * BigInt(n)) >> 32n);
  };
}

function playGame(seed) {
  const below = random(seed);
  let line = "";
  say("");
  if (!wasm.wasm_begin()) throw new Error(words());
  for (let count; (count = wasm.wasm_count()) > 0; ) {
    const move = wasm.wasm_nth(below(count));
    wasm.wasm_write_move(move);
    line += `${count}:${words()};`;
    if (!wasm.wasm_read_move() || wasm.wasm_last_read() !== move) throw new Error("no round trip");
    if (!wasm.wasm_play(move)) throw new Error(words());
  }
  const hex = (half) => (wasm.wasm_hash(half) >>> 0).toString(16).padStart(8, "0");
  wasm.wasm_ending();
  const ending = words();
  wasm.wasm_position();
  return `${line} ${ending} ${wasm.wasm_winner()} ${wasm.wasm_score(1)} ${wasm.wasm_score(2)} ${hex(1)}${hex(0)} ${words()}`;
}

const native = execFileSync(nativePath, [String(SEED), String(GAMES)], { maxBuffer: 1 << 30 });
const lines = native.toString().trimEnd().split("\n");
let tests = 0;
let failed = 0;
function report(good, name) {
  tests++;
  if (!good) failed++;
  console.log(`${good ? "ok" : "not ok"} ${tests} - ${name}`);
}

report(imports.length === 0, "the module imports nothing");
for (let at = 0; at < lines.length; at += GAMES + 1) {
  const [game, ...settings] = lines[at].slice(2).split("|");
  let good = true;
  try {
    open(game, settings);
    for (let i = 0; good && i < GAMES; i++) {
      const ours = playGame(SEED + BigInt(i));
      good = ours === lines[at + 1 + i];
      if (!good) console.log(`# wasm:   ${ours}\n# native: ${lines[at + 1 + i]}`);
    }
  } catch (error) {
    good = false;
    console.log(`# ${error}`);
  }
  report(good, `${game} ${settings.join(" ")}`);
}
console.log(`1..${tests}`);
process.exitCode = failed ? 1 : 0;
