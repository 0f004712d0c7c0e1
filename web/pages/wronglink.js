// SPDX-License-Identifier: MIT
// A link with a secret in it that is wrong: the server would have led on from it otherwise.
import { h } from "../dom.js";
import { t } from "../words.js";

export class WrongLinkPage {
  constructor({ words }, app) {
    this.app = app;
    this.el = h("main", {}, h("div", { class: "card pad stack" }, h("h1", {}, t("wrong.link")), h("p", { class: "m" }, t(words)), h("p", {}, h("a", { href: "/" }, t("way.home")))));
  }

  async open() { this.app.setTitle(t("wrong.link")); }
}
