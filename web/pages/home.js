// SPDX-License-Identifier: MIT
// The first page: the menu, the games, what is being played.
import { h, icon, setChildren } from "../dom.js";
import { t } from "../words.js";
import { onOutside, refreshOutside, titleOf, wordsOf } from "../outside.js";
import { about } from "../api.js";
import { watch } from "../live.js";
import { GAMES, gameNames, needGame, samplePicture } from "../boards/index.js";
import { LiveGame } from "../livegame.js";

const MENU = [["practice", `/practice/${GAMES[0]}`, "play", "P"], ["tournament", "/tournament", "cup", "T"], ["settings", "/settings", "tune", "S"], ["help", "/help", "help", "H"]];

export class HomePage {
  constructor(at, app) {
    this.app = app;
    this.live = new Map();
    this.el = h("main");
  }

  async open() {
    this.app.setTitle("");
    this.strip = h("div", { class: "strip" });
    this.count = h("span", { class: "chip on live" });
    this.watching = new Map(); // by game: where it says that it is being played
    this.list = h("ul", { class: "games" });
    this.showGames();
    this.port = h("span", { class: "push s q no-p" });
    this.empty = h("div", { class: "card pad" }, h("b", {}, t("live.none")), h("p", { class: "s m" }, t("live.none.words")));
    this.el.replaceChildren(h("h1", { class: "vh" }, "Arbiter"),
      h("nav", { class: "menu", "aria-label": t("menu") }, MENU.map((item) => this.menuCard(...item))),
      h("div", { class: "head" }, h("h2", {}, t("the.games")), this.port),
      this.list,
      h("div", { class: "head" }, h("h2", {}, t("live.now")), this.count, h("span", { class: "push" }, h("a", { class: "btn flat", href: "/tv" }, icon("screen"), t("tv")), h("a", { class: "btn flat", href: "/games" }, t("all.games")))),
      this.strip);
    this.stop = watch("hall", (hall) => this.show(hall));
    this.stopOutside = onOutside(() => this.showGames());
    addEventListener("focus", refreshOutside);
    refreshOutside();
    this.timer = setInterval(() => { for (const game of this.live.values()) game.tick(); }, 200);
  }

  close() {
    this.stop?.();
    this.stopOutside?.();
    removeEventListener("focus", refreshOutside);
    clearInterval(this.timer);
    for (const game of this.live.values()) game.close();
  }

  menuCard(name, path, picture, letter) {
    return h("a", { class: "card", href: path }, icon(picture), h("b", {}, t(`menu.${name}`)), h("kbd", {}, letter), h("span", {}, t(`menu.${name}.words`)));
  }

  // Ours, and those from outside, whose list can change while the page is open.
  showGames() {
    const names = gameNames();
    this.watching = new Map(names.map((game) => [game, h("span", { class: "watchslot" })]));
    this.list.replaceChildren(...names.map((game) => this.gameCard(game, this.watching.get(game))));
    if (this.hall) this.show(this.hall);
  }

  // The rules of a game from outside come a moment later, and the picture with them.
  picture(game) {
    const picture = h("div", { class: "pic" });
    const draw = () => picture.replaceChildren(samplePicture(game));
    if (GAMES.includes(game)) draw();
    else needGame(game).then((here) => here && draw()).catch(() => {});
    return picture;
  }

  gameCard(game, watching) {
    return h("li", { class: "card" }, this.picture(game),
      h("div", { class: "tx" }, h("b", {}, titleOf(game)), h("span", { class: "s m" }, wordsOf(game))),
      h("div", { class: "row" }, h("a", { class: "btn", href: `/practice/${game}` }, t("menu.practice")), h("a", { class: "btn flat", href: `/analysis/${game}` }, t("analysis")), watching));
  }

  show(hall) {
    const { games, judge_port: port } = (this.hall = hall);
    this.port.textContent = port ? t("server.port", { port }) : t("server.no.port");
    this.count.textContent = String(games.length);
    for (const [game, slot] of this.watching) this.showWatching(slot, games.filter((one) => one.game === game));
    const ids = games.slice(0, 24).map((one) => one.id);
    for (const [id, game] of this.live) if (!ids.includes(id)) { game.close(); this.live.delete(id); }
    for (const id of ids) if (!this.live.has(id)) this.live.set(id, new LiveGame(id));
    setChildren(this.strip, ids.length ? ids.map((id) => this.live.get(id).el) : [this.empty]);
  }

  // The link to a game of this kind that is being played.
  showWatching(slot, running) {
    const link = slot.firstChild || h("a", { class: "btn flat" });
    if (running.length) {
      link.setAttribute("href", `/game/${running[0].id}`);
      link.textContent = t("watch.n", { n: running.length });
    }
    setChildren(slot, running.length ? [link] : []);
  }
}
