// SPDX-License-Identifier: MIT
// Starter kits, to be downloaded.
import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { about } from "./api.js";

const TITLES = { c: "C", cpp: "C++", python: "Python", "python-tcp": "Python (TCP)" };

// The kits of a game, a link for each language.
export const kitLinks = (game) => h("p", { class: "row wrap kits" }, h("span", { class: "s m" }, t("kits")), (about.contests?.[game]?.kits || []).map((language) =>
  h("a", { class: "btn small", href: `/api/kits/${game}/${language}`, download: `${game}-${language}.zip`, "data-kit": language }, icon("load"), TITLES[language] || language)));
