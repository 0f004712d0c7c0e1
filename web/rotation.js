// SPDX-License-Identifier: MIT
// On a projector a contest shows one thing at a time and goes on to the next by itself: the games in play, the table, the
// bracket. It can be held. When all is over the result stands alone.
import { h, icon } from "./dom.js";
import { t } from "./words.js";
import { prefs } from "./prefs.js";
import { isPresenting } from "./present.js";

export class Rotation {
  constructor(el) {
    this.el = el;
    this.views = [];
    this.held = false;
    this.button = h("button", { class: "btn leave hold", onclick: () => this.hold() });
    this.paint();
    this.timer = setInterval(() => this.tick(), 1000);
    this.since = 0;
  }

  close() { clearInterval(this.timer); }

  // The views there are, in their order; the one that is shown stays if it is among them.
  offer(views) {
    this.views = views;
    if (!views.includes(this.at)) this.turn(views[0]);
    this.paint();
  }

  turn(view) {
    this.at = view;
    this.since = 0;
    this.el.dataset.show = view || "";
  }

  next() { this.turn(this.views[(this.views.indexOf(this.at) + 1) % this.views.length]); }

  tick() {
    if (!isPresenting() || this.held || this.views.length < 2) this.since = 0;
    else if (++this.since >= prefs.rotate) this.next();
  }

  hold() {
    this.held = !this.held;
    this.paint();
  }

  paint() {
    this.button.hidden = this.views.length < 2;
    this.button.setAttribute("aria-pressed", String(this.held));
    this.button.replaceChildren(icon(this.held ? "play" : "pause"), t(this.held ? "rotate.on" : "rotate.hold"));
  }
}
