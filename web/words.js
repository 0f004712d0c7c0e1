// SPDX-License-Identifier: MIT
// The dictionaries: one file per language holds every word that is shown.

export const LANGUAGES = [["ko", "한국어"], ["zh-TW", "繁體中文"], ["en", "English"]];

let words = {};
let guests = {}; // words of games from outside, in the language of the page
let guestWords = () => ({});
let forms = null; // sentences of the server, as patterns; made when they are needed
let language = "en";

// The language wanted: chosen before, or the browser's.
export function preferredLanguage(chosen) {
  const known = LANGUAGES.map(([code]) => code);
  if (known.includes(chosen)) return chosen;
  for (const wanted of navigator.languages || []) {
    if (wanted.startsWith("ko")) return "ko";
    if (wanted.startsWith("zh")) return "zh-TW";
    if (wanted.startsWith("en")) return "en";
  }
  return "en";
}

const dictionaries = new Map();

// The dictionary of a language, fetched once.
export async function fetchWords(code) {
  if (!dictionaries.has(code)) dictionaries.set(code, await (await fetch(`/static/words/${code}.json`)).json());
  return dictionaries.get(code);
}

export async function loadWords(code) {
  words = await fetchWords(code);
  language = code;
  addWords(guestWords);
  document.documentElement.lang = code;
}

export const currentLanguage = () => language;

// Words that are not in the dictionaries: make(language) gives them. Where both have a key, ours holds.
export function addWords(make) {
  guestWords = make;
  guests = make(language);
  forms = null;
}

const wordsOf = (key) => words[key] ?? guests[key];

// The words for a key, with {names} filled in; for an n of 1, or for "n of 1", those of key.1, where there are any. A key
// without words shows as itself.
export function t(key, values = {}) {
  const text = ((values.of ?? values.n) === 1 && words[`${key}.1`]) || (wordsOf(key) ?? key);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

// Whether nothing can be read in a text: spaces, and letters of Unicode that take room or none and show nothing.
export const isBlank = (text) => !/[^\s\u00ad\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\uffa0]/.test(text);

export const has = (key) => wordsOf(key) !== undefined;

// The texts of key.1, key.2, ...
export function texts(key, values) {
  const list = [];
  for (let i = 1; has(`${key}.${i}`); i++) list.push(t(`${key}.${i}`, values));
  return list;
}

const GAP = /%[-+ #0-9.*]*[hlzjt]*[a-z]/g;

// A sentence of the server with gaps (%s, %d, ...) as a pattern of what stands in them.
function pattern(form) {
  const parts = form.split(GAP).map((part) => part.replaceAll("%%", "%").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const gaps = (form.match(GAP) || []).map((gap) => (gap.endsWith("s") ? "([^]*?)" : gap.endsWith("x") ? "([0-9a-f]+)" : "([-0-9.]+)"));
  return new RegExp(`^${parts.map((part, i) => part + (gaps[i] ?? "")).join("")}$`);
}

// The most special sentence comes first; one that is all gap says nothing.
function makeForms() {
  const weight = (key) => key.replace(GAP, "").length - 1;
  return Object.keys({ ...guests, ...words }).filter((key) => key.startsWith("!") && weight(key) > 1).sort((a, b) => weight(b) - weight(a)).map((key) => [pattern(key.slice(1)), key]);
}

function byForm(text) {
  forms ??= makeForms();
  for (const [form, key] of forms) {
    const found = form.exec(text);
    if (found) return t(key, Object.fromEntries(found.slice(1).map((value, i) => [i + 1, saidValue(value)])));
  }
  return null;
}

// Whether a sentence is one of the server's own.
export const isSentence = (text) => byForm(text) !== null;

// What the server has said in English, in the language of the page, as far as it is in the dictionary; what stands
// in its gaps, too. Words that are not ours, as those of a compiler, stay as they are.
export function said(text) {
  if (!text) return "";
  const words = byForm(text);
  if (words !== null) return words;
  const named = /^([a-z_]+): ([^]+)$/.exec(text); // a setting, and what is wrong with it
  if (named) return `${named[1]}: ${said(named[2])}`;
  return text.includes("; ") ? text.split("; ").map(said).join("; ") : text;
}

// The same for several, one after the other.
export const saidEach = (text) => (text || "").split("; ").map(said).join("; ");

const saidValue = (value) => (has(`verdict.${value}`) ? t(`verdict.${value}`) : has(`!${value}`) || value.includes(" ") ? said(value) : value);
