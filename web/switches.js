// SPDX-License-Identifier: MIT
// The switches of a game from outside: what can be set before it begins. Words are chosen, numbers and others typed.
import { h } from "./dom.js";
import { t } from "./words.js";
import { prefs, setPref } from "./prefs.js";
import { outsideGame, switchWords } from "./outside.js";

// A field for a switch; `changed(value)` hears what it is set to.
function field({ key, standard, words, min, max, form }, value, changed) {
  const props = { class: "text", name: `switch-${key}`, onchange: (event) => changed(event.target.value.trim()) };
  if (words) return h("select", props, words.split("|").map((word) => h("option", { value: word, selected: word === value }, word)));
  if (form) return h("input", { ...props, type: "text", value: value === standard ? "" : value, placeholder: form, title: form });
  return h("input", { ...props, class: "text num", type: "number", min, max, value });
}

const labelled = (name, one, control) => h("label", { class: "stackl", "data-setting": one.key }, h("span", { class: "s m" }, switchWords(name, one.key)), control);

// What differs from the standard, by key; an empty field is the standard.
function held(one, chosen, value) {
  const { [one.key]: before, ...others } = chosen;
  const good = value !== "" && value !== one.standard && (one.words || one.form || (Number(value) >= one.min && Number(value) <= one.max));
  return good ? { ...others, [one.key]: value } : others;
}

// Those of the next game of practice, in a card; "" where there are none.
export function switchFields(name, change) {
  const { switches = [] } = outsideGame(name) || {}, mine = () => prefs.switches[name] || {};
  if (!switches.length) return "";
  return h("section", { class: "card pad switches", "aria-label": t("switches") }, switches.map((one) => {
    const control = field(one, mine()[one.key] ?? one.standard, (value) => {
      setPref("switches", { ...prefs.switches, [name]: held(one, mine(), value) });
      if (!one.form) control.value = mine()[one.key] ?? one.standard;
      change();
    });
    return labelled(name, one, control);
  }));
}

// What the rules have refused is not kept; `settings` holds again.
export const forgetSwitches = (name, settings = {}) => setPref("switches", { ...prefs.switches, [name]: settings });

// Those of a contest: the fields, and what they say.
export class ContestSwitches {
  constructor() {
    this.el = h("div", { class: "row wrap top switches" });
    this.set = {};
  }

  show(name, set = {}) {
    const { switches = [] } = outsideGame(name) || {};
    this.set = Object.fromEntries(Object.entries(set).filter(([key]) => switches.some((one) => one.key === key)));
    this.el.hidden = !switches.length;
    this.el.replaceChildren(...switches.map((one) => labelled(name, one, field(one, this.set[one.key] ?? one.standard, (value) => { this.set = held(one, this.set, value); }))));
  }
}

// What a game is played with that is not the standard: "size 7".
export const switchFacts = ({ switches }, settings) => switches.filter(({ key, standard, form }) => !form && (settings[key] ?? standard) !== standard).map(({ key }) => `${key} ${settings[key]}`);
