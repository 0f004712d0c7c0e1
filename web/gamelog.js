// SPDX-License-Identifier: MIT
// What players printed in a game, turn by turn, and all messages: for who may read the log of it
// (src/referee/log.h).
import { h, disc } from "./dom.js";
import { t } from "./words.js";

// Lines by what they are: { ply, player, printed, text }.
export function readLog(messages) {
  let ply = 0;
  return messages.split("\n").filter(Boolean).map((line) => {
    const [, mark, rest] = line.match(/^\s*[\d.]+ #\d+ (--|->|<-|!!) (.*)$/) || [];
    const moves = mark === "--" && rest.match(/^after (\d+) moves$/);
    if (moves) ply = +moves[1];
    return { ply, player: mark === "!!" ? (rest.startsWith("X ") ? 1 : 2) : 0, printed: mark === "!!" ? rest.replace(/^[XO] \w+ ?/, "") : "", text: line };
  });
}

export class GameLog {
  constructor(messages) {
    this.lines = readLog(messages);
    this.turn = h("div", { class: "printed" });
    this.el = h("section", { class: "card pad gamelog", "aria-label": t("game.log") }, h("h2", {}, t("game.log.turn")), this.turn,
      h("details", {}, h("summary", {}, t("game.log.all")), h("pre", { class: "log" }, this.lines.map(({ text }) => text).join("\n"))));
  }

  // What was printed in the turn that began after `from` moves and ended before `to`; at the end also what came then.
  show(from, to, last) {
    const said = this.lines.filter(({ printed, player, ply }) => player && printed && ply >= from && (last || ply < to));
    this.turn.replaceChildren(...(said.length ? [1, 2].map((player) => {
      const own = said.filter((line) => line.player === player);
      return own.length ? h("div", { class: "row top" }, disc(player), h("pre", { class: "log" }, own.map(({ printed }) => printed).join("\n"))) : "";
    }) : [h("p", { class: "s m" }, t("game.log.none"))]));
  }
}
