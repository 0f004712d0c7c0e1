// SPDX-License-Identifier: MIT
// What the organiser decides of a game or a player: the dialog that asks for the reason, and the list that everybody
// reads.
import { h, icon } from "./dom.js";
import { isBlank, t } from "./words.js";
import { about, job, post } from "./api.js";
import { prefs, setPref } from "./prefs.js";
import { gamesAddress } from "./links.js";
import { playerName } from "./sentences.js";

// What can be decided of a game as it stands, and of a player.
const ofGame = ({ state, reason }) => (state === "done" ? (reason === "walkover" ? [] : ["annul", "replay"]) : state === "annulled" && reason !== "platform" ? ["restore"] : []);
const ofPlayer = ({ remark }) => (/^disqualified\b/.test(remark) ? ["readmit"] : /^withdrawn\b/.test(remark) ? ["readmit", "disqualify"] : ["withdraw", "disqualify"]);

// A dialog with parts, shown at once.
function openDialog(title, parts) {
  const dialog = h("dialog", { class: "card dialog ruling", "aria-label": title, onclose: () => dialog.remove() }, h("div", { class: "inner" }, parts));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

class Ruling {
  constructor(contest, title, subject, kinds) {
    Object.assign(this, { contest, title, subject });
    this.kinds = kinds.map((kind, i) => {
      const input = h("input", { type: "radio", name: "kind", value: kind });
      input.checked = i === 0;
      return h("label", { class: "opt" }, input, h("span", {}, h("b", {}, t(`ruling.${kind}`)), h("br"), h("span", { class: "s m" }, t(`ruling.${kind}.words`), kind === "replay" && this.rests ? ` ${t("ruling.replay.rests")}` : "")));
    });
    this.why = h("textarea", { class: "text", name: "why", rows: 2, maxlength: 160, oninput: () => this.paint() });
    this.by = h("input", { class: "text", name: "by", maxlength: 20, value: prefs.name });
    this.error = h("p", { class: "badline", role: "alert" });
    this.ok = h("button", { class: "btn go", onclick: () => this.keep() }, t("ruling.keep"));
    this.el = openDialog(title, [h("div", { class: "pad" }, h("h2", {}, title)), this.kinds,
      h("div", { class: "pad stack" }, h("label", { class: "stackl" }, h("span", { class: "s m" }, t("ruling.why")), this.why),
        h("label", { class: "stackl" }, h("span", { class: "s m" }, t("ruling.by")), this.by), this.error,
        h("div", { class: "row" }, h("button", { class: "btn", onclick: () => this.el.close() }, t("cancel")), this.ok))]);
    this.why.focus();
    this.paint();
  }

  // Whether nothing is played until the organiser lets the contest go on.
  get rests() { return this.contest.state !== "running"; }

  paint() {
    const blank = isBlank(this.why.value);
    this.ok.disabled = this.busy || blank;
    this.ok.title = blank ? t("ruling.blank") : "";
  }

  async keep() {
    this.busy = true;
    this.error.textContent = "";
    this.paint();
    const by = this.by.value.trim(), kind = this.el.querySelector("input:checked").value;
    if (by && !prefs.name) setPref("name", by);
    try {
      await job(`contests/${this.contest.id}/decisions`, { kind, subject: this.subject, why: this.why.value.trim(), by });
      if (kind === "replay" && this.rests) this.askToGoOn();
      else this.el.close();
    } catch (error) {
      this.error.textContent = error.message;
    }
    this.busy = false;
    this.paint();
  }

  // A game that is to be played again waits for a contest that rests.
  askToGoOn() {
    const { id } = this.contest, error = h("p", { class: "badline", role: "alert" });
    const go = h("button", { class: "btn go", onclick: () => post(`contests/${id}/continue`).then(() => this.el.close(), (refused) => { error.textContent = refused.message; }) }, icon("play"), t("order.continue"));
    this.el.firstChild.replaceChildren(h("div", { class: "pad stack" }, h("h2", {}, this.title), h("p", { role: "status" }, t("ruling.replay.waits", { n: this.subject })), error,
      h("div", { class: "row" }, h("button", { class: "btn", onclick: () => this.el.close() }, t("ruling.later")), go)));
    go.focus();
  }
}

// The newest game that is played in place of another, if that has begun.
const replayOf = (game, games) => games.filter((one) => one.attempt > game.attempt && ["stage", "round", "table", "leg"].every((key) => one[key] === game[key]) && Boolean(one.house) === Boolean(game.house) && one.state !== "waiting")
  .sort((a, b) => b.attempt - a.attempt)[0];

// Why a game cannot count again: another is played in its place, on which can be decided.
function tellReplay(contest, title, game, later) {
  const dialog = openDialog(title, h("div", { class: "pad stack" }, h("h2", {}, title), h("p", {}, t("ruling.replayed", { n: game.number, m: later.number })),
    h("div", { class: "row wrap" }, h("button", { class: "btn", onclick: () => dialog.close() }, t("cancel")), h("a", { class: "btn", href: later.state === "playing" ? `/game/${contest.id}g${later.number}` : `/replay/${contest.id}g${later.number}`, onclick: () => dialog.close() }, icon("play"), t("game.n", { n: later.number })),
      ofGame(later).length && later.state === "done" ? h("button", { class: "btn go", onclick: () => { dialog.close(); dialog.remove(); ruleOn(contest, later); } }, t("ruling.game", { n: later.number })) : "")));
}

const ruleOn = (contest, game) => new Ruling(contest, t("ruling.game", { n: game.number }), String(game.number), ofGame(game));

const button = (title, kinds, open) => (about.organiser && kinds.length ? h("button", { class: "btn small flat rule", title, "aria-label": title, onclick: () => open(title, kinds) }, icon("tune")) : "");

// `games`: all of the contest.
export function gameRuling(contest, game, games) {
  const later = game.state === "annulled" ? replayOf(game, games) : null;
  return button(t("ruling.game", { n: game.number }), ofGame(game), (title) => (later ? tellReplay(contest, title, game, later) : ruleOn(contest, game)));
}

export const playerRuling = (contest, row) => button(t("ruling.player", { name: playerName(row.name) }), ofPlayer(row), (title, kinds) => new Ruling(contest, title, row.name, kinds));

// The newest first, each with a link to the game or to those of the player.
export function decisionList(decisions, contest) {
  const isOfGame = ({ kind }) => ["annul", "replay", "restore"].includes(kind);
  const link = (one) => (isOfGame(one) ? `/replay/${contest}g${one.subject}` : gamesAddress({ player: one.subject, contest }));
  return h("ul", { class: "plain decisions" }, [...decisions].reverse().map((one) => h("li", {}, h("b", {}, h("a", { class: "plain", href: link(one) }, t(`decision.${one.kind}`, { n: playerName(one.subject) }))), h("span", {}, one.why),
    h("span", { class: "s q" }, [new Date(one.at_ms).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }), one.by ? t("decision.by", { name: one.by }) : ""].filter(Boolean).join(" · ")))));
}
