// SPDX-License-Identifier: MIT
#include "web/show.h"

#include "base/clock.h"
#include "base/mem.h"
#include "web/game_request.h"
#include "web/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *seat_of(const struct show *s, size_t seat) {
    const char *name = json_string_value(json_array_get(json_object_get(s->told, "players"), seat));
    const char *kind = json_string_value(json_array_get(json_object_get(s->told, "kinds"), seat));
    return json_pack("{s:s, s:o}", "player",
                     kind            ? kind
                     : name && *name ? "entrant"
                                     : "house",
                     "name", json_text(name ? name : ""));
}

static int awaits(const struct show *s) {
    return s->result || s->broken ? 0 : s->game->turn(&s->state);
}

static void add_turn(const struct show *s, json_t *object) {
    const json_int_t limit = json_integer_value(json_object_get(s->told, "time_ms"));
    json_object_set_new(object, "state", json_string(s->result ? "over" : "running"));
    json_object_set_new(object, "awaits", json_integer(awaits(s)));
    json_object_set_new(
        object, "left_ms",
        limit && awaits(s)
            ? json_integer(limit - (json_int_t)((clock_now_us() - s->since_us) / 1000))
            : json_null());
}

json_t *show_json(const struct show *s) {
    json_t *o = json_pack(
        "{s:s, s:s, s:s, s:[o, o], s:O, s:O, s:b, s:O, s:O, s:[i, i], s:i, s:o, s:s}", "id", s->id,
        "next", "", "game", s->game->name, "seats", seat_of(s, 0), seat_of(s, 1), "settings",
        json_object_get(s->told, "settings"), "time_ms", json_object_get(s->told, "time_ms"),
        "people", true, "moves", s->moves, "ms", s->ms, "tally", 0, 0, "number", 1, "contest",
        json_text(s->contest_name), "contest_id", s->contest_id);
    json_object_set(o, "told", s->told);
    add_turn(s, o);
    json_object_set(o, "result", s->result ? s->result : json_null());
    return o;
}

json_t *show_summary(const struct show *s) {
    return json_pack("{s:s, s:s, s:s, s:[o, o], s:i, s:o, s:O, s:O, s:O, s:O}", "id", s->id, "game",
                     s->game->name, "state", "running", "seats", seat_of(s, 0), seat_of(s, 1),
                     "plies", (int)json_array_size(s->moves), "contest", json_text(s->contest_name),
                     "stage", json_object_get(s->told, "stage"), "round",
                     json_object_get(s->told, "round"), "table", json_object_get(s->told, "table"),
                     "leg", json_object_get(s->told, "leg"));
}

static void write_whole(void *owner, struct buf *out) {
    json_t *object = show_json(owner);
    char *line = json_dumps(object, JSON_LINE);
    buf_text(out, line);
    free(line);
    json_decref(object);
}

static void play(struct show *s, const char *text) {
    char *copy = mem_text(text), *bad;
    int ply = 0;
    s->broken |= game_play_line(s->game, &s->state, copy, &ply, &bad) != NULL;
    free(copy);
    json_array_append_new(s->moves, json_text(text));
    json_array_append_new(s->ms, json_real((double)(clock_now_us() - s->since_us) / 1000));
    s->since_us = clock_now_us();
}

static void play_opening(struct show *s, const char *opening) {
    char *copy = mem_text(opening), *rest = copy;
    for (char *one; (one = strsep(&rest, ";"));) {
        one += strspn(one, " ");
        if (*one)
            play(s, one);
    }
    free(copy);
}

struct show *show_new(const char *contest_id, const char *contest_name, const struct game *game,
                      const json_t *began) {
    struct show *s = mem_new(1, sizeof *s);
    struct ruleset rules;
    struct err err = {.set = false};
    char topic[TOPIC_NAME_MAX], why[WHY_TEXT_MAX];
    const char *opening = json_string_value(json_object_get(began, "opening"));
    s->game = game;
    s->contest_name = mem_text(contest_name);
    s->told = json_deep_copy(began);
    s->number = json_int(json_object_get(began, "number"), 0);
    snprintf(s->contest_id, PRACTICE_ID_MAX, "%s", contest_id);
    snprintf(s->id, PRACTICE_ID_MAX, "%.10sg%d", contest_id, (int)s->number);
    snprintf(topic, sizeof topic, "game/%s", s->id);
    topic_init(&s->topic, topic, write_whole, s);
    ruleset_init(&rules, game);
    game_request_set_rules(&rules, NULL, json_object_get(began, "settings"), &err);
    s->broken = err.set || !game->start(&s->state, &rules, NULL, why);
    s->moves = json_array();
    s->ms = json_array();
    s->since_us = clock_now_us();
    if (opening)
        play_opening(s, opening);
    return s;
}

void show_rename(struct show *s, const char *id) {
    char topic[TOPIC_NAME_MAX];
    snprintf(s->id, PRACTICE_ID_MAX, "%.20s", id);
    snprintf(topic, sizeof topic, "game/%s", s->id);
    topic_init(&s->topic, topic, write_whole, s);
}

void show_move(struct show *s, const json_t *moved, const struct live *live) {
    const char *text = json_string_value(json_object_get(moved, "move"));
    const json_int_t ply = json_integer_value(json_object_get(moved, "ply"));
    const int before = (int)json_array_size(s->moves);
    if (!text || s->result || ply != before + 1)
        return;
    play(s, text);
    json_t *change = json_pack("{s:i, s:[s], s:[O]}", "ply", before, "moves", text, "ms",
                               json_array_get(s->ms, (size_t)before));
    add_turn(s, change);
    char *line = json_dumps(change, JSON_LINE);
    topic_publish(&s->topic, live, line);
    free(line);
    json_decref(change);
}

void show_end(struct show *s, const json_t *record, const struct live *live) {
    json_decref(s->moves);
    json_decref(s->ms);
    s->moves = json_incref(json_object_get(record, "moves"));
    s->ms = json_incref(json_object_get(record, "ms"));
    s->result = result_json(record);
    s->since_us = clock_now_us();
    topic_publish(&s->topic, live, NULL);
}

json_t *show_record(const struct show *s, const json_t *record) {
    json_t *seen = json_copy((json_t *)record);
    // What starts a player is the organiser's business.
    json_object_set_new(seen, "players", json_pack("[s, s]", "entrant", "entrant"));
    json_object_set(seen, "names", json_object_get(s->told, "players"));
    return seen;
}

void show_remove(struct show **list, struct show *show, const struct live *live) {
    while (*list != show)
        list = &(*list)->next;
    *list = show->next;
    topic_done(&show->topic, live);
    json_decref(show->told);
    json_decref(show->moves);
    json_decref(show->ms);
    json_decref(show->result);
    free(show->contest_name);
    free(show);
}
