// SPDX-License-Identifier: MIT
// Contests: the list, the form that makes one, and one as it runs.
import { h, icon } from "../dom.js";
import { said, t } from "../words.js";
import { titleOf } from "../outside.js";
import { about, get, post } from "../api.js";
import { watch } from "../live.js";
import { LiveGame } from "../livegame.js";
import { drawDouble, drawKnockout, drawRounds } from "../bracket.js";
import { copyButton } from "../copy.js";
import { ContestGames } from "../contestgames.js";
import { podium, standings, groupTable, ratings, progress, tieBreaks } from "../contestparts.js";
import { gameName, nextGames, timeLeft } from "../rounds.js";
import { isPresenting, leaveButton, present } from "../present.js";
import { Rotation } from "../rotation.js";
import { decisionList, playerRuling } from "../ruling.js";
import { TeamsPanel } from "../teamspanel.js";
import { ContestForm } from "../contestform.js";
import { ReadyPanel } from "../ready.js";
import { Manage, Notices, Protests } from "../desk.js";

const NARROW = 640; // a tree of three rounds has room beside something else at 1280 px
const SCREEN_ROWS = 20; // of the standings on the projector, as the style sheet has it
const RESULT_ROUNDS = 3, LEGIBLE = 16; // of a knock-out of more players the projector shows the last rounds beside the table
const CROSS_MOST = 30, SCREEN_MOST = 12; // columns of a cross table, and of one that the projector shows

// The formats that are drawn.
const DRAWN = { knockout: drawKnockout, double: drawDouble, swiss: drawRounds };

export class TournamentPage {
  constructor({ id }, app) {
    this.app = app;
    this.id = id;
    this.live = new Map();
    this.el = h("main");
    this.keys = this.id ? { f: () => present(), Escape: () => present(false), " ": () => this.rotation.hold() } : {};
  }

  async open() {
    this.app.setTitle(t("menu.tournament"));
    if (this.id) this.openContest();
    else this.openList();
  }

  close() {
    this.stop?.();
    clearInterval(this.timer);
    if (isPresenting()) present(false);
    this.teams?.close();
    this.ready?.close();
    this.rotation?.close();
    for (const game of this.live.values()) game.close();
  }

  // The list, and how to make one.

  openList() {
    this.list = h("div", { class: "contests" });
    this.archived = h("div", { class: "btm" });
    this.form = about.organiser ? new ContestForm(this.app) : null;
    const copied = new URLSearchParams(location.search).get("copy");
    if (this.form && copied) this.form.copy(copied).catch((error) => this.app.notice(error.message));
    this.el.replaceChildren(h("div", { class: "head" }, h("h1", {}, t("menu.tournament"))), this.list, this.archived, this.form ? this.form.el : h("p", { class: "s m" }, t("contest.needs.key")));
    this.stop = watch("hall", ({ contests, teams }) => {
      this.showList(contests);
      this.form?.showConnected(teams);
    });
  }

  showList(contests) {
    const drawn = JSON.stringify(contests);
    if (drawn === this.drawnList) return;
    this.drawnList = drawn;
    const shown = contests.filter((one) => !one.archived), archived = contests.filter((one) => one.archived);
    const card = (one) => h("a", { class: "card pad contest", href: `/tournament/${one.id}` }, h("b", { class: "name" }, one.name), this.stateChip(one),
      h("span", { class: "s m" }, `${titleOf(one.game)} · ${one.expected ? t("contest.done", { n: one.done, of: one.expected }) : t("contest.not.begun")}`), progress(one.done, 0, one.expected));
    this.list.replaceChildren(...(shown.length ? shown.map(card) : [h("div", { class: "card pad" }, h("b", {}, t("contest.none")), h("p", { class: "s m" }, t("contest.none.words")))]));
    const wasOpen = this.archived.querySelector("details")?.open;
    const more = archived.length ? h("details", { class: "archived" }, h("summary", { class: "s" }, t("contest.archived", { n: archived.length })), h("div", { class: "contests" }, archived.map(card))) : "";
    if (more) more.open = wasOpen;
    this.archived.replaceChildren(more);
  }

  stateChip({ state, open }) { return h("span", { class: open || state === "running" ? "chip on live" : "chip" }, t(`contest.${open ? "open" : state}`)); }

  // One contest.

  openContest() {
    this.head = h("div", { class: "head ct-head" });
    this.progress = h("section", { class: "card pad", "aria-label": t("contest.progress") });
    this.parts = h("div", { class: "ct" });
    this.holdWhilePressed();
    this.rotation = new Rotation(this.parts);
    if (location.hash === "#screen") document.body.classList.add("present");
    this.lives = h("div", { class: "lives" });
    this.handing = h("div");
    this.readyAt = h("div");
    this.notices = new Notices(this.id);
    this.protests = about.organiser ? new Protests(this.id, () => this.contest?.report && this.showReport(this.contest, this.contest.report)) : null;
    this.games = new ContestGames(this.id, (number) => this.protests.mark(number));
    this.manage = about.organiser ? new Manage(this.id, this.app) : null;
    const desk = h("div", { class: "stack desk no-screen" }, this.protests?.el, this.notices.form, this.manage?.el);
    this.el.replaceChildren(this.head, h("div", { class: "stack top" }, this.progress, this.notices.el, this.readyAt, this.handing), this.parts, desk, h("p", { class: "on-screen btm" }, this.rotation.button, leaveButton()));
    this.stop = watch(`contest/${this.id}`, (contest) => this.show(contest));
    get(`contests/${this.id}`).catch((error) => { if (!error.away && !this.contest) this.showNone(); });
    this.timer = setInterval(() => { for (const game of this.live.values()) game.tick(); }, 200);
  }

  showNone() {
    this.el.replaceChildren(h("div", { class: "card pad empty" }, h("h1", {}, t("contest.no")), h("a", { class: "btn go", href: "/tournament" }, t("menu.tournament"))));
  }

  show(contest) {
    this.contest = contest;
    const { report } = contest;
    this.app.setTitle(contest.name);
    this.showHead(contest);
    this.showProgress(contest);
    this.notices.show(contest.notices);
    this.protests?.show(contest.protests);
    this.manage?.show(contest);
    this.showReady(contest);
    this.showTeams(contest);
    this.showLives(contest);
    if (report) this.showReport(contest, report);
  }

  // Drawn anew only when something in it changes: a click must not lose its button.
  showHead(contest) {
    const drawn = contest.name + contest.state + contest.open + contest.starting;
    if (drawn === this.drawnHead) return;
    this.drawnHead = drawn;
    const order = (word, picture) => h("button", { class: word === "start" ? "btn go" : "btn", onclick: () => post(`contests/${this.id}/${word}`).catch((e) => this.fail(e.message)) }, icon(picture), t(`order.${word}`));
    const orders = !about.organiser ? [] : contest.state === "running" ? [order("pause", "pause")] : contest.state === "paused" ? [order("continue", "play")] : contest.state === "over" ? [] : contest.starting ? [order("pause", "pause")] : [order("start", "play")];
    this.head.replaceChildren(h("h1", { class: "name", title: contest.name }, contest.name), this.stateChip(contest),
      h("span", { class: "push" }, about.organiser ? h("a", { class: "btn no-p", href: `/tournament/${this.id}/similar` }, icon("list"), t("similar")) : "", h("button", { class: "btn no-p", onclick: () => present(true) }, icon("screen"), t("present")), copyButton(t("share"), () => location.href), ...orders));
  }

  // Until it begins: when teams must have handed in, and for the organiser how long it will take and who is missing.
  showReady(contest) {
    const waits = contest.state === "waiting" && !contest.report;
    if (waits && !this.ready) this.ready = new ReadyPanel(this.id);
    if (!waits && this.ready) {
      this.ready.close();
      this.ready = null;
    }
    this.readyAt.replaceChildren(...(this.ready ? [this.ready.el] : []));
    this.ready?.show(contest);
  }

  // Before it begins the organiser sees how far the teams are, others that they hand in.
  showTeams({ teams, open }) {
    const drawn = `${teams}${open}`;
    if (drawn === this.drawnTeams) return;
    this.drawnTeams = drawn;
    this.teams?.close();
    this.teams = teams && about.organiser ? new TeamsPanel(this.id) : null;
    this.handing.replaceChildren(this.teams ? (open ? this.teams.el : h("details", { class: "card pad" }, h("summary", { class: "s" }, t("teams")), this.teams.el)) : open ? h("p", { class: "card pad m" }, t("teams.wait")) : "");
  }

  fail(words) {
    this.progress.hidden = false;
    this.progress.querySelector(".badline")?.remove();
    this.progress.append(h("p", { class: "badline" }, words));
  }

  showProgress(contest) {
    const { report, live, why } = contest;
    const stage = report?.stages[report.stages.length - 1];
    const words = [t(live.length || contest.state !== "over" ? "contest.words" : "contest.done", { n: contest.done, of: contest.expected, live: live.length }), timeLeft(contest.left_s)].filter(Boolean);
    const failed = said(why.replace(/^arbiter: /, "").trim()) || (contest.state === "failed" ? t("contest.ended.early") : "");
    const next = contest.state === "running" ? nextGames(report, live)[0] : "";
    this.progress.hidden = contest.open && !failed && !this.progress.querySelector(".badline");
    this.progress.replaceChildren(h("div", { class: "row wrap" }, h("b", {}, stage ? t(`format.${stage.format}`) : ""), h("span", { class: "s m" }, words.join(t("comma"))),
      h("span", { class: "push s q no-p" }, this.facts(report).join(" · "))), progress(contest.done, live.length, contest.expected),
    next ? h("p", { class: "s m next" }, t("next", { pair: next })) : "", failed ? h("p", { class: "badline s" }, failed) : "");
  }

  facts(report) {
    if (!report) return [];
    const groups = report.plan.find((one) => one.groups > 1), best = report.plan.find((one) => one.best_of);
    return [t("contest.n.players", { n: report.field.length }), ...(groups ? [t("contest.n.groups", { n: groups.groups })] : []), ...report.plan.map((one) => t(`format.${one.format}`)),
      ...(best ? [t("best.of", { n: best.games })] : []), t("contest.seed", { n: report.seed })];
  }

  showLives({ live, report }) {
    const ids = live.map((game) => game.id);
    for (const [id, game] of this.live) if (!ids.includes(id)) { game.close(); this.live.delete(id); }
    for (const game of live) if (!this.live.has(game.id)) this.live.set(game.id, new LiveGame(game.id, gameName(report, game), ""));
    this.lives.replaceChildren(...ids.map((id) => this.live.get(id).el));
  }

  section(look, title, aside, ...body) {
    return h("section", { class: look, "aria-label": title }, h("div", { class: "head" }, h("h2", {}, title), aside), body);
  }

  // A bracket or rounds; beside something else if it is narrow.
  stagePart(report, stage, i) {
    const tree = DRAWN[stage.format](report.meetings[i], report.field, this.id), aside = report.plan[i].best_of ? t("best.of", { n: report.plan[i].games }) : "";
    return { narrow: tree.getAttribute("width") <= NARROW, tree, title: t(`format.${stage.format}`), aside };
  }

  // Everybody against everybody: the groups, or the only one of a league.
  groupParts(report) {
    return report.stages.flatMap((stage, i) => {
      const { advance } = report.plan[i], several = stage.groups.length > 1, games = report.games.filter((game) => game.stage === i + 1);
      if (stage.format !== "league" || stage.groups.some((rows) => rows.length > CROSS_MOST)) return [];
      const shown = !several && report.stages.length === 1 && stage.groups[0].length <= SCREEN_MOST;
      return [this.on("result", this.section(several ? "c12 no-screen" : shown ? "c12 crosspart" : "c12 no-screen crosspart", t(several ? "groups" : "cross"), h("span", { class: "push s q" }, advance ? t("groups.go", { n: advance }) : ""),
        h("div", { class: several ? "groups" : "" }, stage.groups.map((rows, g) => groupTable(rows, several ? String.fromCharCode(65 + g) : "", advance, games, this.id)))))];
    });
  }

  inPlay(contest) {
    return this.section("", t("in.play"), h("span", { class: "chip on live" }, String(contest.live.length)), this.live.size ? this.lives : h("p", { class: "s m" }, t("in.play.none")));
  }

  // Drawn anew only when something in it changes, and not while a button in it is pressed.
  showReport(contest, report) {
    const drawn = JSON.stringify([report, contest.state, contest.live.map((game) => game.id), this.protests?.all]);
    if (drawn === this.drawnReport) return;
    if (this.pressed) {
      this.later = () => this.showReport(contest, report);
      return;
    }
    this.drawnReport = drawn;
    this.drawReport(contest, report);
  }

  // Until the click has been heard.
  holdWhilePressed() {
    this.parts.addEventListener("pointerdown", () => {
      this.pressed = true;
      addEventListener("pointerup", () => setTimeout(() => {
        const { later } = this;
        this.pressed = this.later = null;
        later?.();
      }), { once: true });
    });
  }

  decisions({ decisions }) {
    return decisions.length ? [this.section("c12 no-screen", t("decisions"), null, h("div", { class: "card pad" }, decisionList(decisions, this.id)))] : [];
  }

  // Standings and what is played side by side; ratings, or the games when all is over, beside a narrow bracket.
  drawReport(contest, report) {
    const { focused } = this.games;
    this.games.show(contest, report);
    const live = this.live.size > 0 || contest.state !== "over";
    const drawn = report.stages.flatMap((stage, i) => (DRAWN[stage.format] ? [this.stagePart(report, stage, i)] : []));
    const beside = drawn.some(({ narrow }) => narrow);
    const games = this.section(beside && !live ? "c5 beside no-screen" : "c12 no-screen", t("contest.games"), null, this.games.el);
    const last = report.stages.length - 1, long = report.stages[last]?.format === "knockout" && report.meetings[last].filter(({ round }) => !round).length * 2 > LEGIBLE;
    const treePart = ({ narrow, tree, title, aside }) => this.section(narrow ? "c7 treepart" : "c12 treepart", title, h("span", { class: "push s q" }, aside), h("div", { class: "card pad scroll" }, tree));
    const trees = drawn.map((part, i) => this.on(i === drawn.length - 1 && !long ? "bracket result" : "bracket", treePart(part)));
    if (long) trees.push(this.on("result", h("div", { class: "c7 on-screen treepart" }, treePart({ ...drawn.at(-1), tree: drawKnockout(report.meetings[last], report.field, this.id, RESULT_ROUNDS) }))));
    const card = h("div", { class: "card scroll" }, standings(report, this.id, about.organiser ? (row) => playerRuling(contest, row) : null));
    card.style.setProperty("--rows", Math.min(report.standings.length, SCREEN_ROWS));
    const table = this.section("c7 tablepart", t(report.by_bracket ? "final.order" : "standings"), h("span", { class: "push s q no-p" }, report.by_bracket ? "" : tieBreaks(report.standings)),
      card,
      report.standings.length > SCREEN_ROWS ? h("p", { class: "on-screen s m" }, t("standings.more", { n: report.standings.length - SCREEN_ROWS })) : "");
    this.parts.replaceChildren(...(report.podium.length ? [this.on("result", h("section", { class: "c12", "aria-label": t("podium") }, podium(report, this.id)))] : []), this.on("table result", table),
      this.on("game table", h("div", { class: "c5 stack sidepart" }, live ? this.on("game", this.inPlay(contest)) : "", live ? this.on("game", this.comingUp(contest, report)) : "", beside && live ? "" : this.on("table", this.ratings(report, "")))),
      ...trees, ...(beside ? [live ? this.on("table", this.ratings(report, "c5")) : games] : []), ...this.groupParts(report), ...this.decisions(report), ...(beside && !live ? [] : [games]));
    focused?.focus({ preventScroll: true });
    this.rotation.offer(live ? [...(this.live.size ? ["game"] : []), "table", ...(drawn.length ? ["bracket"] : [])] : ["result"]);
  }

  // In which views of the projector a part is seen.
  on(views, part) {
    part.dataset.view = views;
    return part;
  }

  // On the projector alone: the games that come after those in play.
  comingUp({ live }, report) {
    const next = nextGames(report, live, 4);
    return h("section", { class: "on-screen nexts", "aria-label": t("next.games") }, next.length ? [h("h2", {}, t("next.games")), h("ol", { class: "plain" }, next.map((words) => h("li", {}, words)))] : "");
  }

  ratings(report, look) {
    return this.section(look, t("ratings"), h("span", { class: "push s q" }, t("ratings.bars")), h("div", { class: "card pad" }, ratings(report.standings, this.id)));
  }
}
