// SPDX-License-Identifier: MIT
#include "web/services.h"

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

void services_keep(const struct services *s, const char *id, const json_t *record) {
    struct err err = {.set = false};
    const char *reason = json_string_value(json_object_get(record, "reason"));
    journal_write(s->journal, "game %s is over: %s, %s", id,
                  winner_words(json_object_get(record, "winner")), reason ? reason : "");
    game_archive_put(s->archive, id, record, &err);
    services_note(s, &err);
}
