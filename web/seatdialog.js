// SPDX-License-Identifier: MIT
// Who plays a colour: a person, a built-in player, a player of one's own, or a team that has connected.
import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { about, get, job } from "./api.js";
import { watch } from "./live.js";
import { colour } from "./sentences.js";
import { levelLabel, levelOf, levelPlayer, levelWords, levelWorth } from "./levels.js";
import { lookOf } from "./boards/index.js";

const told = new Map(); // by players of one's own that were checked: what they have told of themselves, { name, department }

export const toldBy = (player) => told.get(player) || {};

// Asks, checks and resolves to the player chosen, or null.
export function askSeat(game, player, current) {
  return new Promise((done) => new Dialog(game, player, current, done));
}

class Dialog {
  constructor(game, player, current, done) {
    Object.assign(this, { game, current, done });
    this.level = levelOf(current.startsWith("builtin") || current === "random" ? current : "builtin:easy");
    this.chosen = current;
    this.refusal = h("div", { class: "refusal", role: "alert" });
    this.ok = h("button", { class: "btn go", onclick: () => this.take() }, t("seat.take"));
    this.own = h("div", { class: "sub" });
    this.teams = h("div", { class: "sub" });
    this.el = h("dialog", { class: "card dialog", "aria-label": t("seat.who", { who: colour(player) }), onclose: () => this.close(null),
      onclick: (e) => e.target === this.el && this.el.close() },
    h("div", { class: "inner" },
      h("div", { class: "pad" }, h("h2", {}, t("seat.who", { who: colour(player) }))),
      this.options(), this.refusal,
      h("div", { class: "pad row" }, h("button", { class: "btn", onclick: () => this.el.close() }, t("cancel")), this.ok)));
    document.body.append(this.el);
    this.el.showModal();
    this.fill();
  }

  options() {
    this.person = this.option("human", t("kind.person"), t("seat.person"), icon("person"));
    if (!about.organiser && !about.visitors) return [this.person, h("p", { class: "pad s m" }, t("seat.visitors.off"))];
    this.guest = this.option("guest", t("guest"), t("seat.guest"), icon("link"));
    const levels = h("span", { class: "seg", role: "group", "aria-label": t("level") }, this.levelButtons = levelWords().map((level) =>
      h("button", { type: "button", "data-level": level, onclick: (e) => { e.preventDefault(); this.setLevel(level); } }, levelLabel(level))));
    this.worth = h("p", { class: "s m", role: "status" });
    this.builtin = this.option("builtin", t("kind.builtin"), t("seat.builtin"), icon("chip"));
    const list = [this.person, this.guest, this.builtin, h("div", { class: "pad levels" }, levels, this.worth)];
    if (!about.organiser) return [...list, h("p", { class: "pad s m" }, t("seat.needs.key"))];
    list.push(this.option("own", t("kind.own"), t("seat.own"), icon("file")), this.own);
    if (lookOf(this.game).takesTeams)
      list.push(this.option("tcp", t("kind.team"), t("seat.team", { port: about.judge_port }), icon("net")), this.teams);
    return list;
  }

  option(kind, title, words, picture) {
    const input = h("input", { type: "radio", name: "kind", value: kind, onchange: () => this.pickKind(kind) });
    input.checked = this.kindOf(this.chosen) === kind;
    return h("label", { class: "opt" }, input, h("span", {}, h("b", {}, title), h("br"), h("span", { class: "s m" }, words)), picture);
  }

  kindOf(player) {
    if (player === "human" || player === "guest") return player;
    if (player.startsWith("own:")) return "own";
    if (player.startsWith("tcp:")) return "tcp";
    return "builtin";
  }

  pickKind(kind) {
    this.refusal.replaceChildren();
    if (kind === "human" || kind === "guest") this.chosen = kind;
    else if (kind === "builtin") this.chosen = levelPlayer(this.level);
    else this.chosen = this.kindOf(this.chosen) === kind ? this.chosen : (this[`${kind}First`] || "");
    this.paint();
  }

  setLevel(level) {
    this.level = level;
    this.chosen = levelPlayer(level);
    this.el.querySelector('input[value="builtin"]').checked = true;
    this.paint();
  }

  async fill() {
    this.paint();
    if (!about.organiser) return;
    this.leave = watch("hall", ({ teams }) => this.fillTeams(teams));
    const names = (await get("players").catch(() => [])).filter(({ games }) => games.includes(this.game)).map(({ name }) => name);
    this.ownFirst = names.length ? `own:${names[0]}` : "";
    this.own.replaceChildren(...(names.length ? names.map((name) => this.choice("own", `own:${name}`, name)) : [h("p", { class: "s m" }, t("seat.own.none"))]));
    this.paint();
  }

  fillTeams(teams) {
    this.tcpFirst = teams.length ? `tcp:${teams[0]}` : "";
    this.teams.replaceChildren(...(teams.length ? teams.map((n) => this.choice("tcp", `tcp:${n}`, t("team", { n }))) : [h("p", { class: "s m" }, t("seat.team.none", { port: about.judge_port }))]));
    this.paint();
  }

  choice(kind, player, words) {
    return h("button", { class: "chip pick", type: "button", "data-player": player, onclick: () => {
      this.el.querySelector(`input[value="${kind}"]`).checked = true;
      this.refusal.replaceChildren();
      this.chosen = player;
      this.paint();
    } }, words);
  }

  paint() {
    const kind = this.kindOf(this.chosen || "own:");
    for (const label of this.el.querySelectorAll(".opt")) label.classList.toggle("on", label.querySelector("input").checked);
    this.worth?.replaceChildren(kind === "builtin" ? levelWorth(this.game, this.level) : "");
    this.levelButtons?.forEach((button) => {
      if (kind === "builtin" && button.dataset.level === this.level) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    for (const chip of this.el.querySelectorAll(".pick")) chip.classList.toggle("on", chip.dataset.player === this.chosen);
    this.ok.disabled = !this.chosen;
  }

  // Programs of one's own are started and spoken to before they get the seat.
  async take() {
    if (this.chosen.startsWith("own:")) {
      this.ok.disabled = true;
      this.ok.textContent = t("seat.checking");
      try {
        told.set(this.chosen, await job("check", { game: this.game, player: this.chosen }));
      } catch (error) {
        this.refuse(error.reason || error.message, lookOf(this.game).tellsInfo && !error.named);
        return;
      }
    }
    this.close(this.chosen);
  }

  // The title says who. Of what is no AI file the words of the document say so, before the reason.
  refuse(words, invalid) {
    this.ok.disabled = false;
    this.ok.textContent = t("seat.take");
    this.refusal.replaceChildren(h("section", { class: "note" }, h("span", { class: "badline" }, icon("warn")),
      h("div", {}, h("b", {}, t("seat.refused", { name: this.chosen.slice(4) })), invalid ? h("p", { class: "s" }, t("info.invalid")) : "", h("p", { class: "s m" }, words), h("p", { class: "s m" }, t("seat.unchanged")))));
  }

  close(player) {
    if (this.closed) return;
    this.closed = true;
    this.leave?.();
    this.el.remove();
    this.done(player);
  }
}
