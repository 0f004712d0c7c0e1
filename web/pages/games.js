// SPDX-License-Identifier: MIT
// Games that are over, newest first, by who played, in which contest, which game and how it ended. What is looked
// for stands in the address. The server tells them a page at a time.
import { h, disc, icon } from "../dom.js";
import { t, currentLanguage } from "../words.js";
import { refreshOutside, titleOf } from "../outside.js";
import { get } from "../api.js";
import { gameNames, lookOf, miniPosition, readPosition, scorePair } from "../boards/index.js";
import { contestOf, gamesAddress, gamesLink } from "../links.js";
import { seatName, resultSentence } from "../sentences.js";

const FIELDS = ["player", "against", "part", "game", "contest", "result"], TYPED_MS = 300, WANTED = 20;

export class GamesPage {
  constructor(at, app) {
    this.app = app;
    this.el = h("main");
  }

  async open() {
    this.app.setTitle(t("all.games"));
    const asked = new URLSearchParams(location.search);
    this.asked = Object.fromEntries(FIELDS.map((name) => [name, asked.get(name) || ""]));
    [this.contests] = await Promise.all([get("contests").catch(() => []), refreshOutside()]);
    if (this.closed) return;
    this.title = h("h1");
    this.count = h("span", { class: "s m" });
    this.rows = h("tbody");
    this.table = h("div", { class: "card scroll" }, h("table", { class: "tb archive" }, h("thead", {}, h("tr", {}, ["", "games.game", "black", "white", "games.result", "games.when"].map((key, i) =>
      h("th", { class: i === 0 || i === 5 ? "no-p" : "" }, key ? t(key) : h("span", { class: "vh" }, t("games.board")))))), this.rows));
    this.note = h("div");
    this.more = h("button", { class: "btn", hidden: true, onclick: () => this.load() }, t("games.more"));
    this.el.replaceChildren(h("div", { class: "head" }, this.title, this.count), this.form(), this.table, this.note, h("p", { class: "more" }, this.more));
    await this.begin();
  }

  close() { this.closed = true; clearTimeout(this.typing); this.search = null; }

  form() {
    const select = (name, any, list) => h("label", { class: "stackl" }, h("span", { class: "s m" }, t(`games.${name}`)),
      h("select", { class: "text", name, onchange: (e) => this.ask({ [name]: e.target.value }) }, h("option", { value: "" }, t(any)), list.map(([value, words]) => h("option", { value, selected: value === this.asked[name] }, words))));
    this.part = h("input", { class: "text", name: "part", type: "search", value: this.asked.part, oninput: () => { clearTimeout(this.typing); this.typing = setTimeout(() => this.ask({ part: this.part.value.trim() }), TYPED_MS); } });
    this.exact = h("span", { class: "exact" });
    this.results = h("span", { class: "slot" });
    this.pickResult = () => select("result", "games.any", ["black", "white", "draw", "forfeit", "annulled", ...(this.asked.player ? ["won", "lost"] : [])].map((one) => [one, t(`games.result.${one}`)]));
    return h("div", { class: "filters", role: "search" }, h("label", { class: "stackl" }, h("span", { class: "s m" }, t("games.player")), this.part),
      select("game", "games.any", gameNames().map((game) => [game, titleOf(game)])),
      select("contest", "games.any", this.contests.map(({ id, name }) => [id, name])), this.results, this.exact);
  }

  ask(change) {
    this.asked = { ...this.asked, ...change };
    if (!this.asked.player && ["won", "lost"].includes(this.asked.result)) this.asked.result = "";
    history.replaceState(history.state, "", gamesAddress(this.asked));
    this.begin();
  }

  begin() {
    const { player } = this.asked;
    this.search = {};
    this.after = "";
    this.tally = [0, 0, 0];
    this.found = 0;
    this.rows.replaceChildren();
    this.note.replaceChildren();
    this.title.textContent = player ? t("games.of", { name: [player, this.asked.against].filter(Boolean).map((one) => this.nameOf(one)).join(" – ") }) : t("all.games");
    this.app.setTitle(this.title.textContent);
    this.exact.replaceChildren(...(player ? [h("button", { class: "chip pick on", onclick: () => this.ask({ player: "", against: "" }) }, [player, this.asked.against].filter(Boolean).map((one) => this.nameOf(one)).join(" – "), h("span", { "aria-hidden": "true" }, "×"), h("span", { class: "vh" }, t("games.all.players")))] : []));
    this.results.replaceChildren(this.pickResult());
    return this.load();
  }

  // A built-in player goes by what starts it.
  nameOf(player) { return seatName({ player: /^(random$|builtin(:\w+)?$|human$|own:|tcp:)/.test(player) ? player : "entrant", name: /^builtin(:\w+)?$/.test(player) ? "" : player }); }

  // Some more of them. A search looks at so many games: it goes on by itself until there is something to show.
  async load() {
    const { search } = this;
    let wanted = WANTED;
    this.more.hidden = true;
    do {
      const text = new URLSearchParams(Object.entries({ ...this.asked, after: this.after }).filter(([, value]) => value)).toString();
      const found = await get(`archive?${text}`).catch((e) => e);
      if (search !== this.search) return;
      if (found instanceof Error) return this.note.replaceChildren(h("div", { class: "card pad" }, h("p", { class: "badline", role: "alert" }, found.message)));
      this.rows.append(...found.games.map((game) => this.row(game)));
      this.found += found.games.length;
      wanted -= found.games.length;
      this.after = found.after;
    } while (this.after && wanted > 0);
    this.more.hidden = !this.after;
    this.tell();
  }

  tell() {
    const [won, drawn, lost] = this.tally, { found } = this;
    this.table.hidden = !found;
    this.count.textContent = this.asked.player && found ? t("games.tally", { won, drawn, lost }) : "";
    if (found) return;
    const any = FIELDS.some((name) => this.asked[name]);
    this.note.replaceChildren(h("div", { class: "card pad" }, h("b", {}, t(any ? "games.no.match" : "games.none")), any ? "" : h("p", { class: "s m" }, t("games.none.words")),
      any ? h("button", { class: "btn", onclick: () => this.app.go("/games") }, t("games.all")) : h("a", { class: "btn go", href: "/practice/connect6" }, t("menu.practice"))));
  }

  // What a game was for the player whose games these are; one that was annulled counts for nobody.
  addToTally(game) {
    if (game.annulled) return;
    const me = game.names?.findIndex((name, i) => (name || game.players[i]) === this.asked.player);
    if (me >= 0 && game.winner !== null) this.tally[game.winner === 0 ? 1 : game.winner === me + 1 ? 0 : 2]++;
  }

  row(game) {
    if (this.asked.player) this.addToTally(game);
    const when = game.at ? new Date(game.at * 1000).toLocaleString(currentLanguage(), { dateStyle: "short", timeStyle: "short" }) : "";
    const seat = (i) => ({ player: game.players[i], name: game.names?.[i] || "" });
    const player = (i) => h("td", { class: game.winner === i + 1 && !game.annulled ? "key name" : "name" }, disc(i + 1), " ", h("a", { class: "plain", href: gamesLink(seat(i)) }, seatName(seat(i))));
    const [contest] = contestOf(game.id), known = this.contests.find(({ id }) => id === contest);
    const here = game.position && lookOf(game.game);
    const counted = here && game.reason !== "forfeit" ? scorePair(game.game, readPosition(game.game, game.position), game) : null;
    return h("tr", { class: game.annulled ? "annulled" : "" }, h("td", { class: "thumb" }, h("a", { href: `/replay/${game.id}`, tabindex: -1, "aria-hidden": "true" }, here ? miniPosition(game.game, game.position, game.last) : icon("play"))),
      h("td", {}, h("a", { href: `/replay/${game.id}` }, titleOf(game.game)), known ? h("a", { class: "of s", href: `/tournament/${known.id}` }, known.name) : ""),
      player(0), player(1), h("td", { class: "m" }, game.annulled ? [h("span", { class: "chip" }, t("game.annulled")), " "] : "", resultSentence({ ...game, counted, verdict: null })), h("td", { class: "q no-p" }, when));
  }
}
