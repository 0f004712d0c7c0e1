// SPDX-License-Identifier: MIT
// A seat: disc, name, kind, time left, clock bar.
import { h, s, disc, say } from "./dom.js";
import { t } from "./words.js";
import { prefs } from "./prefs.js";
import { gamesLink } from "./links.js";
import { colour, seatName, seatKind, seatOrigin, seconds } from "./sentences.js";

export class SeatCard {
  constructor(player, change) {
    this.player = player;
    this.name = h("b");
    this.kind = h("span", { class: "s m" });
    this.big = h("div", { class: "t" });
    this.left = h("div", { class: "left" }); // where a score has the big place: the time, for the projector
    this.bar = s("rect", { width: "100%", height: 6 });
    this.clock = s("svg", { class: "clock", "aria-hidden": "true" }, this.bar);
    this.change = h("button", { class: "link", onclick: change }, t("seat.change"));
    this.set = h("div", { class: "set" }, this.change);
    this.disc = disc(player);
    this.stone = h("button", { class: "stone", "aria-label": t("seat.who", { who: colour(player) }), title: t("seat.change"), onclick: change }, disc(player));
    this.el = h("section", { class: `seat card seat${player}`, "aria-label": colour(player) },
      this.disc, this.stone, h("div", { class: "who" }, this.name, this.kind), this.big, this.left, this.clock, this.set);
    this.until = null;
  }

  // parts: seat, state, turn, extra (words), score, limit (ms or 0), left (ms or null), open, linked (to the games of
  // whoever sits there)
  show({ seat, state, turn, extra, score, limit, left, open, linked }) {
    this.limit = state === "over" ? 0 : limit; // nobody's time runs then
    this.until = left === null || left === undefined ? null : performance.now() + left;
    this.score = score;
    this.el.classList.toggle("scored", Boolean(score));
    if (this.named !== seatName(seat)) this.name.replaceChildren(linked || seat.player === "entrant" ? h("a", { class: "plain", href: gamesLink(seat) }, seatName(seat)) : seatName(seat));
    this.named = seatName(seat);
    this.name.title = seatName(seat);
    this.words = [seatKind(seat), seatOrigin(seat), extra].filter(Boolean);
    this.turn = turn;
    this.state = state;
    this.el.classList.toggle("turn", turn);
    this.set.hidden = this.stone.hidden = !open;
    this.disc.toggleAttribute("hidden", Boolean(open)); // a click on the stone chooses, too
    this.told = false;
    this.tick();
  }

  tick() {
    const left = this.until === null ? this.limit : Math.max(0, this.until - performance.now());
    const time = this.limit ? seconds(left) : "";
    const beside = this.score && time ? t("n.s", { n: time }) : "";
    const kind = this.words.join(" · ");
    if (this.lastKind !== kind + beside + this.turn) {
      this.kind.replaceChildren(kind, h("span", { class: "kt" }, beside && ` · ${beside}`), this.turn ? " · " : "", this.turn ? h("i", { class: "mv" }, t("to.move")) : "");
      this.lastKind = kind + beside + this.turn;
      this.left.replaceChildren(...(beside ? [time, h("small", {}, ` ${t("s")}`)] : []));
    }
    const big = this.score ? [String(this.score[0]), this.score[1]] : [time, time ? t("s") : ""];
    if (this.lastBig !== big.join()) {
      this.big.replaceChildren(big[0], h("small", { class: "xs" }, ` ${big[1]}`));
      this.lastBig = big.join();
    }
    const share = this.limit ? left / this.limit : 1;
    this.clock.classList.toggle("none", !this.limit);
    this.bar.setAttribute("width", `${(share * 100).toFixed(1)}%`);
    this.clock.classList.toggle("low", this.turn && share < 0.2);
    if (this.turn && this.until !== null && left < 5000 && this.limit > 5000 && !this.told) {
      this.told = true;
      if (prefs.countdown) say(t("five.seconds"));
    }
  }
}
