// SPDX-License-Identifier: MIT
// The stream of live games. Whoever watches a topic hears its whole state first, then every change. When the
// server comes back, not all that was watched is there at once: a game of a contest that was broken off is
// played again later. What has not been heard of is asked for until it is.

const PATIENCE_S = 3;

const topics = new Map(); // name: { hears, state, fresh: heard of since the server was reached }
let socket = null;
let reminder = 0;
let online = false;
let lost = false; // it was there, or was tried, and is not
let ended = false; // for good
const statusHears = new Set();

function ask() {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ watch: [...topics.keys()] }));
}

function remind() {
  clearTimeout(reminder);
  if (![...topics.values()].every((topic) => topic.fresh)) reminder = setTimeout(() => { ask(); remind(); }, PATIENCE_S * 1000);
}

function tellStatus(seconds) {
  for (const hear of statusHears) hear(online, seconds);
}

function heard(message) {
  const topic = topics.get(message.topic);
  if (!topic) return;
  topic.fresh = true;
  if (message.whole) topic.state = message.whole;
  else topic.state = merge(topic.state, message.change);
  for (const hear of [...topic.hears]) hear(topic.state, message.change || null);
}

// A change of a game adds moves at its ply and replaces the rest.
function merge(state, change) {
  const moves = [...state.moves.slice(0, change.ply), ...change.moves];
  const ms = [...state.ms.slice(0, change.ply), ...change.ms];
  return { ...state, ...change, moves, ms };
}

export function connect() {
  if (ended || socket && socket.readyState <= WebSocket.OPEN) return;
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`, "arbiter.1");
  socket.onopen = () => {
    online = true;
    lost = false;
    for (const topic of topics.values()) topic.fresh = false;
    tellStatus(0);
    ask();
    remind();
  };
  socket.onmessage = (event) => heard(JSON.parse(event.data));
  socket.onclose = () => {
    online = false;
    lost = true;
    clearTimeout(reminder);
    if (!ended) count(PATIENCE_S);
  };
}

function count(seconds) {
  tellStatus(seconds);
  if (seconds > 0) setTimeout(count, 1000, seconds - 1);
  else connect();
}

export const isOnline = () => online;
export const isLost = () => lost;

// The server ends: nobody looks for it any more.
export function disconnect() {
  ended = true;
  socket?.close();
}

// Hears whether the server is there, and in how many seconds it is tried again.
export function onStatus(hear) {
  statusHears.add(hear);
  return () => statusHears.delete(hear);
}

export function watch(name, hear) {
  connect();
  if (!topics.has(name)) topics.set(name, { hears: new Set(), state: null });
  const topic = topics.get(name);
  topic.hears.add(hear);
  if (topic.state) hear(topic.state, null);
  else ask();
  return () => {
    topic.hears.delete(hear);
    if (topic.hears.size === 0 && topics.get(name) === topic) { topics.delete(name); ask(); }
  };
}
