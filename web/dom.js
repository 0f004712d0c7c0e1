// SPDX-License-Identifier: MIT
// Elements made from calls. Texts become text nodes, never markup: a name can hold anything.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

// Gives an element these children, if it has others: what is drawn anew while it is pressed loses the click.
export function setChildren(element, children) {
  const same = children.length === element.childNodes.length && children.every((child, i) => child === element.childNodes[i]);
  if (!same) element.replaceChildren(...children);
}

// The same for children made anew: those that look as before stay what they were.
export function renewChildren(element, children) {
  const before = [...element.childNodes];
  children.forEach((child, i) => {
    if (!before[i]) element.append(child);
    else if (!before[i].isEqualNode(child)) before[i].replaceWith(child);
  });
  before.slice(children.length).forEach((child) => child.remove());
}

// An <svg> whose content is markup of our own, made of numbers alone.
export function drawing(props, markup) {
  const svg = s("svg", props);
  svg.innerHTML = markup;
  return svg;
}

const ICONS = {
  back: "M12 4l-6 6 6 6",
  undo: "M4 8h8a4.5 4.5 0 0 1 0 9H8M4 8l4-4M4 8l4 4",
  hint: "M7 13a5 5 0 1 1 6 0c-.7.6-1 1.2-1 2H8c0-.8-.3-1.4-1-2zM8.5 17.5h3",
  swap: "M4 7h11l-3-3M16 13H5l3 3",
  pause: "M7 4v12M13 4v12",
  play: "M7 4.5v11l9-5.5z",
  list: "M4 6h12M4 10h12M4 14h12",
  cup: "M6 3h8v5a4 4 0 0 1-8 0zM6 4H3v2a3 3 0 0 0 3 3M14 4h3v2a3 3 0 0 1-3 3M10 12v3M6.5 17h7M8 17l.5-2h3l.5 2",
  tune: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  help: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM7.8 7.6a2.3 2.3 0 1 1 3.3 2.2c-.8.4-1.1.9-1.1 1.7M10 14.2v.1",
  light: "M10 3v1.5M10 15.5V17M3 10h1.5M15.5 10H17M5 5l1 1M14 14l1 1M5 15l1-1M14 6l1-1M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  first: "M5 4v12M15 4l-7 6 7 6",
  previous: "M13 4l-7 6 7 6",
  next: "M7 4l7 6-7 6",
  last: "M15 4v12M5 4l7 6-7 6",
  link: "M8 12l4-4M7 9l-2 2a3 3 0 0 0 4 4l2-2M13 11l2-2a3 3 0 0 0-4-4L9 7",
  load: "M10 3v9M6 9l4 4 4-4M4 16.5h12",
  screen: "M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4",
  person: "M10 10a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 10 10zM4 17c.6-3.2 2.8-5 6-5s5.4 1.8 6 5",
  file: "M6 3h6l3 3v11H6zM12 3v3h3M8.5 10.5h4M8.5 13.5h4",
  net: "M4 13.5a8.5 8.5 0 0 1 12 0M7 16a4 4 0 0 1 6 0M10 18v0M2 10.5a11.5 11.5 0 0 1 16 0",
  chip: "M6 6h8v8H6zM8 3v3M12 3v3M8 14v3M12 14v3M3 8h3M3 12h3M14 8h3M14 12h3",
  warn: "M10 3.5l7.5 13h-15zM10 8v4M10 14.3v.1",
  globe: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM2.5 10h15M10 2.5c2.5 2.3 2.5 12.700 0 15M10 2.5c-2.500 2.300-2.500 12.700 0 15",
  leave: "M8 4H4v12h4M9 10h8M14 7l3 3-3 3",
  flag: "M5 17V3M5 4h9l-2 3 2 3H5",
  half: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 3v14",
};

export const icon = (name) =>
  s("svg", { class: "i", viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

// A player's disc: 1 black, 2 white.
export const disc = (player) =>
  s("svg", { class: "disc", viewBox: "-13 -13 26 26", "aria-hidden": "true" },
    s("circle", { class: player === 1 ? "sb" : "sw", r: 11 }));

// Tells people who do not see the board.
export function say(words) {
  document.getElementById("say").textContent = words;
}

export const isSmall = () => matchMedia("(max-width: 767px)").matches;
export const isTouch = () => matchMedia("(pointer: coarse)").matches;
