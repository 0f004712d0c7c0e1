// SPDX-License-Identifier: MIT
// Television: the page follows the most interesting game that is played, and goes on to the next by itself: when that
// one is over, when nobody has moved in it for a while and others are played, and when a better one is played that has
// not been left for its silence.
import { h } from "../dom.js";
import { t } from "../words.js";
import { titleOf } from "../outside.js";
import { get } from "../api.js";
import { watch } from "../live.js";
import { onPref } from "../prefs.js";
import { contestOf } from "../links.js";
import { PlayPage } from "./play.js";

const LINGER_MS = 6000; // the end of a game is shown so long
const QUIET_MS = 30000; // so long without a move nothing is to be seen
const LOOK_MS = 10000; // how often others are looked at
const STAY_MS = 60000; // before that a game is not left for a better one

// The better the players, the later the stage.
const isBetter = (a, b) => (a.rank - b.rank || b.stage - a.stage || b.round - a.round) < 0;

// Games that are still as silent as when they were left come last, those left longest ago first; among others the
// better one, and the longer one.
function order(a, b) {
  return a.left - b.left || (isBetter(a, b) ? -1 : isBetter(b, a) ? 1 : b.plies - a.plies);
}

export class TvPage extends PlayPage {
  constructor(at, app) {
    super({}, app);
    this.ranks = new Map(); // of a contest: name to rank
    this.silent = new Map(); // games that were left because nobody moved: how many moves they had, and when that was
  }

  async open() {
    this.empty = h("div", { class: "card pad empty" }, h("h1", {}, t("tv")), h("p", { class: "m" }, t("tv.none")), h("a", { class: "btn", href: "/games" }, t("all.games")));
    this.app.setTitle(t("tv"));
    this.el.replaceChildren(this.empty);
    this.stopPref = onPref(() => this.state && this.refresh());
    this.stopHall = watch("hall", () => { if (!this.id) this.choose(); });
    this.timer = setInterval(() => this.tick(), 100);
    this.looks = setInterval(() => this.lookAround(), LOOK_MS);
  }

  close() {
    this.stopHall?.();
    clearTimeout(this.later);
    clearInterval(this.looks);
    super.close();
  }

  // Who watches here does not play, whoever he is: going on to the next game ends none.
  // Where it stands is told by the server; the ranks of its players by the table of their contest.
  async weigh(game) {
    const [contest] = contestOf(game.id);
    if (contest && game.contest && !this.ranks.has(contest)) {
      const { report } = await get(`contests/${contest}`).catch(() => ({}));
      this.ranks.set(contest, new Map((report?.standings || []).map((row) => [row.name, row.rank])));
    }
    const ranks = (game.contest && this.ranks.get(contest)) || new Map(), rank = (seat) => ranks.get(seat.name) ?? 1000;
    return { ...game, rank: game.seats.reduce((sum, seat) => sum + rank(seat), 0), stage: game.stage ?? -1, round: game.round ?? -1, left: this.leftAt(game) };
  }

  // When a game was left that has not gone on since; 0: it was not.
  leftAt({ id, plies }) {
    const left = this.silent.get(id);
    return left && left.plies === plies ? left.at : 0;
  }

  // Whether there is something better to see. The end of a game is shown to its end.
  lookAround() {
    const { state } = this, now = performance.now();
    if (!this.id || !state || state.id !== this.id || state.result) return;
    const quiet = state.state !== "running" || now - this.movedAt > QUIET_MS;
    if (quiet) this.silent.set(this.id, { plies: state.moves.length, at: now });
    if (quiet || now - this.beganAt > STAY_MS) this.choose(null, quiet);
  }

  // The next game to follow, if there is one. With `quiet` anything else will do, without it one that is better than
  // what is shown now, and if nothing is shown any.
  async choose(but = null, quiet = true) {
    if (this.choosing) return;
    this.choosing = true;
    this.ranks.clear();
    const { games } = await get("hall").catch(() => ({ games: [] })); // with their moves of now
    const weighed = await Promise.all(games.filter((game) => game.id !== but && game.state === "running").map((game) => this.weigh(game)));
    this.choosing = false;
    if (this.closed) return;
    const [best] = weighed.sort(order), now = but ? null : weighed.find((game) => game.id === this.id);
    if (!best) this.rest(but);
    else if (best.id !== this.id && (!now || quiet || (isBetter(best, now) && !best.left))) this.follow(best.id);
  }

  // Nothing else is played: the last game stays, or it is said.
  rest(but) {
    if (this.state && !this.state.result && !but) return;
    this.id = null;
    if (!this.state) this.el.replaceChildren(this.empty);
  }

  // The game is not there any more.
  lookAway() {
    if (this.state?.id !== this.id) this.choose(this.id);
  }

  comeBack() {}

  // Who watches television does not play, whoever he is.
  findRights() {}

  get mayEnd() { return false; }

  hear(state, change) {
    const now = performance.now();
    if (this.heard !== state.id) this.beganAt = now;
    if (this.heard !== state.id || state.moves.length !== this.plies) this.movedAt = now;
    Object.assign(this, { heard: state.id, plies: state.moves.length });
    super.hear({ ...state, next: "" }, change);
    this.app.setTitle(`${t("tv")} · ${titleOf(state.game)}`, true);
    if (!state.result || this.over === state.id) return;
    this.over = state.id;
    clearTimeout(this.later);
    this.later = setTimeout(() => !this.closed && this.choose(state.id), LINGER_MS);
  }
}
