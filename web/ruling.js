// SPDX-License-Identifier: MIT
// What the organiser decides of a game or a player: the dialog that asks for the reason, and the list that everybody
// reads.
import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { about, job } from "./api.js";
import { prefs, setPref } from "./prefs.js";
import { playerName } from "./sentences.js";

// What can be decided of a game as it stands, and of a player.
const ofGame = ({ state, reason }) => (state === "done" ? (reason === "walkover" ? [] : ["annul", "replay"]) : state === "annulled" && reason !== "platform" ? ["restore"] : []);
const ofPlayer = ({ remark }) => (/^disqualified\b/.test(remark) ? ["readmit"] : /^withdrawn\b/.test(remark) ? ["readmit", "disqualify"] : ["withdraw", "disqualify"]);

class Ruling {
  constructor(contest, title, subject, kinds) {
    Object.assign(this, { contest, subject });
    this.kinds = kinds.map((kind, i) => {
      const input = h("input", { type: "radio", name: "kind", value: kind });
      input.checked = i === 0;
      return h("label", { class: "opt" }, input, h("span", {}, h("b", {}, t(`ruling.${kind}`)), h("br"), h("span", { class: "s m" }, t(`ruling.${kind}.words`))));
    });
    this.why = h("textarea", { class: "text", name: "why", rows: 2, maxlength: 160, oninput: () => this.paint() });
    this.by = h("input", { class: "text", name: "by", maxlength: 20, value: prefs.name });
    this.error = h("p", { class: "badline", role: "alert" });
    this.ok = h("button", { class: "btn go", onclick: () => this.keep() }, t("ruling.keep"));
    this.el = h("dialog", { class: "card dialog ruling", "aria-label": title, onclose: () => this.el.remove() }, h("div", { class: "inner" }, h("div", { class: "pad" }, h("h2", {}, title)), this.kinds,
      h("div", { class: "pad stack" }, h("label", { class: "stackl" }, h("span", { class: "s m" }, t("ruling.why")), this.why),
        h("label", { class: "stackl" }, h("span", { class: "s m" }, t("ruling.by")), this.by), this.error,
        h("div", { class: "row" }, h("button", { class: "btn", onclick: () => this.el.close() }, t("cancel")), this.ok))));
    document.body.append(this.el);
    this.el.showModal();
    this.why.focus();
    this.paint();
  }

  paint() { this.ok.disabled = this.busy || !this.why.value.trim(); }

  async keep() {
    this.busy = true;
    this.error.textContent = "";
    this.paint();
    const by = this.by.value.trim();
    if (by && !prefs.name) setPref("name", by);
    try {
      await job(`contests/${this.contest}/decisions`, { kind: this.el.querySelector("input:checked").value, subject: this.subject, why: this.why.value.trim(), by });
      this.el.close();
    } catch (error) {
      this.error.textContent = error.message;
    }
    this.busy = false;
    this.paint();
  }
}

const button = (title, kinds, open) => (about.organiser && kinds.length ? h("button", { class: "btn small flat rule", title, "aria-label": title, onclick: () => open(title, kinds) }, icon("tune")) : "");

export const gameRuling = (contest, game) => button(t("ruling.game", { n: game.number }), ofGame(game), (title, kinds) => new Ruling(contest, title, String(game.number), kinds));
export const playerRuling = (contest, row) => button(t("ruling.player", { name: playerName(row.name) }), ofPlayer(row), (title, kinds) => new Ruling(contest, title, row.name, kinds));

// The newest first.
export function decisionList(decisions) {
  return h("ul", { class: "plain decisions" }, [...decisions].reverse().map((one) => h("li", {}, h("b", {}, t(`decision.${one.kind}`, { n: playerName(one.subject) })), h("span", {}, one.why),
    h("span", { class: "s q" }, [new Date(one.at_ms).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }), one.by ? t("decision.by", { name: one.by }) : ""].filter(Boolean).join(" · ")))));
}
