// SPDX-License-Identifier: MIT
#include "web/outside.h"

#include "base/path.h"
#include "folder/board_conf.h"
#include "folder/folder.h"
#include "web/markdown.h"

#include <string.h>

enum { MODULE_MAX = 16 << 20, RULES_MAX = 1 << 18, PATH_SIZE = 4400 };

// The switches, as the form of a game shows them.
static json_t *switches_of(const struct game *game) {
    json_t *list = json_array();
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *rule = &game->rules[i];
        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:o, s:o, s:i, s:i, s:o}", "key", json_text(rule->key),
                      "standard", json_text(rule->standard), "help", json_text(rule->help), "words",
                      rule->words ? json_text(rule->words) : json_null(), "min", rule->min, "max",
                      rule->max, "form", rule->form ? json_text(rule->form) : json_null()));
    }
    return list;
}

static json_t *endings_of(const struct game *game) {
    json_t *endings = json_object();
    for (int i = 1; i < game->ending_count; i++)
        json_object_set_new(endings, game->endings[i].word, json_text(game->endings[i].sentence));
    return endings;
}

static json_t *describe(const struct folder *f) {
    char path[PATH_SIZE];
    struct err unused = {.set = false};
    snprintf(path, sizeof path, "%.4000s/board.conf", f->path);
    json_t *board = board_conf_read(path, &f->game, &unused);
    if (!board) // it has been changed since it was added
        board = board_conf_read(NULL, &f->game, &unused);
    return json_pack("{s:o, s:s, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:[i, i]}", "name",
                     json_text(f->game.name), "sum", f->sum, "width", f->game.width, "height",
                     f->game.height, "has_scores", f->game.has_scores, "switches",
                     switches_of(&f->game), "endings", endings_of(&f->game), "shown",
                     conf_shown(&f->conf), "board", board, "time", f->spec.time_low_s,
                     f->spec.time_high_s);
}

void outside_list(struct web *web, struct exchange *x) {
    (void)web;
    json_t *games = json_array();
    folder_refresh();
    for (int i = 0; i < game_count(); i++) {
        const struct folder *f = folder_of(game_nth(i));
        if (f)
            json_array_append_new(games, describe(f));
    }
    answer_json(x, 200, json_pack("{s:o}", "games", games));
}

static const struct folder *find(struct exchange *x) {
    const struct game *game = game_find(x->word[0]);
    const struct folder *f = game ? folder_of(game) : NULL;
    const char *trouble = game ? NULL : folder_trouble(x->word[0]);
    if (!f)
        answer_error(x, 404, trouble ? trouble : "there is no such game");
    return f;
}

void outside_module(struct web *web, struct exchange *x) {
    char path[PATH_SIZE];
    const struct folder *f = find(x);
    (void)web;
    if (!f)
        return;
    snprintf(path, sizeof path, "%.4000s/rules.wasm", f->path);
    if (path_read(path, MODULE_MAX, &x->answer) && x->answer.length <= MODULE_MAX) {
        x->status = 200;
        x->type = "application/wasm";
        return;
    }
    buf_clear(&x->answer);
    answer_error(x, 404, "there is no such game");
}

// The text in a language; false: there is none.
static bool read_rules(const struct folder *f, const char *language, struct buf *text) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/rules.%s.md", f->path, language);
    return path_read(path, RULES_MAX, text) && text->data && text->length <= RULES_MAX;
}

void outside_rules(struct web *web, struct exchange *x) {
    static const char *const languages[] = {"en", "ko", "zh-TW"};
    const struct folder *f = find(x);
    struct buf text = {.data = NULL};
    (void)web;
    if (!f)
        return;
    const char *language = "en";
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (strcmp(x->word[1], languages[i]) == 0)
            language = languages[i];
    bool found = read_rules(f, language, &text);
    if (!found) {
        buf_clear(&text);
        found = read_rules(f, "en", &text);
    }
    struct buf html = {.data = NULL};
    if (markdown_put(found ? text.data : "", found ? text.length : 0, &html, &x->err))
        answer_json(x, 200, json_pack("{s:o}", "html", json_text(html.data)));
    else
        answer_err(x, 500);
    buf_done(&html);
    buf_done(&text);
}
