// SPDX-License-Identifier: MIT
// What the flat boards share: an <svg> with a ground that is drawn anew for every position, a layer
// above it for what is aimed at, and cells that nobody sees, named for those who hear the board. One
// tab stop, and a cursor that the arrow keys move.
import { h, s, say, isTouch } from "../dom.js";
import { t } from "../words.js";
import { prefs, isCalm } from "../prefs.js";

// What a move is chosen for: while it stays the same, what was chosen of it stays, whatever else is heard. "": for nothing.
export const poseOf = (view) => (view.me ? view.rules.position : "");

let made = 0; // boards, so that the names of their cells differ

export class GridBoard {
  // options: act(text) plays a move; aim(text, label) says what would be played, or null.
  constructor(options, { box, look, rows, columns }) {
    this.options = options;
    this.rows = rows;
    this.columns = columns;
    this.ground = s("g", { role: "presentation" });
    this.over = s("g", { role: "presentation" });
    this.svg = s("svg", { class: `board ${look}`, viewBox: box, tabindex: 0, role: "grid",
      onpointermove: (e) => this.pointerMoved(e), onpointerdown: (e) => this.pointerDown(e),
      onpointerup: (e) => this.pointerUp(e), onpointerleave: () => this.pointerLeft(),
      onkeydown: (e) => this.key(e), onblur: () => this.setCursor(null) }, this.ground, this.over, this.makeCells());
    this.el = h("div", { class: "boardbox" }, this.svg);
    this.view = null;
    this.cursor = null;
    this.aimed = null;
  }

  // The cells for screen readers; where each is, a board says in cellBox.
  makeCells() {
    this.cells = [];
    const id = `cell${++made}`;
    for (let r = 0; r < this.rows; r++)
      this.cells.push(Array.from({ length: this.columns }, (_, c) => {
        const box = this.cellBox(r, c);
        if (!box) return null; // there is none
        const [x, y, size] = box;
        return s("rect", { id: `${id}-${r}-${c}`, class: "cell", role: "gridcell", x, y, width: size, height: size });
      }));
    return this.cells.map((row) => s("g", { role: "row" }, row));
  }

  nameCells() {
    this.cells.forEach((row, r) => row.forEach((cell, c) => {
      if (!cell) return;
      const name = this.cellName([r, c]);
      if (cell.spoken !== name) cell.setAttribute("aria-label", (cell.spoken = name));
    }));
  }

  focus() { this.svg.focus({ preventScroll: true }); }

  get confirms() { return prefs.confirm || isTouch(); }

  show(view) {
    const before = this.view, pose = poseOf(view);
    this.view = view;
    if (!pose || pose !== this.pose) this.forget();
    this.pose = pose;
    this.svg.setAttribute("aria-label", view.label || "");
    this.svg.classList.toggle("mine", Boolean(view.me));
    this.ground.innerHTML = this.drawGround(view);
    this.over.innerHTML = "";
    this.drawOver();
    this.nameCells();
    if (view.fresh && before && !isCalm()) this.animate(before, view);
  }

  // What was chosen of a move belongs to another position.
  forget() {
    this.aimed = null;
    this.options.aim(null);
  }

  animate() {}

  // The cell under the pointer, [row, column], or null.
  cellAt(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return null;
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [row, column] = this.cellOf(p.x, p.y);
    return row >= 0 && row < this.rows && column >= 0 && column < this.columns ? [row, column] : null;
  }

  pointerMoved(event) {
    if (!this.view?.me) return;
    if (event.pointerType === "mouse") this.hover(this.cellAt(event));
    else if (event.buttons) this.drag(this.cellAt(event));
  }

  pointerDown(event) {
    if (event.pointerType !== "mouse") this.drag(this.cellAt(event));
  }

  pointerUp(event) {
    if (event.button > 0) return;
    const cell = this.cellAt(event);
    this.endDrag();
    if (cell && this.view?.me) this.choose(cell, this.confirms && event.pointerType !== "mouse");
    else if (cell && this.view?.me === false) this.options.deaf?.();
  }

  pointerLeft() { this.hover(null); }

  hover() {}
  drag() {}
  endDrag() {}

  setCursor(cell) {
    this.cursor = cell;
    this.drawOver();
    if (cell) this.svg.setAttribute("aria-activedescendant", this.cells[cell[0]][cell[1]].id);
    else this.svg.removeAttribute("aria-activedescendant");
    if (cell) say(this.cellName(cell));
  }

  key(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const at = this.cursor || [Math.floor((this.rows - 1) / 2), Math.floor((this.columns - 1) / 2)];
    const next = step && [clamp(at[0] + step[0], this.rows), clamp(at[1] + step[1], this.columns)];
    if (step && this.cursor) this.setCursor(this.cells[next[0]][next[1]] ? next : at);
    else if (step) this.setCursor(at);
    else if ((event.key === "Enter" || event.key === " ") && this.view?.me) this.choose(at, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Aims at a move, or plays it.
  take(text, label, aimOnly) {
    if (!aimOnly || this.aimed === text) {
      this.aimed = null;
      this.options.act(text);
      return;
    }
    this.aimed = text;
    this.options.aim(text, label);
    this.drawOver();
  }

  stateName(value) {
    return value === 1 ? t("black") : value === 2 ? t("white") : value ? t("blocked") : t("empty");
  }
}

const clamp = (n, size) => Math.max(0, Math.min(size - 1, n));

export const round = (v) => +v.toFixed(2);
