// SPDX-License-Identifier: MIT
#include "web/services.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct box *services_box(const struct services *s) {
    struct err err = {.set = false};
    if (!*s->box->tool)
        box_find(s->box);
    if (s->box->has_tool && box_choose(s->box, BOX_BEST, &err))
        return s->box;
    s->note(s->owner, "players are not boxed: arbiter doctor tells why");
    return NULL;
}

void services_note(const struct services *s, const struct err *err) {
    if (err->set)
        s->note(s->owner, err->text);
}

static const char *winner_words(const json_t *winner) {
    const json_int_t number = json_integer_value(winner);
    return number == 1 ? "black wins" : number == 2 ? "white wins" : "nobody wins";
}

// "Ann (human)", "builtin:easy", and of an entrant the name alone.
static void put_player(struct buf *out, const char *player, const char *name) {
    const bool named = name && *name, known = player && *player && strcmp(player, "entrant") != 0;
    if (named)
        buf_text(out, name);
    if (known && (!named || strcmp(name, player) != 0))
        buf_format(out, named ? " (%s)" : "%s", player);
    if (!named && !known)
        buf_text(out, "somebody");
}

void services_log_game(const struct services *s, const struct logged_game *game, const char *format,
                       ...) {
    struct buf players = {.data = NULL};
    char words[400];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    put_player(&players, game->player[0], game->name[0]);
    buf_text(&players, " against ");
    put_player(&players, game->player[1], game->name[1]);
    journal_write(s->journal, "game %s of %s, %.400s, %s", game->id, game->game, players.data,
                  words);
    buf_done(&players);
}

static const char *text_at(const json_t *record, const char *key, size_t at) {
    return json_string_value(json_array_get(json_object_get(record, key), at));
}

void services_keep(const struct services *s, const char *id, const json_t *record) {
    struct err err = {.set = false};
    const char *reason = json_string_value(json_object_get(record, "reason"));
    const char *name = json_string_value(json_object_get(record, "game"));
    const struct logged_game game = {
        .id = id,
        .game = name ? name : "",
        .player = {text_at(record, "players", 0), text_at(record, "players", 1)},
        .name = {text_at(record, "names", 0), text_at(record, "names", 1)}};
    services_log_game(s, &game, "is over: %s, %s", winner_words(json_object_get(record, "winner")),
                      reason ? reason : "");
    game_archive_put(s->archive, id, record, &err);
    services_note(s, &err);
}
