// SPDX-License-Identifier: MIT
// Settings: kept in the browser as they are changed, used from the next game.
import { h, drawing } from "../dom.js";
import { t, LANGUAGES, currentLanguage } from "../words.js";
import { titleOf } from "../outside.js";
import { prefs, setPref } from "../prefs.js";
import { about, post } from "../api.js";
import { gameNames, secondsOf } from "../boards/index.js";
import { play as sound } from "../sound.js";
import { monitorChoice } from "../monitors.js";

const LOOKS = ["wood", "paper", "slate"];

function row(label, help, control) {
  return h("div", { class: "f" }, h("span", {}, label, help ? [h("br"), h("span", { class: "xs q" }, help)] : null), control);
}

function toggle(key, label, held = prefs, change = setPref) {
  const button = h("button", { type: "button", class: "switch", role: "switch", "aria-checked": String(held[key]), "aria-label": label, "data-pref": key });
  button.append(drawing({ class: "sw-in", viewBox: "0 0 44 26", "aria-hidden": "true" }, '<rect width="44" height="26" rx="13"/><circle cx="13" cy="13" r="10"/>'));
  button.addEventListener("click", async () => {
    await change(key, !held[key]);
    button.setAttribute("aria-checked", String(held[key]));
  });
  return button;
}

// What the organiser switches is the server's: it holds for everybody.
const switchTo = (key, value) => post("switches", { [key]: value }).then((now) => Object.assign(about, now)).catch(() => {});

// A number with less and more; `unit` is the key of what is counted.
function stepper(value, { min, max, step = 1, unit, name }, change) {
  const out = h("output", {}, String(value)), counted = h("span", { class: "s m" }, t(unit, { n: value }));
  const move = (by) => {
    value = Math.max(min, Math.min(max, value + by));
    out.textContent = String(value);
    counted.textContent = t(unit, { n: value });
    change(value);
  };
  return h("span", { class: "row", "data-pref": name }, h("span", { class: "stp" }, h("button", { type: "button", "aria-label": t("less"), onclick: () => move(-step) }, "−"), out,
    h("button", { type: "button", "aria-label": t("more"), onclick: () => move(step) }, "+")), counted);
}

function choice(key, values) {
  const buttons = values.map((value) => h("button", { type: "button", "data-value": value, onclick: () => { setPref(key, value); paint(); } }, t(`${key}.${value}`)));
  const paint = () => buttons.forEach((b) => (b.dataset.value === prefs[key] ? b.setAttribute("aria-current", "true") : b.removeAttribute("aria-current")));
  paint();
  return h("span", { class: "seg", "data-pref": key }, buttons);
}

function radio(name, key, value, label, help) {
  const input = h("input", { type: "radio", name, onchange: () => setPref(key, value) });
  input.checked = prefs[key] === value;
  return h("label", { class: "f" }, input, h("span", {}, label, h("br"), h("span", { class: "xs q" }, help)));
}

function looks() {
  const buttons = LOOKS.map((look) => {
    const button = h("button", { type: "button", class: `look ${look}`, "aria-label": t(`board.${look}`), title: t(`board.${look}`), onclick: () => { setPref("board", look); paint(); } });
    button.append(drawing({ viewBox: "0 0 52 52", "aria-hidden": "true" }, '<rect class="lookbg" width="52" height="52"/><path class="lookline" d="M0 14h52M0 38h52M14 0v52M38 0v52"/><circle class="sb" cx="14" cy="14" r="10"/><circle class="sw" cx="38" cy="38" r="10"/>'));
    return button;
  });
  const paint = () => buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(LOOKS[i] === prefs.board)));
  paint();
  return h("span", { class: "looks" }, buttons);
}

export class SettingsPage {
  constructor(at, app) {
    this.app = app;
    this.el = h("main");
  }

  async open() {
    this.app.setTitle(t("menu.settings"));
    this.el.replaceChildren(h("div", { class: "head" }, h("h1", {}, t("menu.settings")), h("span", { class: "push s m" }, t("settings.saved"))),
      h("form", { class: "form", onsubmit: (e) => e.preventDefault() }, this.rules(), this.tournament(), this.screen(), this.sounds(), this.looks(), this.playing(), this.language(), this.you()));
  }

  card(title, ...rows) { return h("fieldset", { class: "card" }, h("h2", {}, title), rows); }

  rules() {
    return this.card(t("settings.rules"), row(t("settings.blocking"), null, toggle("blocking", t("settings.blocking"))),
      row(t("settings.blocks"), t("settings.blocks.help"), stepper(prefs.blocks, { min: 2, max: 10, step: 2, unit: "cells", name: "blocks" }, (n) => setPref("blocks", n))),
      row(t("settings.limit"), null, toggle("limit", t("settings.limit"))),
      gameNames().map((game) => row(titleOf(game), t("settings.each"), stepper(secondsOf(game), { min: 1, max: 60, unit: "s", name: `seconds-${game}` }, (n) => setPref("seconds", { ...prefs.seconds, [game]: n })))),
      row(t("settings.people"), null, toggle("people", t("settings.people"))));
  }

  tournament() {
    return this.card(t("settings.tournament"), row(t("settings.wins"), null, stepper(prefs.wins, { min: 1, max: 9, unit: "wins.unit", name: "wins" }, (n) => setPref("wins", n))),
      radio("league", "league", "normal", t("league.normal"), t("league.normal.help")), radio("league", "league", "only", t("league.only"), t("league.only.help")));
  }

  screen() {
    return this.card(t("settings.screen"), row(t("settings.monitor"), t("settings.monitor.help"), monitorChoice()),
      row(t("settings.rotate"), t("settings.rotate.help"), stepper(prefs.rotate, { min: 5, max: 120, step: 5, unit: "s", name: "rotate" }, (n) => setPref("rotate", n))));
  }

  sounds() {
    const volume = h("input", { type: "range", min: 0, max: 100, value: prefs.volume, "aria-label": t("settings.volume"), onchange: (e) => { setPref("volume", +e.target.value); sound("move"); } });
    return this.card(t("settings.sound"), row(t("settings.effects"), null, toggle("sound", t("settings.effects"))), row(t("settings.volume"), null, volume),
      row(t("settings.countdown"), null, toggle("countdown", t("settings.countdown"))));
  }

  looks() {
    return this.card(t("settings.looks"), row(t("settings.board"), null, looks()), row(t("settings.stones"), null, choice("stones", ["stone", "flat", "marked"])),
      row(t("settings.theme"), null, choice("theme", ["system", "light", "dark"])));
  }

  playing() {
    return this.card(t("settings.playing"), row(t("settings.legal"), null, toggle("legal", t("settings.legal"))),
      row(t("settings.confirm"), t("settings.confirm.help"), toggle("confirm", t("settings.confirm"))),
      row(t("settings.coordinates"), null, toggle("coordinates", t("settings.coordinates"))), row(t("settings.calm"), null, toggle("calm", t("settings.calm"))));
  }

  language() {
    return this.card(t("language"), LANGUAGES.map(([code, name]) => {
      const input = h("input", { type: "radio", name: "language", value: code, onchange: () => this.app.setLanguage(code) });
      input.checked = code === currentLanguage();
      return h("label", { class: "f", lang: code }, input, h("span", {}, name));
    }));
  }

  you() {
    const name = h("input", { type: "text", class: "text", maxlength: 40, value: prefs.name, "aria-label": t("settings.name"), placeholder: t("visitor"), onchange: (e) => setPref("name", e.target.value.trim()) });
    return this.card(t("settings.you"), row(t("settings.name"), t("settings.name.help"), name), row(about.organiser ? t("settings.organiser") : t("settings.spectator"), about.organiser ? null : t("seat.needs.key"), null),
      about.organiser ? [row(t("settings.visitors"), t("settings.visitors.help"), stepper(about.visitors, { min: 0, max: 64, unit: "settings.visitors.unit", name: "visitors" }, (n) => switchTo("visitors", n))),
        row(t("settings.live"), t("settings.live.help"), toggle("live_values", t("settings.live"), about, switchTo))] : "");
  }
}
