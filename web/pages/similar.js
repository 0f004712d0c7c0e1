// SPDX-License-Identifier: MIT
// For the organiser: which players of a contest have code in common, and two of them side by side.
import { h, icon } from "../dom.js";
import { t } from "../words.js";
import { about, get, job } from "../api.js";
import { progress } from "../contestparts.js";

const COLOURS = 8;
const percent = (value) => `${value.toFixed(1)} %`;

export class SimilarPage {
  constructor({ id, pair }, app) {
    this.app = app;
    this.id = id;
    this.pair = pair ? Number(pair) : 0;
    this.home = `/tournament/${id}/similar`;
    this.el = h("main");
  }

  async open() {
    this.app.setTitle(t("similar"));
    if (!about.organiser) return this.say(t("similar"), t("similar.needs.key"));
    this.wait(0, 0);
    try {
      const contest = await get(`contests/${this.id}`);
      const found = await job(`contests/${this.id}/similar`, {}, ({ done, of }) => this.wait(done, of));
      if (this.closed) return;
      if (!this.pair) return this.showList(contest, found);
      const players = found.pairs[this.pair - 1]?.players;
      if (!players) return this.app.go(this.home, true);
      const sides = await job(`contests/${this.id}/similar`, { players }, ({ done, of }) => this.wait(done, of));
      if (!this.closed) this.showPair(sides);
    } catch (error) {
      this.say(t("similar"), error.message);
    }
  }

  close() { this.closed = true; }

  say(title, words) {
    this.el.replaceChildren(h("div", { class: "card pad stack" }, h("h1", {}, title), h("p", { class: "m" }, words), h("p", {}, h("a", { href: `/tournament/${this.id}` }, t("similar.back")))));
  }

  wait(done, of) {
    this.el.replaceChildren(h("section", { class: "card pad" }, h("p", { role: "status" }, of ? t("similar.working.of", { n: done, of }) : t("similar.working")), progress(done, 0, of)));
  }

  head(title, back, words) {
    return h("div", { class: "head" }, h("a", { class: "ico", href: back, "aria-label": t("back") }, icon("back")), h("h1", { class: "name" }, title), h("span", { class: "push s q no-p" }, words));
  }

  showList(contest, { pairs, players, clusters, remarks, percent: from }) {
    const flagged = pairs.filter((pair) => pair.flagged).length;
    const parts = [this.head(t("similar.of", { name: contest.name }), `/tournament/${this.id}`, t("similar.sum", { n: players.length, flagged })),
      h("p", { class: "m teamof" }, t("similar.words", { percent: from }))];
    if (!pairs.length) parts.push(h("div", { class: "card pad" }, h("b", {}, t(players.length > 1 ? "similar.none" : "similar.no.sources")), h("p", { class: "s m" }, t(players.length > 1 ? "similar.none.words" : "similar.no.sources.words"))));
    else parts.push(h("div", { class: "card scroll" }, this.table(pairs)));
    if (clusters.length) parts.push(h("section", { class: "clusters" }, h("h2", {}, t("similar.clusters")), h("p", { class: "s m" }, t("similar.clusters.words")),
      h("ul", {}, clusters.map((names) => h("li", { class: "card pad" }, names.map((name) => h("span", { class: "chip" }, name)))))));
    if (remarks.length) parts.push(h("section", { class: "remarks" }, h("h2", {}, t("similar.remarks")), h("p", { class: "s m" }, t("similar.remarks.words")),
      h("ul", {}, remarks.map(({ player, remark }) => h("li", { class: "card pad" }, h("b", {}, player), h("p", { class: "s m", lang: "en" }, remark))))));
    this.el.replaceChildren(...parts);
  }

  table(pairs) {
    return h("table", { class: "tb pairs" }, h("thead", {}, h("tr", {}, [["st.player", ""], ["similar.percent", "num"], ["st.player", ""], ["similar.percent", "num"], ["similar.verdict", ""]].map(([key, look]) => h("th", { class: look }, t(key))))),
      h("tbody", {}, pairs.map((pair, i) => h("tr", { class: pair.flagged ? "flagged" : "" }, [0, 1].map((side) => [h("td", { class: "key name", title: pair.players[side] }, pair.players[side]), h("td", { class: "num" }, percent(pair.percent[side]))]),
        h("td", {}, pair.flagged ? h("span", { class: "flag" }, "▲ ", t("similar.flagged")) : "", h("a", { href: `${this.home}/${i + 1}`, class: "look2" }, t("similar.look")))))));
  }

  showPair({ players, percent: shares, flagged, sides }) {
    this.app.setTitle(players.join(" – "));
    const columns = sides.map((files, side) => h("section", { class: "side", "aria-label": players[side] }, h("h2", {}, h("span", { class: "name" }, players[side]), h("span", { class: "push s m" }, t("similar.share", { percent: percent(shares[side]) }))),
      files.map(({ file, parts }) => h("figure", {}, h("figcaption", { class: "s m" }, file), h("pre", { class: "code", tabindex: 0 }, parts.map((part) => this.part(part, side)))))));
    this.el.replaceChildren(this.head(players.join(" – "), this.home, ""), h("p", { class: "m teamof" }, flagged ? h("span", { class: "flag" }, "▲ ", t("similar.flagged"), " ") : "", t("similar.pair.words")), h("div", { class: "sides" }, columns));
  }

  // A stretch that both have carries its number, and leads to the other's.
  part({ text, tile }, side) {
    if (tile < 0) return text;
    const to = `.side:nth-child(${2 - side}) [data-tile="${tile}"]`;
    return h("span", { class: `tile c${tile % COLOURS}`, role: "button", tabindex: 0, "data-tile": tile, title: t("similar.tile", { n: tile + 1 }), onclick: () => this.jump(to),
      onkeydown: (event) => { if (event.key === "Enter") this.jump(to); } }, h("sup", {}, String(tile + 1)), text);
  }

  jump(to) {
    const other = this.el.querySelector(to);
    other?.scrollIntoView({ block: "start" });
    other?.focus({ preventScroll: true });
  }
}
