// SPDX-License-Identifier: MIT
// Television: the page follows the most interesting game that is played, and goes on to the next by itself.
import { h } from "../dom.js";
import { t } from "../words.js";
import { get } from "../api.js";
import { watch } from "../live.js";
import { onPref } from "../prefs.js";
import { contestOf } from "../links.js";
import { PlayPage } from "./play.js";

const LINGER_MS = 6000; // the end of a game is shown so long

// The better the players, the later the stage, the longer the game.
function order(a, b) {
  return a.rank - b.rank || b.stage - a.stage || b.round - a.round || b.plies - a.plies;
}

export class TvPage extends PlayPage {
  constructor(at, app) {
    super({}, app);
    this.ranks = new Map(); // of a contest: name to rank
  }

  async open() {
    this.empty = h("div", { class: "card pad empty" }, h("h1", {}, t("tv")), h("p", { class: "m" }, t("tv.none")), h("a", { class: "btn", href: "/games" }, t("all.games")));
    this.app.setTitle(t("tv"));
    this.el.replaceChildren(this.empty);
    this.stopPref = onPref(() => this.state && this.refresh());
    this.stopHall = watch("hall", () => { if (!this.id) this.choose(); });
    this.timer = setInterval(() => this.tick(), 100);
  }

  close() {
    this.stopHall?.();
    clearTimeout(this.later);
    super.close();
  }

  // Where it stands is told by the server; the ranks of its players by the table of their contest.
  async weigh(game) {
    const [contest] = contestOf(game.id);
    if (contest && game.contest && !this.ranks.has(contest)) {
      const { report } = await get(`contests/${contest}`).catch(() => ({}));
      this.ranks.set(contest, new Map((report?.standings || []).map((row) => [row.name, row.rank])));
    }
    const ranks = (game.contest && this.ranks.get(contest)) || new Map(), rank = (seat) => ranks.get(seat.name) ?? 1000;
    return { ...game, rank: game.seats.reduce((sum, seat) => sum + rank(seat), 0), stage: game.stage ?? -1, round: game.round ?? -1 };
  }

  // The next game to follow, if there is one.
  async choose(but = null) {
    if (this.choosing) return;
    this.choosing = true;
    this.ranks.clear();
    const { games } = await get("hall").catch(() => ({ games: [] })); // with their moves of now
    const weighed = await Promise.all(games.filter((game) => game.id !== but && game.state === "running").map((game) => this.weigh(game)));
    this.choosing = false;
    if (this.closed) return;
    const [best] = weighed.sort(order);
    if (best) this.follow(best.id);
    else this.rest();
  }

  // Nothing is played: the last game stays, or it is said.
  rest() {
    this.id = null;
    if (!this.state) this.el.replaceChildren(this.empty);
  }

  // The game is not there any more.
  lookAway() {
    if (this.state?.id !== this.id) this.choose(this.id);
  }

  comeBack() {}

  hear(state, change) {
    super.hear({ ...state, next: "" }, change);
    this.app.setTitle(`${t("tv")} · ${t(`game.${state.game}`)}`, true);
    if (!state.result || this.over === state.id) return;
    this.over = state.id;
    clearTimeout(this.later);
    this.later = setTimeout(() => !this.closed && this.choose(state.id), LINGER_MS);
  }
}
