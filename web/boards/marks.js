// SPDX-License-Identifier: MIT
// What stands on a board that is described: discs, stones, pieces, cups, blocks, letters, dots and bars, each in a cell of 80 units.

const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const NOBODY = '<circle class="sn" r="30"/>';
const CUP = '<path class="cup" d="M-32 30L-25-24q1-8 9-8h32q8 0 9 8L32 30q0 5-5 5h-54q-5 0-5-5z"/>';
const CHEVRON = "M-10 5l10-10 10 10"; // upwards
const signs = { 1: '<path class="mk" d="M-9-9l18 18m0-18l-18 18"/>', 2: '<circle class="mk" r="10"/>', 0: "" };

// Which way a player's pieces look, in degrees from upwards; null: none.
function turnOf({ of }, facing) { return of && facing ? (of === 1 ? facing : facing + 180) : null; }

const fillOf = (of) => (of === 1 ? "sb" : of === 2 ? "sw" : "ink");

function letter({ of, text }, size) {
  const ground = of ? `<circle class="${of === 1 ? "sb" : "sw"}" r="32"/>` : "";
  return `${ground}<text class="lt of${of}" y="${size * 0.36}" font-size="${size}">${escape(text)}</text>`;
}

const SHAPES = {
  disc: ({ of }) => (of ? `<use href="#d${of}"/>` : NOBODY),
  stone: ({ of }) => (of ? `<use href="#s${of}" transform="scale(1.85)"/>` : NOBODY),
  piece: (mark, facing) => {
    const turn = turnOf(mark, facing), { of } = mark;
    return `<circle class="${of === 1 ? "sb" : of === 2 ? "sw" : "sn"}" r="30"/>${turn === null ? "" : `<path class="cv of${of}" transform="rotate(${turn})" d="${CHEVRON}"/>`}`;
  },
  cup: ({ of }) => `<g class="c${of}">${CUP}${signs[of]}</g>`,
  block: () => '<path class="blk" d="M-30-30h60v60h-60z"/><path class="blkx" d="M-15-15l30 30M15-15l-30 30"/>',
  letter: (mark) => letter(mark, [...mark.text].length > 2 ? 22 : [...mark.text].length > 1 ? 30 : 40),
  dot: ({ of }) => `<circle class="${fillOf(of)}" r="11"/>`,
  hbar: ({ of }) => `<path class="${fillOf(of)}" d="M-38-8h76v16h-76z"/>`, // from side to side of the cell
  vbar: ({ of }) => `<path class="${fillOf(of)}" d="M-8-38h16v76h-16z"/>`,
};

// What small pictures draw of a mark: how wide a line, and where it goes in its cell, by parts of it.
const SMALL = { dot: [0.3, "h0"], hbar: [0.22, "m-.36 0h.72"], vbar: [0.22, "m0-.36v.72"] };
export const isSmall = ({ shape }) => shape in SMALL;

export function drawSmall({ shape, of }, [x, y]) {
  const [width, way] = SMALL[shape];
  return `<path class="${of === 1 ? "db" : of === 2 ? "dr" : "di"}" stroke-width="${width}" d="M${x} ${y}${way}"/>${
    of === 2 ? `<path class="dw" stroke-width="${+(width - 0.1).toFixed(2)}" d="M${x} ${y}${way}"/>` : ""}`;
}

// A mark at a place; `unit` is the side of a cell there, `facing` the way of Black's pieces in degrees, or null.
export function drawMark(mark, [x, y], unit, facing, look = "") {
  return `<g class="mark ${look}" data-at="${x} ${y}" transform="translate(${x} ${y}) scale(${+(unit / 80).toFixed(4)})">${SHAPES[mark.shape](mark, facing)}</g>`;
}

// Which way Black's pieces look: to where White's stand at the start. Degrees from upwards, or null.
export function facingOf(layers, marks) {
  const sums = { 1: [0, 0, 0], 2: [0, 0, 0] };
  for (const grid of layers) grid.forEach((row, r) => row.forEach((sign, c) => {
    const sum = sums[marks.get(sign)?.of];
    if (sum) { sum[0] += r; sum[1] += c; sum[2]++; }
  }));
  if (!sums[1][2] || !sums[2][2]) return 360;
  const down = sums[2][0] / sums[2][2] - sums[1][0] / sums[1][2], right = sums[2][1] / sums[2][2] - sums[1][1] / sums[1][2];
  if (Math.abs(down) < 0.1 && Math.abs(right) < 0.1) return null;
  return Math.abs(down) >= Math.abs(right) ? (down < 0 ? 360 : 180) : right > 0 ? 90 : 270;
}
