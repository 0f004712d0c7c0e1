// SPDX-License-Identifier: MIT
// A team tries its players out: against a built-in level or another of its submissions, in either colour. The game is
// watched while it is played, and the last ones are listed with replay and log.
import { h, icon, say } from "./dom.js";
import { said, t } from "./words.js";
import { post } from "./api.js";
import { LiveGame } from "./livegame.js";
import { levelElo, levelLabel, levelPlayer, levelWords } from "./levels.js";
import { colour, resultSentence, seatName } from "./sentences.js";

export class Tryouts {
  constructor(id, game) {
    Object.assign(this, { id, of: game });
    this.own = h("select", { class: "text", name: "submission", onchange: () => this.fillAgainst() });
    this.against = h("select", { class: "text", name: "against" });
    this.colour = h("select", { class: "text", name: "colour" }, [1, 2].map((n) => h("option", { value: n }, colour(n))));
    this.go = h("button", { class: "btn go" }, icon("play"), t("tryout.play"));
    this.error = h("p", { class: "badline", role: "alert" });
    const field = (name, control) => h("label", {}, h("span", { class: "s m" }, t(name)), control);
    this.form = h("form", { class: "tryform", onsubmit: (event) => { event.preventDefault(); this.ask(); } }, field("tryout.own", this.own), field("tryout.against", this.against), field("tryout.colour", this.colour), this.go);
    this.now = h("div", { class: "stack" });
    this.list = h("ul", { class: "plain listed trylist" });
    this.el = h("section", { class: "card pad stack tryouts", "aria-label": t("tryouts") }, h("h2", {}, t("tryouts")), h("p", { class: "s m" }, t("tryouts.words")), this.form, this.error, this.now, this.list);
  }

  close() { this.game?.close(); }

  tick() { this.game?.tick(); }

  // A submission that is to be tried out next.
  choose(number) {
    this.own.value = String(number);
    this.fillAgainst();
    this.el.scrollIntoView({ block: "nearest" });
    this.against.focus();
  }

  async ask() {
    const against = this.against.value;
    this.error.textContent = "";
    this.go.disabled = true;
    try {
      await post(`team/${this.id}/tryouts`, { submission: +this.own.value, against: /^\d+$/.test(against) ? +against : against, colour: +this.colour.value });
    } catch (error) {
      this.error.textContent = error.message;
    }
    this.setBusy();
  }

  setBusy() { this.go.disabled = Boolean(this.team.trying.number || this.team.now); }

  show(team) {
    this.team = team;
    const able = team.submissions.filter(({ plays }) => plays).map(({ number }) => number);
    this.el.hidden = !able.length && !team.tryouts.length;
    this.form.hidden = !team.open || !able.length;
    this.fillOwn(able);
    this.setBusy();
    this.showNow(team.trying);
    this.showList(team.tryouts);
  }

  fillOwn(able) {
    if (able.join() === this.able?.join()) return;
    const chosen = this.able?.includes(+this.own.value) && able.includes(+this.own.value) && able[0] === this.able[0] ? this.own.value : String(able[0] || "");
    this.able = able;
    this.own.replaceChildren(...able.map((n) => h("option", { value: n }, t("team.number", { n }))));
    this.own.value = chosen;
    this.fillAgainst();
  }

  fillAgainst() {
    const before = this.against.value, others = this.able.filter((n) => String(n) !== this.own.value);
    const levels = levelWords().map((level) => [levelPlayer(level), [level === "random" ? t("random") : t("builtin.level", { level: levelLabel(level) }), levelElo(this.of, level)].filter(Boolean).join(" · ")]);
    this.against.replaceChildren(...levels.map(([player, words]) => h("option", { value: player }, words)), ...others.map((n) => h("option", { value: n }, t("team.number", { n }))));
    this.against.value = [...levels.map(([player]) => player), ...others.map(String)].includes(before) ? before : levelPlayer("easy");
  }

  // The game is kept in view when it is over, until the next.
  showNow({ number, live, shown }) {
    if (live !== this.live) {
      this.game?.close();
      this.live = live;
      this.game = live ? new LiveGame(live, "", "card pad") : null;
      this.now.replaceChildren(this.words = h("h3", {}), this.game ? h("div", { class: "lives one" }, this.game.el) : "");
    }
    if (!this.words) this.now.replaceChildren(this.words = h("h3", {}));
    const words = number && number !== shown ? t("tryout.waits") : number ? t("tryout.now", { n: number }) : shown ? t("tryout.was", { n: shown }) : "";
    this.now.hidden = !words;
    if (words === this.words.textContent) return;
    this.words.textContent = words;
    if (words) say(words);
  }

  showList(tryouts) {
    const drawn = JSON.stringify(tryouts);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.list.hidden = !tryouts.length;
    this.list.replaceChildren(...tryouts.map((one) => this.item(one)));
  }

  item({ number, submission, against, level, colour: own, result, time_ms, error }) {
    const other = against ? t("team.number", { n: against }) : seatName({ player: level });
    const won = result?.winner ? (result.winner === own ? "tryout.won" : "tryout.lost") : "tryout.drawn";
    return h("li", { "data-tryout": number }, h("div", { class: "row wrap" }, h("b", {}, t("tryout.of", { n: number })), h("span", {}, t("tryout.pair", { own: t("team.number", { n: submission }), colour: colour(own), other })),
      result ? h("span", { class: `push verdictchip ${won === "tryout.lost" ? "bad" : "good"}` }, t(won)) : ""),
    h("p", { class: "s m" }, result ? resultSentence({ ...result, game: this.of }, time_ms) : said(error)),
    result ? h("div", { class: "row wrap links" }, h("a", { class: "btn small", href: `/team/${this.id}/tryout/${number}` }, icon("play"), t("tryout.replay"))) : "");
  }
}
