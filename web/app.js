// SPDX-License-Identifier: MIT
// The frame: the bar, the pages, the keys.
import { h, s, icon, say } from "./dom.js";
import { t, loadWords, fetchWords, preferredLanguage, currentLanguage, LANGUAGES } from "./words.js";
import { prefs, setPref, applyLooks, followSystem, isDark } from "./prefs.js";
import { loadRules } from "./rules.js";
import { about, loadAbout, post } from "./api.js";
import { connect, disconnect, isOnline, onStatus } from "./live.js";
import { GAMES, isReady, needGame } from "./boards/index.js";
import { refreshOutside } from "./outside.js";
import { HomePage } from "./pages/home.js";
import { PlayPage } from "./pages/play.js";
import { ReplayPage } from "./pages/replay.js";
import { AnalysisPage } from "./pages/analysis.js";
import { GamesPage } from "./pages/games.js";
import { TvPage } from "./pages/tv.js";
import { TournamentPage } from "./pages/tournament.js";
import { SimilarPage } from "./pages/similar.js";
import { WrongLinkPage } from "./pages/wronglink.js";
import { TeamPage } from "./pages/team.js";
import { SettingsPage } from "./pages/settings.js";
import { HelpPage } from "./pages/help.js";

// For whoever looks at the page from a console, or from a test.
export { post } from "./api.js";
export { saidEach } from "./words.js";
export { Rules } from "./rules.js";

const PAGES = [
  [/^\/$/, HomePage, () => ({})],
  [/^\/practice$/, HomePage, () => ({})],
  [/^\/practice\/(\w+)$/, PlayPage, (m) => ({ game: m[1] })],
  [/^\/game\/(\w+)$/, PlayPage, (m) => ({ id: m[1] })],
  [/^\/replay\/(\w+)$/, ReplayPage, (m) => ({ id: m[1] })],
  [/^\/games$/, GamesPage, () => ({})],
  [/^\/tv$/, TvPage, () => ({})],
  [/^\/analysis\/(\w+)$/, AnalysisPage, (m) => ({ game: m[1] })],
  [/^\/tournament\/?(\w*)$/, TournamentPage, (m) => ({ id: m[1] })],
  [/^\/tournament\/(\w+)\/similar\/?(\d*)$/, SimilarPage, (m) => ({ id: m[1], pair: m[2] })],
  [/^\/team\/(\w+)$/, TeamPage, (m) => ({ id: m[1] })],
  [/^\/team\/(\w+)\/replay\/(\d+)$/, ReplayPage, (m) => ({ team: m[1], number: m[2] })],
  [/^\/team\/(\w+)\/tryout\/(\d+)$/, ReplayPage, (m) => ({ team: m[1], tryout: m[2] })],
  [/^\/team\/(\w+)\/game\/(\d+)$/, ReplayPage, (m) => ({ team: m[1], played: m[2] })],
  [/^\/team\/(\w+)\/\w+$/, WrongLinkPage, () => ({ words: "!this link is not that of a team; ask the organiser for a new one" })],
  [/^\/key\/.*$/, WrongLinkPage, () => ({ words: "!this is not the organiser's key" })],
  [/^\/settings$/, SettingsPage, () => ({})],
  [/^\/help\/?(\w*)$/, HelpPage, (m) => ({ topic: m[1] })],
];

const MENU = [["practice", `/practice/${GAMES[0]}`, "play", "p"], ["tournament", "/tournament", "cup", "t"], ["settings", "/settings", "tune", "s"], ["help", "/help", "help", "h"]];

const app = { page: null, go, leave, notice, setTitle, setLanguage, showInstead, menu: MENU };

function setTitle(title, inGame = false) {
  document.title = title ? `${title} · Arbiter` : "Arbiter";
  document.body.classList.toggle("ingame", inGame);
  if (app.small) app.small.textContent = title || "";
}

const logo = () => s("svg", { viewBox: "0 0 26 26", "aria-hidden": "true" },
  s("circle", { cx: 9, cy: 13, r: 8, class: "logo1" }), s("circle", { cx: 17, cy: 13, r: 7.2, class: "logo2" }));

function languageButtons() {
  return h("div", { class: "lang", role: "group", "aria-label": t("language") }, LANGUAGES.map(([code, name]) =>
    h("button", { lang: code, "aria-current": code === currentLanguage() ? "true" : undefined, onclick: () => setLanguage(code) }, name)));
}

function languageList() {
  return h("details", { class: "langlist" }, h("summary", { class: "ico", "aria-label": t("language") }, icon("globe")),
    h("div", { class: "card" }, LANGUAGES.map(([code, name]) => h("button", { lang: code, onclick: () => setLanguage(code) }, name))));
}

async function setLanguage(code) {
  try {
    await loadWords(code);
  } catch {
    return notice(t("words.away"));
  }
  setPref("language", code);
  drawFrame();
  route();
}

function current(path) {
  const here = location.pathname;
  if (path.startsWith("/practice")) return here.startsWith("/practice") || here.startsWith("/game/");
  return path === "/" ? here === "/" : here.startsWith(path);
}

function menuLinks(withIcons) {
  return app.menu.map(([name, path, picture]) =>
    h("a", { href: path, "aria-current": current(path) ? "page" : undefined }, withIcons ? icon(picture) : null, t(`menu.${name}`)));
}

function exitButton() {
  if (!about.personal || !about.organiser) return null;
  return h("button", { class: "btn exit", onclick: leaveAll }, icon("leave"), h("span", { class: "no-p" }, t("menu.exit")));
}

async function leaveAll() {
  disconnect();
  await post("exit").catch(() => {});
  document.getElementById("app").replaceChildren(h("main", {}, h("div", { class: "card pad" }, h("h1", {}, t("exited")), h("p", { class: "m" }, t("exited.words")))));
}

function drawFrame() {
  app.small = h("b", { class: "only-p title" });
  app.bar = h("header", { class: "bar" }, h("a", { class: "ico only-ingame", href: "/", "aria-label": t("back") }, icon("back")),
    h("a", { class: "logo", href: "/" }, logo(), h("span", {}, "Arbiter")), app.small,
    app.nav = h("nav", { "aria-label": t("menu") }), h("span", { class: "push" }), languageButtons(), languageList(),
    h("button", { class: "ico", "aria-label": t("theme"), onclick: () => setPref("theme", isDark() ? "light" : "dark") }, icon("light")), exitButton());
  app.outlet = h("div", { id: "page" });
  app.tabs = h("nav", { class: "tabs", "aria-label": t("menu") });
  app.toast = h("div", { class: "toasts", role: "status" }, app.lost = h("div"), app.notes = h("div"));
  document.getElementById("app").replaceChildren(app.bar, app.toast, app.outlet, app.tabs);
}

// Instead of a page: what is wrong, and the way home.
function showInstead(words) {
  setTitle("");
  app.outlet.replaceChildren(h("main", {}, h("div", { class: "card pad" }, h("h1", {}, words), h("p", {}, h("a", { href: "/" }, t("way.home"))))));
}

async function openPage(Page, at) {
  const page = new Page(at, app);
  app.page = page;
  app.outlet.replaceChildren(page.el);
  try {
    await page.open();
  } catch (error) {
    if (app.page === page) showInstead(t(error instanceof WebAssembly.RuntimeError ? "rules.failed" : "page.away"));
    if (isOnline()) throw error; // then it is a fault of ours
  }
}

async function route() {
  const path = location.pathname.replace(/(.)\/+$/, "$1");
  app.page?.close?.();
  app.page = null;
  app.shown = path;
  document.body.classList.toggle("home", path === "/" || path === "/practice");
  app.nav.replaceChildren(...menuLinks(false));
  app.tabs.replaceChildren(...menuLinks(true));
  for (const [pattern, Page, read] of PAGES) {
    const match = path.match(pattern);
    if (!match) continue;
    const at = read(match);
    if (at.game && !isReady(at.game)) {
      const here = await needGame(at.game);
      if (app.shown !== path || app.page) return undefined; // somebody went on meanwhile
      if (!here) return showInstead(t("no.game.here", { name: at.game }));
    }
    return openPage(Page, at);
  }
  showInstead(t("no.page"));
}

// Once the first page stands: two people can then choose any language with the server gone.
function loadAhead() {
  return LANGUAGES.reduce((before, [code]) => before.then(() => fetchWords(code)).catch(() => {}), Promise.resolve());
}

// Goes where somebody wants, unless the page has something to ask first and is told to stay.
async function leave(path) {
  if (await mayLeave()) go(path);
}

const mayLeave = async () => !app.page?.askToLeave || app.page.askToLeave();

// The browser's own way back: it has gone already.
async function onBack() {
  const { pathname: wanted } = location;
  if (app.page?.rehash && app.shown === wanted) return app.page.rehash();
  if (!app.page?.isBusy) {
    app.page?.drop?.();
    return route();
  }
  history.pushState(null, "", app.shown);
  if (await mayLeave()) go(wanted);
}

function go(path, replace = false) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  scrollTo(0, 0);
  route();
}

function onLink(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || event.button || event.metaKey || event.ctrlKey || link.hasAttribute("download")) return;
  const path = link.getAttribute("href");
  if (!path.startsWith("/") || path.startsWith("/api/")) return;
  event.preventDefault();
  leave(path);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches?.("input, textarea, select")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const own = app.page?.keys?.[key];
  const link = app.menu.find(([, , , letter]) => letter === key);
  if (own) own(event);
  else if (app.page?.boardKey?.(event)) return;
  else if (key === "l") nextLanguage();
  else if (link) leave(link[1]);
  else return;
  event.preventDefault();
}

function nextLanguage() {
  const codes = LANGUAGES.map(([code]) => code);
  setLanguage(codes[(codes.indexOf(currentLanguage()) + 1) % codes.length]);
}

// Says something for a while.
function notice(words) {
  const note = h("div", { class: "card toast" }, icon("warn"), h("span", {}, words));
  app.notes.append(note);
  say(words);
  setTimeout(() => note.remove(), 5000);
}

// Whether the server is there; two people can go on without it.
function onConnection(online, seconds) {
  if (!app.toast) return;
  app.lost.replaceChildren(...(online ? [] : [h("div", { class: "card toast" }, icon("net"), h("span", {}, t("lost", { n: seconds })))]));
  if (!online && seconds === 3) say(t("lost", { n: 3 }));
}

async function begin() {
  applyLooks();
  await Promise.all([loadWords(preferredLanguage(prefs.language)), loadRules(), loadAbout(), refreshOutside()]);
  drawFrame();
  onStatus(onConnection);
  connect();
  addEventListener("popstate", onBack);
  document.addEventListener("click", onLink);
  document.addEventListener("keydown", onKey);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", followSystem);
  await route();
  loadAhead();
}

begin();
