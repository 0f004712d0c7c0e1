// SPDX-License-Identifier: MIT
// What the page knows of a game is what shown_game_json writes, whichever of three it is made of: a
// sitting (practice.c), lines of a contest's child (contest_game.c), or a record. `moves` and `ms`
// are of one length; `result` is there exactly when the state is over; somebody is awaited
// only while it runs.
#include "web/shown_game.h"

#include "base/clock.h"
#include "base/mem.h"
#include "referee/record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *state_word(enum shown_state state) {
    static const char *const words[] = {
#define SHOWN_STATE_WORD(id, word) word,
        SHOWN_STATES(SHOWN_STATE_WORD)
#undef SHOWN_STATE_WORD
    };
    return words[state];
}

static void write_shown_game(void *owner, struct buf *out) {
    json_put(out, shown_game_json(owner));
}

void shown_game_set_id(struct shown_game *g, const char *id) {
    assert(!g->topic.watchings);
    snprintf(g->id, sizeof g->id, "%.*s", GAME_ID_MAX - 1, id);
    snprintf(g->topic.name, sizeof g->topic.name, "game/%s", g->id);
}

void shown_game_init(struct shown_game *g, struct live *live, const char *id,
                     const struct game *game) {
    *g = (struct shown_game){.game = game->name,
                             .number = 1,
                             .seats = json_array(),
                             .settings = json_object(),
                             .moves = json_array(),
                             .ms = json_array(),
                             .faults = json_array(),
                             .since_us = clock_now_us()};
    topic_init(&g->topic, live, "", write_shown_game, g);
    shown_game_set_id(g, id);
}

void shown_game_done(struct shown_game *g) {
    topic_done(&g->topic);
    json_decref(g->seats);
    json_decref(g->settings);
    json_decref(g->moves);
    json_decref(g->ms);
    json_decref(g->faults);
    json_decref(g->result);
    json_decref(g->contest);
}

const char *shown_game_text(const json_t *object, const char *key, size_t at) {
    return json_string_value(json_array_get(json_object_get(object, key), at));
}

json_t *shown_game_seat(const char *player, const char *name) {
    return json_pack("{s:s, s:o}", "player", player ? player : "", "name",
                     json_text(name ? name : ""));
}

void shown_game_tell_seat(json_t *seat, const char *key, const char *text) {
    if (text && *text)
        json_object_set_new(seat, key, json_text(text));
}

const char *shown_game_play(const struct game *game, union game_state *state, const char *moves,
                            int *plies) {
    char *copy = mem_text(moves), *bad;
    const char *why = game_play_line(game, state, copy, plies, &bad);
    free(copy);
    return why;
}

const char *shown_game_rule(const json_t *value, char room[static RULE_TEXT_MAX]) {
    if (!json_is_integer(value))
        return json_string_value(value);
    snprintf(room, RULE_TEXT_MAX, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return room;
}

int shown_game_plies(const struct shown_game *g) { return (int)json_array_size(g->moves); }

void shown_game_add(struct shown_game *g, const char *text, int64_t us) {
    json_array_append_new(g->moves, json_text(text));
    json_array_append_new(g->ms, json_real((double)us / 1000));
}

void shown_game_await(struct shown_game *g, int player) {
    g->awaits = player;
    g->since_us = clock_now_us();
    if (player)
        g->state = SHOWN_RUNNING;
}

void shown_game_take_faults(struct shown_game *g, json_t *take_faults) {
    json_decref(g->faults);
    g->faults = json_is_array(take_faults) ? take_faults : json_array();
    if (g->faults != take_faults)
        json_decref(take_faults);
}

void shown_game_end(struct shown_game *g, const json_t *record) {
    shown_game_take_faults(g, json_incref(json_object_get(record, "faults")));
    json_decref(g->result);
    g->result = shown_game_result(record);
    g->state = SHOWN_OVER;
    g->awaits = 0;
    g->since_us = clock_now_us();
}

static void add_turn(const struct shown_game *g, json_t *object) {
    const bool timed =
        g->awaits > 0 && g->time_ms > 0 && !g->untimed[g->awaits - 1] && !g->first_turn;
    const int64_t used_ms = (clock_now_us() - g->since_us) / 1000;
    json_object_set_new(object, "state", json_string(state_word(g->state)));
    json_object_set_new(object, "awaits", json_integer(g->awaits));
    json_object_set_new(object, "draw", json_integer(g->draw));
    json_object_set_new(object, "left_ms",
                        timed ? json_integer((json_int_t)(g->time_ms - used_ms)) : json_null());
}

json_t *shown_game_json(const struct shown_game *g) {
    assert((g->state == SHOWN_OVER) == (g->result != NULL));
    assert(g->awaits == 0 || g->state == SHOWN_RUNNING);
    json_t *o = json_pack("{s:s, s:s, s:s, s:O, s:O, s:I, s:b, s:O, s:O, s:O, s:[i, i], s:i}", "id",
                          g->id, "next", g->next_id, "game", g->game, "seats", g->seats, "settings",
                          g->settings, "time_ms", (json_int_t)g->time_ms, "people", g->people,
                          "moves", g->moves, "ms", g->ms, "faults", g->faults, "tally", g->tally[0],
                          g->tally[1], "number", g->number);
    if (g->link)
        json_object_update_new(o, json_pack("{s:b, s:i}", "link", 1, "rematch", g->rematch));
    if (g->begun_again)
        json_object_set_new(o, "begun_again", json_true());
    if (g->contest)
        json_object_update(o, g->contest);
    add_turn(g, o);
    json_object_set(o, "result", g->result ? g->result : json_null());
    return o;
}

struct logged_game shown_game_logged(const struct shown_game *g) {
    struct logged_game logged = {.id = g->id, .game = g->game};
    for (size_t i = 0; i < 2; i++) {
        const json_t *seat = json_array_get(g->seats, i);
        logged.player[i] = json_string_value(json_object_get(seat, "player"));
        logged.name[i] = json_string_value(json_object_get(seat, "name"));
    }
    return logged;
}

// Of what a contest has told of its game, what lists show.
static void add_contest(const struct shown_game *g, json_t *object) {
    static const char *const keys[] = {"stage", "round", "table", "leg"};
    const json_t *told = json_object_get(g->contest, "told");
    json_object_set(object, "contest", json_object_get(g->contest, "contest"));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(object, keys[i], json_object_get(told, keys[i]));
}

json_t *shown_game_summary(const struct shown_game *g) {
    json_t *o = json_pack("{s:s, s:s, s:s, s:O, s:i}", "id", g->id, "game", g->game, "state",
                          state_word(g->state), "seats", g->seats, "plies", shown_game_plies(g));
    if (g->contest)
        add_contest(g, o);
    return o;
}

static json_t *tail(const json_t *array, int from) {
    json_t *rest = json_array();
    for (size_t i = (size_t)from; i < json_array_size(array); i++)
        json_array_append(rest, json_array_get(array, i));
    return rest;
}

void shown_game_publish_moves(struct shown_game *g, int ply) {
    json_t *change = json_pack("{s:i, s:o, s:o}", "ply", ply, "moves", tail(g->moves, ply), "ms",
                               tail(g->ms, ply));
    add_turn(g, change);
    if (json_array_size(g->faults) > 0)
        json_object_set(change, "faults", g->faults);
    struct buf line = {.data = NULL};
    json_put(&line, change);
    topic_publish(&g->topic, line.data);
    buf_done(&line);
}

static bool is_same(const json_t *a, const json_t *b, const char *key) {
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

// The verdict, with the time from the fault that it came of.
static json_t *verdict_of(const json_t *record) {
    const json_t *faults = json_object_get(record, "faults"),
                 *verdict = json_object_get(record, "verdict");
    if (!json_is_object(verdict))
        return json_null();
    json_t *copy = json_copy((json_t *)verdict);
    for (size_t i = 0; i < json_array_size(faults); i++) {
        const json_t *fault = json_array_get(faults, i);
        json_t *ms = json_object_get(fault, "ms");
        if (ms && is_same(fault, verdict, "player") && is_same(fault, verdict, "word"))
            json_object_set(copy, "ms", ms);
    }
    return copy;
}

json_t *shown_game_result(const json_t *record) {
    return json_pack("{s:O?, s:O?, s:O?, s:o, s:s*}", "winner", json_object_get(record, "winner"),
                     "scores", json_object_get(record, "scores"), "reason",
                     json_object_get(record, "reason"), "verdict", verdict_of(record), "platform",
                     record_platform_fault(record));
}

// The rules of a record that are not at their standard value, as texts.
static void take_rules(json_t *rules, const struct game *game, const json_t *settings) {
    for (int i = 0; i < game->rule_count; i++) {
        char room[RULE_TEXT_MAX];
        const char *key = game->rules[i].key;
        const char *text = shown_game_rule(json_object_get(settings, key), room);
        if (text && strcmp(text, game->rules[i].standard) != 0)
            json_object_set_new(rules, key, json_text(text));
    }
}

// The first state of a record's game; NULL: there is none.
static const struct game *start_record(const json_t *record, union game_state *state) {
    const char *name = json_string_value(json_object_get(record, "game"));
    const struct game *game = name ? game_find(name) : NULL;
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    if (!game)
        return NULL;
    ruleset_init(&rules, game);
    for (int i = 0; i < game->rule_count; i++) {
        char room[RULE_TEXT_MAX];
        const char *key = game->rules[i].key;
        const char *text =
            shown_game_rule(json_object_get(json_object_get(record, "settings"), key), room);
        if (text && !ruleset_set(&rules, key, text, why))
            return NULL;
    }
    return game->start(state, &rules, NULL, why) ? game : NULL;
}

const struct game *shown_game_last(const json_t *record, union game_state *state, int *last) {
    const struct game *game = start_record(record, state);
    const json_t *moves = json_object_get(record, "moves");
    int left = 0, plies; // moves of the turn that are still to come
    *last = 0;
    for (size_t i = 0; game && i < json_array_size(moves); i++) {
        const char *text = json_string_value(json_array_get(moves, i));
        if (left == 0) {
            left = game_is_over(game, state) ? 1 : game->due(state);
            *last = 0;
        }
        left--;
        ++*last;
        if (!text || shown_game_play(game, state, text, &plies))
            return NULL;
    }
    return game;
}

json_t *shown_game_of_record(const char *id, const json_t *record) {
    const char *name = json_string_value(json_object_get(record, "game"));
    const struct game *game = name ? game_find(name) : NULL;
    const json_t *settings = json_object_get(record, "settings");
    struct shown_game g;
    if (!game)
        return NULL;
    shown_game_init(&g, NULL, id, game);
    take_rules(g.settings, game, settings);
    for (size_t i = 0; i < 2; i++) {
        json_t *seat = shown_game_seat(shown_game_text(record, "players", i),
                                       shown_game_text(record, "names", i));
        shown_game_tell_seat(seat, "department", shown_game_text(record, "departments", i));
        shown_game_tell_seat(seat, "called", shown_game_text(record, "called", i));
        json_array_append_new(g.seats, seat);
    }
    g.time_ms = (int64_t)(json_number_value(json_object_get(settings, "time")) * 1000);
    json_array_extend(g.moves, json_object_get(record, "moves"));
    json_array_extend(g.ms, json_object_get(record, "ms"));
    shown_game_end(&g, record);
    json_t *shown = shown_game_json(&g);
    if (json_object_get(record, "rules"))
        json_object_set(shown, "rules", json_object_get(record, "rules"));
    shown_game_done(&g);
    return shown;
}
