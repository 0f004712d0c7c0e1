// SPDX-License-Identifier: MIT
// The engine's best lines of the position shown. The server is asked once the position has stayed for a moment; what
// it has found so far is shown, and what is asked about another position is forgotten. Refused for being too busy,
// the page asks again by itself.
import { h } from "./dom.js";
import { t } from "./words.js";
import { get, post } from "./api.js";
import { EvalBar } from "./evalbar.js";
import { moveName, turnsOf } from "./boards/index.js";
import { sideValue } from "./values.js";

const SETTLE_MS = 250, LOOK_MS = 250, AGAIN_MS = 2000, KEPT_MAX = 200;
const PAGE = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join("").slice(0, 12);

export class EngineLines {
  // play(moves): a line was clicked so far; found(result): the engine has something to say, or null; keeps: what was
  // said of the position before is shown until there is something new
  constructor(play, found = () => {}, keeps = false) {
    Object.assign(this, { play, found, keeps });
    this.known = new Map(); // results that are done, by position
    this.bar = new EvalBar();
    this.list = h("ol", { class: "lines" });
    this.words = h("p", { class: "s m", role: "status" });
    this.el = h("section", { class: "card pad linecard", "aria-label": t("lines") }, this.bar.el, this.list, this.words);
  }

  close() { clearTimeout(this.timer); this.asked = null; }

  // A position: { game, settings, moves, mover }; mover 0: the game is over, as `over` says
  show(position, over = "") {
    const asked = (this.asked = { ...position, key: JSON.stringify([position.settings, position.moves]) });
    clearTimeout(this.timer);
    this.bar.el.hidden = !position.mover;
    if (!position.mover) return this.clear(over);
    const known = this.known.get(asked.key);
    if (known) return this.tell(asked, { state: "done", result: known });
    if (!this.keeps) this.clear(t("lines.thinking"));
    this.timer = setTimeout(() => this.ask(asked), SETTLE_MS);
  }

  clear(words) {
    this.bar.show("", null);
    this.list.replaceChildren();
    this.words.textContent = words;
    this.found(null);
  }

  async ask(asked) {
    const { game, settings, moves } = asked;
    try {
      const { job } = await post("lines", { game, set: settings, moves, page: PAGE });
      if (asked === this.asked) this.look(asked, job);
    } catch (error) {
      if (asked !== this.asked) return;
      this.words.textContent = error.message;
      this.timer = setTimeout(() => this.ask(asked), AGAIN_MS);
    }
  }

  async look(asked, job) {
    const state = await get(`lines/${job}`).catch((error) => ({ state: "failed", error: error.message }));
    if (asked !== this.asked) return;
    if (state.state === "dropped") return this.ask(asked); // nobody had looked at it for long
    this.tell(asked, state);
    if (state.state === "working") this.timer = setTimeout(() => this.look(asked, job), LOOK_MS);
  }

  tell(asked, { state, result, error, ahead }) {
    if (state === "done") this.keep(asked.key, result);
    this.words.textContent = state === "failed" ? error : state === "done" ? "" : ahead ? t("lines.ahead", { n: ahead }) : t("lines.thinking");
    if (!result?.lines || result.lines === this.drawn) return;
    this.drawn = result.lines;
    const [best] = result.lines;
    this.bar.show(asked.game, best, asked.mover);
    this.list.replaceChildren(...result.lines.map((line) => this.line(asked, line)));
    this.found(result);
  }

  keep(key, result) {
    if (this.known.size >= KEPT_MAX) this.known.clear();
    this.known.set(key, result);
  }

  // Its value, and its turns, each a button that plays the line up to there.
  line({ game, settings, moves, mover }, { value, exact, pv }) {
    const played = moves.length, all = turnsOf(game, [...moves, ...pv], settings).filter(({ to }) => to > played).slice(0, 12);
    const turns = all.map(({ from, to }) => [pv.slice(Math.max(0, from - played), to - played), pv.slice(0, to - played)]);
    return h("li", {}, sideValue(game, value, mover, exact), h("span", { class: "pv" }, turns.map(([turn, line]) =>
      h("button", { class: "pvmove", onclick: () => this.play(line) }, turn.map((move) => moveName(game, move, settings)).join(" ")))));
  }
}
