// SPDX-License-Identifier: MIT
// A running game as a small card: the board, both names, the clock of whoever moves.
import { h, disc } from "./dom.js";
import { t } from "./words.js";
import { titleOf } from "./outside.js";
import { watchGame } from "./games.js";
import { lastTurn, lookOf, miniBoard, turnsOf } from "./boards/index.js";
import { seatName, seconds, resultSentence } from "./sentences.js";

export class LiveGame {
  constructor(id, caption, look = "card") {
    this.rows = [2, 1].map((player) => ({ player, name: h("span"), time: h("span", { class: "num" }) }));
    this.lines = this.rows.map((row) => h("span", { class: "nm" }, disc(row.player), row.name, row.time));
    this.picture = h("span", { class: "pic" });
    this.caption = h("span", { class: "xs q" });
    this.words = caption;
    this.el = h("a", { class: `game ${look}`, href: `/game/${id}` }, this.lines[0], this.picture, this.lines[1], this.caption);
    this.stop = watchGame(id, (state) => this.show(state));
  }

  close() { this.stop(); }

  show(state) {
    this.state = state;
    this.heard = performance.now();
    const { game, settings, moves } = state, here = Boolean(lookOf(game)), turns = here ? turnsOf(game, moves, settings).length : 0;
    this.picture.replaceChildren(here ? miniBoard(game, settings, moves, lastTurn(game, moves, settings)) : t("no.game.here"));
    this.caption.textContent = state.result ? resultSentence({ ...state.result, game }) : this.words || t("live.caption", { game: titleOf(state.game), n: turns + 1 });
    this.rows.forEach((row, i) => {
      row.name.textContent = seatName(state.seats[row.player - 1]);
      this.lines[i].classList.toggle("turn", !state.result && state.awaits === row.player);
    });
    this.tick();
  }

  tick() {
    if (!this.state) return;
    const { awaits, left_ms: left, time_ms: limit } = this.state;
    for (const row of this.rows) {
      const time = awaits === row.player && left !== null ? left - (performance.now() - this.heard) : limit;
      row.time.textContent = limit && !this.state.result ? seconds(time) : "";
    }
  }
}
