// SPDX-License-Identifier: MIT
// Parts of a contest's page: standings, groups, ratings, progress.
import { h, s } from "./dom.js";
import { saidEach, t } from "./words.js";
import { signed } from "./evaluation.js";
import { playerName } from "./sentences.js";
import { gamesAddress } from "./links.js";

// A player, who leads to his games of a contest.
export const gamesOf = (name, contest) => (name === "(the house)" ? playerName(name) : h("a", { class: "plain", href: gamesAddress({ player: name, contest }) }, playerName(name)));

// By what a row is told apart from the one above it with equal points.
function decidedBy(row, above, breaks) {
  if (!above || !row.played || above.points !== row.points) return "";
  const key = breaks.find((name) => row[name] !== above[name]);
  return key ? t(`tie.${key}`) : t("tie.equal");
}

const whole = (n) => String(Math.round(n)).replace("-", "−");

const rating = (row) => (row.played ? [whole(row.elo), " ", h("span", { class: "q" }, `±${Math.round(row.elo_error)}`)] : "");

const breaksOf = (rows) => (rows.length ? Object.keys(rows[0]).filter((key) => ["wins", "difference", "buchholz", "sonneborn", "direct"].includes(key)) : []);

// "points, then games won, then score difference"
export const tieBreaks = (rows) => [t("tie.points"), ...breaksOf(rows).map((key) => t(`then.${key}`))].join(t("comma"));

// Who is in which group, by name; and after how many places the others are out.
function groupsOf(report) {
  const at = report.stages.findIndex((stage) => stage.groups.length > 1), letters = new Map();
  if (at < 0) return { letters, places: 0 };
  report.stages[at].groups.forEach((rows, g) => rows.forEach((row) => letters.set(row.name, String.fromCharCode(65 + g))));
  return { letters, places: report.stages.length > at + 1 ? report.plan[at].advance * report.stages[at].groups.length : 0 };
}

// How far somebody came, in the words of the report.
const reached = ({ reached: how, round, stage }, report) => (!how ? "" : how === "stage" ? t("reached.stage", { name: stageName(report, stage - 1) }) : t(`reached.${how}`, { n: round }));

const stageName = (report, i) => (report.stages[i].groups.length > 1 ? t("groups") : t(`format.${report.stages[i].format}`));

// The final order where a bracket or several stages decide: points stand with their stages.
function orderColumns(report, letters, contest) {
  return [["#", "num q", (row) => String(row.rank)], [t("st.player"), "key name", (row) => gamesOf(row.name, contest)],
    letters.size ? [t("st.group"), "q no-p", (row) => letters.get(row.name) || ""] : null, [t("st.reached"), "reached", (row) => reached(row, report)],
    [t("st.rating"), "num", (row) => rating({ played: true, ...row })], [t("st.remark"), "s q no-p placed", (row) => saidEach(row.remark)]].filter(Boolean);
}

// The first three, once all is over: the champion above all.
export function podium({ podium: places }, contest) {
  return h("ol", { class: "podium", "aria-label": t("podium") }, places.map(({ rank, name }) => h("li", { class: `p${rank}`, value: rank }, h("span", { class: "s m" }, rank === 1 ? t("reached.champion") : t("podium.n", { n: rank })), h("b", { class: "name", title: playerName(name) }, gamesOf(name, contest)))));
}

// The columns: heading, look, what a row shows.
function columnsOf(rows, letters, contest) {
  const breaks = breaksOf(rows);
  return [["#", "num q", (row) => String(row.rank)], [t("st.player"), "key name", (row) => gamesOf(row.name, contest)],
    letters.size ? [t("st.group"), "q no-p", (row) => letters.get(row.name) || ""] : null, [t("st.points"), "num key", (row) => String(row.points)],
    [t("st.won"), "num no-p", (row) => String(row.won)], [t("st.drawn"), "num no-p", (row) => String(row.drawn)], [t("st.lost"), "num no-p", (row) => String(row.lost)],
    breaks.includes("difference") ? [t("st.diff"), "num", (row) => signed(row.difference)] : null, [t("st.rating"), "num", rating],
    [t("st.placed"), "s q no-p placed", (row, i) => saidEach(row.remark) || decidedBy(row, rows[i - 1], breaks)]].filter(Boolean);
}

// `more`: what else stands at the end of a row, if anything.
export function standings(report, contest, more = null) {
  const rows = report.standings, { letters, places } = groupsOf(report), columns = report.by_bracket ? orderColumns(report, letters, contest) : columnsOf(rows, letters, contest);
  const look = (words) => words.split(" ").filter((word) => word === "num" || word === "no-p").join(" ");
  return h("table", { class: "tb standings" }, h("thead", {}, h("tr", {}, columns.map(([words, looks]) => h("th", { class: look(looks) }, words)), more ? h("th", { class: "no-screen" }) : "")),
    h("tbody", {}, rows.map((row, i) => h("tr", { class: i + 1 === places && places < rows.length ? "cut" : "" }, columns.map(([, looks, cell]) => h("td", { class: looks, title: looks.includes("name") ? playerName(row.name) : undefined }, cell(row, i))), more ? h("td", { class: "no-screen" }, more(row)) : ""))));
}

// What a player has from his games against another, "" if they have not met; it leads to them.
function against(games, a, b, contest) {
  const met = games.filter((game) => game.state === "done" && ((game.black === a && game.white === b) || (game.black === b && game.white === a)));
  if (!met.length) return "";
  const points = met.reduce((sum, game) => sum + (game.winner === 0 ? 0.5 : game.winner && [game.black, game.white][game.winner - 1] === a ? 1 : 0), 0);
  const words = `${Math.floor(points) || (points % 1 ? "" : 0)}${points % 1 ? "½" : ""}`;
  return h("a", { class: "plain", title: `${playerName(a)} – ${playerName(b)}`, href: met.length === 1 ? `/replay/${contest}g${met[0].number}` : gamesAddress({ contest, player: a, against: b }) }, words);
}

// A group as a table of everybody against everybody; the only one has no letter.
export function groupTable(rows, letter, advance, games, contest) {
  const head = [letter ? t("group", { name: letter }) : t("st.player"), ...rows.map((_, i) => String(i + 1)), t("st.pts")];
  return h("div", { class: "card scroll" }, h("table", { class: "tb tight" }, h("thead", {}, h("tr", {}, head.map((words, i) => h("th", { class: i ? "num" : "" }, words)))),
    h("tbody", {}, rows.map((row, i) => h("tr", { class: i + 1 === advance ? "cut" : "" }, h("td", { class: i < advance ? "key name" : "name", title: playerName(row.name) }, `${i + 1} `, gamesOf(row.name, contest)),
      rows.map((other) => h("td", { class: "num" }, other === row ? "–" : against(games, row.name, other.name, contest))), h("td", { class: "num key" }, String(row.points)))))));
}

// Dots with bars of 95 %, on one scale.
export function ratings(rows, contest) {
  const known = rows.filter((row) => row.played ?? true).sort((a, b) => b.elo - a.elo);
  if (!known.length) return h("p", { class: "s m" }, t("ratings.none"));
  const low = Math.min(...known.map((row) => row.elo - row.elo_error)), high = Math.max(...known.map((row) => row.elo + row.elo_error));
  const at = (elo) => `${(2 + (96 * (elo - low)) / Math.max(1, high - low)).toFixed(2)}%`;
  const step = [50, 100, 200, 500, 1000].find((n) => (high - low) / n <= 4) || 2000, ticks = [];
  for (let n = Math.ceil(low / step) * step; n <= high; n += step) ticks.push(n);
  const lines = () => ticks.map((n) => s("line", { class: "ax", x1: at(n), x2: at(n), y1: 0, y2: 28 }));
  return h("div", { class: "rate" }, known.map((row) => [h("b", { class: "name", title: playerName(row.name) }, gamesOf(row.name, contest)), h("span", {}, whole(row.elo)),
    s("svg", { "aria-hidden": "true" }, lines(), s("line", { class: "err", x1: at(row.elo - row.elo_error), x2: at(row.elo + row.elo_error), y1: 14, y2: 14 }),
      ...[-1, 1].map((sign) => s("line", { class: "err", x1: at(row.elo + sign * row.elo_error), x2: at(row.elo + sign * row.elo_error), y1: 9, y2: 19 })), s("circle", { class: "pt", cx: at(row.elo), cy: 14, r: 5 }))]),
  s("svg", { class: "tk", "aria-hidden": "true" }, ticks.map((n) => s("text", { x: at(n), y: 15 }, whole(n)))));
}

export function progress(done, playing, expected) {
  const share = (n) => `${expected ? Math.min(100, (100 * n) / expected) : 0}%`;
  return s("svg", { class: "prog", role: "img", "aria-label": t("n.of", { n: done, of: expected }) }, s("rect", { class: "d", width: share(done), height: 8, rx: 4 }),
    s("rect", { class: "p", x: share(done), width: share(playing), height: 8 }));
}
