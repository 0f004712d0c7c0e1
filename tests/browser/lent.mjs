// SPDX-License-Identifier: MIT
// Teams that the platform lends to the games of its contests, and all that may go wrong meanwhile: they
// leave, come twice, are wanted twice; the contest is paused, its process or the server is ended.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { check, end, freePort, startServer, test, until, wait } from "./harness.mjs";

const BOARD = 268;

const number = (n) => { const b = Buffer.alloc(4); b.writeInt32LE(n); return b; };

// A client of the course that thinks for `slow` ms, until it is told otherwise: so a game lasts as long as the test
// wants it to. It knows the rules of the centre alone: elsewhere its
// turns are illegal, and another is played for it.
let teams = [];
function startTeam(id, slow = 0) {
  const socket = connect(port, "127.0.0.1");
  teams.push(socket);
  let rest = Buffer.alloc(0);
  Object.assign(socket, { boards: 0, stopped: false, slow });
  socket.write(number(id));
  const answer = (board) => {
    const cell = [...Array(64).keys()].find((i) => [i >> 3, i & 7].every((x) => x > 0 && x < 7) && board.readInt32LE(8 + 4 * i) === 0) ?? 9;
    if (!socket.destroyed) socket.write(Buffer.concat([number(1), number(board.readInt32LE(4)), number(cell >> 3), number(cell & 7)]));
  };
  socket.on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (; rest.length >= BOARD && rest.readInt32LE(0) !== 0; rest = rest.subarray(BOARD)) {
      socket.boards++;
      setTimeout(answer, socket.slow, Buffer.from(rest.subarray(0, BOARD)));
    }
    if (rest.length >= 8 && rest.readInt32LE(0) === 0) socket.stopped = true;
  });
  socket.on("error", () => {});
  socket.on("close", () => { socket.closed_ = true; });
  return socket;
}

const port = await freePort();
const serve = (...options) => startServer("--no-demo", "--judge-port", String(port), ...options);
let server = await serve();

const get = async (path) => (await fetch(`${server.home}/api/${path}`)).json();
const post = async (path, body = {}) => {
  const answer = await fetch(`${server.home}/api/${path}`, { method: "POST", body: JSON.stringify(body),
    headers: { origin: server.home, cookie: `${server.cookie}=${server.key}`, "content-type": "application/json" } });
  return { status: answer.status, ...(await answer.json()) };
};
const waiting = async (id) => (await get("hall")).teams.filter((n) => n === id).length;

// A league of two games for every pair.
async function makeContest(name, players, more = "") {
  const { id, error } = await post("contests", { text: `name = "${name}"; game = "reversi"; time = 60; jobs = 2; seed = 3; format = "league"; games = 2; ${more}
    players = (${players.map((start) => `{ name = "${start}"; start = "${start}"; }`).join(", ")});` });
  check(id, `${name}: ${error}`);
  return id;
}
async function begin(...given) {
  const id = await makeContest(...given), { status, error } = await post(`contests/${id}/start`);
  check(status === 200, error);
  return id;
}
async function finish(id, games = 2) {
  await until(async () => ["over", "failed"].includes((await get(`contests/${id}`)).state));
  const { state, why, report } = await get(`contests/${id}`);
  check(state === "over" && report.games.length === games && report.games.every((game) => game.state === "done"), `${state} ${why} ${JSON.stringify(report?.games)}`);
  return report.games;
}
// They were played out by both.
const clean = (games) => check(games.every((game) => game.plies === 60 && !/late|gone|not-ready/.test(game.verdict)), `not played out: ${JSON.stringify(games)}`);
// Whoever has connected in a test leaves at its end.
const trial = (name, run) => test(name, async () => {
  try {
    await run();
  } finally {
    for (const team of teams) team.destroy();
    teams = [];
    await until(async () => (await get("hall")).teams.length === 0);
  }
});
const boards = (team, count) => until(() => team.boards >= count);

// The processes below one whose command has a word in it. (One may end while it is looked at.)
const read = (path) => { try { return readFileSync(path, "utf8"); } catch { return ""; } };
const below = (pid, word) => read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean)
  .flatMap((child) => [...(read(`/proc/${child}/cmdline`).includes(word) ? [+child] : []), ...below(child, word)]);

// Whether a process has ended and left its sockets; it may not have been waited for.
const gone = (pid) => /^$|\) [ZX] /.test(read(`/proc/${pid}/stat`));

await trial("a team that leaves in the middle of a game comes back and plays on", async () => {
  const first = startTeam(12, 300);
  const id = await begin("leaves", ["tcp:12", "random"]);
  await boards(first, 3);
  first.destroy();
  await wait(300);
  const again = startTeam(12);
  clean(await finish(id));
  await until(async () => (await waiting(12)) === 1);
  check(again.boards > 3, `${again.boards} boards`);
});

await trial("a team that comes twice plays once: the second is told to stop", async () => {
  const first = startTeam(12, 300);
  const id = await begin("twice", ["tcp:12", "random"]);
  await boards(first, 3);
  const second = startTeam(12);
  await until(() => second.stopped && second.closed_);
  first.slow = 0;
  clean(await finish(id));
  check(second.boards === 0 && !first.closed_, "the second has played");
});

await trial("a team that comes twice before it is wanted is listed once, and plays", async () => {
  const two = [startTeam(12), startTeam(12)];
  await until(async () => (await waiting(12)) > 0);
  await wait(300);
  check((await waiting(12)) === 1, JSON.stringify(await get("hall")));
  clean(await finish(await begin("both", ["tcp:12", "random"])));
});

await trial("a contest that is paused finishes the team's game, and it waits", async () => {
  const team = startTeam(12, 300);
  const id = await begin("paused", ["tcp:12", "random"]);
  await boards(team, 3);
  await post(`contests/${id}/pause`);
  // Its process has heard that once it has told of moves made since.
  const plies = async () => (await get(`contests/${id}`)).live[0].plies, before = await plies();
  await until(async () => (await plies()) > before + 2);
  team.slow = 0;
  // The team comes back to the server by itself, the result by the contest's process: in any order.
  await until(async () => (await waiting(12)) === 1 && (await get(`contests/${id}`)).done === 1);
  const { boards: seen } = team;
  await wait(700);
  const { done } = await get(`contests/${id}`);
  check(done === 1 && team.boards === seen, `${done} games, ${seen} and ${team.boards} boards`);
  await post(`contests/${id}/continue`);
  clean(await finish(id));
});

await trial("two teams play each other, and one that never comes loses", async () => {
  const two = [startTeam(12), startTeam(13)];
  await until(async () => (await waiting(12)) && (await waiting(13))); // or `wait` may be over before they have come
  const games = await finish(await begin("never", ["tcp:12", "tcp:13", "tcp:14"], "wait = 3;"), 6);
  check(games.filter((game) => /not-ready/.test(game.verdict)).length === 4 && games.filter((game) => game.plies === 60).length === 2, JSON.stringify(games));
  await until(async () => (await waiting(12)) && (await waiting(13)));
});

await trial("a contest whose process is killed gives the team back, and is played on", async () => {
  const team = startTeam(12, 300);
  const id = await begin("killed", ["tcp:12", "random"]);
  await boards(team, 3);
  process.kill(below(server.child.pid, `${id}.conf`)[0], "SIGKILL");
  team.slow = 0;
  await until(async () => (await get(`contests/${id}`)).state === "failed");
  await until(async () => (await waiting(12)) === 1);
  await post(`contests/${id}/start`);
  clean(await finish(id));
});

await trial("a team plays in one place at a time: whoever wants it, too, is told where", async () => {
  const team = startTeam(12, 1000), practise = () => post("games", { game: "reversi", seats: ["human", "tcp:12"] });
  await until(() => waiting(12));
  const one = await begin("one", ["tcp:12", "random"], "wait = 60;"), two = await makeContest("two", ["random", "tcp:12"], "wait = 60;");
  await boards(team, 1);
  for (const refused of [await post(`contests/${two}/start`), await practise()]) check(refused.status >= 400 && refused.error === "team 12 plays in the contest one", JSON.stringify(refused));
  await post(`contests/${one}/pause`);
  check((await post(`contests/${two}/start`)).error === "team 12 plays in the contest one", "it is not done with its game");
  check((await post(`contests/${one}/continue`)).status === 200, "its own game is in its way");
  team.slow = 0;
  clean(await finish(one));
  await until(() => waiting(12)); // it may come back after the result
  const { id } = await practise();
  await until(async () => (await waiting(12)) === 0);
  check((await post(`contests/${two}/start`)).error === "team 12 is seated in a game of practice", "it is taken from practice");
  await post(`games/${id}/pause`);
  await until(() => waiting(12));
  check((await post(`contests/${two}/start`)).status === 200, "it is free");
  check((await post(`games/${id}/continue`)).error === "team 12 plays in the contest two", "it is taken from the contest");
  clean(await finish(two));
});

for (const signal of ["SIGTERM", "SIGKILL"])
  await trial(`a server that is ended by ${signal} has not judged the game under way`, async () => {
    const team = startTeam(12, 300);
    const id = await begin("ended", ["tcp:12", "random"]), old = server;
    await boards(team, 3);
    const players = below(server.child.pid, `${id}.conf`);
    if (signal === "SIGTERM") await old.stop(true);
    else {
      old.child.removeAllListeners("exit");
      old.child.kill(signal);
    }
    await until(() => team.closed_ && [old.pid, ...players].every(gone));
    check(team.stopped === (signal === "SIGTERM"), "the stop");
    server = await serve("--data", old.data);
    await until(async () => (await get(`contests/${id}`)).state === "paused"); // after those before it
    check((await get(`contests/${id}`)).done === 0, "it was judged");
    const again = startTeam(12);
    await post(`contests/${id}/continue`);
    clean(await finish(id));
  });

await server.stop();
end();
