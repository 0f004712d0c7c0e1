// SPDX-License-Identifier: MIT
// Games that came to the server as folders: what it tells of them, their words, and their rules. The list is asked for
// when the page opens, whenever games are listed, and for a name that is not known; a module when its game is shown.
import { get, loadAbout } from "./api.js";
import { addWords, has, t } from "./words.js";

let games = new Map(); // by name
let told = "[]"; // the list as it came
let asking = null;
const modules = new Map(); // compiled, by the sum of the rules
const coming = new Map(); // those that are on their way
const watchers = new Set();

export const outsideNames = () => [...games.keys()];
export const outsideGame = (name) => games.get(name);
export const outsideModule = (name) => modules.get(games.get(name)?.sum);

// Hears when games have come, gone or changed.
export const onOutside = (hear) => { watchers.add(hear); return () => watchers.delete(hear); };

const inLanguage = (texts, language, otherwise = "") => texts?.[language] || texts?.en || otherwise;

// The words of all these games: titles, how they end, and what their rules say.
function wordsIn(language) {
  const words = {};
  for (const { name, shown, endings, switches } of games.values()) {
    words[`outside.${name}`] = inLanguage(shown.title, language, name);
    words[`outside.${name}.words`] = inLanguage(shown.words, language);
    for (const [word, sentence] of Object.entries(endings)) words[`outside.${name}.reason.${word}`] = inLanguage(shown.endings?.[word], language, sentence);
    for (const { key, help } of switches) words[`outside.${name}.switch.${key}`] = inLanguage(shown.switches?.[key], language, help);
    for (const says of shown.says || []) if (says.en) words[`!${says.en.replaceAll("%", "%%")}`] = inLanguage(says, language);
  }
  return words;
}

async function ask() {
  const { games: list } = await get("outside").catch(() => ({})), text = JSON.stringify(list);
  if (!list || text === told) return;
  told = text;
  games = new Map(list.map((one) => [one.name, one]));
  addWords(wordsIn);
  await loadAbout();
  for (const hear of watchers) hear();
}

// Asks the server which games there are.
export const refreshOutside = () => (asking ??= ask().finally(() => { asking = null; }));

async function compile({ name, sum }) {
  const answer = await fetch(`/api/outside/${name}/module`);
  if (!answer.ok) throw new Error(t("!there is no such game"));
  modules.set(sum, await WebAssembly.compile(await answer.arrayBuffer()));
}

// Fetches the rules of a game; whether they are there then.
export async function loadOutside(name) {
  if (!games.has(name)) await refreshOutside();
  const one = games.get(name);
  if (!one) return false;
  if (!modules.has(one.sum) && !coming.has(one.sum)) coming.set(one.sum, compile(one).finally(() => coming.delete(one.sum)));
  await coming.get(one.sum)?.catch(() => {});
  return modules.has(one.sum);
}

// What people read of its rules, as HTML that the server has made.
export const outsideRules = (name, language) => get(`outside/${name}/rules/${language}`).then(({ html }) => html).catch(() => "");

const worded = (name, key, otherwise) => (games.has(name) ? t(`outside.${name}${key}`) : otherwise);

// What a game is called. One that is not here goes by its name.
export const titleOf = (name) => worded(name, "", has(`game.${name}.words`) ? t(`game.${name}`) : name);
export const wordsOf = (name) => worded(name, ".words", t(`game.${name}.words`));
export const reasonWords = (name, reason) => (has(`outside.${name}.reason.${reason}`) ? t(`outside.${name}.reason.${reason}`) : t(`reason.${reason}`));
export const switchWords = (name, key) => t(`outside.${name}.switch.${key}`);
