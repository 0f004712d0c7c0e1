// SPDX-License-Identifier: MIT
// The server's questions and orders (docs/api.md).
import { t, has } from "./words.js";

// What the server says is wrong, in the language of the page: by the form of its sentence and what stands in
// the gaps. Words that are not ours, as of a player that fails, stay as they are.
function sentence({ error = "", form = "%s", values = [error], who }) {
  const key = `!${form === "%s" ? values[0] : form}`;
  let gap = 0;
  const words = has(key) ? t(key, Object.fromEntries(values.map((value, i) => [i + 1, value])))
    : form.replace(/%[-+ #0-9.*]*[hlzjt]*[a-z]/g, () => values[gap++] ?? "");
  return who ? `${t("seat.refused", { name: who })}. ${words}` : words;
}

async function read(response) {
  const value = await response.json().catch(() => ({ error: String(response.status) }));
  if (!response.ok) throw Object.assign(new Error(sentence(value)), { reason: sentence({ ...value, who: "" }) });
  return value;
}

export const get = (path) => fetch(`/api/${path}`).then(read);

export const post = (path, body = {}) =>
  fetch(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).then(read);

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// A player that was tried and failed: what it did, and the evidence.
function failure({ error, word }) {
  const words = has(`!${error}`) ? t(`!${error}`) : error;
  const reason = word ? `${t(`verdict.${word}`)}: ${words}` : words;
  return Object.assign(new Error(reason), { reason });
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

export let about = { organiser: false, personal: false, judge_port: 0 };

export async function loadAbout() {
  try {
    about = await get("about");
  } catch { /* the server is gone: two people can still play */ }
}
