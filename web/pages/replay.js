// SPDX-License-Identifier: MIT
// A game that is over: step by step, with the engine's view of it.
import { h, icon, say } from "../dom.js";
import { t } from "../words.js";
import { outsideGame, titleOf } from "../outside.js";
import { about, get, post } from "../api.js";
import { Rules } from "../rules.js";
import { lastTurn, lookOf, moveName, needGame, readPosition, scorePair, turnsOf } from "../boards/index.js";
import { moversOf } from "../games.js";
import { gameName } from "../rounds.js";
import { copyButton } from "../copy.js";
import { MoveList } from "../movelist.js";
import { EvaluationCard, judge } from "../evaluation.js";
import { sideWords } from "../values.js";
import { analysisLink, readHash, writeHash } from "../hash.js";
import { gamesLink } from "../links.js";
import { isPresenting, leaveButton, present } from "../present.js";
import { GameLog } from "../gamelog.js";
import { colour, evidenceOf, seatName, seatOrigin, resultSentence } from "../sentences.js";

const SPEEDS = [["½×", 2000], ["1×", 1000], ["4×", 250]];

export class ReplayPage {
  // A game by its id, the test game of a team's submission, a try-out, or a game of the contest that a team has played.
  constructor({ id, team, number, played, tryout }, app) {
    this.app = app;
    this.id = played ? `${team}g${played}` : id;
    this.team = team;
    this.path = number ? `team/${team}/games/${number}` : tryout ? `team/${team}/tryouts/${tryout}` : `games/${this.id}`;
    this.logPath = tryout ? this.path : number ? `team/${team}/logs/${number}` : played ? `team/${team}/played/${played}` : "";
    this.speed = 1000;
    this.el = h("main", { class: "ingame" });
    this.keys = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.show(0), End: () => this.show(this.turns.length),
      " ": () => this.play(), ArrowUp: () => this.mistake(-1), ArrowDown: () => this.mistake(1), f: () => present(), Escape: () => present(false) };
  }

  // A board with keys of its own has them here too.
  boardKey(event) {
    if (document.activeElement !== document.body || !this.game || !lookOf(this.game.game).letters || event.key.length > 1) return false;
    this.board.key(event);
    return event.defaultPrevented;
  }

  async open() {
    try {
      this.game = await get(this.path);
    } catch {
      if (this.closed) return;
      this.app.setTitle(t("no.game"));
      this.el.replaceChildren(h("div", { class: "card pad empty" }, h("h1", {}, t("no.game")), h("p", { class: "m" }, t("no.game.words")), h("a", { class: "btn go", href: "/" }, t("way.home"))));
      return;
    }
    if (this.closed) return;
    const here = await needGame(this.game.game);
    if (this.closed) return;
    if (!here) return this.app.showInstead(t("no.game.here", { name: this.game.game }));
    if (this.game.state !== "over") return this.app.go(`/game/${this.id}`, true);
    this.build();
    this.show(this.turnAsked());
    this.study();
    this.nameContest();
    this.readLog();
  }

  // The turn in the address; without one the last.
  turnAsked() {
    const asked = readHash().get("turn");
    return /^\d+$/.test(asked || "") ? Math.min(this.turns.length, +asked) : this.turns.length;
  }

  rehash() {
    if (this.board) this.show(this.turnAsked(), false);
  }

  close() {
    this.closed = true;
    clearInterval(this.playing);
    clearTimeout(this.asking);
    this.board?.close?.();
    this.evaluation?.close();
    if (isPresenting()) present(false);
  }

  build() {
    const { game, settings, moves, ms } = this.game;
    this.rules = new Rules(game, settings);
    this.movers = moversOf(this.rules, moves);
    this.turns = turnsOf(game, moves, settings);
    this.times = this.turns.map(({ to }) => ms?.[to - 1] || 0);
    this.values = [];
    this.judged = judge(this.game, this.movers, []);
    this.board = new (lookOf(game).Board)({ act() {}, aim() {} }, settings);
    this.scores = this.scoresOf(moves);
    this.evaluation = new EvaluationCard((n) => this.show(n), () => this.askStudy());
    this.list = new MoveList((plies) => this.show(this.turns.findIndex(({ to }) => to === plies) + 1));
    this.noteCard = h("section", { class: "card note notecard" });
    this.counter = h("span", { class: "s m counter" });
    this.el.replaceChildren(h("div", { class: `play rp ${game}` }, h("div", { class: "boardcol" }, this.board.el),
      h("div", { class: "side-col" }, this.heading(), this.evaluation.el, this.stepBar(), this.noteCard, this.list.el, this.shareBar(), h("p", { class: "on-screen btm" }, h("span", { class: "push" }, leaveButton())))));
    this.app.setTitle(t("replay"), true);
  }

  // The score after each turn, by plies; null where the game has none.
  scoresOf(moves) {
    const rules = this.rules.restart(), scores = {};
    for (const { from, to } of this.turns) {
      for (const move of moves.slice(from, to)) rules.play(move);
      const pair = scorePair(this.game.game, readPosition(this.game.game, rules.position), rules);
      if (!pair) return null;
      scores[to] = pair;
    }
    return scores;
  }

  heading() {
    const { seats, result, game } = this.game;
    const name = (i) => h("a", { class: "plain", href: gamesLink(seats[i]) }, seatName(seats[i]));
    const won = (player) => (result.winner === player ? 1 : result.winner === 0 ? "½" : 0);
    this.of = h("p", { class: "s m" });
    const origins = seats.map((seat, i) => (seatOrigin(seat) ? h("p", { class: "s m origin" }, `${colour(i + 1)}: ${seatOrigin(seat)}`) : ""));
    const other = this.game.rules && outsideGame(game) && outsideGame(game).sum !== this.game.rules;
    return h("div", { class: "replayhead" }, this.of, other ? h("p", { class: "s warnline", role: "note" }, icon("warn"), " ", t("replay.other.rules")) : "", h("div", { class: "head" }, h("h1", {}, name(0), ` ${won(1)} : ${won(2)} `, name(1))), origins,
      h("p", { class: "s m" }, `${titleOf(game)} · ${resultSentence({ ...result, game, counted: this.scores?.[this.game.moves.length] }, this.game.time_ms, seats)}`, evidenceOf(result, seats)));
  }

  // A game of a contest says which: "Spring cup · Semi-final 1, game 3".
  async nameContest() {
    const [, contest, number] = this.id?.match(/^(\w+)g(\d+)$/) || [];
    if (!contest) return;
    const { name, report } = await get(`contests/${contest}`).catch(() => ({}));
    const game = report?.games.find((one) => one.number === +number);
    if (!game || game.black !== this.game.seats[0].name || game.white !== this.game.seats[1].name) return; // of another run
    const { stage, round, table, leg } = game;
    this.of.replaceChildren(h("a", { href: `/tournament/${contest}` }, name), ` · ${gameName(report, { stage: stage - 1, round: round - 1, table: table - 1, leg })}${game.state === "annulled" ? ` · ${t("game.annulled")}` : ""}`);
  }

  // The organiser reads all of a game, a team its own of a contest's.
  async readLog() {
    const [, contest, number] = this.id?.match(/^(\w+)g(\d+)$/) || [];
    const path = this.logPath || (!about.organiser ? "" : contest ? `contests/${contest}/logs/${number}` : this.id && this.game.seats.some(({ player }) => /^(own|tcp):/.test(player)) ? `games/${this.id}/log` : "");
    const { messages } = path ? await get(path).catch(() => ({})) : {};
    if (this.closed || !messages) return;
    this.log = new GameLog(messages);
    this.list.el.after(this.log.el);
    this.showLog();
  }

  showLog() {
    const turn = this.turns[this.at - 1];
    this.log?.show(turn?.from || 0, turn?.to || 0, this.at === this.turns.length);
  }

  stepBar() {
    const button = (name, label, act, go) => h("button", { class: go ? "btn go" : "btn", "aria-label": label, onclick: act }, icon(name));
    this.playButton = button("play", t("step.play"), () => this.play(), true);
    this.speeds = SPEEDS.map(([label, ms]) => h("button", { onclick: () => this.setSpeed(ms) }, label));
    const bar = h("div", { class: "step stepbar", role: "group", "aria-label": t("step") }, button("first", t("step.first"), () => this.show(0)),
      button("previous", t("step.previous"), () => this.step(-1)), this.playButton, button("next", t("step.next"), () => this.step(1)),
      button("last", t("step.last"), () => this.show(this.turns.length)), this.counter, h("span", { class: "push seg speeds" }, this.speeds));
    this.setSpeed(this.speed);
    return bar;
  }

  shareBar() {
    this.analyse = h("a", { class: "btn" }, icon("tune"), t("analyse.here"));
    if (this.team) return h("div", { class: "row sharebar wrap" }, h("a", { class: "btn", href: `/team/${this.team}` }, icon("back"), t("back")), this.analyse);
    return h("div", { class: "row sharebar wrap" }, copyButton(t("copy.link"), () => location.href), this.analyse, h("a", { class: "btn", href: `/api/games/${this.id}/record`, download: `${this.id}.json` }, icon("load"), t("download")));
  }

  setSpeed(ms) {
    this.speed = ms;
    this.speeds.forEach((b, i) => (SPEEDS[i][1] === ms ? b.setAttribute("aria-current", "true") : b.removeAttribute("aria-current")));
    if (this.playing) { this.play(); this.play(); }
  }

  step(by) { this.show(Math.max(0, Math.min(this.turns.length, this.at + by))); }

  mistake(by) {
    for (let i = this.at + by; i > 0 && i <= this.turns.length; i += by)
      if (this.judged[i - 1].kind) return this.show(i);
  }

  play() {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = null;
    } else {
      if (this.at === this.turns.length) this.show(0);
      this.playing = setInterval(() => (this.at < this.turns.length ? this.step(1) : this.play()), this.speed);
    }
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
  }

  // Shows the game after so many turns, and keeps the turn in the address.
  show(at, keep = true) {
    const { game, settings, moves, ms } = this.game;
    const before = this.at, look = lookOf(game);
    this.at = at;
    if (keep && before !== undefined && before !== at) writeHash({ turn: at });
    this.analyse.setAttribute("href", analysisLink({ game, settings, moves: moves.join(";"), turn: at, from: this.team ? "" : this.id }));
    const turn = at > 0 ? this.judged[at - 1] : null, plies = at > 0 ? this.turns[at - 1].to : 0;
    const shown = moves.slice(0, plies);
    let earlier = null;
    if (look.wantsBefore && plies) earlier = readPosition(game, this.rules.restart(moves.slice(0, plies - 1)).position);
    this.rules.restart(shown);
    const pos = readPosition(game, this.rules.position);
    const counted = look.count(pos, shown, this.movers);
    const best = turn?.kind && turn.thought ? this.better(turn) : [];
    this.board.show({ pos, rules: this.rules, before: earlier, turn: this.rules.turn, me: undefined, legal: [], last: lastTurn(game, shown, settings), best, bad: turn?.kind === "blunder",
      gains: counted?.gains, settings, line: at === this.turns.length ? look.decidingLine(pos, this.game.result, lastTurn(game, shown, settings)) : [], fresh: before === at - 1 ? lastTurn(game, shown, settings) : null, label: `${titleOf(game)}, ${t("turn.n", { n: at })}` });
    this.list.show({ game, settings, moves, ms, turns: this.movers, scores: this.scores, faults: this.game.faults }, plies, this.notes());
    this.counter.replaceChildren(t("n.of", { n: at, of: this.turns.length }), ...(at ? [" · ", h("i", { class: turn.mover === 1 ? "dot" : "dot w" }), h("b", {}, lastTurn(game, shown, settings).map((m) => moveName(game, m, settings)).join(" "))] : []));
    this.drawEvaluation();
    this.showNote(turn, at);
    this.showLog();
  }

  better(turn) { return turn.thought.pv.slice(0, turn.to - turn.from); }

  notes() {
    const notes = {};
    if (!this.values.length) return notes;
    for (const turn of this.judged)
      notes[turn.from] = { kind: turn.kind, words: turn.kind ? `${turn.kind === "mistake" ? "▲" : "■"} ${t(turn.kind)}` : "", value: turn.next?.value ?? null, mover: turn.nextMover, exact: turn.next?.exact };
    return notes;
  }

  showNote(turn, at) {
    this.noteCard.hidden = !turn?.kind;
    if (!turn?.kind) return;
    const { game, settings, moves } = this.game;
    const names = (list) => list.map((m) => moveName(game, m, settings)).join(" ");
    const change = turn.next ? ` ${t("note.change", { a: sideWords(game, turn.thought.value, turn.mover), b: sideWords(game, turn.next.value, turn.nextMover) })}` : "";
    const [first, after] = t("note.played", { who: colour(turn.mover), move: names(moves.slice(turn.from, turn.to)), best: "\n" }).split("\n");
    this.noteCard.replaceChildren(h("span", { class: `sign ${turn.kind}` }, turn.kind === "mistake" ? "▲" : "■"),
      h("div", {}, h("b", {}, t("note.turn", { n: at, kind: t(turn.kind) })),
        h("p", { class: "s m" }, first, h("button", { class: "better", onclick: () => this.showBetter(turn, at) }, names(this.better(turn))), after, change)));
    say(this.noteCard.textContent);
  }

  // The position as it would be after the better move; the next step goes back to the game.
  showBetter(turn, at) {
    const { game, settings, moves } = this.game, best = this.better(turn);
    const earlier = readPosition(game, this.rules.restart(moves.slice(0, turn.from)).position);
    for (const move of best) this.rules.play(move);
    const pos = readPosition(game, this.rules.position), words = t("note.instead", { n: at, move: best.map((m) => moveName(game, m, settings)).join(" ") });
    const counted = lookOf(game).count(pos, this.rules.moves, moversOf(this.rules, [...this.rules.moves]));
    this.board.show({ pos, rules: this.rules, before: earlier, turn: this.rules.turn, me: undefined, legal: [], last: best, gains: counted?.gains, settings, fresh: best, label: words });
    this.counter.textContent = words;
    say(words);
  }

  drawEvaluation() {
    this.evaluation.show({ turns: this.judged, times: this.times, limit: this.game.time_ms, current: this.at, words: this.words || "", result: this.game.result, open: this.mayAsk });
  }

  // Asks for the engine's view. The organiser need not say so; anybody else does by a button.
  async study() {
    if (!this.id) return this.studied([], t("ev.none"));
    const { state, result, error, done, of, ahead } = await get(`games/${this.id}/study`).catch((e) => ({ state: "failed", error: e.message }));
    if (this.closed) return;
    if (state === "none" && about.organiser) return this.askStudy();
    this.mayAsk = state === "none" || state === "failed";
    const words = { failed: error, working: ahead ? t("ev.ahead", { n: ahead }) : t("ev.working", { n: done, of }), none: t("ev.none") }[state] || "";
    this.studied(result?.values || [], words);
    if (state === "working") this.asking = setTimeout(() => this.study(), 500);
  }

  async askStudy() {
    this.mayAsk = false;
    try {
      await post(`games/${this.id}/study`);
      await this.study();
    } catch (e) {
      this.mayAsk = true;
      this.studied([], e.message);
    }
  }

  studied(values, words) {
    this.words = words;
    this.values = values;
    this.judged = judge(this.game, this.movers, values);
    this.show(this.at);
  }
}
