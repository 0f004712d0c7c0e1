// SPDX-License-Identifier: MIT
// The games of a contest, newest first, a page of them at a time: a contest has thousands. Some are found by who
// played or by their number, and by how they ended. What is looked for stays when the contest goes on.
import { h } from "./dom.js";
import { saidEach, t } from "./words.js";
import { about } from "./api.js";
import { gamesOf } from "./contestparts.js";
import { playerName, resultSentence, scoreAside } from "./sentences.js";
import { gameRuling } from "./ruling.js";

const PAGE = 200, FEW = 20; // so many need no filter
const RESULTS = {
  black: (game) => game.state === "done" && game.winner === 1,
  white: (game) => game.state === "done" && game.winner === 2,
  draw: (game) => game.state === "done" && game.winner === 0,
  forfeit: (game) => game.state === "done" && game.reason === "forfeit",
  annulled: (game) => game.state === "annulled",
};

export class ContestGames {
  // `mark` gives what stands beside a game for the organiser.
  constructor(id, mark) {
    Object.assign(this, { id, mark, games: [], shown: PAGE });
    this.part = h("input", { class: "text", name: "part", type: "search", "aria-label": t("contest.games.part"), placeholder: t("contest.games.part"), oninput: () => this.search() });
    this.result = h("select", { class: "text", name: "result", "aria-label": t("games.result"), onchange: () => this.search() }, h("option", { value: "" }, t("games.any")), Object.keys(RESULTS).map((one) => h("option", { value: one }, t(`games.result.${one}`))));
    this.count = h("span", { class: "s m", role: "status" });
    this.filters = h("div", { class: "filters pad" }, this.part, this.result, this.count);
    this.rows = h("tbody");
    this.table = h("table", { class: "tb tight" }, this.rows);
    this.none = h("p", { class: "pad s m" });
    this.more = h("button", { class: "btn", onclick: () => { this.shown += PAGE; this.draw(); } }, t("games.more"));
    this.el = h("div", { class: "card scroll contestgames" }, this.filters, this.table, this.none, h("p", { class: "more" }, this.more));
  }

  // The page draws its parts anew: who types goes on.
  get focused() { return this.el.contains(document.activeElement) ? document.activeElement : null; }

  show(contest, report) {
    this.contest = contest;
    this.all = report.games;
    this.games = report.games.filter((game) => game.state === "done" || game.state === "annulled").sort((a, b) => b.number - a.number);
    this.draw();
  }

  search() {
    this.shown = PAGE;
    this.draw();
  }

  // By the whole number, or by some of a name as it is read here.
  fits(game) {
    const part = this.part.value.trim().toLowerCase(), result = RESULTS[this.result.value];
    return (!part || String(game.number) === part || [game.black, game.white].some((name) => playerName(name).toLowerCase().includes(part))) && (!result || result(game));
  }

  draw() {
    const found = this.games.filter((game) => this.fits(game));
    this.filters.hidden = this.games.length <= FEW;
    this.count.textContent = t("contest.games.found", { n: found.length });
    this.rows.replaceChildren(...found.slice(0, this.shown).map((game) => this.row(game)));
    this.table.hidden = !found.length;
    this.none.hidden = Boolean(found.length);
    this.none.textContent = t(this.games.length ? "games.no.match" : "games.none");
    this.more.parentElement.hidden = found.length <= this.shown;
  }

  row(game) {
    const annulled = game.state === "annulled";
    return h("tr", { class: annulled ? "annulled" : "", "data-game": game.number }, h("td", { class: "q" }, h("a", { href: `/replay/${this.id}g${game.number}` }, t("game.n", { n: game.number }))),
      [game.black, game.white].map((name, i) => h("td", { class: game.winner === i + 1 && !annulled ? "key name" : "name", title: playerName(name) }, gamesOf(name, this.id))),
      h("td", { class: "m" }, annulled ? h("span", { class: "chip" }, t("game.annulled")) : "", " ", resultSentence({ game: this.contest.game, winner: game.winner, reason: game.reason, verdict: null }), scoreAside(game), game.verdict ? h("span", { class: "q" }, ` · ${saidEach(game.verdict)}`) : ""),
      about.organiser ? h("td", { class: "no-screen" }, this.mark(game.number), gameRuling(this.contest, game, this.all)) : "");
  }
}
