// SPDX-License-Identifier: MIT
// What is written about a contest: notices for everybody, protests of teams, and what the organiser does with the
// whole of it: export, copy, archive, delete.
import { h, icon } from "./dom.js";
import { currentLanguage, isBlank, t } from "./words.js";
import { about, get, job, post } from "./api.js";
import { moment } from "./ready.js";
import { openScreen } from "./monitors.js";
import { playerName } from "./sentences.js";

const KINDS = { csv: "text/csv", html: "text/html", json: "application/json", records: "application/x-ndjson" };
const ENDINGS = { records: "jsonl" };

// A dialog with a text to be written, sent by one button. `send` gets the text; what it refuses is shown.
export function askText(title, words, button, send, { single = false, most = 300 } = {}) {
  const text = single ? h("input", { class: "text", maxlength: most }) : h("textarea", { class: "text", rows: 4, maxlength: most });
  const error = h("p", { class: "badline", role: "alert" });
  const go = h("button", { class: "btn go", onclick: async () => {
    error.textContent = isBlank(text.value) ? t("text.blank") : "";
    if (error.textContent) return text.focus();
    go.disabled = true;
    try {
      await send(text.value.trim());
      dialog.close();
    } catch (refused) {
      error.textContent = refused.message;
    }
    go.disabled = false;
  } }, button);
  text.setAttribute("aria-label", title);
  const dialog = h("dialog", { class: "card dialog ruling", "aria-label": title, onclose: () => dialog.remove() }, h("div", { class: "inner" }, h("div", { class: "pad stack" }, h("h2", {}, title), h("p", { class: "m" }, words), text, error,
    h("div", { class: "row" }, h("button", { class: "btn", onclick: () => dialog.close() }, t("cancel")), go))));
  document.body.append(dialog);
  dialog.showModal();
  text.focus();
}

// Everybody reads them; the organiser posts and deletes. The field stays while they change.
export class Notices {
  constructor(id) {
    this.id = id;
    this.list = h("ul", { class: "plain listed" });
    this.error = h("p", { class: "badline", role: "alert" });
    this.text = h("textarea", { class: "text", rows: 2, maxlength: 600, name: "notice", placeholder: t("notice.new"), "aria-label": t("notice.new") });
    this.el = h("section", { class: "card pad stack notices no-screen", "aria-label": t("notices") }, h("h2", {}, t("notices")), this.list);
    this.form = about.organiser ? h("section", { class: "card pad stack notices", "aria-label": t("notice.new") }, this.text, this.error, h("div", { class: "row" }, h("button", { class: "btn", onclick: () => this.post() }, t("notice.post")))) : null;
  }

  send(body) {
    this.error.textContent = "";
    return post(`contests/${this.id}/notices`, body).catch((error) => { this.error.textContent = error.message; throw error; });
  }

  async post() {
    const text = this.text.value.trim();
    if (isBlank(text)) {
      this.error.textContent = t("text.blank");
      return this.text.focus();
    }
    if (await this.send({ text }).then(() => true, () => false)) this.text.value = "";
    return undefined;
  }

  show(notices) {
    this.el.hidden = !notices.length;
    const drawn = JSON.stringify(notices);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.list.replaceChildren(...notices.map((one) => h("li", {}, h("p", { class: "text-of" }, one.text), h("span", { class: "row s q" }, moment(one.at_ms),
      about.organiser ? h("button", { class: "btn small flat", onclick: () => this.send({ delete: one.id }).catch(() => {}) }, t("notice.delete")) : ""))));
  }
}

// The organiser's list; asked for when their number changes.
export class Protests {
  // `changed` is called when they have.
  constructor(id, changed) {
    Object.assign(this, { id, changed, all: [] });
    this.list = h("ul", { class: "plain listed" });
    this.el = h("section", { class: "card pad stack protests", hidden: true, "aria-label": t("protests") }, h("h2", {}, t("protests")), this.list);
  }

  async show(open) {
    if (open === this.open) return;
    this.open = open;
    const all = await get(`contests/${this.id}/protests`).catch(() => []);
    this.all = all;
    this.changed();
    this.el.hidden = !all.length;
    this.list.replaceChildren(...all.map((one) => protestItem(t("protest.of", { name: playerName(one.team), n: one.game }), `/replay/${this.id}g${one.game}`, one,
      one.answer === null ? h("button", { class: "btn small", onclick: () => this.answer(one) }, t("protest.answer")) : "")));
  }

  // Beside the game that one is about, until it is answered.
  mark(game) {
    const one = this.all.find((protest) => protest.game === game && protest.answer === null);
    return one ? h("button", { class: "btn small mark", title: one.text, onclick: () => this.answer(one) }, t("protest")) : "";
  }

  answer(one) {
    askText(t("protest.of", { name: playerName(one.team), n: one.game }), one.text, t("protest.answer"), async (answer) => {
      await post(`contests/${this.id}/protests`, { id: one.id, answer });
      this.open = -1;
    });
  }
}

export const protestItem = (title, href, one, button) => h("li", { "data-game": one.game }, h("b", {}, h("a", { href }, title)), h("p", { class: "text-of" }, one.text),
  h("p", { class: one.answer === null ? "s q" : "s" }, one.answer === null ? t("protest.open") : `${t("protest.answer")}: ${one.answer}`), h("span", { class: "row s q" }, moment(one.at_ms), button));

// What the organiser does with a contest as a whole.
export class Manage {
  constructor(id, app) {
    Object.assign(this, { id, app });
    this.error = h("p", { class: "badline s", role: "alert" });
    this.stage = h("select", { class: "text", name: "stage", "aria-label": t("export.stage") });
    this.exports = h("div", { class: "row wrap" }, this.stage, Object.keys(KINDS).map((form) => h("button", { class: "btn small", "data-form": form, onclick: () => this.export(form) }, icon("file"), t(`export.${form}`))));
    this.archive = h("button", { class: "btn small archive", onclick: () => this.tell(post(`contests/${this.id}/archive`, { archived: !this.contest.archived })) });
    this.el = h("details", { class: "card pad manage no-screen" }, h("summary", {}, t("manage")), h("div", { class: "stack" }, this.exports,
      h("div", { class: "row wrap" }, h("a", { class: "btn small", href: `/tournament?copy=${id}` }, icon("list"), t("contest.copy")), h("button", { class: "btn small", onclick: () => openScreen(`/tournament/${id}`) }, icon("screen"), t("present.window")), this.archive,
        h("button", { class: "btn small delete", onclick: () => this.remove() }, t("contest.delete"))), this.error));
  }

  show(contest) {
    this.contest = contest;
    this.archive.textContent = t(contest.archived ? "contest.unarchive" : "contest.archive");
    this.exports.hidden = !contest.report;
    const stages = contest.report?.stages || [], drawn = stages.map((stage) => stage.name).join();
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.stage.replaceChildren(h("option", { value: "" }, t("export.all")), ...stages.map((stage, i) => h("option", { value: i + 1 }, t("export.stage.n", { n: i + 1, name: stage.name }))));
    this.stage.hidden = stages.length < 2;
  }

  tell(asked) {
    this.error.textContent = "";
    return asked.catch((error) => { this.error.textContent = error.message; });
  }

  // Written by the server, kept by the browser.
  async export(form) {
    const asked = { form, language: currentLanguage(), ...(this.stage.value ? { stage: Number(this.stage.value) } : {}) };
    const made = await this.tell(job(`contests/${this.id}/export`, asked));
    if (!made) return;
    const url = URL.createObjectURL(new Blob([form === "json" ? JSON.stringify(made) : made.text], { type: KINDS[form] }));
    const name = `${this.contest.name}${this.stage.value ? `-${this.stage.value}` : ""}.${ENDINGS[form] || form}`;
    h("a", { href: url, download: name.replace(/[/\\]/g, "-") }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  remove() {
    const { name } = this.contest;
    askText(t("contest.delete"), t("contest.delete.words", { name }), t("contest.delete.go"), async (typed) => {
      await post(`contests/${this.id}/delete`, { name: typed });
      this.app.go("/tournament");
    }, { single: true, most: 255 });
  }
}
