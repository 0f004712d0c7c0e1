// SPDX-License-Identifier: MIT
// Parts of a contest's page: standings, groups, ratings, progress.
import { h, s } from "./dom.js";
import { t } from "./words.js";
import { signed } from "./evaluation.js";

// By what a row is told apart from the one above it with equal points.
function decidedBy(row, above, breaks) {
  if (!above || !row.played || above.points !== row.points) return "";
  const key = breaks.find((name) => row[name] !== above[name]);
  return key ? t(`tie.${key}`) : t("tie.equal");
}

const whole = (n) => String(Math.round(n)).replace("-", "−");

const rating = (row) => (row.played ? [whole(row.elo), " ", h("span", { class: "q" }, `±${Math.round(row.elo_error)}`)] : "");

export function standings(rows) {
  const breaks = rows.length ? Object.keys(rows[0]).filter((key) => ["wins", "difference", "buchholz", "sonneborn", "direct"].includes(key)) : [];
  const head = ["#", t("st.player"), t("st.points"), t("st.won"), t("st.drawn"), t("st.lost"), t("st.diff"), t("st.rating"), t("st.placed")];
  const looks = ["num", "", "num", "num no-p", "num no-p", "num no-p", "num", "num", "no-p"];
  return h("table", { class: "tb standings" }, h("thead", {}, h("tr", {}, head.map((words, i) => (i === 6 && !breaks.includes("difference") ? null : h("th", { class: looks[i] }, words))))),
    h("tbody", {}, rows.map((row, i) => h("tr", {}, h("td", { class: "num q" }, String(row.rank)), h("td", { class: "key name" }, row.name), h("td", { class: "num key" }, String(row.points)),
      h("td", { class: "num no-p" }, String(row.won)), h("td", { class: "num no-p" }, String(row.drawn)), h("td", { class: "num no-p" }, String(row.lost)),
      breaks.includes("difference") ? h("td", { class: "num" }, signed(row.difference)) : null, h("td", { class: "num" }, rating(row)),
      h("td", { class: "s q no-p" }, row.remark || decidedBy(row, rows[i - 1], breaks))))));
}

export function groupTable(rows, letter, advance) {
  return h("div", { class: "card scroll" }, h("table", { class: "tb tight" }, h("thead", {}, h("tr", {}, [t("group", { name: letter }), t("st.won"), t("st.drawn"), t("st.lost"), t("st.pts")].map((words, i) => h("th", { class: i ? "num" : "" }, words)))),
    h("tbody", {}, rows.map((row, i) => h("tr", { class: i + 1 === advance ? "cut" : "" }, h("td", { class: i < advance ? "key" : "" }, `${i + 1} ${row.name}`),
      [row.won, row.drawn, row.lost].map((n) => h("td", { class: "num" }, String(n))), h("td", { class: "num key" }, String(row.points)))))));
}

// Dots with bars of 95 %, on one scale.
export function ratings(rows) {
  const known = rows.filter((row) => row.played).sort((a, b) => b.elo - a.elo);
  if (!known.length) return h("p", { class: "s m" }, t("ratings.none"));
  const low = Math.min(...known.map((row) => row.elo - row.elo_error)), high = Math.max(...known.map((row) => row.elo + row.elo_error));
  const at = (elo) => `${(2 + (96 * (elo - low)) / Math.max(1, high - low)).toFixed(2)}%`;
  const step = [50, 100, 200, 500, 1000].find((n) => (high - low) / n <= 6) || 2000, ticks = [];
  for (let n = Math.ceil(low / step) * step; n <= high; n += step) ticks.push(n);
  const lines = () => ticks.map((n) => s("line", { class: "ax", x1: at(n), x2: at(n), y1: 0, y2: 28 }));
  return h("div", { class: "rate" }, known.map((row) => [h("b", { class: "name" }, row.name), h("span", {}, whole(row.elo)),
    s("svg", { "aria-hidden": "true" }, lines(), s("line", { class: "err", x1: at(row.elo - row.elo_error), x2: at(row.elo + row.elo_error), y1: 14, y2: 14 }),
      ...[-1, 1].map((sign) => s("line", { class: "err", x1: at(row.elo + sign * row.elo_error), x2: at(row.elo + sign * row.elo_error), y1: 9, y2: 19 })), s("circle", { class: "pt", cx: at(row.elo), cy: 14, r: 5 }))]),
  s("svg", { class: "tk", "aria-hidden": "true" }, ticks.map((n) => s("text", { x: at(n), y: 15 }, whole(n)))));
}

export function progress(done, playing, expected) {
  const share = (n) => `${expected ? Math.min(100, (100 * n) / expected) : 0}%`;
  return s("svg", { class: "prog", role: "img", "aria-label": t("n.of", { n: done, of: expected }) }, s("rect", { class: "d", width: share(done), height: 8, rx: 4 }),
    s("rect", { class: "p", x: share(done), width: share(playing), height: 8 }));
}
