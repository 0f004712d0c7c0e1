// SPDX-License-Identifier: MIT
// Help: the rules of each game with pictures, how to write a player, how to connect it, the keys.
import { h, icon } from "../dom.js";
import { has, t, texts } from "../words.js";
import { outsideGame, refreshOutside, titleOf } from "../outside.js";
import { rulesText } from "../primer.js";
import { about } from "../api.js";
import { kitLinks } from "../kits.js";
import { GAMES, gameNames, lookOf, miniBoard, needGame, samplePictures } from "../boards/index.js";

const topics = () => [...gameNames(), "write", "connect", "keys"];

const KEYS = [["P T S H", "menu"], ["← ↑ ↓ →", "cursor"], ["Enter", "choose"], ["Esc", "takeback"], ["U", "undo"], ["?", "hint"], ["N", "again"], ["M", "moves"], ["F", "present"],
  ["← →", "step"], ["Home End", "ends"], ["↑ ↓", "mistakes"], ["Q E", "turn"], ["+ −", "zoom"], ["R", "reset"], ["1 … 6", "layer"], ["1 2 3", "cup"], ["L", "language"]];

export class HelpPage {
  constructor({ topic }, app) {
    this.app = app;
    this.asked = topic;
    this.el = h("main");
  }

  async open() {
    this.app.setTitle(t("menu.help"));
    await refreshOutside();
    this.topic = topics().includes(this.asked) ? this.asked : GAMES[0];
    const nav = h("nav", { "aria-label": t("menu.help") }, topics().map((topic) =>
      h("a", { href: `/help/${topic}`, "aria-current": topic === this.topic ? "page" : undefined }, this.title(topic))));
    const article = GAMES.includes(this.topic) ? this.game(this.topic) : outsideGame(this.topic) ? this.outside(this.topic) : this.topic === "keys" ? this.keyTable() : this.text(this.topic);
    this.el.replaceChildren(h("div", { class: "doc" }, nav, article));
    nav.querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "center" }); // on a phone they are in a row
  }

  title(topic) { return gameNames().includes(topic) ? titleOf(topic) : t(`help.${topic}`); }

  game(game) {
    const pictures = lookOf(game).pictures.map(([settings, moves], i) => h("figure", {}, miniBoard(game, settings, moves.split(";").filter(Boolean)),
      h("figcaption", {}, t(`help.${game}.picture.${i + 1}`))));
    return h("article", {}, h("h1", {}, titleOf(game)), this.paragraphs(`help.${game}`), h("div", { class: "pics" }, pictures),
      h("h2", {}, t("help.faults")), h("p", { class: "m" }, t(`help.${game}.faults`)),
      h("div", { class: "row" }, h("a", { class: "btn go", href: `/practice/${game}` }, t("help.try")), h("a", { class: "btn", href: "/help/write" }, t("help.write"))), kitLinks(game));
  }

  // What its folder says, and what happens at a fault.
  outside(game) {
    const pictures = h("div", { class: "pics" });
    needGame(game).then((here) => here && pictures.replaceChildren(...samplePictures(game).map((picture) => h("figure", {}, picture)))).catch(() => {});
    return h("article", {}, h("h1", {}, titleOf(game)), pictures, rulesText(game), h("h2", {}, t("help.faults")), h("p", { class: "m" }, t("help.outside.faults")),
      h("div", { class: "row" }, h("a", { class: "btn go", href: `/practice/${game}` }, t("help.try")), h("a", { class: "btn", href: "/help/write" }, t("help.write"))), kitLinks(game));
  }

  paragraphs(key) { return texts(key).map((text) => h("p", {}, text)); }

  // Steps, each in words and, where it is typed, as it is.
  text(topic) {
    const values = { port: about.judge_port || 8888, host: location.hostname }, steps = [];
    texts(`help.${topic}`, values).forEach((text, i) => {
      const code = `help.${topic}.${i + 1}.code`;
      steps.push(h("p", {}, text), has(code) ? h("pre", {}, t(code, values)) : "", topic === "write" && i === 0 ? this.kitTable() : "");
    });
    return h("article", {}, h("h1", {}, t(`help.${topic}`)), steps, this.paragraphs(`help.${topic}.after`),
      topic === "connect" ? h("p", {}, h("a", { class: "btn small", href: "/api/kits/relay", download: "relay.zip" }, icon("load"), t("kits.relay"))) : "");
  }

  // What the kits hold, by game and language, to be changed.
  kitTable() {
    return h("div", { class: "card scroll" }, h("table", { class: "tb" }, h("thead", {}, h("tr", {}, [t("games.game"), "C++", "Python", "C"].map((words) => h("th", {}, words)))),
      h("tbody", {}, gameNames().map((game) => h("tr", {}, h("td", { class: "key" }, titleOf(game)), lookOf(game).kit.map((file, i) => h("td", {}, this.kitFile(game, ["cpp", "python", "c"][i], file))))))));
  }

  kitFile(game, language, file) { return h("a", { href: `/api/kits/${game}/${language}`, download: `${game}-${language}.zip` }, h("code", {}, file)); }

  keyTable() {
    return h("article", {}, h("h1", {}, t("help.keys")), h("div", { class: "card scroll" }, h("table", { class: "tb" }, h("tbody", {},
      KEYS.map(([keys, what]) => h("tr", {}, h("td", {}, keys.split(" ").map((key) => [h("kbd", {}, key), " "])), h("td", {}, t(`key.${what}`))))))));
  }
}
