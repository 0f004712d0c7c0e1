// SPDX-License-Identifier: MIT
// Practice, and every game that is watched: the board, two seats, the moves, and what can be done.
import { h, icon, renewChildren, say, isSmall } from "../dom.js";
import { said, t } from "../words.js";
import { onOutside, refreshOutside, titleOf } from "../outside.js";
import { about, get, job, post } from "../api.js";
import { prefs, seatsOf, keepSeats, onPref } from "../prefs.js";
import { Rules } from "../rules.js";
import { gameNames, lastTurn, lookOf, moveName, planOf, readPosition, scorePair, secondsOf, turnsOf } from "../boards/index.js";
import { LocalGame, RemoteGame, forgetGame, keptGame, moversOf } from "../games.js";
import { isLost, onStatus } from "../live.js";
import { copyButton } from "../copy.js";
import { askFirst } from "../question.js";
import { SeatCard } from "../seatcard.js";
import { MoveList } from "../movelist.js";
import { Presenter } from "../presenter.js";
import { primerOf } from "../primer.js";
import { forgetSwitches, switchFields, switchFacts } from "../switches.js";
import { isPresenting, present } from "../present.js";
import { askSeat, toldBy } from "../seatdialog.js";
import { Watching } from "../watching.js";
import { evidenceOf, colour, isPerson, isBuiltin, resultSentence, seatName } from "../sentences.js";
import { play as sound } from "../sound.js";

const PRESENCE_MS = 60000; // so often the server hears that a player is still there; after five minutes it ends the game

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
    this.offers = []; // words of a move that are buttons
    this.result = null; // of the state, with what both have counted
    this.yours = [false, false]; // which seats of persons are of whoever looks at it
    this.playing = false; // whether something can be done here
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
    this.stopOutside = onOutside(() => this.switcher && this.showSwitcher());
    refreshOutside();
    this.stopStatus = onStatus((online) => (this.state?.setup ? this.refresh() : online ? this.comeBack() : this.goOnAlone()));
    const kept = this.id ? null : keptGame(this.game, (state) => this.hear(state, null));
    if (this.id) this.follow(this.id);
    else if (kept) this.startLocal(kept);
    else {
      this.build(this.game, this.settingsAhead());
      this.setUp();
    }
    this.timer = setInterval(() => this.tick(), 100);
    this.presence = setInterval(() => this.playing && !this.state?.result && this.findRights(), PRESENCE_MS);
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    clearInterval(this.presence);
    this.stopPref?.();
    this.stopOutside?.();
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
    this.missing = setTimeout(() => this.lookBack(), 1500);
    this.findRights();
  }

  // What everybody hears of a game does not say whose its seats are.
  async findRights() {
    const { id } = this, found = await get(`games/${id}`).catch(() => null);
    if (this.closed || this.id !== id || !found) return;
    const yours = found.yours || [false, false], playing = Boolean(found.playing);
    if (playing === this.playing && String(yours) === String(this.yours)) return;
    this.yours = yours;
    this.playing = playing;
    if (this.state && !this.state.waiting) this.refresh();
  }

  // The server is there again. It goes on with games of practice, and its contests play what was broken off once more.
  comeBack() {
    const { state } = this;
    if (!this.id || !state || state.local || state.result) return;
    clearTimeout(this.missing); // which hearing of it does, too
    this.missing = setTimeout(() => this.lookBack(), state.contest_id ? 3000 : 1500);
    if (!state.contest_id) this.findRights();
  }

  // Nothing is heard of the game. One that is over, or that could not be gone on with, is in the replay, or nowhere; others are
  // heard of sooner or later.
  async lookBack() {
    const { id } = this, found = await get(`games/${id}`).catch((error) => (error.away ? {} : null));
    const known = this.state?.id === id ? this.state : null;
    if (this.closed || this.id !== id || known?.result) return;
    if (found?.result || (!found && !known?.contest_id)) this.app.go(`/replay/${id}`, true);
    else this.missing = setTimeout(() => this.lookBack(), 3000);
  }

  // Whether a game is under way here that would be dropped, or left to the other.
  get isBusy() {
    const { state } = this;
    return Boolean(state && !state.setup && !state.result && this.mayAct && state.moves.length && state.state !== "paused" && this.persons);
  }

  // Two people at one screen find their game again in this tab, and so does who plays by link.
  async askToLeave() {
    if (!this.isBusy) return this.drop().then(() => true);
    const { state } = this, stays = state.local || state.link;
    const yes = await askFirst(t("leave.title"), t(stays ? "leave.stays" : "leave.drops"), { yes: t("leave.yes"), no: t("leave.no") });
    if (yes) await this.drop();
    return yes;
  }

  // Whoever goes away from a game against a program does not come back to it.
  async drop() {
    const { state } = this;
    if (state && !state.setup && !state.result && !state.local && !state.link && state.state !== "paused" && this.mayAct && this.persons) await this.driver.forsake().catch(() => {});
  }

  // A board and rules with these settings.
  makeBoard(game, settings) {
    this.board?.close?.();
    this.board = new this.look.Board({ act: (move) => this.act(move), aim: (move, label) => this.aim(move, label), offer: (words) => this.offer(words),
      chain: (hops) => this.showChain(hops), refuse: (move) => this.refuse(move) }, settings);
    this.rules = new Rules(game, settings);
    this.scratch = new Rules(game, settings);
  }

  // Lays everything out; done once a game.
  build(game, settings) {
    this.game = game;
    this.look = lookOf(game);
    this.makeBoard(game, settings);
    this.seats = [1, 2].map((player) => new SeatCard(player, () => this.changeSeat(player)));
    this.watching?.close();
    this.watching = new Watching(this);
    this.moves = new MoveList((plies) => this.watching.goToPly(plies), true);
    this.primer = primerOf(game);
    this.switches = switchFields(game, () => this.changeSettings());
    this.score = this.look.makeScore();
    this.screen?.close();
    this.screen = new Presenter();
    this.turnChip = h("span", { class: "chip" });
    this.facts = h("div", { class: "facts" });
    this.note = h("div", { class: "s m note-line", role: "status" });
    this.acts = h("div", { class: "acts" });
    this.drawnFacts = null;
    this.dock = h("div", { class: "dock" });
    this.switcher = h("nav", { class: "switcher", "aria-label": t("the.games") });
    this.head = h("div", { class: "sidehead" }, h("div", { class: "head" }, h("h1", {}, titleOf(game)),
      h("span", { class: "push" }, this.turnChip)), this.watching.contest, this.facts);
    const side = h("div", { class: "side-col" }, this.switcher, this.head, this.screen.title, this.score?.el, this.seats[0].el, this.screen.score, this.seats[1].el,
      this.watching.bar, this.switches, this.primer, this.moves.el, this.watching.steps, this.note, this.watching.next, this.screen.line, this.screen.foot, this.acts);
    this.boardColumn = h("div", { class: "boardcol" }, this.board.el);
    this.frame = h("div", { class: `play ${game}` }, this.boardColumn, side);
    this.el.replaceChildren(this.frame, this.dock);
    this.app.setTitle(titleOf(game), true);
    this.showSwitcher();
  }

  // The game that is chosen is in view, where the row is wider than the page.
  showSwitcher() {
    this.switcher.replaceChildren(...gameNames().map((one) => h("a", { class: "chip", href: `/practice/${one}`, "aria-current": one === this.game ? "page" : undefined }, titleOf(one))));
    const chosen = this.switcher.querySelector("[aria-current]");
    this.switcher.scrollLeft = chosen.offsetLeft + chosen.offsetWidth / 2 - this.switcher.clientWidth / 2;
  }

  // Before the start: an empty board, and who sits where.
  setUp() {
    const chosen = seatsOf(this.game).map((player) => (this.maySeat(player) ? player : "human"));
    this.state = { setup: true, game: this.game, settings: this.rules.settings, seats: chosen.map((player) => ({ player, name: this.personName(player) })),
      moves: [], ms: [], state: "setup", awaits: 0, people: prefs.people, time_ms: 0, tally: [0, 0], number: 1, result: null };
    this.refresh();
    this.showSwitcher(); // on a phone it is hidden till then
  }

  // How the empty board is set: of games from outside as somebody chose. Ours are set when they begin, some of it by chance.
  settingsAhead() {
    const { from, settingsOf } = lookOf(this.game), settings = from ? settingsOf(prefs) : {};
    try {
      return new Rules(this.game, settings).settings;
    } catch { // its rules are other ones since
      forgetSwitches(this.game);
      return {};
    }
  }

  // Another size, or other rules: the empty board is drawn anew.
  changeSettings() {
    const { settings } = this.rules, wanted = this.look.settingsOf(prefs);
    let why = null;
    try {
      this.makeBoard(this.game, new Rules(this.game, wanted).settings);
    } catch (error) { // as the rules say
      why = error.message;
      forgetSwitches(this.game, settings);
    }
    this.boardColumn.replaceChildren(this.board.el);
    this.state = { ...this.state, settings: this.rules.settings };
    if (why) this.fail(said(why));
    else this.refresh();
  }

  // Programs of one's own and teams are the organiser's.
  maySeat(player) {
    if (player === "human" || isLost()) return player === "human"; // who play without a server
    return about.organiser || (about.visitors > 0 && (player === "guest" || isBuiltin({ player })));
  }

  personName(player) { return player === "human" ? prefs.name : ""; }

  hear(state, change) {
    clearTimeout(this.missing);
    if (!lookOf(state.game)) return this.app.showInstead(t("no.game.here", { name: state.game }));
    const other = !this.state || this.state.game !== state.game || this.state.id !== state.id
      || JSON.stringify(this.state.settings) !== JSON.stringify(state.settings);
    if (other) {
      this.state = { ...state, waiting: true };
      this.build(state.game, state.settings);
    }
    const before = this.state;
    const still = !other && !this.sending && String(before.moves) === String(state.moves) && before.awaits === state.awaits && before.state === state.state;
    this.state = state;
    if (!still) this.hint = []; // a draw that is offered, say, takes away nothing of a turn that is half chosen
    this.sending = false;
    const grown = state.moves.length - (before.moves?.length || 0);
    const fresh = !other && grown > 0 && grown <= 2 ? state.moves.slice(-grown).filter((m) => !this.pending.includes(m)) : null;
    if (!still) this.pending = [];
    this.refresh(fresh?.length ? fresh : null);
    if (!other && grown > 0) sound("move");
    if (state.result && !before.result && !other) this.ended();
    if (state.next && state.next !== this.id) this.app.go(`/game/${state.next}`, true);
    if (change && grown > 0) this.tellMove(state);
  }

  tellMove(state) {
    const names = lastTurn(state.game, state.moves, state.settings).map((m) => moveName(state.game, m, state.settings)).join(" ");
    say(t("said.move", { who: colour(state.awaits === 1 ? 2 : 1), move: names }));
  }

  ended() {
    const { result, state: { seats } } = this;
    say(resultSentence(result));
    const person = seats.findIndex(isPerson);
    sound(person >= 0 && seats.every(isPerson) === false && result.winner === 2 - person ? "lose" : "win");
  }

  get mayAct() { return this.state.local || (this.playing && !this.state.setup); }

  get persons() { return this.state.seats.filter((seat) => isPerson(seat) || seat.player === "guest").length; }

  // The seat that waits for somebody; 0: none.
  get freeSeat() { return this.state.seats.findIndex((seat) => seat.free) + 1; }

  // Which seat is offered something by the other, of a draw or a rematch.
  offered(by) { return by > 0 && !this.yours[by - 1] && this.yours[2 - by]; }

  // Whether it is a person's turn, here.
  get mine() {
    const { state } = this, turn = this.rules.turn;
    return this.mayAct && state.state === "running" && turn > 0 && isPerson(state.seats[turn - 1]) && (state.local || this.yours[turn - 1])
      && (state.local || state.awaits === turn) && !this.sending;
  }

  // A clock for people is the referee's; without one two people have no clock.
  get refereed() { return prefs.people && (about.organiser || about.visitors > 0) && !isLost(); }

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
    this.result = state.result && { ...state.result, game: state.game, counted: state.result.reason === "forfeit" ? null : scorePair(state.game, pos, rules) };
    this.score?.show(rules.scores, counted.owners);
    this.board.show({ pos, rules, before, turn: rules.turn, me: state.state === "running" && this.mayAct ? mine : undefined,
      legal: mine ? rules.legal() : [], last: this.pending.length ? this.pending : lastTurn(state.game, state.moves, state.settings),
      hint: this.hint, fresh, lifted, gains: counted?.gains, settings: state.settings, line: this.look.decidingLine(pos, state.result, lastTurn(state.game, state.moves, state.settings)),
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
    return `${titleOf(this.game)}, ${turn && !this.result ? t("turn.of", { who: colour(turn) }) : resultSentence(this.result)}`;
  }

  scoreOf(player, pos) {
    const score = this.look.score(player, pos, this.rules);
    return score && [score[0], t(score[1], { n: score[0] })];
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
        open: state.setup, linked: Boolean(state.contest_id) && seat.player !== "house" });
    });
  }

  showFacts() {
    const { state } = this, facts = [];
    const turns = turnsOf(state.game, state.moves, state.settings).length;
    this.turnChip.textContent = t("turn.n", { n: turns + (state.result ? 0 : 1) });
    const timed = state.time_ms > 0 && (state.people || this.persons < 2);
    facts.push(timed ? t("s.a.turn", { n: state.time_ms / 1000 }) : t("no.limit"));
    const blocks = state.setup ? this.look.blocksOf(prefs) : (state.settings.blocks || "").split(" ").filter(Boolean).length;
    if (blocks) facts.push(t("n.blocked", { n: blocks }));
    facts.push(...(this.look.from ? switchFacts(this.look.from, state.settings) : [t(`fact.${state.game}`)]));
    if (state.number > 1) facts.push(t("game.tally", { n: state.number, a: state.tally[0], b: state.tally[1] }));
    if (!state.setup && !this.mayAct && !this.freeSeat) facts.push(t("watching"));
    this.switcher.hidden = !state.setup && !this.mayAct;
    if (this.drawnFacts !== facts.join()) this.facts.replaceChildren(...facts.map((words) => h("span", { class: "chip" }, words)));
    this.drawnFacts = facts.join();
    this.screen.show(state, facts, this.movers);
  }

  showNote() {
    const { state } = this;
    if (this.failure) return this.note.replaceChildren(h("b", {}, this.failure));
    if (state.setup) return this.note.replaceChildren(t("note.setup"));
    if (state.result) {
      this.note.replaceChildren(h("b", { class: "verdict" }, resultSentence(this.result, state.time_ms, state.seats, this.yours)),
        evidenceOf(state.result, state.seats));
      if (this.offered(state.rematch)) this.note.append(h("p", {}, t("rematch.offered")), this.declineButton());
      return undefined;
    }
    if (this.freeSeat) return this.showInvitation();
    if (this.offered(state.draw)) return this.showOffer("draw.offered", "draw.accept", () => this.driver.draw());
    if (state.draw && this.yours[state.draw - 1]) return this.note.replaceChildren(t("draw.waits"));
    if (state.begun_again && !state.moves.length) return this.note.replaceChildren(t("note.begun.again"));
    if (state.state === "paused") return this.note.replaceChildren(t("note.paused"));
    if (this.hint.length) return this.note.replaceChildren(t("note.hint", { move: this.hint.map((m) => moveName(this.game, m, state.settings)).join(" ") }));
    if (this.pending.length) return this.note.replaceChildren(h("b", {}, moveName(this.game, this.pending[0], state.settings)), t(this.look.from ? "note.go.on" : "note.one.more"));
    const late = this.lateWords();
    if (late) return this.note.replaceChildren(h("b", {}, late));
    return this.note.replaceChildren(this.mine ? t(this.look.from ? "note.described" : `note.${this.game}`) : "");
  }

  // Somebody here has let his last turn go by.
  lateWords() {
    const { state: { moves, faults = [], seats, time_ms } } = this, one = faults.at(-1);
    if (!one || one.word !== "late" || !time_ms || !isPerson(seats[one.player - 1]) || this.movers.lastIndexOf(one.player) !== one.ply) return "";
    return t(moves[one.ply] === "pass" ? "late.skipped" : "late.moved", { who: colour(one.player) });
  }

  declineButton() { return h("button", { class: "btn", onclick: () => this.do(() => this.driver.decline()) }, t("decline")); }

  // Something is offered: yes or no. Drawn once, so that no click is lost.
  showOffer(words, yes, accept) {
    if (this.note.querySelector(".offer")) return;
    this.note.replaceChildren(h("b", {}, t(words)), h("div", { class: "row offer" }, h("button", { class: "btn go", onclick: () => this.do(accept) }, t(yes)), this.declineButton()));
  }

  // Who made the game sends its link; who opens it takes the seat.
  showInvitation() {
    if (!this.mayAct) return this.note.replaceChildren(h("b", {}, t("invite.you", { who: seatName(this.state.seats[2 - this.freeSeat]), colour: colour(this.freeSeat) })));
    if (this.note.querySelector(".invite")) return undefined;
    const field = h("input", { class: "text", readonly: true, value: location.href, "aria-label": t("invite.link"), onfocus: (e) => e.target.select() });
    return this.note.replaceChildren(h("div", { class: "invite" }, h("b", {}, t("invite.waits")), t("invite.words"), field, copyButton(t("copy.link"), () => location.href)));
  }

  button(name, label, act, { go, why, short } = {}) {
    return h("button", { class: go ? "btn go" : "btn", onclick: act, disabled: Boolean(why), title: why || undefined,
      "aria-label": short ? label : undefined }, icon(name), short ? null : label);
  }

  // Hint and undo, and why not now.
  get noUndo() {
    const { state } = this;
    const atOneScreen = this.persons === 2 && !state.link;
    if (!atOneScreen && (!state.seats.some(isBuiltin) || !this.persons)) return t("why.builtin");
    if (state.state !== "running" || !this.movers.some((p) => isPerson(state.seats[p - 1]))) return t("why.nothing");
    return "";
  }

  get noHint() {
    if (!about.organiser || !this.state.seats.some(isBuiltin) || !this.persons) return t("why.builtin");
    return this.mine ? "" : t("why.not.yours");
  }

  primary(short) {
    const { state } = this, aimed = this.aimed;
    if (aimed && this.mine) return h("button", { class: "btn go", onclick: () => this.confirm() }, aimed.label);
    if (this.chainLength > 0) return h("button", { class: "btn go", onclick: () => this.board.finish() }, t("play.hops", { n: this.chainLength }));
    if (state.setup) return this.button("play", t("start"), () => this.start(), { go: true });
    if (this.freeSeat && !this.mayAct) return this.button("person", t("invite.take"), () => this.sit(), { go: true });
    if (this.freeSeat) return this.button("leave", t("invite.cancel"), () => this.cancel());
    if (state.state === "over") return this.againButton(short);
    if (state.state === "paused") return this.button("play", t("continue"), () => this.do(() => this.driver.goOn()), { go: true });
    if (state.local || state.link) return null;
    return this.button("pause", t("pause"), () => this.do(() => this.driver.pause()), { go: true });
  }

  // Both must want it where two people play by link.
  againButton(short) {
    const { state } = this;
    if (!state.link) return this.button("swap", t(short ? "again.short" : "again"), () => this.again(), { go: true });
    if (state.rematch && this.yours[state.rematch - 1]) return this.button("swap", t("rematch.waits"), () => {}, { why: t("rematch.waits") });
    return this.button("swap", t(state.rematch ? "rematch.accept" : short ? "again.short" : "rematch"), () => this.again(), { go: true });
  }

  // What people do among themselves.
  peopleButtons(short) {
    const { state } = this;
    if (!this.yours.some(Boolean) || state.state !== "running") return [];
    const resign = this.button("flag", t("resign"), () => this.resign(), { short });
    return state.link ? [this.button("half", t("draw.offer"), () => this.do(() => this.driver.draw()), { short, why: state.draw && this.yours[state.draw - 1] ? t("draw.waits") : "" }), resign] : [resign];
  }

  // Of two at one screen it is whoever is to move.
  async resign() {
    const { turn } = this.rules, both = this.yours.every(Boolean);
    if (await askFirst(t("resign.title"), both ? t("resign.both", { who: colour(turn), other: colour(3 - turn) }) : t("resign.words"), { yes: t("resign"), no: t("leave.no") })) this.do(() => this.driver.resign());
  }

  sit() { this.do(async () => { await this.driver.sit(prefs.name); await this.findRights(); }); }

  // The organiser may end a game of others.
  async end() {
    if (await askFirst(t("end.title"), t("end.words"), { yes: t("end.game"), no: t("cancel") })) this.do(() => this.driver.end());
  }

  get mayEnd() { return about.organiser && !this.mayAct && !this.state.result && !this.state.contest_id; }

  cancel() { this.do(async () => { await this.driver.forsake(); this.app.go(`/practice/${this.game}`); }); }

  showActs() {
    const { state } = this, back = this.button("back", t("back"), () => this.app.leave("/"));
    const rows = this.offers.length ? [this.offerButtons()] : [];
    if (state.setup || this.freeSeat) rows.push([back, this.primary()]);
    else if (!this.mayAct) rows.push([back, state.result && state.id ? this.replayButton() : null, this.mayEnd ? this.button("flag", t("end.game"), () => this.end()) : null]);
    else {
      if (state.result) rows.push([state.id ? this.replayButton() : null, this.button("list", t("new"), () => this.newGame())]);
      else rows.push([state.link ? null : this.button("undo", this.chainLength ? t("last.hop") : t("undo"), () => (this.chainLength ? this.board.back() : this.undo()), { why: this.chainLength ? "" : this.noUndo }),
        about.organiser ? this.button("hint", t("hint"), () => this.askHint(), { why: this.noHint }) : null, this.button("list", t("new"), () => this.newGame())]);
      const people = state.result ? [] : this.peopleButtons();
      if (people.length > 1) rows.push(people);
      rows.push([back, people.length === 1 ? people : null, this.primary()]);
    }
    const drawn = rows.map((row) => h("div", { class: "row" }, row));
    if (drawn.length !== this.acts.childNodes.length) this.acts.replaceChildren(...drawn);
    else drawn.forEach((row, i) => renewChildren(this.acts.childNodes[i], [...row.childNodes]));
    this.showDock();
  }

  showDock() {
    const { state } = this, parts = [];
    if (!state.setup && !state.result && this.mayAct && !this.freeSeat)
      parts.push(state.link ? "" : this.button("undo", t("undo"), () => (this.chainLength ? this.board.back() : this.undo()), { why: this.chainLength ? "" : this.noUndo, short: true }),
        about.organiser ? this.button("hint", t("hint"), () => this.askHint(), { why: this.noHint, short: true }) : "", ...this.peopleButtons(true));
    parts.push(...this.offerButtons());
    if (!state.setup && !this.freeSeat) parts.push(this.button("list", t("moves"), () => this.showMoves(), { short: true }));
    if (state.result && state.id) parts.push(this.replayButton());
    const primary = state.setup || this.mayAct || this.freeSeat ? this.primary(true) : null;
    if (primary) parts.push(primary);
    renewChildren(this.dock, parts.filter(Boolean));
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
    if (why && this.mine && this.look.refusal) this.note.replaceChildren(this.look.refusalOf?.(why, this.rules) || t(this.look.refusal));
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
    if (this.sending || !this.state || this.board.back?.()) return;
    this.pending = [];
    this.board.forget();
    this.refresh();
  }

  aim(move, label) {
    this.aimed = move ? { move, label } : null;
    if (this.state && this.dock) this.showActs();
  }

  // Words of the move that is being spelled.
  offer(words) {
    this.offers = words;
    if (this.state && this.dock && !this.state.waiting) this.showActs();
  }

  offerButtons() { return this.offers.map(({ word, label, act }) => h("button", { class: "btn", "data-word": word, onclick: act }, label)); }

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
    const seats = this.state.seats.map((seat) => seat.player), free = seats.indexOf("guest") + 1;
    const plan = { ...planOf(this.game), seats: seats.map((player) => (player === "guest" ? "human" : player)), names: this.state.seats.map((seat) => seat.name) };
    const alone = () => this.startLocal(new LocalGame(plan, (state) => this.hear(state, null)));
    if (!plan.people && plan.seats.every((player) => player === "human")) plan.time = "off";
    const two = !free && plan.seats.every((player) => player === "human");
    if (two && !(plan.people && this.refereed)) return alone();
    await this.do(async () => {
      const made = await post("games", free ? { ...plan, free } : plan).catch((error) => { if (!two || !error.away) throw error; });
      if (made) this.app.go(`/game/${made.id}`);
      else alone(); // without a server there is no clock
    });
  }

  // Two people need no server: if it is lost, they go on without it and without a clock.
  goOnAlone() {
    const { state } = this;
    if (!state || state.setup || state.local || state.state !== "running" || !this.mayAct || this.persons < 2 || state.link) return;
    this.startLocal(LocalGame.from(state, (next) => this.hear(next, null)));
  }

  startLocal(driver) {
    this.driver?.leave?.();
    this.driver = driver;
    this.yours = [true, true];
    this.id = null;
    this.state = null;
    driver.start();
  }

  again() {
    if (this.state?.state !== "over" || !this.mayAct) return;
    this.do(async () => {
      const next = await this.driver.again();
      if (typeof next === "string") this.app.go(`/game/${next}`, true);
      else if (next) this.startLocal(next);
    });
  }

  async newGame() {
    if (!(await this.askToLeave())) return;
    forgetGame(this.game);
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
    const other = (seat) => (chosen === "guest" && (seat.player === "guest" || !isPerson(seat)) ? { player: "human", name: this.personName("human") } : seat);
    const beside = (seat) => (seat.player === "guest" && !isPerson({ player: chosen }) ? { player: "human", name: this.personName("human") } : seat);
    const seats = this.state.seats.map((seat, i) => (i === player - 1 ? { player: chosen, name: this.personName(chosen), ...toldBy(chosen) } : beside(other(seat))));
    keepSeats(this.game, seats.map((seat) => seat.player));
    this.state = { ...this.state, seats };
    this.refresh();
  }

  showMoves() {
    this.moves.el.scrollIntoView({ behavior: "smooth" });
    this.moves.el.classList.toggle("open");
  }
}
