// SPDX-License-Identifier: MIT
// The dictionaries: one file per language holds every word that is shown.

export const LANGUAGES = [["ko", "한국어"], ["zh-TW", "繁體中文"], ["en", "English"]];

let words = {};
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

export async function loadWords(code) {
  words = await (await fetch(`/static/words/${code}.json`)).json();
  language = code;
  document.documentElement.lang = code;
}

export const currentLanguage = () => language;

// The words for a key, with {names} filled in. A key without words shows as itself.
export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export const has = (key) => key in words;
