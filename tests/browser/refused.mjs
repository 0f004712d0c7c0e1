// SPDX-License-Identifier: MIT
// What the server refuses, by plain sockets: foreign hosts and origins, wrong keys, garbage, half and
// oversized requests, ways out of its folder. After all of it, it goes on. And the server by TLS. Needs
// no browser.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { request as askByTls } from "node:https";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { check, end, startServer, startServerBy, test } from "./harness.mjs";

const server = await startServer("--no-demo");
const { host, port } = new URL(server.home);

// Sends bytes, and then no more; returns what comes until the other side closes.
function send(bytes, options = {}) {
  return new Promise((done) => {
    const socket = options.tls ? connectTls({ port: +(options.on || port), host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: options.protocols, allowHalfOpen: true }) : connect({ port: +(options.on || port), host: "127.0.0.1", localAddress: options.from, allowHalfOpen: true });
    let heard = "";
    const finish = () => { socket.destroy(); done(heard); };
    socket.on("data", (data) => { heard += data.toString("latin1"); });
    socket.on("end", finish);
    socket.on("close", finish);
    socket.on("error", finish);
    if (options.stay) socket.write(bytes);
    else socket.end(bytes);
  });
}

const request = (line, headers = {}, body = "") => `${line} HTTP/1.1\r\n${Object.entries({ Host: host, Connection: "close", ...headers }).map(([k, v]) => `${k}: ${v}\r\n`).join("")}\r\n${body}`;
const status = (answer) => +(answer.match(/^HTTP\/1\.1 (\d+)/) || [0, 0])[1];
const key = { Cookie: `${server.cookie}=${server.key}` };
const own = { Origin: server.home };
const alive = async () => check(status(await send(request("GET /"))) === 200, "the server is gone");

await test("a Host that is not ours is refused", async () => {
  for (const name of ["evil.example", `evil.example:${port}`, `localhost.evil.example:${port}`, "127.0.0.1:1", `127.0.0.1:${port}.evil.example`])
    check(status(await send(request("GET /", { Host: name }))) === 403, name);
  check(status(await send(request("GET /", { Host: `127.0.0.1:${port}` }))) === 200, "127.0.0.1");
  check([0, 400, 403].includes(status(await send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))), "no Host at all");
});

await test("a POST needs our own page, and what visitors may not do the key", async () => {
  const body = JSON.stringify({ game: "reversi", seats: ["random", "random"] });
  const post = (headers) => send(request("POST /api/games", { "Content-Length": body.length, ...headers }, body));
  check(status(await post({ ...key })) === 403, "without an Origin");
  check(status(await post({ ...key, Origin: "http://evil.example" })) === 403, "from another page");
  check(status(await post({ ...key, Origin: "null" })) === 403, "from nowhere");
  for (const cookie of ["", `${server.cookie}=${"0".repeat(40)}`, `${server.cookie}=${server.key}0`]) {
    const answer = await post({ ...own, ...(cookie ? { Cookie: cookie } : {}) });
    check(status(answer) === 400 && answer.includes("without the organiser's key"), `with ${cookie}: ${answer}`);
  }
  check(status(await post({ ...own, ...key })) === 200, "the organiser");
  check(status(await send(request(`GET /key/${"0".repeat(40)}`))) === 403, "a wrong link");
  check(/set-cookie: arbiter_key_\d+=\w+; Path=\/; HttpOnly; SameSite=Strict/i.test(await send(request(`GET /key/${server.key}`))), "the cookie");
});

await test("a WebSocket needs our own page", async () => {
  const socket = (headers) => send(request("GET /live", { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "arbiter.1", ...headers }));
  check(status(await socket(own)) === 101, "our own");
  check(status(await socket({ Origin: "http://evil.example" })) !== 101, "another page's");
  check(status(await socket({})) !== 101, "nobody's");
  check(status(await socket({ ...own, Host: "evil.example" })) !== 101, "under another name");
  check(status(await socket({ ...own, "Sec-WebSocket-Protocol": "http" })) !== 101, "in another protocol");
});

await test("a Host or Origin that only looks like ours is refused", async () => {
  for (const name of [`localhost:${port}@evil.example`, `evil.example/localhost:${port}`, ` localhost:${port}.`, `LOCALHOST.:${port}`, `[::1]:${port}x`])
    check(status(await send(request("GET /", { Host: name }))) !== 200, name);
  const body = "{}";
  for (const origin of [`${server.home}.evil.example`, server.home.replace("http:", "https:"), `http://evil.example#${server.home}`, `http://127.0.0.1:${port}`, server.home.replace(/:\d+$/, ":1"), ` ${server.home}/`])
    check(status(await send(request("POST /api/exit", { ...key, Origin: origin, "Content-Length": 2 }, body))) === 403, origin);
  check(status(await send(`GET http://evil.example/api/about HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)) !== 200, "an absolute address");
  check(status(await send(`GET /api/about HTTP/1.1\r\nHost: evil.example\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)) !== 200, "two hosts");
});

await test("the key counts only where it belongs", async () => {
  const body = "{}", post = (headers, path = "/api/exit") => send(request(`POST ${path}`, { ...own, "Content-Length": 2, ...headers }, body));
  for (const headers of [{ Cookie: `x_${server.cookie}=${server.key}` }, { Cookie: `a=${server.cookie}=${server.key}` }, { Authorization: `Bearer ${server.key}` }, { "X-Arbiter-Key": server.key }, { Cookie: `${server.cookie}=` }, { Cookie: `${server.cookie}=${server.key.slice(0, -1)}` }])
    check(status(await post(headers)) === 403, JSON.stringify(headers));
  check(status(await post({}, `/api/exit?${server.cookie}=${server.key}`)) === 403, "in the address");
  check(status(await post({ Cookie: `a=b; ${server.cookie}=${server.key}` })) === 409, "among other cookies");
});

await test("what is said of a game is taken as it is said, or refused", async () => {
  const post = (path, value) => { const body = JSON.stringify(value); return send(request(`POST ${path}`, { ...own, ...key, "Content-Length": Buffer.byteLength(body) }, body)); };
  const plan = { game: "reversi", seats: ["human", "human"] };
  for (const [field, values] of Object.entries({ time: [1.5, -1, 4294967297, [1], true, "0x10", "1..0x3"], set: [5, "x", [1]], tally: [4294967297, "x", [1], [1, 2, 3]], names: [7, "x", ["a"], [1, 2]] }))
    for (const value of values) {
      const answer = await post("/api/games", { ...plan, [field]: value });
      check(status(answer) === 400 && answer.includes(Array.isArray(value) || typeof value !== "string" || field !== "time" ? field : value), `${field}: ${JSON.stringify(value)}: ${answer.slice(-200)}`);
    }
  check(status(await post("/api/games", { ...plan, time: "5", set: {}, tally: [1, 0], number: 2 })) === 200, "a good plan");
  const long = await post("/api/think", { game: "connect6", set: { blocks: `1,1 2,2${" ".repeat(300)}nonsense` }, moves: [] });
  check(status(long) === 400, "a rule that is longer than any is cut");
  check(status(await post("/api/think", { game: "connect6", set: { size: [] }, moves: [] })) === 400, "a rule that is a list");
});

await test("a player or contest is never a path", async () => {
  const post = (path, value) => { const body = JSON.stringify(value); return send(request(`POST ${path}`, { ...own, ...key, "Content-Length": Buffer.byteLength(body) }, body)); };
  for (const player of ["own:../../../bin/sh", "own:..", "own:/bin/sh", "own:.", "own:a/../../x", "cmd:id", "py:/etc/passwd", "abp:id", "tcp:1=id", "human\n"])
    check(status(await post("/api/games", { game: "reversi", seats: [player, "human"] })) === 400, player);
  for (const id of ["..", "..%2f..%2fetc", "%2e%2e", "a%00b", "x".repeat(200)])
    check(status(await post(`/api/contests/${id}/start`, {})) !== 200, id);
  await alive();
});

// A frame of a WebSocket, masked as clients must.
function frame(first, payload, length = payload.length) {
  const head = length < 126 ? [first, 0x80 | length] : length < 65536 ? [first, 0xfe, length >> 8, length & 255] : [first, 0xff, 0, 0, 0, 0, (length >>> 24) & 255, (length >> 16) & 255, (length >> 8) & 255, length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.from(payload)]);
}

// Opens a WebSocket and says something; resolves when it is closed, or has heard some words.
const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "arbiter.1" };
const talk = (bytes, words) => new Promise((done) => {
  const socket = connect(+port, "127.0.0.1");
  let heard = "";
  socket.on("error", () => {});
  socket.on("close", () => done("closed"));
  socket.on("data", (data) => {
    if (!heard) socket.write(bytes);
    heard += data.toString("latin1");
    if (words && heard.includes(words)) { socket.destroy(); done("open"); }
  });
  socket.write(request("GET /live", { ...upgrade, ...own }));
});

await test("a WebSocket that talks nonsense is closed, and no other", async () => {
  const watching = '{"watch": ["hall"]}', mask = Buffer.from([0, 0, 0, 0]);
  for (const [words, bytes] of [["an order", frame(0x81, '{"move": "3,3"}')], ["no JSON", frame(0x81, "garbage")], ["a list", frame(0x81, "[1]")], ["64 KB", frame(0x81, "x".repeat(65000))], ["1 GB told", frame(0x81, "x", 0x40000000)],
    ["no mask", Buffer.concat([Buffer.from([0x81, watching.length]), Buffer.from(watching)])], ["a ping without a mask", Buffer.from([0x89, 0])], ["a message in parts", Buffer.concat([frame(0x01, watching.slice(0, 5)), frame(0x80, watching.slice(5))])],
    ["bytes", frame(0x82, watching)], ["an extension", frame(0xc1, watching)], ["a long ping", frame(0x89, "x".repeat(126))], ["a length that is longer than it need be", Buffer.concat([Buffer.from([0x81, 0xfe, 0, watching.length]), mask, Buffer.from(watching)])]])
    check(await talk(bytes) === "closed", words); // or it waits for ever
  check(await talk(Buffer.concat([frame(0x81, watching), frame(0x89, "still there?")]), "still there?") === "open", "one that watches is closed");
  await alive();
});

await test("there is no way out of the folder", async () => {
  for (const path of ["/static/../key", "/static/%2e%2e/key", "/static/..%2f..%2fetc/passwd", "/../../etc/passwd", "//etc/passwd", "/static//etc/passwd", "/api/games/..%2fkey", "/api/games/../../key", "/replay/%2e%2e%2fkey", "/static/words/../../key", "/static/\\..\\key", "/api/games/%00", "/data/key", "/key"]) {
    const answer = await send(request(`GET ${path}`));
    check(!answer.includes(server.key) && !answer.includes("root:"), path);
    check(status(answer) !== 200 || answer.includes("<!doctype html>"), `${path} was answered: ${answer.slice(0, 80)}`);
  }
});

await test("garbage, half and oversized requests are refused", async () => {
  await send("\0\x01\x02\xff\xfe garbage\r\n\r\n");
  await send("GET");
  await send("POST /api/games HTTP/1.1\r\nHost: ");
  await send(request("GET /", { "X-Long": "x".repeat(60000) }));
  await send(`GET /${"a".repeat(20000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await send(request("GET /", Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`X-${i}`, "y".repeat(40)]))));
  check([413, 0].includes(status(await send(request("POST /api/contests", { ...own, ...key, "Content-Length": 1e9 }, "{")))), "a body of 1 GB");
  check(status(await send(request("POST /api/games", { ...own, ...key, "Transfer-Encoding": "chunked" }, "5\r\nhello\r\n0\r\n\r\n"))) !== 200, "a chunked body");
  check(status(await send(request("POST /api/games", { ...own, ...key, "Content-Length": 5 }, "[1,2]"))) === 400, "a body that is no object");
  check(status(await send(request("POST /api/games", { ...own, ...key, "Content-Length": 20 }, "{\"game\":\"reversi\",,,}"))) === 400, "a body that is no JSON");
  check(status(await send(request("DELETE /api/games"))) !== 200, "another method");
  await alive();
});

await test("an upgrade to HTTP/2 is not done, and ends nothing", async () => {
  const settings = { "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA" }, goesOn = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"; // as a client does once it is upgraded
  for (const path of ["/api/about", "/live", "/"])
    check(status(await send(request(`GET ${path}`, { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", ...settings }, goesOn), { from: "127.0.0.4" })) !== 101, `${path} was upgraded`);
  check(status(await send(request("GET /api/about", { Connection: "close, Upgrade, HTTP2-Settings", Upgrade: "h2c", ...settings }))) === 200, "it was not answered as it stands");
  check(status(await send(goesOn)) === 400, "HTTP/2 without asking");
  await alive();
});

await test("many requests in one packet are answered in turn, and one that is not finished holds up nobody", async () => {
  const one = `GET /api/about HTTP/1.1\r\nHost: ${host}\r\n\r\n`, short = request("POST /api/exit", { ...own, ...key, "Content-Length": 100 }, "{");
  check((await send(one + one + request("GET /api/hall"))).match(/HTTP\/1\.1 200/g).length === 3, "three in one packet");
  for (const packet of [one + short, one + one + short, one + request("POST /api/exit", { ...own, "Content-Length": 100 }, "{"), one + "POST /api/exit HT", one + "\r\n\r\n"])
    check(/^HTTP\/1\.1 200/.test(await send(packet)), JSON.stringify(packet));
  await alive();
});

await test("what could be read in two ways is refused, and the connection closed", async () => {
  const post = (lines, body = "{}") => send(`POST /api/exit HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.home}\r\nCookie: ${key.Cookie}\r\n${lines}\r\n\r\n${body}`, { stay: true, from: "127.0.0.5" });
  for (const lines of ["Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2\r\nContent-Length: 20", "Content-Length: 2, 2", "Content-Length: 0x2", "Content-Length: +2", "Content-Length: -2", "Content-Length: 2 2", "Content-Length:", "Content-Length: 99999999999999999999",
    "Content-Length: 2\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 2", "Content-Length: 2\r\nTransfer-Encoding: identity", "Content-Length : 2", " Content-Length: 2", "Content-Length: 2\nX: y", `Content-Length: 2\r\nHost: ${host}`])
    check(status(await post(lines)) === 400, JSON.stringify(lines)); // it resolves when it is closed
  check(status(await post("Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n")) === 411, "a chunked body");
  check(status(await send(`GET /api/about HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`, { stay: true })) === 400, "a GET with a body");
  check(status(await send(request("GET /", { "X-Long": "x".repeat(9000) }), { stay: true })) === 431, "9 KB of headers");
  await alive();
});

await test("HEAD is answered like GET, without the body", async () => {
  for (const path of ["/", "/api/about", "/static/app.js", "/api/games/none"]) {
    const [whole, head] = [await send(request(`GET ${path}`)), await send(request(`HEAD ${path}`))], end = whole.indexOf("\r\n\r\n") + 4;
    check(whole.length > end && head === whole.slice(0, end), `${path}: ${head.slice(end, end + 80)}`);
  }
});

// A contest of teams who hand in.
const ask = (method, path, body, cookie, from = "127.0.0.6") => { const text = body === undefined ? "" : JSON.stringify(body); return send(request(`${method} ${path}`, { ...own, Cookie: cookie, "Content-Length": Buffer.byteLength(text) }, text), { from }); };
const bodyOf = (answer) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
const players = Array.from({ length: 9 }, (_, i) => ({ name: `Team ${i}`, player: "handed-in" }));
const contest = bodyOf(await ask("POST", "/api/contests", { name: "Cup", game: "cuptactoe", league: "only", players }, key.Cookie)).id;
const teams = async () => bodyOf(await send(request(`GET /api/contests/${contest}/teams`, key)));
const asTeam = (team) => ({ Cookie: `${server.cookie.replace("key", "team")}=${team.token}` });
const handIn = (team, body, length = body.length) => request(`POST /api/team/${contest}/submissions`, { ...own, ...asTeam(team), "Content-Length": length }, body);

await test("a number that does not fit is refused, not cut", async () => {
  const before = await teams();
  for (const renew of [1099511627776, 4294967296, -4294967296, 4294967297, 1.0, "0", 9, -1, 1e30])
    check(status(await ask("POST", `/api/contests/${contest}/teams`, { renew }, key.Cookie)) === (renew === 1.0 ? 200 : 400), `renew ${renew}`);
  const after = await teams();
  check(after.every((team, i) => (team.token === before[i].token) === (i !== 1)), "another team's token is void");
  const id = bodyOf(await ask("POST", "/api/games", { game: "reversi", seats: ["human", "human"] }, key.Cookie)).id;
  check(status(await ask("POST", `/api/games/${id}/move`, { ply: 4294967296, moves: "2,3" }, key.Cookie)) === 400, "a ply");
  for (const more of [{ number: 4294967297 }, { tally: [4294967296, 0] }])
    check(status(await ask("POST", "/api/games", { game: "reversi", seats: ["human", "human"], ...more }, key.Cookie)) === 400, JSON.stringify(more));
  for (const more of [{ wins: 4294967297 }, { jobs: 1099511627777 }, { seed: 4294967297 }])
    check(status(await ask("POST", "/api/contests", { name: "Cup", game: "cuptactoe", league: "only", players, ...more }, key.Cookie)) === 400, JSON.stringify(more));
  check(status(await send(request("GET /api/jobs/4294967297", key))) === 404, "a job");
});

// Uploads of which half has come; resolves when all of them are being read.
async function slowUploads(several) {
  const sockets = [];
  for (const team of several) {
    const socket = connect({ port: +port, host: "127.0.0.1", localAddress: "127.0.0.7" });
    sockets.push(socket);
    socket.on("error", () => {});
    const goes = new Promise((done) => socket.once("data", done)); // 100 Continue: it is taken
    socket.write(handIn(team, "", 100000).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
    check(/^HTTP\/1\.1 100 /.test(String(await goes)), "an upload was not taken");
    socket.write("PK half an archive");
  }
  return sockets;
}

await test("slow uploads keep nobody from handing in", async () => {
  const all = await teams(), slow = await slowUploads(all.slice(0, 8));
  check(status(await send(handIn(all[8], "no archive"), { from: "127.0.0.8" })) === 200, "the ninth could not hand in");
  check(status(await send(handIn(all[0], "no archive"), { from: "127.0.0.8" })) === 409, "a team hands in twice at once");
  for (const socket of slow) socket.destroy();
});

await test("a token that becomes void while its team hands in harms nobody", async () => {
  const [, red] = await teams(), [socket] = await slowUploads([red]);
  check(status(await ask("POST", `/api/contests/${contest}/teams`, { renew: 1 }, key.Cookie)) === 200, "it was not renewed");
  const answer = new Promise((done) => socket.once("data", done));
  socket.write(Buffer.alloc(100000 - "PK half an archive".length));
  check(status(String(await answer)) === 403, "the void token was taken");
  const [, again] = await teams();
  check(status(await send(handIn(again, "no archive"), { from: "127.0.0.8" })) === 200, "the team cannot hand in any more");
  await alive();
});

// So many requests that are not finished; resolves when all are on their way.
async function halves(many, on = port) {
  const all = { sockets: [], closed: 0 };
  for (let i = 0; i < many; i++) {
    const socket = connect(+on, "127.0.0.1");
    all.sockets.push(socket);
    socket.on("error", () => {});
    socket.on("close", () => { all.closed++; });
    await new Promise((done) => { socket.write("GET / HTTP/1.1\r\nHost: localh", done); socket.on("close", done); });
  }
  return all;
}

// What is answered to a request, however long that takes.
function answerOf(on, host, headers = {}) {
  return new Promise((done) => {
    const socket = connect(+on, "127.0.0.1");
    let heard = "";
    socket.on("data", (data) => { heard += data.toString("latin1"); if (headers.Upgrade) done([heard, socket]); });
    socket.on("error", () => {});
    socket.on("close", () => done([heard, socket]));
    socket.write(request(headers.Upgrade ? "GET /live" : "GET /", { Host: host, ...headers }));
  });
}

await test("many half requests hold up nobody", async () => {
  const others = await halves(400);
  const [answer] = await answerOf(port, host);
  check(status(answer) === 200, "no answer");
  check(others.closed === 0, `it was answered when ${others.closed} of the others were given up`);
  for (const socket of others.sockets) socket.destroy();
});

await test("with no room left the oldest half requests go, and those who watch stay", async () => {
  const small = await startServerBy(["prlimit", "--nofile=768"], "--no-demo"), at = new URL(small.home), room = 512;
  const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "arbiter.1", Origin: small.home };
  const [hello, watcher] = await answerOf(at.port, at.host, upgrade);
  check(status(hello) === 101, "nobody can watch");
  const others = await halves(room + 100, at.port);
  const [answer] = await answerOf(at.port, at.host);
  check(status(answer) === 200, "there is no room for another");
  check(!watcher.destroyed, "who watches had to go");
  check(others.sockets.slice(-room / 2).every((socket) => !socket.destroyed), "a new one had to go");
  for (const socket of [watcher, ...others.sockets]) socket.destroy();
  await small.stop();
});

await test("whoever finds no room to watch is told so", async () => {
  const small = await startServerBy(["prlimit", "--nofile=768"], "--no-demo"), at = new URL(small.home), room = 512;
  const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "arbiter.1", Origin: small.home };
  const all = [];
  for (let i = 0; i < room * 3 / 4 + 1; i++) all.push(await answerOf(at.port, at.host, upgrade));
  const told = all.map(([heard]) => +(heard.match(/^HTTP\/1\.[01] (\d+)/) || [0, 0])[1]);
  for (const [, socket] of all) socket.destroy();
  await small.stop();
  check(told.slice(0, -1).every((one) => one === 101), `${told.filter((one) => one === 101).length} of ${room * 3 / 4} may watch`);
  check(told.at(-1) === 429, `the next one is told ${told.at(-1)}`);
});

await test("two servers on one host do not take each other's cookies", async () => {
  const second = await startServer("--no-demo"), there = new URL(second.home);
  const jar = {};
  for (const [link, on, name] of [[server.key, port, host], [second.key, there.port, there.host]]) {
    const heard = await new Promise((done) => {
      const socket = connect(+on, "127.0.0.1");
      let text = "";
      socket.on("data", (data) => { text += data; });
      socket.on("close", () => done(text));
      socket.write(request(`GET /key/${link}`, { Host: name }));
    });
    const [, cookie, value] = heard.match(/set-cookie: (\w+)=(\w+)/i);
    jar[cookie] = value;
  }
  const Cookie = Object.entries(jar).map(([name, value]) => `${name}=${value}`).join("; ");
  for (const home of [server.home, second.home])
    check((await (await fetch(`${home}/api/about`, { headers: { Cookie } })).json()).organiser, `signed out of ${home}`);
  await second.stop();
});

await test("a flood of changes is slowed down", async () => {
  let told = false; // however slow the machine is, there are too many some time
  for (let i = 0; i < 100 && !told; i++)
    told = (await Promise.all(Array.from({ length: 150 }, () => send(request("POST /api/exit", { ...own, "Content-Length": 2 }, "{}"))))).some((answer) => status(answer) === 429);
  check(told, "nobody was told to wait");
  await alive();
});

await test("answers carry the policy", async () => {
  const answer = await send(request("GET /"));
  check(/content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/i.test(answer), "no policy");
  check(!/<script(?! type="module" src=)/i.test(answer) && !/ on\w+=/i.test(answer) && !/ style=/i.test(answer), "script or style in the page");
  check(/x-content-type-options: nosniff/i.test(answer), "no nosniff");
});

await test("contests that are over make room for others", async () => {
  const other = await startServer("--no-demo"), on = new URL(other.home).port;
  const headers = { Host: new URL(other.home).host, Origin: other.home, Cookie: `${other.cookie}=${other.key}` };
  const post = async (path, value) => {
    const body = JSON.stringify(value);
    for (;;) {
      const answer = await send(request(`POST ${path}`, { ...headers, "Content-Length": Buffer.byteLength(body) }, body), { on });
      if (status(answer) !== 429) return answer; // twenty in a second are taken
    }
  };
  const json = (answer) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
  const ask = async (id) => send(request(`GET /api/contests/${id}`, { Host: headers.Host }), { on });
  try {
    const form = { game: "cuptactoe", format: "league", players: [{ name: "a", player: "random" }, { name: "b", player: "random" }] };
    const ids = [];
    for (let i = 0; i < 64; i++) ids.push(json(await post("/api/contests", form)).id);
    const full = await post("/api/contests", form);
    check(status(full) === 400 && full.includes("64 contests are not over"), full);
    check(status(await post(`/api/contests/${ids[7]}/start`, {})) === 200, "it does not start");
    for (let state; state !== "over"; state = json(await ask(ids[7])).state) check(state !== "failed", "the contest failed");
    while (status(await post("/api/contests", form)) !== 200); // its child has to end
    check(status(await ask(ids[7])) === 404 && status(await ask(ids[0])) === 200, "another has gone");
    check(existsSync(join(other.data, "contests", `${ids[7]}.conf`)) && existsSync(join(other.data, "contests", `${ids[7]}.db`)), "its files are gone");
  } finally {
    await other.stop();
  }
});

await test("it ends when it is told to", async () => {
  await server.stop();
});

// What a browser says first by TLS.
function clientHello() {
  return new Promise((done) => {
    const ear = createServer((socket) => socket.once("data", (bytes) => { socket.destroy(); ear.close(); done(bytes); }));
    ear.listen(0, "127.0.0.1", () => connectTls({ port: ear.address().port, host: "127.0.0.1", rejectUnauthorized: false }).on("error", () => {}));
  });
}

await test("the server by TLS", async () => {
  const folder = mkdtempSync(join(tmpdir(), "arbiter-tls-"));
  const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(folder, name));
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1", "-keyout", key, "-out", cert], { stdio: "ignore" });
  const secure = await startServer("--no-demo", "--tls", cert, key), there = new URL(secure.link), on = there.port;
  const [code, cookie] = await new Promise((done, fail) => {
    askByTls({ hostname: there.hostname, port: on, path: there.pathname, rejectUnauthorized: false }, (r) => done([r.statusCode, String(r.headers["set-cookie"])])).on("error", fail).end();
  });
  check(secure.link.startsWith("https://") && code === 303 && /; Secure/.test(cookie), `${secure.link} ${code} ${cookie}`);
  const get = (headers = {}) => request("GET /api/about", { Host: there.host, ...headers }), open = `GET /api/about HTTP/1.1\r\nHost: ${there.host}\r\n\r\n`;
  const own = { Origin: secure.home, Cookie: `${secure.cookie}=${secure.key}`, Host: there.host };
  check(status(await send(get({ Connection: "close, Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA" }) + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", { tls: true, on })) === 200, "an upgrade to HTTP/2");
  check([0, 200].includes(status(await send(get(), { tls: true, on, protocols: ["h2"] }))), "HTTP/2 by TLS");
  check(/^HTTP\/1\.1 200/.test(await send(open + request("POST /api/exit", { ...own, "Content-Length": 100 }, "{"), { tls: true, on })), "two requests in one packet");
  check(status(await send(request("POST /api/exit", { ...own, "Content-Length": "2\r\nContent-Length: 2" }, "{}"), { tls: true, on, stay: true })) === 400, "two lengths");
  await send(open, { on });
  await send("\x16\x03\x01\x02\0 garbage", { on });
  check(status(await send(get(), { tls: true, on })) === 200, "the server is gone");

  // A thousand who begin with TLS at once, from one address; another is served before most of them.
  const hello = await clientHello(), flood = [];
  let answered = 0;
  for (let i = 0; i < 1000; i++) {
    const socket = connect({ port: +on, host: "127.0.0.1", localAddress: "127.0.0.9" });
    flood.push(socket);
    socket.on("error", () => {});
    socket.once("data", () => { answered++; });
    await new Promise((done) => socket.on("connect", done));
  }
  for (const socket of flood) socket.write(hello);
  check(status(await send(get(), { tls: true, on })) === 200, "no answer");
  check(answered < flood.length / 2, `another address was answered after ${answered} of them`);
  for (const socket of flood) socket.destroy();
  await secure.stop();
  rmSync(folder, { recursive: true, force: true });
});

end();
