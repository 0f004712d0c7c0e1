// SPDX-License-Identifier: MIT
// Practice, and every game that is watched: the board, two seats, the moves, and what can be done.
import { h, icon, say, isSmall } from "../dom.js";
import { t, texts } from "../words.js";
import { about, get, job, post } from "../api.js";
import { prefs, seatsOf, keepSeats, onPref } from "../prefs.js";
import { Rules } from "../rules.js";
import { lastTurn, lookOf, moveName, planOf, readPosition, secondsOf, turnsOf } from "../boards/index.js";
import { LocalGame, RemoteGame, forgetGame, keptGame, moversOf } from "../games.js";
import { isOnline, onStatus } from "../live.js";
import { SeatCard } from "../seatcard.js";
import { MoveList } from "../movelist.js";
import { Presenter } from "../presenter.js";
import { isPresenting, present } from "../present.js";
import { askSeat } from "../seatdialog.js";
import { Watching } from "../watching.js";
import { evidenceOf, colour, isPerson, isBuiltin, resultSentence, seconds } from "../sentences.js";
import { play as sound } from "../sound.js";

export class PlayPage {
  // at: { game } to set a game up, or { id } to watch or go on with one
  constructor(at, app) {
    this.app = app;
    this.id = at.id || null;
    this.game = at.game || null;
    this.driver = null;
    this.state = null;
    this.pending = []; // moves of an unfinished turn
    this.hint = [];
    this.el = h("main", { class: "ingame" });
    this.keys = { u: () => this.undo(), "?": () => this.askHint(), n: () => this.again(), m: () => this.showMoves(),
      Escape: () => this.takeBack(), f: () => present() };
  }

  // Keys of the board work without a click on it, if nothing else has the focus.
  boardKey(event) {
    if (document.activeElement !== document.body || !this.board?.view) return false;
    if (this.watching.key(event)) return true;
    const moves = event.key.startsWith("Arrow") || (event.key === "Enter" && this.board.cursor);
    if (moves) this.board.focus();
    if (moves || (lookOf(this.game).letters && event.key.length === 1)) this.board.key(event);
    return event.defaultPrevented;
  }

  async open() {
    this.stopPref = onPref(() => this.state && this.refresh());
    this.stopStatus = onStatus((online) => (this.state?.setup ? this.refresh() : online ? this.comeBack() : this.goOnAlone()));
    const kept = this.id ? null : keptGame(this.game, (state) => this.hear(state, null));
    if (this.id) this.follow(this.id);
    else if (kept) this.startLocal(kept);
    else {
      this.build(this.game, {});
      this.setUp();
    }
    this.timer = setInterval(() => this.tick(), 100);
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    this.stopPref?.();
    this.stopStatus?.();
    this.driver?.leave?.();
    this.board?.close?.();
    this.screen?.close();
    this.watching?.close();
    if (isPresenting()) present(false);
  }

  follow(id) {
    this.driver?.leave?.();
    this.id = id;
    this.driver = new RemoteGame(id, (state, change) => this.hear(state, change));
    this.driver.start();
    this.missing = setTimeout(() => this.lookAway(), 1500);
  }

  // A game that nobody plays any more is in the replay, or nowhere.
  lookAway() {
    if (this.state?.id !== this.id) this.app.go(`/replay/${this.id}`, true);
  }

  // The server is there again. Its contests play what was broken off once more; a game of practice that it has
  // not kept is lost.
  comeBack() {
    const { state } = this;
    if (!this.id || !state || state.local || state.result) return;
    clearTimeout(this.missing); // which hearing of it does, too
    if (state.contest_id) this.missing = setTimeout(() => this.lookBack(), 3000);
    else this.missing = setTimeout(() => !this.closed && this.app.go(`/replay/${this.id}`, true), 1500);
  }

  // A game of a contest that was over just before is not played again: it is in the replay.
  async lookBack() {
    const found = await get(`games/${this.id}`).catch(() => null);
    if (this.closed || this.state.result) return;
    if (found?.result) this.app.go(`/replay/${this.id}`, true);
    else this.missing = setTimeout(() => this.lookBack(), 3000);
  }

  // Lays everything out; done once a game.
  build(game, settings) {
    this.game = game;
    this.look = lookOf(game);
    this.board?.close?.();
    this.board = new this.look.Board({ act: (move) => this.act(move), aim: (move, label) => this.aim(move, label),
      chain: (hops) => this.showChain(hops), refuse: (move) => this.refuse(move) }, settings);
    this.rules = new Rules(game, settings);
    this.scratch = new Rules(game, settings);
    this.seats = [1, 2].map((player) => new SeatCard(player, () => this.changeSeat(player)));
    this.watching?.close();
    this.watching = new Watching(this);
    this.moves = new MoveList((plies) => this.watching.goToPly(plies), true);
    this.primer = h("section", { class: "card pad primer s m", "aria-label": t("rules.short") }, h("h2", {}, t("rules.short")), texts(`help.${game}`).map((text) => h("p", {}, text)),
      h("p", {}, h("a", { href: `/help/${game}` }, t("rules.all"))));
    this.score = this.look.makeScore();
    this.screen?.close();
    this.screen = new Presenter();
    this.turnChip = h("span", { class: "chip" });
    this.facts = h("div", { class: "facts" });
    this.note = h("div", { class: "s m note-line", role: "status" });
    this.acts = h("div", { class: "acts" });
    this.drawnActs = this.drawnFacts = null;
    this.dock = h("div", { class: "dock" });
    this.head = h("div", { class: "sidehead" }, h("div", { class: "head" }, h("h1", {}, t(`game.${game}`)),
      h("span", { class: "push" }, this.turnChip)), this.watching.contest, this.facts);
    const side = h("div", { class: "side-col" }, this.head, this.screen.title, this.score?.el, this.seats[0].el, this.screen.score, this.seats[1].el,
      this.watching.bar, this.primer, this.moves.el, this.watching.steps, this.note, this.watching.next, this.screen.line, this.screen.foot, this.acts);
    this.frame = h("div", { class: `play ${game}` }, h("div", { class: "boardcol" }, this.board.el), side);
    this.el.replaceChildren(this.frame, this.dock);
    this.app.setTitle(t(`game.${game}`), true);
  }

  // Before the start: an empty board, and who sits where.
  setUp() {
    const chosen = seatsOf(this.game).map((player) => (about.organiser || player === "human" ? player : "human"));
    this.state = { setup: true, game: this.game, settings: {}, seats: chosen.map((player) => ({ player, name: this.personName(player) })),
      moves: [], ms: [], state: "setup", awaits: 0, people: prefs.people, time_ms: 0, tally: [0, 0], number: 1, result: null };
    this.refresh();
  }

  personName(player) { return player === "human" ? prefs.name : ""; }

  hear(state, change) {
    clearTimeout(this.missing);
    const other = !this.state || this.state.game !== state.game || this.state.id !== state.id
      || JSON.stringify(this.state.settings) !== JSON.stringify(state.settings);
    if (other) {
      this.state = { ...state, waiting: true };
      this.build(state.game, state.settings);
    }
    const before = this.state;
    this.state = state;
    this.hint = [];
    this.sending = false;
    const grown = state.moves.length - (before.moves?.length || 0);
    const fresh = !other && grown > 0 && grown <= 2 ? state.moves.slice(-grown).filter((m) => !this.pending.includes(m)) : null;
    this.pending = [];
    this.refresh(fresh?.length ? fresh : null);
    if (!other && grown > 0) sound("move");
    if (state.result && !before.result && !other) this.ended();
    if (state.next && state.next !== this.id) this.app.go(`/game/${state.next}`, true);
    if (change && grown > 0) this.tellMove(state);
  }

  tellMove(state) {
    const names = lastTurn(state.game, state.moves).map((m) => moveName(state.game, m, state.settings)).join(" ");
    say(t("said.move", { who: colour(state.awaits === 1 ? 2 : 1), move: names }));
  }

  ended() {
    const { result, seats } = this.state;
    say(resultSentence(result));
    const person = seats.findIndex(isPerson);
    sound(person >= 0 && seats.every(isPerson) === false && result.winner === 2 - person ? "lose" : "win");
  }

  get mayAct() { return this.state.local || (about.organiser && !this.state.setup); }

  get persons() { return this.state.seats.filter(isPerson).length; }

  // Whether it is a person's turn, here.
  get mine() {
    const { state } = this, turn = this.rules.turn;
    return this.mayAct && state.state === "running" && turn > 0 && isPerson(state.seats[turn - 1])
      && (state.local || state.awaits === turn) && !this.sending;
  }

  // A clock for people is the referee's; without one two people have no clock.
  get refereed() { return prefs.people && about.organiser && isOnline(); }

  get timeAhead() { return prefs.limit && (this.persons < 2 || this.refereed) ? secondsOf(this.game) * 1000 : 0; }

  // Shows the state as it is now, with what is pending.
  refresh(fresh = null) {
    const { state, rules } = this;
    this.frame.classList.toggle("setup", Boolean(state.setup));
    if (state.setup) state.time_ms = this.timeAhead;
    const movers = moversOf(this.scratch, state.moves);
    const before = this.positionBefore(state);
    rules.restart([...state.moves, ...this.pending]);
    this.movers = movers;
    const lifted = this.look.liftedCup(state, this.scratch), mine = this.mine;
    const pos = lifted ? lifted.pos : readPosition(state.game, rules.position);
    const counted = this.look.count(pos, state.moves, movers);
    this.score?.show(rules.scores, counted.owners);
    this.board.show({ pos, rules, before, turn: rules.turn, me: state.state === "running" && this.mayAct ? mine : undefined,
      legal: mine ? rules.legal() : [], last: this.pending.length ? this.pending : lastTurn(state.game, state.moves),
      hint: this.hint, fresh, lifted, gains: counted?.gains, settings: state.settings, line: this.look.decidingLine(pos, state.result, lastTurn(state.game, state.moves)),
      label: this.boardLabel() });
    this.showSeats(pos);
    this.moves.show({ ...state, turns: movers });
    this.showFacts();
    this.showNote();
    this.showActs();
    this.watching.show(state);
  }

  positionBefore(state) {
    if (!this.look.wantsBefore || !state.moves.length) return null;
    this.scratch.restart(state.moves.slice(0, -1));
    return readPosition(state.game, this.scratch.position);
  }

  boardLabel() {
    const turn = this.rules.turn;
    return `${t(`game.${this.game}`)}, ${turn ? t("turn.of", { who: colour(turn) }) : resultSentence(this.state.result)}`;
  }

  scoreOf(player, pos) {
    const score = this.look.score(player, pos, this.rules);
    return score && [score[0], t(score[1])];
  }

  showSeats(pos) {
    const { state } = this;
    this.seats.forEach((card, i) => {
      const seat = state.seats[i], turn = state.state === "running" && state.awaits === i + 1;
      const timed = state.time_ms > 0 && (!isPerson(seat) || state.people);
      const starting = state.state === "starting" && !isPerson(seat) ? t("starting") : "";
      const note = this.look.seatNote({ player: i + 1, turn, person: isPerson(seat), moves: state.moves, pending: this.pending, rules: this.rules });
      card.show({ seat, state: state.state, turn, extra: starting || note,
        score: this.scoreOf(i + 1, pos), limit: timed ? state.time_ms : 0, left: turn ? state.left_ms : null,
        open: state.setup });
    });
  }

  showFacts() {
    const { state } = this, facts = [];
    const turns = turnsOf(state.game, state.moves).length;
    this.turnChip.textContent = t("turn.n", { n: turns + (state.result ? 0 : 1) });
    facts.push(state.time_ms ? t("s.a.turn", { n: state.time_ms / 1000 }) : t("no.limit"));
    const blocks = state.setup ? this.look.blocksOf(prefs) : (state.settings.blocks || "").split(" ").filter(Boolean).length;
    if (blocks) facts.push(t("n.blocked", { n: blocks }));
    facts.push(t(`fact.${state.game}`));
    if (state.number > 1) facts.push(t("game.tally", { n: state.number, a: state.tally[0], b: state.tally[1] }));
    if (!state.setup && !this.mayAct) facts.push(t("watching"));
    if (this.drawnFacts !== facts.join()) this.facts.replaceChildren(...facts.map((words) => h("span", { class: "chip" }, words)));
    this.drawnFacts = facts.join();
    this.screen.show(state, facts, this.movers);
  }

  showNote() {
    const { state } = this;
    if (this.failure) return this.note.replaceChildren(h("b", {}, this.failure));
    if (state.setup) return this.note.replaceChildren(t("note.setup"));
    if (state.result)
      return this.note.replaceChildren(h("b", { class: "verdict" }, resultSentence(state.result, state.time_ms, state.seats, this.yours)),
        evidenceOf(state.result, state.seats));
    if (state.state === "paused") return this.note.replaceChildren(t("note.paused"));
    if (this.hint.length) return this.note.replaceChildren(t("note.hint", { move: this.hint.map((m) => moveName(this.game, m, state.settings)).join(" ") }));
    if (this.pending.length) return this.note.replaceChildren(h("b", {}, moveName(this.game, this.pending[0], state.settings)), t("note.one.more"));
    return this.note.replaceChildren(this.mine ? t(`note.${this.game}`) : "");
  }

  button(name, label, act, { go, why, short } = {}) {
    return h("button", { class: go ? "btn go" : "btn", onclick: act, disabled: Boolean(why), title: why || undefined,
      "aria-label": short ? label : undefined }, icon(name), short ? null : label);
  }

  // Hint and undo, and why not now.
  get noUndo() {
    const { state } = this;
    if (!state.seats.some(isBuiltin) || !this.persons) return t("why.builtin");
    if (state.state !== "running" || !this.movers.some((p) => isPerson(state.seats[p - 1]))) return t("why.nothing");
    return "";
  }

  get noHint() {
    if (!this.state.seats.some(isBuiltin) || !this.persons) return t("why.builtin");
    return this.mine ? "" : t("why.not.yours");
  }

  primary(short) {
    const { state } = this, aimed = this.aimed;
    if (aimed && this.mine) return h("button", { class: "btn go", onclick: () => this.confirm() }, aimed.label);
    if (this.chainLength > 0) return h("button", { class: "btn go", onclick: () => this.board.finish() }, t(this.chainLength === 1 ? "play.hop" : "play.hops", { n: this.chainLength }));
    if (state.setup) return this.button("play", t("start"), () => this.start(), { go: true });
    if (state.state === "over") return this.button("swap", t("again"), () => this.again(), { go: true });
    if (state.state === "paused") return this.button("play", t("continue"), () => this.do(() => this.driver.goOn()), { go: true });
    if (state.local) return null;
    return this.button("pause", t("pause"), () => this.do(() => this.driver.pause()), { go: true });
  }

  // Whether what can be done has changed: a button that is drawn anew while it is pressed loses the click.
  sameActs() {
    const { state } = this, drawn = JSON.stringify([state.setup, state.state, state.id, state.local, this.mayAct, this.aimed?.label, this.chainLength, this.noUndo, this.noHint, this.mine]);
    const same = drawn === this.drawnActs;
    this.drawnActs = drawn;
    return same;
  }

  showActs() {
    if (this.sameActs()) return;
    const { state } = this, back = this.button("back", t("back"), () => this.app.go("/"));
    const rows = [];
    if (state.setup) rows.push([back, this.primary()]);
    else if (!this.mayAct) rows.push([back, state.result && state.id ? this.replayButton() : null]);
    else {
      if (state.result) rows.push([state.id ? this.replayButton() : null, this.button("list", t("new"), () => this.newGame())]);
      else rows.push([this.button("undo", this.chainLength ? t("last.hop") : t("undo"), () => (this.chainLength ? this.board.back() : this.undo()), { why: this.chainLength ? "" : this.noUndo }),
        this.button("hint", t("hint"), () => this.askHint(), { why: this.noHint }), this.button("list", t("new"), () => this.newGame())]);
      rows.push([back, this.primary()]);
    }
    this.acts.replaceChildren(...rows.map((row) => h("div", { class: "row" }, row)));
    this.showDock();
  }

  showDock() {
    const { state } = this, parts = [];
    if (!state.setup && !state.result && this.mayAct)
      parts.push(this.button("undo", t("undo"), () => (this.chainLength ? this.board.back() : this.undo()), { why: this.chainLength ? "" : this.noUndo, short: true }),
        this.button("hint", t("hint"), () => this.askHint(), { why: this.noHint, short: true }));
    if (!state.setup) parts.push(this.button("list", t("moves"), () => this.showMoves(), { short: true }));
    if (state.result && state.id) parts.push(this.replayButton());
    const primary = state.setup || this.mayAct ? this.primary(true) : null;
    if (primary) parts.push(primary);
    this.dock.replaceChildren(...parts);
  }

  replayButton() { return h("a", { class: "btn", href: `/replay/${this.state.id}` }, icon("play"), t("replay")); }

  tick() { for (const card of this.seats || []) card.tick(); }

  async do(action) {
    try {
      this.failure = null;
      await action();
    } catch (error) {
      this.fail(error.message);
    }
  }

  fail(words) {
    this.failure = words;
    this.pending = [];
    this.sending = false;
    this.refresh();
    this.failure = null;
  }

  refuse(move) {
    const why = this.rules.refuse(move);
    if (why && this.mine && this.look.refusal) this.note.replaceChildren(t(this.look.refusal));
  }

  // A move by a click or key: kept until the turn is whole.
  act(move) {
    if (!this.mine) return;
    const { due } = this.rules;
    const why = this.rules.play(move);
    if (why) return;
    this.pending.push(move);
    this.hint = [];
    if (due > 1 && !this.rules.over) this.refresh();
    else this.send();
  }

  async send() {
    const moves = this.pending;
    this.sending = true;
    this.refresh(this.look.showsOwnMoves ? moves : null);
    try {
      await this.driver.play(moves);
    } catch (error) {
      this.fail(error.message);
    }
  }

  takeBack() {
    if (isPresenting()) return present(false);
    if (this.sending || !this.state) return;
    this.pending = [];
    this.refresh();
  }

  aim(move, label) {
    this.aimed = move ? { move, label } : null;
    if (this.state && this.dock) this.showActs();
  }

  confirm() {
    const { move } = this.aimed;
    this.aimed = null;
    this.act(move);
  }

  showChain(hops) {
    this.chainLength = hops;
    if (this.state && this.dock && !this.state.waiting) this.showActs();
  }

  async start() {
    if (this.starting) return; // a second click
    this.starting = true;
    await this.begin();
    this.starting = false;
  }

  async begin() {
    const plan = { ...planOf(this.game), seats: this.state.seats.map((seat) => seat.player), names: this.state.seats.map((seat) => seat.name) };
    if (plan.seats.every((player) => player === "human") && !(plan.people && this.refereed)) return this.startLocal(new LocalGame(plan, (state) => this.hear(state, null)));
    await this.do(async () => {
      const { id } = await post("games", plan);
      this.app.go(`/game/${id}`);
    });
  }

  // Two people need no server: if it is lost, they go on without it and without a clock.
  goOnAlone() {
    const { state } = this;
    if (!state || state.setup || state.local || state.state !== "running" || !this.mayAct || this.persons < 2) return;
    this.startLocal(LocalGame.from(state, (next) => this.hear(next, null)));
  }

  startLocal(driver) {
    this.driver?.leave?.();
    this.driver = driver;
    this.id = null;
    this.state = null;
    driver.start();
  }

  again() {
    if (this.state?.state !== "over" || !this.mayAct) return;
    this.do(async () => {
      const next = await this.driver.again();
      if (typeof next === "string") this.app.go(`/game/${next}`, true);
      else this.startLocal(next);
    });
  }

  newGame() {
    const { state } = this;
    forgetGame(this.game);
    if (!state.local && state.state === "running") this.driver.pause().catch(() => {});
    this.app.go(`/practice/${this.game}`);
  }

  undo() {
    if (this.pending.length) this.takeBack();
    else if (!this.state.setup && !this.noUndo) this.do(() => this.driver.undo());
  }

  askHint() {
    if (this.state.setup || this.noHint) return;
    const { game, settings, moves } = this.state;
    this.note.replaceChildren(t("note.thinking"));
    this.do(async () => {
      const thought = await job("think", { game, set: settings, moves: [...moves, ...this.pending] });
      this.hint = this.rules.due > 1 ? thought.pv.slice(0, this.rules.due) : [thought.best];
      this.refresh();
    });
  }

  async changeSeat(player) {
    const current = this.state.seats[player - 1].player;
    const chosen = await askSeat(this.game, player, current);
    if (!chosen) return;
    const seats = this.state.seats.map((seat, i) => (i === player - 1 ? { player: chosen, name: this.personName(chosen) } : seat));
    keepSeats(this.game, seats.map((seat) => seat.player));
    this.state = { ...this.state, seats };
    this.refresh();
  }

  showMoves() {
    this.moves.el.scrollIntoView({ behavior: "smooth" });
    this.moves.el.classList.toggle("open");
  }
}
