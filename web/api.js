// SPDX-License-Identifier: MIT
// The server's questions and orders (docs/api.md).
import { t, has, said } from "./words.js";

// What the server says is wrong, in the language of the page: by the form of its sentence and what stands in
// the gaps. Words that are not ours, as of a player that fails, stay as they are.
function sentence({ error = "", form = "%s", values = [error], who }) {
  const key = `!${form === "%s" ? values[0] : form}`;
  let gap = 0;
  const words = has(key) ? t(key, Object.fromEntries(values.map((value, i) => [i + 1, said(value)])))
    : said(error && !who ? error : form.replace(/%[-+ #0-9.*]*[hlzjt]*[a-z]/g, () => values[gap++] ?? ""));
  return who ? `${t("seat.refused", { name: who })}. ${words}` : words;
}

const refusal = (value) => Object.assign(new Error(sentence(value)), { reason: sentence({ ...value, who: "" }) });

async function read(response) {
  const value = await response.json().catch(() => ({ error: String(response.status) }));
  if (!response.ok) throw refusal(value);
  return value;
}

// The browser's own words for a server that is gone are not ours.
const ask = (path, options) => fetch(`/api/${path}`, options).catch(() => { throw Object.assign(new Error(t("server.away")), { away: true }); }).then(read);

export const get = (path) => ask(path);

export const post = (path, body = {}) =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

// Sends a file; tells how much of it has gone, from 0 to 1.
export const upload = (path, file, progress) => new Promise((done, fail) => {
  const request = new XMLHttpRequest();
  const answer = () => { try { return JSON.parse(request.responseText); } catch { return { error: t("upload.lost") }; } };
  request.upload.onprogress = (event) => progress(event.total ? event.loaded / event.total : 0);
  request.onload = () => (request.status === 200 ? done(answer()) : fail(refusal(answer())));
  request.onerror = () => fail(refusal({ error: t("upload.lost") }));
  request.open("POST", `/api/${path}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.send(file);
});

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// A player that was tried and failed: what it did, and the evidence.
function failure({ error, word }) {
  const words = said(error);
  const reason = word ? `${t(`verdict.${word}`)}: ${words}` : words;
  return Object.assign(new Error(reason), { reason, named: /^(INFO is wrong|not a valid AI file,)/.test(error) });
}

// Waits for a question that takes the server a while.
export async function job(path, body, progress = () => {}) {
  const { job: number } = await post(path, body);
  for (;;) {
    const state = await get(`jobs/${number}`);
    if (state.state === "done") return state.result;
    if (state.state === "failed") throw failure(state);
    progress(state);
    await wait(200);
  }
}

export let about = { organiser: false, personal: false, visitors: 0, judge_port: 0 };

export async function loadAbout() {
  try {
    about = await get("about");
  } catch { /* the server is gone: two people can still play */ }
}
