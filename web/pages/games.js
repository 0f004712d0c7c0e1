// SPDX-License-Identifier: MIT
// Games that are over, newest first.
import { h, disc } from "../dom.js";
import { t, currentLanguage } from "../words.js";
import { get } from "../api.js";
import { seatName, resultSentence } from "../sentences.js";

export class GamesPage {
  constructor(at, app) {
    this.app = app;
    this.el = h("main");
  }

  async open() {
    this.app.setTitle(t("all.games"));
    const head = h("div", { class: "head" }, h("h1", {}, t("all.games")));
    const games = await get("games").catch((e) => e);
    this.el.replaceChildren(head, games instanceof Error ? h("div", { class: "card pad" }, h("p", { class: "badline", role: "alert" }, games.message)) : games.length ? this.table(games) : h("div", { class: "card pad" }, h("b", {}, t("games.none")), h("p", { class: "s m" }, t("games.none.words")),
      h("a", { class: "btn go", href: "/practice/connect6" }, t("menu.practice"))));
  }

  table(games) {
    const heads = ["games.when", "games.game", "black", "white", "games.result"];
    return h("div", { class: "card scroll" }, h("table", { class: "tb" }, h("thead", {}, h("tr", {}, heads.map((key, i) => h("th", { class: i === 0 ? "no-p" : "" }, t(key))))),
      h("tbody", {}, games.map((game) => this.row(game)))));
  }

  row(game) {
    const when = game.at ? new Date(game.at * 1000).toLocaleString(currentLanguage()) : "";
    const name = (i) => seatName({ player: game.players[i], name: game.names?.[i] || "" });
    return h("tr", {}, h("td", { class: "q no-p" }, when), h("td", {}, h("a", { href: `/replay/${game.id}` }, t(`game.${game.game}`))),
      h("td", { class: game.winner === 1 ? "key" : "" }, disc(1), " ", name(0)), h("td", { class: game.winner === 2 ? "key" : "" }, disc(2), " ", name(1)),
      h("td", { class: "m" }, resultSentence({ ...game, verdict: null })));
  }
}
