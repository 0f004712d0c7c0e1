// SPDX-License-Identifier: MIT
// For the organiser of a contest whose teams hand in: their links, and how far everybody is.
import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { copyButton } from "./copy.js";
import { get, post } from "./api.js";

const EVERY_MS = 2000;

export class TeamsPanel {
  constructor(id) {
    this.id = id;
    this.body = h("tbody");
    this.error = h("p", { class: "badline s", role: "alert" });
    this.sum = h("span", { class: "push s q" });
    this.el = h("section", { class: "teams", "aria-label": t("teams") }, h("div", { class: "head" }, h("h2", {}, t("teams")), this.sum),
      h("p", { class: "s m" }, t("teams.words")), this.error, h("div", { class: "card scroll" }, h("table", { class: "tb" }, h("thead", {}, h("tr", {}, ["st.player", "teams.state", "teams.link"].map((key) => h("th", {}, t(key))), h("th"))), this.body)));
    this.ask();
    this.timer = setInterval(() => this.ask(), EVERY_MS);
  }

  close() { clearInterval(this.timer); }

  async ask() {
    const teams = await get(`contests/${this.id}/teams`).catch((error) => { this.error.textContent = error.message; return null; });
    const drawn = JSON.stringify(teams);
    if (!teams || drawn === this.drawn) return; // a click must not lose its button
    this.drawn = drawn;
    this.error.textContent = "";
    this.sum.textContent = t("teams.sum", { n: teams.filter((team) => team.good).length, of: teams.length });
    this.body.replaceChildren(...teams.map((team) => this.row(team)));
  }

  state({ busy, last, good, finding }) {
    if (busy) return t("teams.busy", { n: busy });
    if (!last) return t("teams.nothing");
    return good === last ? t("teams.good", { n: good }) : good ? t("teams.older", { n: good, last, why: t(`finding.${finding || "error"}`) }) : t("teams.bad", { last, why: t(`finding.${finding || "error"}`) });
  }

  row(team) {
    const link = `${location.origin}/team/${this.id}/${team.token}`;
    const field = h("input", { class: "text link", readonly: true, value: link, "aria-label": t("teams.link.of", { name: team.name }), onfocus: (event) => event.target.select() });
    const copy = copyButton(t("copy.link"), () => link, "btn small");
    const renew = h("button", { class: "btn small", title: t("teams.renew.words"), onclick: () => this.renew(team, renew) }, icon("undo"), t("teams.renew"));
    return h("tr", {}, h("td", { class: "key name", title: team.name }, team.name), h("td", { class: team.good ? "s" : "s m" }, team.good ? "✓ " : "", this.state(team)), h("td", { class: "linkcell" }, field), h("td", { class: "linkacts" }, copy, renew));
  }

  // The second click renews: the old link is void then.
  async renew(team, button) {
    if (!button.classList.contains("sure")) {
      button.classList.add("sure");
      button.lastChild.textContent = t("teams.renew.sure");
      return;
    }
    await post(`contests/${this.id}/teams`, { renew: team.team }).catch((error) => { this.error.textContent = error.message; });
    this.ask();
  }
}
