// SPDX-License-Identifier: MIT
// The analysis board: both sides are played by whoever looks, variations stand in a tree, and the engine says what it
// thinks of the position. The address holds all of it: opened elsewhere it shows the same.
import { h, icon, disc, say } from "../dom.js";
import { t } from "../words.js";
import { titleOf } from "../outside.js";
import { post } from "../api.js";
import { Rules } from "../rules.js";
import { lastTurn, lookOf, moveName, readPosition, scorePair } from "../boards/index.js";
import { moversOf } from "../games.js";
import { copyButton } from "../copy.js";
import { EngineLines } from "../enginelines.js";
import { Variations } from "../variations.js";
import { readHash, settingsIn, writeHash } from "../hash.js";
import { isPresenting, present } from "../present.js";
import { levelElo, levelLabel, levelPlayer, levelWords } from "../levels.js";
import { colour, resultSentence } from "../sentences.js";

export class AnalysisPage {
  constructor({ game }, app) {
    this.app = app;
    this.game = game;
    this.look = lookOf(game);
    this.el = h("main", { class: "ingame" });
    this.pending = []; // moves of an unfinished turn
    this.offers = []; // words of a move that are buttons
    this.keys = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.goTo(this.tree.root), End: () => this.goTo(this.tree.turn(this.tree.length)),
      ArrowUp: () => this.sideways(-1), ArrowDown: () => this.sideways(1), Delete: () => this.remove(), Escape: () => this.takeBack(), f: () => present() };
  }

  // Keys of the board work without a click on it, but for the arrows, which step.
  boardKey(event) {
    if (document.activeElement !== document.body || !this.look.letters || event.key.length > 1) return false;
    this.board.key(event);
    return event.defaultPrevented;
  }

  // Who has clicked on the board steps by the arrows; who came to it by the tab key moves its cursor by them.
  stepKey(event) {
    if (event.key === "Tab") this.pointed = false;
    const act = event.key.length > 1 && event.key !== "Escape" && this.keys[event.key];
    if (!this.pointed || !act || event.ctrlKey || event.altKey || event.metaKey) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }

  async open() {
    this.rehash();
  }

  close() {
    this.lines?.close();
    this.board?.close?.();
    if (isPresenting()) present(false);
  }

  // Reads the address.
  rehash() {
    const hash = readHash(), settings = settingsIn(hash);
    try {
      this.rules = new Rules(this.game, settings);
      this.scratch = new Rules(this.game, settings);
      this.settings = settings;
    } catch {
      return this.refuse();
    }
    this.from = /^\w+$/.test(hash.get("from") || "") ? hash.get("from") : "";
    this.tree = new Variations(this.scratch).read(hash.get("moves") || "");
    this.tree.go(+(hash.get("turn") ?? 0) || 0, hash.get("via") || "");
    this.build();
    this.show();
  }

  refuse() {
    this.app.setTitle(t("analysis"));
    this.el.replaceChildren(h("div", { class: "card pad empty" }, h("h1", {}, t("analysis.bad")), h("a", { class: "btn go", href: `/analysis/${this.game}` }, t("analysis.empty"))));
  }

  build() {
    this.close();
    this.board = new this.look.Board({ act: (move) => this.act(move), aim: (move, label) => this.aim(move, label), chain: (hops) => this.showChain(hops), offer: (words) => this.offer(words), refuse() {} }, this.settings);
    this.lines = new EngineLines((moves) => this.playLine(moves), (result) => this.hint(result));
    this.treeBox = h("section", { class: "card pad treecard", "aria-label": t("variations") });
    this.counter = h("span", { class: "s m counter" });
    this.note = h("p", { class: "s m note-line", role: "status" });
    this.confirms = h("div", { class: "confirms" });
    this.removeButton = h("button", { class: "btn", onclick: () => this.remove() }, t("variation.delete"));
    const boardColumn = h("div", { class: "boardcol", onpointerdown: () => { this.pointed = true; } }, this.board.el);
    boardColumn.addEventListener("keydown", (event) => this.stepKey(event), true);
    this.el.replaceChildren(h("div", { class: `play rp an ${this.game}` }, boardColumn,
      h("div", { class: "side-col" }, this.heading(), this.lines.el, this.treeBox, this.note, this.stepBar(), this.confirms, this.playOn(), this.shareBar())));
    this.app.setTitle(t("analysis"), true);
  }

  heading() {
    return h("div", { class: "replayhead" }, h("p", { class: "s m" }, titleOf(this.game), this.from ? [" · ", h("a", { href: `/replay/${this.from}` }, t("analysis.from"))] : ""),
      h("div", { class: "head" }, h("h1", {}, t("analysis")), h("span", { class: "push" }, h("a", { class: "btn flat", href: `/analysis/${this.game}` }, t("analysis.empty")))));
  }

  stepBar() {
    const button = (name, label, act) => h("button", { class: "btn", "aria-label": label, onclick: act }, icon(name));
    return h("div", { class: "step stepbar", role: "group", "aria-label": t("step") }, button("first", t("step.first"), () => this.goTo(this.tree.root)),
      button("previous", t("step.previous"), () => this.step(-1)), button("next", t("step.next"), () => this.step(1)),
      button("last", t("step.last"), () => this.goTo(this.tree.turn(this.tree.length))), this.counter);
  }

  // Goes on against the engine: whoever asks has the side that is to move.
  playOn() {
    this.level = h("select", { class: "text", "aria-label": t("level") }, levelWords().map((level) => h("option", { value: level, selected: level === "normal" },
      [levelLabel(level), levelElo(this.game, level)].filter(Boolean).join(" · "))));
    this.playButton = h("button", { class: "btn", onclick: () => this.begin() }, icon("play"), t("play.on"));
    return h("div", { class: "row playon" }, this.playButton, this.level);
  }

  shareBar() {
    return h("div", { class: "row sharebar" }, copyButton(t("copy.link"), () => location.href), this.removeButton);
  }

  // Where the tree stands, as the rest of the page shows it.
  show(fresh = null) {
    const { tree, rules, settings, game } = this, moves = tree.movesTo();
    const movers = moversOf(this.scratch, moves);
    let before = null;
    if (this.look.wantsBefore && moves.length) before = readPosition(game, this.scratch.restart(moves.slice(0, -1)).position);
    rules.restart([...moves, ...this.pending]);
    const pos = readPosition(game, rules.position), over = rules.over, last = this.pending.length ? this.pending : lastTurn(game, moves, settings);
    const result = over ? { game, winner: rules.winner, reason: rules.ending, counted: scorePair(game, pos, rules), verdict: null } : null;
    const counted = this.look.count(pos, moves, movers);
    this.view = { pos, rules, before, turn: rules.turn, me: !over, legal: over ? [] : rules.legal(), last, fresh, gains: counted?.gains, settings,
      line: this.look.decidingLine(pos, result, last), label: this.label(result) };
    this.board.show(this.view);
    this.counter.textContent = t("n.of", { n: tree.at.turn, of: tree.length });
    this.note.textContent = this.pending.length ? t(this.look.from ? "note.go.on.short" : "note.one.more.short") : over ? resultSentence(result) : t("turn.of", { who: colour(rules.turn) });
    this.removeButton.disabled = !tree.at.parent;
    this.playButton.disabled = over;
    if (!this.pending.length) {
      this.lines.show({ game, settings, moves, mover: rules.turn }, over ? resultSentence(result) : "");
      this.drawTree();
      this.keepAddress();
    }
  }

  label(result) {
    return `${titleOf(this.game)}, ${result ? resultSentence(result) : t("turn.of", { who: colour(this.rules.turn) })}`;
  }

  keepAddress() {
    const { tree } = this;
    const set = Object.fromEntries(Object.entries(this.settings).map(([key, value]) => [`set.${key}`, value]));
    writeHash({ ...set, moves: tree.write(), turn: tree.at.turn || "", via: tree.via, from: this.from });
  }

  // The engine's choice is marked on the board.
  hint(result) {
    if (!this.view || this.pending.length) return;
    const hint = result ? result.lines[0].pv.slice(0, this.rules.due) : [];
    if ((this.view.hint || []).join() === hint.join()) return;
    this.view = { ...this.view, hint, fresh: null };
    this.board.show(this.view);
  }

  goTo(node) {
    this.pending = [];
    const on = node.parent === this.tree.at;
    this.tree.at = node;
    this.show(on ? node.moves : null);
    if (node.parent) say(t("said.move", { who: colour(this.moverOf(node)), move: this.name(node) }));
  }

  step(by) {
    const next = this.tree.turn(Math.max(0, this.tree.at.turn + by));
    if (next !== this.tree.at) this.goTo(next);
  }

  // The other variations at this place.
  sideways(by) {
    const { parent } = this.tree.at;
    if (!parent) return;
    const { children } = parent, at = children.indexOf(this.tree.at) + by;
    if (children[at]) this.goTo(children[at]);
  }

  // A move by a click or key: kept until the turn is whole.
  act(move) {
    const { due } = this.rules;
    if (this.rules.over || this.rules.play(move)) return;
    this.pending.push(move);
    if (due > 1 && !this.rules.over) return this.show();
    const moves = this.pending;
    this.pending = [];
    this.add(moves, this.look.showsOwnMoves ? moves : null);
  }

  add(moves, fresh) {
    let node = this.tree.grow(this.tree.at, moves);
    if (!node) return this.show();
    this.tree.at = node;
    this.scratch.restart(this.tree.movesTo());
    const legal = this.scratch.over ? [] : this.scratch.legal();
    if (legal.length === 1 && legal[0] === "pass") node = this.tree.at = this.tree.grow(node, legal) || node;
    this.show(fresh);
  }

  playLine(moves) {
    const node = this.tree.growLine(this.tree.at, moves);
    this.goTo(node);
  }

  takeBack() {
    if (isPresenting()) return present(false);
    if (this.board.back?.()) return;
    this.pending = [];
    this.board.forget();
    this.show();
  }

  remove() {
    if (!this.tree.at.parent) return;
    this.pending = [];
    this.tree.remove(this.tree.at);
    this.show();
  }

  aim(move, label) {
    this.aimed = move ? { move, label } : null;
    this.showConfirms();
  }

  showChain(hops) {
    this.chainLength = hops;
    this.showConfirms();
  }

  offer(words) {
    this.offers = words;
    this.showConfirms();
  }

  // What a finger has aimed at is played by a button.
  showConfirms() {
    if (!this.confirms) return;
    const { aimed, chainLength } = this;
    this.confirms.replaceChildren(...this.offers.map(({ word, label, act }) => h("button", { class: "btn", "data-word": word, onclick: act }, label)), ...(aimed ? [h("button", { class: "btn go", onclick: () => { this.aimed = null; this.act(aimed.move); } }, aimed.label)]
      : chainLength > 0 ? [h("button", { class: "btn", onclick: () => this.board.back() }, t("last.hop")), h("button", { class: "btn go", onclick: () => this.board.finish() }, t("play.hops", { n: chainLength }))] : []));
  }

  // Variations.

  moverOf(node) {
    return this.movers?.[node.parent.ply] ?? moversOf(this.scratch, this.tree.movesTo(node))[node.parent.ply];
  }

  name(node) { return node.moves.map((move) => moveName(this.game, move, this.settings)).join(" "); }

  drawTree() {
    const { tree } = this;
    this.treeBox.replaceChildren(tree.root.children.length ? h("div", { class: "vline" }, this.branch(tree.root)) : h("p", { class: "s m" }, t("variations.none")));
    this.treeBox.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  // The main line from a node on, with the others where they leave it.
  branch(from) {
    const parts = [];
    for (let node = from; node.children.length; [node] = node.children) {
      const [main, ...others] = node.children;
      parts.push(this.turnButton(main));
      for (const other of others) parts.push(h("div", { class: "vline aside" }, this.turnButton(other), this.branch(other)));
    }
    return parts;
  }

  turnButton(node) {
    return h("button", { class: "vmove", "aria-current": node === this.tree.at ? "true" : undefined, onclick: () => this.goTo(node) },
      h("small", {}, `${node.turn}.`), disc(this.moverOf(node)), this.name(node));
  }

  async begin() {
    const { rules, game, settings } = this, me = rules.turn, level = levelPlayer(this.level.value);
    this.playButton.disabled = true;
    try {
      const { id } = await post("games", { game, set: settings, seats: me === 1 ? ["human", level] : [level, "human"], time: "off", opening: this.tree.movesTo() });
      this.app.go(`/game/${id}`);
    } catch (error) {
      this.note.textContent = error.message;
      this.playButton.disabled = false;
    }
  }
}
