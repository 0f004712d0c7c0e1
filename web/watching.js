// SPDX-License-Identifier: MIT
// What the page of a game has for those who watch: stepping back while the game goes on, what the engine thinks of
// it where the organiser allows that, the contest it belongs to, and at its end what comes next. A page calls show()
// with every state, after it has drawn its own board.
import { h, icon, disc } from "./dom.js";
import { t } from "./words.js";
import { titleOf } from "./outside.js";
import { about } from "./api.js";
import { watch } from "./live.js";
import { lastTurn, lookOf, moveName, readPosition, turnsOf } from "./boards/index.js";
import { moversOf } from "./games.js";
import { EngineLines } from "./enginelines.js";
import { gameName, nextGames } from "./rounds.js";
import { Rules } from "./rules.js";
import { isPerson, playerName } from "./sentences.js";

export class Watching {
  // page: has `board`, `moves` (its list) and `refresh`, which draws the newest position
  constructor(page) {
    this.page = page;
    this.at = null; // turns shown; null: the newest
    const button = (name, label, by) => h("button", { class: "btn", "aria-label": label, onclick: () => this.step(by) }, icon(name));
    this.live = h("button", { class: "btn go", onclick: () => this.goTo(null) }, t("live.button"));
    this.counter = h("span", { class: "s m counter" });
    this.steps = h("div", { class: "step livestep", role: "group", "aria-label": t("step") }, button("first", t("step.first"), -Infinity), button("previous", t("step.previous"), -1),
      button("next", t("step.next"), 1), this.counter, this.live);
    this.lines = new EngineLines(() => {}, () => {}, true);
    this.bar = h("div", { class: "livebar", hidden: true }, this.lines.bar.el);
    this.contest = h("p", { class: "s m ofcontest", hidden: true });
    this.next = h("div", { class: "card pad nextcard", hidden: true });
  }

  close() {
    this.stop?.();
    this.lines.close();
  }

  get isBack() { return this.at !== null; }

  // Whether a key was for stepping: of those who watch, and of whoever looks back.
  key(event) {
    if (!this.state || (!this.watches && !this.isBack)) return false;
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity }[event.key];
    if (by) this.step(by);
    else if (event.key === "End") this.goTo(null);
    else return false;
    event.preventDefault();
    return true;
  }

  step(by) {
    const turns = turnsOf(this.state.game, this.state.moves, this.state.settings).length;
    const to = Math.max(0, (this.at ?? turns) + by);
    this.goTo(to >= turns ? null : to);
  }

  // To where so many moves are played, as a click in the list says.
  goToPly(plies) {
    const turns = turnsOf(this.state.game, this.state.moves, this.state.settings), at = turns.findIndex(({ to }) => to === plies) + 1;
    this.goTo(at >= turns.length ? null : at);
  }

  goTo(at) {
    this.at = at;
    this.page.refresh();
    if (at === null) this.page.moves.toEnd();
  }

  show(state) {
    const turns = turnsOf(state.game, state.moves, state.settings);
    if (this.id !== state.id) this.begin();
    this.id = state.id;
    this.state = state;
    if (this.at !== null && this.at >= turns.length) this.at = null;
    const hidden = Boolean(state.setup) || !turns.length;
    if (this.steps.hidden !== hidden) this.steps.hidden = hidden;
    this.live.hidden = this.at === null;
    this.live.replaceChildren(t(state.result ? "live.end" : "live.button"));
    if (this.isBack) this.showEarlier(turns);
    this.tellTurn(turns);
    this.think();
    this.tellContest();
  }

  // Another game.
  begin() {
    this.at = null;
    this.lines.clear("");
  }

  tellTurn(turns) {
    const { state } = this, at = this.at ?? turns.length, turn = turns[at - 1];
    const names = turn ? state.moves.slice(turn.from, turn.to).map((move) => moveName(state.game, move, state.settings)).join(" ") : "";
    this.counter.replaceChildren(t("n.of", { n: at, of: turns.length }), ...(turn ? [" · ", disc(this.moverOf(turn)), " ", h("b", {}, names)] : []));
  }

  moverOf(turn) { return this.page.movers?.[turn.from] ?? 1; }

  // The board as it was, which nobody can play on.
  showEarlier(turns) {
    const { state, page } = this, { game, settings } = state, look = lookOf(game);
    const plies = this.at ? turns[this.at - 1].to : 0, moves = state.moves.slice(0, plies);
    const key = JSON.stringify([game, settings]);
    if (this.rulesOf !== key) this.rules = new Rules(game, settings);
    this.rulesOf = key;
    const before = look.wantsBefore && plies ? readPosition(game, this.rules.restart(moves.slice(0, -1)).position) : null;
    const movers = moversOf(this.rules, moves), pos = readPosition(game, this.rules.position);
    page.board.show({ pos, rules: this.rules, before, turn: this.rules.turn, me: undefined, legal: [], last: lastTurn(game, moves, settings), gains: look.count(pos, moves, movers)?.gains, settings,
      label: `${titleOf(game)}, ${t("turn.n", { n: this.at })}` });
    page.moves.mark(this.at - 1);
  }

  // Whether whoever looks only watches: nobody plays here, or not he.
  get watches() { return !this.state.setup && !this.state.local && (!this.page.mayAct || !this.state.seats.some(isPerson)); }

  // Only those who watch are told, and of games that count only where the organiser wants it so.
  get mayThink() {
    const { state } = this;
    return this.watches && state.state === "running" && (!state.contest_id || about.live_values);
  }

  think() {
    const { state } = this, { game, settings, moves } = state;
    this.bar.hidden = !this.mayThink;
    if (!this.mayThink) return this.lines.close();
    if (state.awaits) this.lines.show({ game, settings, moves, mover: state.awaits });
  }

  // The contest and its round, by name.
  tellContest() {
    const { contest_id: id } = this.state;
    if (id && this.watched !== id) {
      this.stop?.();
      this.watched = id;
      this.stop = watch(`contest/${id}`, (contest) => { this.report = contest.report; this.running = contest.live || []; this.drawContest(); });
    }
    this.drawContest();
  }

  drawContest() {
    const { state, report } = this, { contest_id: id } = state;
    const place = id && report && state.told ? gameName(report, state.told) : "";
    const drawn = JSON.stringify([id, place, Boolean(state.result), (this.running || []).map((game) => game.id), nextGames(report)]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.contest.hidden = !id;
    this.next.hidden = !id || !state.result;
    if (!id) return;
    this.contest.replaceChildren(h("a", { href: `/tournament/${id}` }, state.contest), place ? ` · ${place}` : "");
    if (state.result) this.drawNext(id, report);
  }

  // What comes next: a game that is played, one that waits, and the table.
  drawNext(id, report) {
    const other = (this.running || []).find((game) => game.id !== this.state.id), [waiting] = nextGames(report);
    const pair = other ? (other.seats || []).map((seat) => playerName(seat.name)).join(" – ") : "";
    this.next.replaceChildren(...[other ? h("a", { class: "btn go", href: `/game/${other.id}` }, icon("play"), t("next.watch", { pair })) : waiting ? h("p", { class: "s m" }, t("next", { pair: waiting })) : null,
      h("a", { class: "btn", href: `/tournament/${id}` }, icon("cup"), t("next.table"))].filter(Boolean));
  }
}
