// SPDX-License-Identifier: MIT
// The server's questions and orders (docs/api.md).

async function read(response) {
  const value = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(value.error || String(response.status));
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

// Waits for a question that takes the server a while.
export async function job(path, body, progress = () => {}) {
  const { job: number } = await post(path, body);
  for (;;) {
    const state = await get(`jobs/${number}`);
    if (state.state === "done") return state.result;
    if (state.state === "failed") throw new Error(state.error);
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
