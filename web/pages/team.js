// SPDX-License-Identifier: MIT
// A team's own page: it hands its player in, sees it built and tried, and which one counts.
import { h, icon, say } from "../dom.js";
import { said, saidEach, t } from "../words.js";
import { titleOf } from "../outside.js";
import { get, post, upload } from "../api.js";
import { watch } from "../live.js";
import { progress } from "../contestparts.js";
import { LiveGame } from "../livegame.js";
import { playerName, resultSentence, scoreAside } from "../sentences.js";
import { lookOf, needGame } from "../boards/index.js";
import { kitLinks } from "../kits.js";
import { isArchive, isPacked, isRecipe, isSource, tarFile } from "../tarfile.js";
import { deadlineWords } from "../ready.js";
import { askText, protestItem } from "../desk.js";
import { Tryouts } from "../tryouts.js";

const STEPS = ["waiting", "building", "game"];
const megabytes = (bytes) => (bytes / 1048576).toFixed(bytes < 10485760 ? 1 : 0).replace(".0", "");

export class TeamPage {
  constructor({ id }, app) {
    this.app = app;
    this.id = id;
    this.logs = new Map(); // of a submission: what building it printed, once it is asked for
    this.el = h("main");
  }

  async open() {
    this.app.setTitle(t("team.page"));
    try {
      this.team = await get(`team/${this.id}`);
    } catch (error) {
      this.el.replaceChildren(h("div", { class: "card pad stack" }, h("h1", {}, t("team.no")), h("p", { class: "m" }, error.message), h("p", {}, h("a", { href: "/" }, t("way.home")))));
      return;
    }
    await needGame(this.team.game);
    this.build();
    this.stop = watch(this.team.topic, (team) => this.show(team));
    this.show(this.team);
    this.stopContest = watch(`contest/${this.id}`, (contest) => this.showPlayed(contest));
    this.timer = setInterval(() => { this.game?.tick(); this.tryouts.tick(); this.showDeadline(); }, 200);
  }

  close() {
    this.stop?.();
    this.stopContest?.();
    this.game?.close();
    this.tryouts?.close();
    clearInterval(this.timer);
  }

  build() {
    const { team, name, game, id } = this.team;
    this.app.setTitle(team);
    this.chip = h("span", { class: "chip" });
    this.card = h("section", { class: "card pad take", "aria-label": t("team.hand.in") });
    this.now = h("section", { class: "card pad now", "aria-label": t("team.now") });
    this.list = h("div", { class: "stack" });
    this.tryouts = new Tryouts(this.id, game);
    this.el.replaceChildren(h("div", { class: "head" }, h("h1", { class: "name", title: team }, team), this.chip),
      h("p", { class: "m teamof" }, h("a", { href: `/tournament/${id}` }, name), ` · ${titleOf(game)}`),
      h("div", { class: "ct" }, h("div", { class: "c5 stack" }, this.card, this.now, this.tryouts.el), h("section", { class: "c7", "aria-label": t("team.submissions") }, h("div", { class: "head" }, h("h2", {}, t("team.submissions"))), this.list), this.played = h("section", { class: "c12 played", hidden: true, "aria-label": t("team.games") })));
    this.buildTake();
  }

  buildTake() {
    const { limits } = this.team;
    const file = h("input", { type: "file", multiple: true, class: "vh", onchange: () => { this.take(file.files); file.value = ""; } });
    this.drop = h("label", { class: "drop" }, icon("load"), h("b", {}, t("team.drop")), h("span", { class: "s m" }, t("team.drop.what")), file);
    for (const [kind, over] of [["dragover", true], ["dragleave", false]]) this.drop.addEventListener(kind, (event) => { event.preventDefault(); this.drop.classList.toggle("over", over); });
    this.drop.addEventListener("drop", (event) => { event.preventDefault(); this.drop.classList.remove("over"); this.take(event.dataTransfer.files); });
    this.paste = this.buildPaste();
    this.sending = h("div", { class: "sending", hidden: true });
    this.error = h("p", { class: "badline", role: "alert" });
    this.closed = h("p", {}, t("team.closed"));
    this.deadline = h("p", { class: "deadline s" });
    this.card.replaceChildren(h("h2", {}, t("team.hand.in")), this.deadline, this.drop, this.paste, this.closed, this.sending, this.error,
      h("p", { class: "s m" }, t("team.limits", { archive: megabytes(limits.archive), bytes: megabytes(limits.bytes), files: limits.files, seconds: limits.build_s })),
      ...this.taken(),
      h("p", { class: "s m" }, t("team.kits")), kitLinks(this.team.game));
  }

  // The text of a source, for who has no file at hand.
  buildPaste() {
    const names = lookOf(this.team.game)?.kit || [], text = h("textarea", { class: "in code", rows: 8, spellcheck: "false", "aria-label": t("team.paste.text") });
    const name = h("select", { class: "in", "aria-label": t("team.paste.name") }, names.map((one) => h("option", { value: one }, one)));
    text.addEventListener("input", () => { name.value = names[/^\s*(import|from|def|class)\b/m.test(text.value) && !/^\s*#include/m.test(text.value) ? 1 : 0]; });
    const hand = () => { if (text.value.trim()) this.send(tarFile([{ name: name.value, bytes: new TextEncoder().encode(text.value) }]), name.value); };
    return h("details", { class: "paste" }, h("summary", {}, t("team.paste")), h("div", { class: "stack" }, text,
      h("div", { class: "row wrap" }, h("label", { class: "row s" }, t("team.paste.as"), name), h("button", { class: "btn go", onclick: hand }, t("team.hand.in")))));
  }

  // Sources are packed here; an archive goes as it is; anything else is named, and is not sent.
  async take(list) {
    const files = [...list], names = files.map(({ name }) => name), packed = names.filter(isArchive);
    if (!files.length) return;
    const alone = files.length === 1 && (packed.length || !files[0].size || (await isPacked(files[0]).catch(() => null)));
    if (alone) return this.send(files[0], names[0]);
    const read = alone === null ? null : await Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }))).catch(() => null);
    if (!read) this.error.textContent = t("team.folder");
    else if (packed.length) this.error.textContent = t("team.one.archive", { name: packed.join(", ") });
    else if (!names.some((name) => isSource(name) || (files.length > 1 && isRecipe(name)))) this.error.textContent = t("team.other.kind", { name: names.join(", ") });
    else this.send(tarFile(read), names.join(", "), read.every(({ bytes }) => !bytes.length));
  }

  // What the contest takes; nothing is said where anything goes.
  taken() {
    const { languages, files, cpp } = this.team.takes || {};
    const titles = { c: "C", "c++": cpp ? cpp.toUpperCase() : "C++", python: "Python" };
    return [languages ? t("team.takes.languages", { list: languages.map((one) => titles[one]).join(", ") }) : cpp ? t("team.takes.languages", { list: titles["c++"] }) : "",
      files ? t("team.takes.files", { list: files.join(", ") }) : ""].filter(Boolean).map((words) => h("p", { class: "s m takes" }, words));
  }

  async send(file, named, empty = !file.size) {
    if (this.busy) return;
    this.error.textContent = empty ? t("team.empty", { name: named }) : "";
    if (empty) return;
    if (file.size > this.team.limits.archive) {
      this.error.textContent = t("team.too.large", { name: named, size: megabytes(file.size), most: megabytes(this.team.limits.archive) });
      return;
    }
    this.busy = true;
    const tell = (share) => this.sending.replaceChildren(h("span", { class: "s" }, t("team.sending", { name: named, n: Math.round(100 * share) })), progress(Math.round(100 * share), 0, 100));
    tell(0);
    this.sending.hidden = false;
    try {
      await upload(`team/${this.id}/submissions`, file, tell);
      say(t("team.sent", { name: named }));
    } catch (error) {
      this.error.textContent = error.message;
    }
    this.sending.hidden = true;
    this.busy = false;
  }

  show(team) {
    this.team = team;
    this.chip.className = team.open ? "chip on live" : "chip";
    this.chip.textContent = t(team.open ? "contest.open" : "team.is.closed");
    this.drop.hidden = this.paste.hidden = !team.open || Boolean(team.now);
    this.closed.hidden = team.open;
    this.showDeadline();
    this.showNow(team);
    this.showList(team);
    this.tryouts.show(team);
  }

  // Its games of the contest, each with a protest if there is something wrong with it.
  async showPlayed({ report, protests }) {
    const games = (report?.games || []).filter((game) => [game.black, game.white].includes(this.team.team) && (game.state === "done" || game.state === "annulled"));
    const drawn = JSON.stringify([games, protests]);
    if (drawn === this.drawnPlayed) return;
    this.drawnPlayed = drawn;
    const mine = await get(`team/${this.id}/protests`).catch(() => []);
    this.played.hidden = !games.length;
    const open = (game) => mine.some((one) => one.game === game.number && one.answer === null);
    this.played.replaceChildren(h("div", { class: "head" }, h("h2", {}, t("team.games"))), h("div", { class: "card scroll" }, h("table", { class: "tb tight" }, h("tbody", {}, games.map((game) => h("tr", { "data-game": game.number },
      h("td", {}, h("a", { href: `/team/${this.id}/game/${game.number}` }, t("game.n", { n: game.number }))), [game.black, game.white].map((name) => h("td", { class: name === this.team.team ? "key name" : "name" }, playerName(name))),
      h("td", { class: "m" }, game.state === "annulled" ? t("game.annulled") : resultSentence({ game: this.team.game, winner: game.winner, reason: game.reason, verdict: null }), scoreAside(game), game.verdict ? h("span", { class: "q" }, ` · ${saidEach(game.verdict)}`) : ""),
      h("td", {}, game.state === "done" && !open(game) ? h("button", { class: "btn small protest", onclick: () => this.protest(game.number) }, t("protest")) : "")))))),
    mine.length ? h("ul", { class: "plain listed card pad" }, mine.map((one) => protestItem(t("game.n", { n: one.game }), `/team/${this.id}/game/${one.game}`, one, ""))) : "");
  }

  protest(game) {
    askText(t("protest"), t("protest.words", { n: game }), t("protest.send"), (text) => post(`team/${this.id}/protests`, { game, text }));
  }

  // With the time left, which goes on.
  showDeadline() {
    const words = this.team.open ? deadlineWords(this.team.deadline_ms) : "";
    if (this.deadline.textContent !== words) this.deadline.textContent = words;
    this.deadline.hidden = !words;
  }

  showNow({ now, live, tried }) {
    this.showGame(live);
    this.now.hidden = !now && !this.game;
    if (this.now.hidden) return;
    const at = now ? STEPS.indexOf(now.state) : STEPS.length;
    const words = now ? t(`team.step.${now.state}`, { n: now.number }) : t("team.tried", { n: tried });
    if (words !== this.announced) say(this.announced = words);
    const steps = h("ol", { class: "steps" }, STEPS.map((step, i) => h("li", { class: i < at ? "done" : i === at ? "at" : "", "aria-current": i === at ? "step" : undefined }, t(`team.state.${step}`))));
    this.now.replaceChildren(h("h2", {}, words), now ? steps : "", this.game && (!now || now.state === "game") ? h("div", { class: "lives one" }, this.game.el) : "",
      now?.log ? h("pre", { class: "log" }, now.log) : "");
  }

  showGame(live) {
    if (live === this.live) return;
    this.game?.close();
    this.live = live;
    this.game = live ? new LiveGame(live, "", "card pad") : null;
  }

  showList({ submissions, good, open }) {
    if (!submissions.length) {
      this.list.replaceChildren(h("div", { class: "card pad" }, h("b", {}, t("team.none")), h("p", { class: "s m" }, t(open ? "team.none.words" : "team.none.closed"))));
      return;
    }
    this.list.replaceChildren(...submissions.map((one) => this.submission(one, good)));
  }

  submission(one, good) {
    const { number, finding, text, kind, result, counts, error, late, plays } = one;
    const [first, ...rest] = (error || text || "").split("\n");
    const fine = counts || (late && finding === "good"), look = fine ? "good" : "bad";
    return h("article", { class: `card pad submission ${look}`, "data-number": number },
      h("div", { class: "row wrap" }, h("b", {}, t("team.number", { n: number })), h("span", { class: `verdictchip ${look}` }, `${fine ? "✓" : "✕"} ${error ? t("finding.error") : t(`finding.${finding}`)}`),
        late ? h("span", { class: "chip late" }, t("team.late")) : "", number === good ? h("span", { class: "chip on counts" }, t("team.counts")) : "", h("span", { class: "push s q" }, kind ? t("team.kind", { kind: said(kind) }) : "")),
      first ? h("p", { class: "s" }, said(first)) : "", rest.join("\n").trim() ? h("pre", { class: "log" }, rest.join("\n").trim()) : "",
      result ? h("p", { class: "s m" }, `${t("team.test.game")}: ${resultSentence({ ...result, game: this.team.game }, one.time_ms)}`) : "",
      h("div", { class: "row wrap links" }, result ? h("a", { class: "btn small", href: `/team/${this.id}/replay/${number}` }, icon("play"), t("replay")) : "", plays && this.team.open ? h("button", { class: "btn small try", onclick: () => this.tryouts.choose(number) }, icon("tune"), t("tryout.this")) : "", this.logButton(number)),
      this.logs.has(number) ? h("pre", { class: "log" }, this.logs.get(number) || t("team.log.empty")) : "");
  }

  logButton(number) {
    const shown = this.logs.has(number);
    return h("button", { class: "btn small", "aria-expanded": String(shown), onclick: async () => {
      if (shown) this.logs.delete(number);
      else this.logs.set(number, await get(`team/${this.id}/logs/${number}`).then(({ log, messages }) => [log, messages].filter(Boolean).join("\n"), (error) => error.message));
      this.showList(this.team);
    } }, icon("file"), t(shown ? "team.log.hide" : "team.log"));
  }
}
