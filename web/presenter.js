// SPDX-License-Identifier: MIT
// What the projector shows beside the board: the contest and its round, how the meeting stands, what was played
// last, and who comes next. Hidden elsewhere.
import { h } from "./dom.js";
import { t } from "./words.js";
import { titleOf } from "./outside.js";
import { leaveButton } from "./present.js";
import { watch } from "./live.js";
import { lastTurn, moveName, turnsOf } from "./boards/index.js";
import { gameName, meetingOf, nextGames } from "./rounds.js";
import { colour } from "./sentences.js";

export class Presenter {
  constructor() {
    this.title = h("h1", { class: "on-screen" });
    this.score = h("p", { class: "on-screen sc" });
    this.line = h("p", { class: "on-screen ln" });
    this.next = h("span", { class: "nextup" });
    this.foot = h("p", { class: "on-screen btm" }, this.next, h("span", { class: "push" }, leaveButton()));
    this.report = null;
  }

  close() { this.stop?.(); }

  show(state, facts, movers) {
    this.state = state;
    if (state.contest_id && this.contest !== state.contest_id) {
      this.stop?.();
      this.contest = state.contest_id;
      this.stop = watch(`contest/${this.contest}`, ({ report, live }) => { this.report = report; this.live = live; this.showContest(); });
    }
    const turns = turnsOf(state.game, state.moves, state.settings).length, last = lastTurn(state.game, state.moves, state.settings);
    const names = last.map((move) => moveName(state.game, move, state.settings)).join(" ");
    this.line.replaceChildren(...(last.length ? [t("screen.turn", { n: turns + (state.result ? 0 : 1) }), " ", t("screen.played", { who: colour(movers[movers.length - 1]) }), " ", h("b", {}, names), h("br")] : []),
      h("span", { class: "m" }, facts.join(" · ")));
    this.showContest();
  }

  showContest() {
    const { state, report } = this;
    const name = state.contest || titleOf(state.game), told = state.told;
    this.title.replaceChildren(name, ...(told && report ? [h("br"), h("span", { class: "m" }, gameName(report, told))] : []));
    this.score.textContent = this.standing();
    const next = nextGames(report, this.live)[0];
    this.next.textContent = next ? t("next", { pair: next }) : "";
  }

  // Of the meeting, or of the series in practice; black's side first.
  standing() {
    const { state, report } = this, meeting = state.told && report ? meetingOf(report, state.told) : null;
    if (!meeting) return state.number > 1 ? `${state.tally[0]} : ${state.tally[1]}` : "";
    if (report.plan[state.told.stage].games < 2) return "";
    const black = report.field[meeting.players[0]] === state.told.players[0] ? 0 : 1;
    const points = (i) => String(meeting.points[i] / 2).replace(".5", "½").replace(/^0½/, "½");
    return `${points(black)} : ${points(1 - black)}`;
  }
}
