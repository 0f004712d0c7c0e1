// SPDX-License-Identifier: MIT
// The form that makes a contest: its own settings, those of the game's contest where nothing else is said.
import { h } from "./dom.js";
import { t } from "./words.js";
import { titleOf } from "./outside.js";
import { about, get, post } from "./api.js";
import { gameNames, lookOf } from "./boards/index.js";
import { levelElo, levelPlayer, levelWords } from "./levels.js";
import { playerName } from "./sentences.js";
import { ContestSwitches } from "./switches.js";

// Built-in players are named by what starts them, and read in everybody's language.

const FORMATS = ["normal", "league", "knockout", "double", "swiss"]; // "normal": groups, then a knock-out
const DECIDES = ["normal", "knockout", "double"];

const labelled = (key, ...control) => h("label", { class: "stackl", "data-setting": key }, h("span", { class: "s m" }, t(`contest.${key}`)), control);
const select = (name, keys, values, change) => h("select", { class: "text", name, onchange: change }, values.map((value) => h("option", { value }, t(`${keys}.${value}`))));
const number = (name, props) => h("input", { class: "text num", type: "number", name, ...props });

// A moment as the form has it, in the visitor's own time, and back as the file has it.
const localMoment = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 60000).toISOString().slice(0, 16);
const utcMoment = (text) => new Date(text).toISOString().replace(/\.\d+/, "");

export class ContestForm {
  constructor(app) {
    this.app = app;
    this.build();
  }

  build() {
    const changed = () => this.paint();
    this.name = h("input", { class: "text", name: "name", maxlength: 60 });
    this.game = h("select", { class: "text", name: "game", onchange: () => { this.fillField(); this.switches.show(this.game.value); changed(); } }, gameNames().map((game) => h("option", { value: game }, titleOf(game))));
    this.switches = new ContestSwitches();
    this.switches.show(this.game.value);
    this.format = select("format", "format", FORMATS, changed);
    this.wins = number("wins", { min: 1, max: 9, value: 2 });
    this.time = select("time", "contest.time", ["contest", "limit", "range", "off"], changed);
    this.low = number("low", { min: 0.05, max: 3600, step: "any", value: 5, "aria-label": t("contest.time.from") });
    this.high = number("high", { min: 0.05, max: 3600, step: "any", value: 7, "aria-label": t("contest.time.to") });
    this.blocks = select("blocks", "contest.blocks", ["contest", "random", "fixed", "none"], changed);
    this.blockCount = number("blockcount", { min: 2, max: 10, step: 2, value: 4, "aria-label": t("cells") });
    this.blockCells = h("input", { class: "text", name: "blockcells", placeholder: "3,3 15,15", "aria-label": t("contest.blocks.cells") });
    this.memory = select("memory", "contest.memory", ["contest", "limit", "off"], changed);
    this.memorySize = number("memorysize", { min: 0.0625, max: 1024, step: "any", value: 2, "aria-label": "GB" });
    this.jobs = number("jobs", { min: 1, max: 16, value: 1 });
    this.field = h("div", { class: "field-list" });
    this.handIn = h("textarea", { class: "text", name: "teams", rows: 3, placeholder: t("contest.teams.example"), oninput: changed });
    this.takes = select("takes", "contest.takes", ["anything", "contest"]);
    this.deadline = h("input", { class: "text", type: "datetime-local", name: "deadline" });
    this.told = h("p", { class: "s m", "data-part": "conditions" });
    this.error = h("p", { class: "badline", role: "alert" });
    this.go = h("button", { class: "btn go", onclick: () => this.make(true) });
    this.later = h("button", { class: "btn later", onclick: () => this.make(false) }, t("contest.make.later"));
    this.text = h("textarea", { class: "text", rows: 8, name: "text", placeholder: t("contest.file.words"), "aria-label": t("contest.file") });
    const file = h("input", { type: "file", accept: ".conf,.cfg,text/plain", "aria-label": t("contest.file"), onchange: async (e) => { this.text.value = (await e.target.files[0]?.text()) || ""; } });
    this.fileError = h("p", { class: "badline", role: "alert" });
    this.fileCard = h("details", {}, h("summary", { class: "s" }, t("contest.file")), file, this.text, this.fileError, h("div", { class: "row" }, h("button", { class: "btn", onclick: () => this.begin({ text: this.text.value }, true, this.fileError) }, t("contest.make.file"))));
    this.teamSettings = h("div", { class: "row wrap" }, labelled("takes", this.takes), labelled("deadline", this.deadline));
    this.el = h("section", { class: "card pad make stack" }, h("h2", {}, t("contest.make")),
      h("div", { class: "row wrap top" }, labelled("name", this.name), labelled("game", this.game), labelled("format", this.format), this.winsLabel = labelled("wins", this.wins)),
      h("div", { class: "row wrap top" }, labelled("time", h("span", { class: "row" }, this.time, this.low, this.dash = h("span", {}, "–"), this.high)),
        this.blocksLabel = labelled("blocks", h("span", { class: "row" }, this.blocks, this.blockCount, this.blockCells)),
        labelled("memory", h("span", { class: "row" }, this.memory, this.memorySize)), labelled("jobs", this.jobs)),
      this.switches.el, this.told, this.field, labelled("teams", this.handIn), this.teamSettings, this.error, h("div", { class: "row wrap" }, this.go, this.later), this.fileCard);
    this.fillField();
    this.paint();
  }

  teamNames() { return this.handIn.value.split("\n").map((name) => name.trim()).filter(Boolean); }

  // Shows what belongs to what is chosen, and what the game's contest gives where nothing is.
  paint() {
    const own = about.contests?.[this.game.value], teams = this.teamNames().length > 0;
    this.name.placeholder = titleOf(this.game.value);
    this.winsLabel.hidden = !DECIDES.includes(this.format.value);
    this.low.hidden = !["limit", "range"].includes(this.time.value);
    this.high.hidden = this.dash.hidden = this.time.value !== "range";
    this.blocksLabel.hidden = !own?.blocks;
    this.blockCount.hidden = this.blocks.value !== "random";
    this.blockCells.hidden = this.blocks.value !== "fixed";
    this.memorySize.hidden = this.memory.value !== "limit";
    this.teamSettings.hidden = !teams;
    this.later.hidden = teams;
    this.go.textContent = t(teams ? "contest.make.open" : "contest.make.go");
    if (!own) return;
    const time = own.time[0] === own.time[1] ? String(own.time[0]) : own.time.join("–");
    this.told.textContent = `${t("contest.own")} ${[t("contest.own.time", { time }), own.blocks ? t("contest.own.blocks") : "", own.memory ? t("contest.own.memory", { gb: own.memory / 2 ** 30 }) : ""].filter(Boolean).join(" · ")}`;
  }

  async fillField() {
    const own = (await get("players").catch(() => [])).filter(({ games }) => games.includes(this.game.value)).map(({ name }) => name), ticked = new Map([...this.field.querySelectorAll("input")].map((box) => [box.value, box.checked]));
    const takesTeams = lookOf(this.game.value).takesTeams && about.judge_port > 0, teams = takesTeams ? this.connected || [] : [];
    const levels = levelWords().map((level) => [levelPlayer(level), [playerName(levelPlayer(level)), levelElo(this.game.value, level)].filter(Boolean).join(" · "), levelPlayer(level)]).reverse();
    const rows = [...levels.slice(1), levels[0], ...own.map((name) => [`own:${name}`, name, name]), ...teams.map((n) => [`tcp:${n}`, t("team", { n }), t("team", { n })])];
    this.field.replaceChildren(h("p", { class: "s m" }, t("contest.players")), ...rows.map(([player, name, kept]) => {
      const box = h("input", { type: "checkbox", value: player, "data-name": kept });
      box.checked = this.wanted?.includes(player) || (ticked.get(player) ?? player.startsWith("tcp:"));
      return h("label", { class: "chip checkline" }, box, h("span", {}, name));
    }), takesTeams ? h("p", { class: "s q" }, t("contest.connected", { port: about.judge_port })) : "");
    this.wanted = null;
  }

  // A team that comes or goes changes who can be chosen.
  showConnected(teams) {
    if (String(teams) === String(this.connected)) return;
    this.connected = teams;
    this.fillField();
  }

  conditions() {
    const set = { ...this.switches.set }, time = { limit: this.low.value, range: `${this.low.value}..${this.high.value}`, off: "off" }[this.time.value];
    const blocks = { random: `random:${this.blockCount.value}`, fixed: this.blockCells.value.trim(), none: "none" }[this.blocks.value];
    if (blocks !== undefined && !this.blocksLabel.hidden) set.blocks = blocks;
    if (this.memory.value === "off") set.memory = "off";
    if (this.memory.value === "limit") set.memory = `${Math.round(this.memorySize.value * 1024)}M`;
    return { set, ...(time ? { time } : {}) };
  }

  form() {
    const chosen = [...this.field.querySelectorAll("input:checked")].map((box) => ({ player: box.value, name: box.dataset.name }));
    const teams = this.teamNames().map((name) => ({ player: "handed-in", name })), format = this.format.value;
    return { name: this.name.value.trim() || titleOf(this.game.value), game: this.game.value, ...this.conditions(), takes: this.takes.value, wins: Number(this.wins.value),
      league: "normal", format: format === "normal" ? "" : format, jobs: Number(this.jobs.value), seed: 1 + Math.floor(Math.random() * 1e6),
      ...(teams.length && this.deadline.value ? { deadline: utcMoment(this.deadline.value) } : {}), players: [...teams, ...chosen] };
  }

  make(start) { return this.begin(this.form(), start, this.error); }

  async begin(form, start, error) {
    error.textContent = "";
    try {
      const { id, open } = await post("contests", form);
      if (!open && start) await post(`contests/${id}/start`);
      this.app.go(`/tournament/${id}`);
    } catch (refused) {
      error.textContent = refused.message;
    }
  }

  // Like a contest that was made before.
  async copy(id) {
    const form = await get(`contests/${id}/form`);
    if (form.text !== undefined) {
      this.text.value = form.text;
      this.fileCard.open = true;
    } else this.fill(form);
    this.el.scrollIntoView();
  }

  fill({ name = "", game, format, wins = 2, time, set = {}, jobs = 1, takes = "anything", deadline, players = [] }) {
    const [low, high] = String(time ?? "").split("..");
    const put = (control, value) => { control.value = value; };
    put(this.name, name);
    put(this.game, game);
    put(this.format, format || "normal");
    put(this.wins, wins);
    put(this.time, time === undefined ? "contest" : time === "off" ? "off" : high ? "range" : "limit");
    if (low && low !== "off") put(this.low, low);
    if (high) put(this.high, high);
    put(this.blocks, set.blocks === undefined ? "contest" : set.blocks === "none" ? "none" : set.blocks.startsWith("random:") ? "random" : "fixed");
    if (set.blocks?.startsWith("random:")) put(this.blockCount, set.blocks.slice(7));
    else if (set.blocks && set.blocks !== "none") put(this.blockCells, set.blocks);
    put(this.memory, set.memory === undefined ? "contest" : set.memory === "off" ? "off" : "limit");
    if (/^\d+M$/.test(set.memory || "")) put(this.memorySize, parseInt(set.memory, 10) / 1024);
    put(this.jobs, jobs);
    put(this.takes, takes);
    if (deadline && Date.parse(deadline) > Date.now()) put(this.deadline, localMoment(Date.parse(deadline)));
    put(this.handIn, players.filter((one) => one.player === "handed-in").map((one) => one.name).join("\n"));
    this.switches.show(game, set);
    this.wanted = players.map((one) => one.player);
    this.fillField();
    this.paint();
  }
}
