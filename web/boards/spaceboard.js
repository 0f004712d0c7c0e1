// SPDX-License-Identifier: MIT
// A described board whose layers are also shown in three dimensions: the plans, or the same cells as beads on posts.
// Without WebGL the plans are all there is.
import { h } from "../dom.js";
import { t } from "../words.js";
import { DescribedBoard } from "./describedboard.js";
import { Scene } from "./scene.js";

const STEP = 1.15; // of a layer, in columns: what stands behind is seen between

export class SpaceBoard extends DescribedBoard {
  constructor(options, parts) {
    super(options, parts);
    this.picture = h("div", { class: "scene", tabindex: 0, role: "group", hidden: true, onkeydown: (e) => this.key(e), onblur: () => this.setCursor(null) });
    this.modes = [false, true].map((deep) => h("button", { onclick: () => this.setMode(deep) }, t(deep ? "tower.3d" : "layers")));
    this.el.classList.add("space");
    this.el.prepend(h("div", { class: "row modes" }, h("span", { class: "s q no-p" }, t("tower.turn")), h("span", { class: "push seg" }, this.modes)));
    this.el.append(this.picture);
    this.setMode(false);
  }

  // three.js is large and comes only when somebody wants to see it so.
  async setMode(deep) {
    this.deep = deep;
    this.picture.hidden = !deep;
    this.svg.toggleAttribute("hidden", deep);
    this.el.classList.toggle("deep", deep);
    this.modes.forEach((button, i) => (Boolean(i) === deep ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current")));
    if (deep && !this.coming) await (this.coming = this.load());
    if (deep && this.view) this.scene?.show(this.sceneView());
    this.scene?.resize();
  }

  async load() {
    const { rows, columns, layers } = this.shape;
    try {
      this.scene = await Scene.make(this.picture, { hover: (cell) => this.hover(this.placeOf(cell)), choose: (cell, touch) => this.pick(cell, touch) }, { rows, columns, layers, step: STEP, free: true });
      if (this.closed) this.scene.close();
    } catch {
      this.setMode(false);
      this.modes[1].disabled = true;
      this.modes[1].title = t("tower.no3d");
    }
  }

  close() {
    this.closed = true;
    this.scene?.close();
  }

  focus() { (this.deep ? this.picture : this.svg).focus({ preventScroll: true }); }

  placeOf(cell) { return cell && this.shape.flat({ row: cell[0], column: cell[1], layer: cell[2] }); }

  pick(cell, touch) {
    if (cell && this.view?.me) this.choose(this.placeOf(cell), touch && this.confirms);
  }

  show(view) {
    super.show(view);
    this.picture.setAttribute("aria-label", view.label || t("tower.3d"));
    if (this.deep) this.scene?.show(this.sceneView());
  }

  sceneView() {
    const { rows, columns, layers } = this.shape, owner = (cell) => this.markAt(cell)?.of || 0, [last] = this.lastCells.slice(-1);
    const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
    return { columns: list(rows, (row) => list(columns, (column) => list(layers, (layer) => owner({ layer, row, column })))), last: last && [last.layer, last.row, last.column],
      lines: [], gains: [], top: layers, ghost: this.sceneGhost(), fresh: false,
      hint: [...(this.view.hint || []), ...(this.view.best || [])].flatMap((move) => this.cellsOf(move).slice(-1)).map(({ row, column, layer }) => [row, column, layer]) };
  }

  // What would be placed: where it is aimed, or where the cursor or the pointer is.
  sceneGhost() {
    const place = this.cursor || this.hovered, cell = this.aimed ? this.chosenCells().at(-1) : place && this.shape.cellOf(place);
    return cell && this.view.me && (this.aimed || this.spelling.canTake(this.notation.word(cell))) ? [cell.row, cell.column, this.view.turn, cell.layer] : null;
  }

  drawOver() {
    super.drawOver();
    if (this.deep && this.view) this.scene?.point(this.sceneGhost());
  }

  key(event) {
    if (event.key.length === 1 && this.deep && this.scene?.key(event.key)) event.preventDefault();
    else super.key(event);
  }
}
