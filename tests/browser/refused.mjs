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
import { check, end, startServer, test, wait } from "./harness.mjs";

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
const key = { Cookie: `arbiter_key=${server.key}` };
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
  check(status(await post({ ...own, Cookie: `arbiter_key=${"0".repeat(40)}` })) === 403, "with a wrong key");
  check(status(await post({ ...own, Cookie: `arbiter_key=${server.key}0` })) === 403, "with a longer key");
  check(status(await post({ ...own, ...key })) === 200, "the organiser");
  check(status(await send(request(`GET /key/${"0".repeat(40)}`))) === 403, "a wrong link");
  check(/set-cookie: arbiter_key=\w+; Path=\/; HttpOnly; SameSite=Strict/i.test(await send(request(`GET /key/${server.key}`))), "the cookie");
});

await test("a WebSocket needs our own page", async () => {
  const socket = (headers) => send(request("GET /live", { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "arbiter.1", ...headers }));
  check(status(await socket(own)) === 101, "our own");
  check(status(await socket({ Origin: "http://evil.example" })) !== 101, "another page's");
  check(status(await socket({})) !== 101, "nobody's");
  check(status(await socket({ ...own, Host: "evil.example" })) !== 101, "under another name");
  check(status(await socket({ ...own, "Sec-WebSocket-Protocol": "http" })) !== 101, "in another protocol");
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

await test("many half requests at once do no harm", async () => {
  const halves = Array.from({ length: 200 }, () => send("GET / HTTP/1.1\r\nHost: localh", 1500));
  await wait(200);
  await alive();
  await Promise.all(halves);
  await alive();
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
