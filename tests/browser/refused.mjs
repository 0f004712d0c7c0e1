// SPDX-License-Identifier: MIT
// What the server refuses, by plain sockets: foreign hosts and origins, wrong keys, garbage, half and
// oversized requests, ways out of its folder. After all of it, it goes on. And the server by TLS. Needs
// no browser.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request as ask } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, end, startServer, startServerBy, test } from "./harness.mjs";

const server = await startServer("--no-demo");
const { host, port } = new URL(server.home);

// Sends bytes and returns what comes until the other side closes, or for a while.
function send(bytes, patience = 700) {
  return new Promise((done) => {
    const socket = connect(+port, "127.0.0.1");
    let heard = "";
    const finish = () => { socket.destroy(); done(heard); };
    socket.on("data", (data) => { heard += data.toString("latin1"); });
    socket.on("close", finish);
    socket.on("error", finish);
    socket.write(bytes);
    setTimeout(finish, patience);
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

await test("a POST needs our own page and the key", async () => {
  const body = JSON.stringify({ game: "reversi", seats: ["random", "random"] });
  const post = (headers) => send(request("POST /api/games", { "Content-Length": body.length, ...headers }, body));
  check(status(await post({ ...key })) === 403, "without an Origin");
  check(status(await post({ ...key, Origin: "http://evil.example" })) === 403, "from another page");
  check(status(await post({ ...key, Origin: "null" })) === 403, "from nowhere");
  check(status(await post({ ...own })) === 403, "without the key");
  check(status(await post({ ...own, Cookie: `${server.cookie}=${"0".repeat(40)}` })) === 403, "with a wrong key");
  check(status(await post({ ...own, Cookie: `${server.cookie}=${server.key}0` })) === 403, "with a longer key");
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

await test("a WebSocket that talks nonsense is closed, and no other", async () => {
  const open = request("GET /live", { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "arbiter.1", ...own });
  const talk = (bytes) => new Promise((done) => {
    const socket = connect(+port, "127.0.0.1");
    let closed = false;
    socket.on("error", () => {});
    socket.on("close", () => { closed = true; done(true); });
    socket.once("data", () => { socket.write(bytes); setTimeout(() => { if (!closed) { socket.destroy(); done(false); } }, 1500); });
    socket.write(open);
  });
  for (const [words, bytes] of [["an order", frame(0x81, '{"move": "3,3"}')], ["no JSON", frame(0x81, "garbage")], ["a list", frame(0x81, "[1]")], ["64 KB", frame(0x81, "x".repeat(65000))], ["1 GB told", frame(0x81, "x", 0x40000000)], ["no mask", Buffer.from([0x81, 0x02, 0x7b, 0x7d])]])
    check(await talk(bytes), `${words}: it is still open`);
  check(!(await talk(frame(0x81, '{"watch": ["hall"]}'))), "one that watches is closed");
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
    socket.write(request("GET /", { Host: host, ...headers }));
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
  const answers = await Promise.all(Array.from({ length: 150 }, () => send(request("POST /api/exit", { ...own, "Content-Length": 2 }, "{}"), 3000)));
  check(answers.some((answer) => status(answer) === 429), "nobody was told to wait");
  await alive();
});

await test("answers carry the policy", async () => {
  const answer = await send(request("GET /"));
  check(/content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/i.test(answer), "no policy");
  check(!/<script(?! type="module" src=)/i.test(answer) && !/ on\w+=/i.test(answer) && !/ style=/i.test(answer), "script or style in the page");
  check(/x-content-type-options: nosniff/i.test(answer), "no nosniff");
});

await test("it ends when it is told to", async () => {
  await server.stop();
});

await test("the server by TLS", async () => {
  const folder = mkdtempSync(join(tmpdir(), "arbiter-tls-"));
  const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(folder, name));
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1", "-keyout", key, "-out", cert], { stdio: "ignore" });
  const secure = await startServer("--no-demo", "--tls", cert, key);
  const [status, cookie] = await new Promise((done, fail) => {
    const { hostname, port: on, pathname } = new URL(secure.link);
    ask({ hostname, port: on, path: pathname, rejectUnauthorized: false }, (r) => done([r.statusCode, String(r.headers["set-cookie"])])).on("error", fail).end();
  });
  check(secure.link.startsWith("https://") && status === 303 && /; Secure/.test(cookie), `${secure.link} ${status} ${cookie}`);
  await secure.stop();
  rmSync(folder, { recursive: true, force: true });
});

end();
