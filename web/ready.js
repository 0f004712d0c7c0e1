// SPDX-License-Identifier: MIT
// Before a contest begins: until when teams hand in, how long it will take on this machine and how that is known, and
// whose entry is missing.
import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { about, get } from "./api.js";

const EVERY_MS = 2000;

// "3 h 20 min"
export function duration(seconds) {
  const minutes = Math.round(seconds / 60), hours = Math.floor(minutes / 60);
  if (seconds < 90) return t("time.s", { n: Math.max(1, Math.round(seconds)) });
  if (hours >= 48) return t("time.days", { n: Math.floor(hours / 24) });
  return hours ? t("time.h.min", { h: hours, min: minutes % 60 }) : t("time.min", { n: minutes });
}

export const moment = (ms) => new Date(ms).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

// Until when teams hand in, with the time left; "": as long as the contest has not begun.
export function deadlineWords(ms) {
  if (!ms) return "";
  const left = (ms - Date.now()) / 1000;
  return left > 0 ? t("deadline.until", { at: moment(ms), left: duration(left) }) : t("deadline.past", { at: moment(ms) });
}

function estimateWords({ games, jobs, turns, turn_s, tried, tried_s, seconds }) {
  if (!seconds) return t("estimate.unknown", { games });
  if (tried) return t("estimate.tried", { time: duration(seconds), games, jobs, tried, each: tried_s < 10 ? t("time.s", { n: Number(tried_s.toFixed(tried_s < 1 ? 2 : 1)) }) : duration(tried_s) });
  return t("estimate.most", { time: duration(seconds), games, jobs, turns, each: Number(turn_s.toFixed(2)) });
}

export class ReadyPanel {
  constructor(id) {
    this.id = id;
    this.starting = h("p", { class: "starting", role: "status" });
    this.deadline = h("p", { class: "deadline" });
    this.estimate = h("p", { class: "s m", "data-part": "estimate" });
    this.missing = h("p", { class: "s missing" });
    this.el = h("section", { class: "card pad stack ready", "aria-label": t("ready") }, this.starting, this.deadline, this.estimate, this.missing);
    this.timer = setInterval(() => this.ask(), EVERY_MS);
  }

  close() { clearInterval(this.timer); }

  show(contest) {
    const first = !this.contest;
    this.contest = contest;
    this.paint();
    if (first) this.ask();
  }

  paint() {
    const { starting, deadline_ms, open } = this.contest;
    this.starting.textContent = starting ? t("ready.starting") : "";
    this.deadline.textContent = open ? deadlineWords(deadline_ms) : "";
    for (const line of [this.starting, this.deadline, this.estimate, this.missing]) line.hidden = !line.textContent;
    this.el.hidden = [...this.el.children].every((line) => line.hidden);
  }

  async ask() {
    if (about.organiser) {
      const [estimate, teams] = await Promise.all([get(`contests/${this.id}/estimate`).catch(() => null), this.contest.teams ? get(`contests/${this.id}/teams`).catch(() => []) : []]);
      const missing = teams.filter((team) => !team.good).map((team) => team.name);
      this.estimate.textContent = estimate ? estimateWords(estimate) : "";
      this.missing.replaceChildren(...(missing.length ? [icon("warn"), " ", t("ready.missing", { names: missing.join(t("comma")) })] : []));
    }
    this.paint();
  }
}
