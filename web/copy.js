// SPDX-License-Identifier: MIT
// Copies a text. Browsers give pages their clipboard only over TLS or on the same machine; elsewhere the older way
// is tried, which may be refused as well.
import { h, icon } from "./dom.js";
import { t } from "./words.js";

function copyOld(text) {
  const field = h("textarea", { class: "vh", readonly: true });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOld(text);
  }
}

// A button that copies and says whether it could.
export function copyButton(words, text, look = "btn") {
  const label = h("span", {}, words);
  return h("button", { class: look, onclick: async () => { label.textContent = t((await copyText(text())) ? "copied" : "copied.not"); } }, icon("link"), label);
}
