// SPDX-License-Identifier: MIT
#include "web/contest_command.h"

#include "base/plain.h"
#include "contest/decide.h"
#include "contest/plan/plan.h"
#include "link/shell.h"
#include "web/contest_teams.h"

#include <string.h>
#include <unistd.h>

enum { PLAYER_NAME_MAX = 255 }; // bytes

static const char *text_of(const json_t *asked, const char *key) {
    const char *text = json_string_value(json_object_get(asked, key));
    return text ? text : "";
}

bool contest_command_put_decision(const struct hosted_contest *c, const json_t *asked,
                                  struct buf *out, struct err *err) {
    const char *kind = text_of(asked, "kind"), *subject = text_of(asked, "subject"),
               *why = text_of(asked, "why"), *by = text_of(asked, "by");
    if (!decide_about(kind))
        return err_set(err, "there is no such decision");
    if (!*subject || strlen(subject) > PLAYER_NAME_MAX)
        return err_set(err, "a decision is about a game or a player");
    if (plain_is_blank(why) || strlen(why) > RULING_WHY_MAX || strlen(by) > RULING_BY_MAX)
        return err_set(err, "a decision needs its reason, of at most %d bytes", RULING_WHY_MAX);
    if (!c->reported)
        return err_set(err, "the contest has not begun");
    buf_format(out, "contest %s --json --store ", kind);
    shell_put_quoted(out, hosted_contest_path(c->hosting, c->id, ".db").text);
    buf_text(out, " --why ");
    shell_put_quoted(out, why);
    buf_text(out, " --by ");
    shell_put_quoted(out, by);
    buf_text(out, " -- ");
    shell_put_quoted(out, hosted_contest_path(c->hosting, c->id, ".conf").text);
    buf_text(out, " ");
    shell_put_quoted(out, subject);
    return true;
}

bool contest_command_put_export(const struct hosted_contest *c, const json_t *asked,
                                struct buf *out, struct err *err) {
    static const char *const forms[] = {"csv", "html", "json", "records"};
    const char *form = text_of(asked, "form"), *language = text_of(asked, "language");
    int64_t stage = 0;
    size_t i = 0;
    while (i < sizeof forms / sizeof *forms && strcmp(form, forms[i]) != 0)
        i++;
    if (i == sizeof forms / sizeof *forms)
        return err_set(err, "a contest is written as csv, html, json or records");
    if (json_object_get(asked, "stage") &&
        !json_whole(json_object_get(asked, "stage"), 1, STAGES_MAX, &stage))
        return err_set(err, "%s is a whole number from %d to %d", "stage", 1, STAGES_MAX);
    if (!c->reported)
        return err_set(err, "the contest has not begun");
    buf_format(out, "contest show --%s --quoted --store ", form);
    shell_put_quoted(out, hosted_contest_path(c->hosting, c->id, ".db").text);
    if (stage > 0)
        buf_format(out, " --stage %d", (int)stage);
    if (*language && strcmp(form, "html") == 0) {
        buf_text(out, " --language ");
        shell_put_quoted(out, language);
    }
    buf_text(out, " -- ");
    shell_put_quoted(out, hosted_contest_path(c->hosting, c->id, ".conf").text);
    return true;
}

static bool put_pair(const json_t *players, struct buf *out, struct err *err) {
    const size_t count = json_array_size(players);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(players, i));
        if (!name || count != 2)
            return err_set(err, "two players are compared by their names");
        buf_text(out, " --pair ");
        shell_put_quoted(out, name);
    }
    return true;
}

// Before it has begun, what counts at this time is compared.
bool contest_command_put_similar(const struct hosted_contest *c, const json_t *asked,
                                 struct buf *out, struct err *err) {
    const bool open = hosted_contest_is_open(c);
    const char *tail = open ? ".now" : ".conf";
    const struct contest_path store = hosted_contest_path(c->hosting, c->id, ".db");
    if (open && !contest_teams_write(c->teams, tail, err))
        return false;
    buf_text(out, "contest similar ");
    shell_put_quoted(out, hosted_contest_path(c->hosting, c->id, tail).text);
    if (access(store.text, F_OK) == 0) {
        buf_text(out, " --store ");
        shell_put_quoted(out, store.text);
    }
    buf_text(out, " --json --progress");
    return put_pair(json_object_get(asked, "players"), out, err);
}
