// SPDX-License-Identifier: MIT
// A question with two answers, before something is done that cannot be taken back.
import { h } from "./dom.js";

// Resolves to whether the answer was yes.
export function askFirst(title, words, { yes, no }) {
  return new Promise((done) => {
    const close = (answer) => { dialog.remove(); done(answer); }; // the first answer counts
    const dialog = h("dialog", { class: "card dialog question", "aria-label": title, onclose: () => close(false) },
      h("div", { class: "inner" }, h("div", { class: "pad" }, h("h2", {}, title), h("p", { class: "m" }, words)),
        h("div", { class: "pad row" }, h("button", { class: "btn", onclick: () => close(true) }, yes), h("button", { class: "btn go", autofocus: true, onclick: () => close(false) }, no))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
