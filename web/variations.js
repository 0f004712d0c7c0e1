// SPDX-License-Identifier: MIT
// Variations as a tree: a node is a turn, with its moves; the first child of a node is its main line. Written as one
// text, "A;B(C;D)E": after A comes B, or else C and D; E goes on after B. So a tree travels in a link.
import { lookOf } from "./boards/index.js";

const TEXT_MAX = 6000, NODES_MAX = 2000;

const newNode = (parent, moves) => ({ parent, moves, children: [], turn: parent ? parent.turn + 1 : 0, ply: parent ? parent.ply + moves.length : 0 });

export class Variations {
  // rules: of the game, for this tree alone
  constructor(rules) {
    this.rules = rules;
    this.root = newNode(null, []);
    this.at = this.root;
    this.count = 0;
  }

  // The nodes from the first turn to one.
  path(node = this.at) {
    const path = [];
    for (let n = node; n.parent; n = n.parent) path.unshift(n);
    return path;
  }

  movesTo(node = this.at) { return this.path(node).flatMap((n) => n.moves); }

  // The node with these moves after another: the one that is there, or a new one. Null: they cannot be played.
  grow(node, moves) {
    const same = node.children.find((child) => child.moves.join(";") === moves.join(";"));
    if (same) return same;
    if (this.count >= NODES_MAX || !this.canPlay(node, moves)) return null;
    const child = newNode(node, moves);
    node.children.push(child);
    this.count++;
    return child;
  }

  canPlay(node, moves) {
    this.rules.restart(this.movesTo(node));
    return moves.length > 0 && moves.every((move) => this.rules.play(move) === null);
  }

  // How many moves the turn after a node holds.
  holds(node) {
    const { turnHolds } = lookOf(this.rules.game);
    return turnHolds ? turnHolds(node.ply) : this.rules.restart(this.movesTo(node)).due;
  }

  // Plays moves from a node on, as turns; returns the node it comes to.
  growLine(node, moves) {
    for (let i = 0; i < moves.length;) {
      const turn = moves.slice(i, i + this.holds(node)), next = this.grow(node, turn);
      if (!next) break;
      i += turn.length;
      node = next;
    }
    return node;
  }

  remove(node) {
    const { parent } = node;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(node), 1);
    if (this.path().includes(node)) this.at = parent;
  }

  // So many turns along the line that is shown, and on along the main one.
  turn(n) {
    const path = this.path();
    let node = n < path.length ? path[n - 1] || this.root : this.at;
    while (node.turn < n && node.children.length) [node] = node.children;
    return node;
  }

  // How long that line is.
  get length() {
    let node = this.at;
    while (node.children.length) [node] = node.children;
    return node.turn;
  }

  write(node = this.root) {
    const [main, ...others] = node.children;
    if (!main) return "";
    const line = (child) => [child.moves.join(";"), this.write(child)];
    const aside = others.map((child) => `(${line(child).filter(Boolean).join(";")})`).join("");
    const rest = this.write(main);
    return `${main.moves.join(";")}${aside}${rest && !aside ? ";" : ""}${rest}`;
  }

  // The tree of a text; what cannot be played, and what follows it, is left out.
  read(text) {
    const parts = text.slice(0, TEXT_MAX).match(/[()]|[^();]+/g) || [], back = [];
    let node = this.root, turn = [];
    for (const part of parts) {
      if (part === "(") {
        back.push(node);
        node = node?.parent;
        turn = [];
      } else if (part === ")") {
        node = back.length ? back.pop() : node;
        turn = [];
      } else if (node) {
        turn.push(part.trim());
        if (turn.length < this.holds(node) && this.goesOn(node, turn)) continue;
        node = this.grow(node, turn);
        turn = [];
      }
    }
    this.at = this.root;
    return this;
  }

  // Whether a turn that has begun so is not whole yet: its first move does not end the game.
  goesOn(node, turn) {
    this.rules.restart(this.movesTo(node));
    return turn.every((move) => this.rules.play(move) === null) && !this.rules.over;
  }

  // Where the line that is shown leaves the main one: "3.1" takes the second child after three turns.
  get via() {
    return this.path().map((node) => [node.parent.turn, node.parent.children.indexOf(node)]).filter(([, i]) => i > 0).map((pair) => pair.join(".")).join(",");
  }

  // Goes to a turn by such a way.
  go(turn, via = "") {
    const ways = new Map(via.split(",").filter(Boolean).map((pair) => pair.split(".").map(Number)));
    let node = this.root;
    while (node.turn < turn && node.children.length) node = node.children[ways.get(node.turn) ?? 0] || node.children[0];
    this.at = node;
  }
}
