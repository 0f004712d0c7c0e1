// SPDX-License-Identifier: MIT
#include "web/game_request.h"

#include <inttypes.h>
#include <string.h>

enum { SERIES_MAX = 9999 };

static const char *text_of(const json_t *object, const char *key, const char *standard) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : standard;
}

bool game_request_set_rules(struct ruleset *rules, struct conditions *conditions,
                            const json_t *settings, struct err *err) {
    const char *key;
    json_t *value;
    if (settings && !json_is_null(settings) && !json_is_object(settings))
        return err_set(err, "%s is an object: settings and their texts", "set");
    json_object_foreach((json_t *)settings, key, value) {
        const char *text = json_string_value(value);
        char why[WHY_TEXT_MAX];
        if (!text)
            return err_set(err, "the setting %.40s is no text", key);
        if (conditions && strcmp(key, "blocks") == 0 && conditions_blocks(conditions, text, err))
            continue;
        if (err->set)
            return false;
        if (!ruleset_set(rules, key, text, why))
            return err_set(err, "%s", why);
        if (conditions && strcmp(key, "blocks") == 0)
            conditions->random_blocks = false;
    }
    union game_state state;
    char why[WHY_TEXT_MAX];
    return rules->game->start(&state, rules, NULL, why) || err_set(err, "%s", why);
}

json_t *game_request_settings(const struct ruleset *rules) {
    json_t *settings = json_object();
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->text[i], rules->game->rules[i].standard) != 0)
            json_object_set_new(settings, rules->game->rules[i].key, json_text(rules->text[i]));
    return settings;
}

static bool read_seats(struct practice *practice, const json_t *plan, struct err *err) {
    const json_t *seats = json_object_get(plan, "seats"), *names = json_object_get(plan, "names");
    if (json_array_size(seats) != 2)
        return err_set(err, "a game has two seats");
    if (names && !json_is_null(names) && json_array_size(names) != 2)
        return err_set(err, "%s is a list of two", "names");
    for (size_t i = 0; i < 2; i++) {
        const char *text = json_string_value(json_array_get(seats, i));
        const json_t *name_value = json_array_get(names, i);
        const char *name = json_string_value(name_value);
        if (!text)
            return err_set(err, "a seat is a text");
        if (name_value && !json_is_null(name_value) && !name)
            return err_set(err, "the setting %.40s is no text", "names");
        if (!seat_take(&practice->seat[i], text, name ? name : "", practice->game,
                       practice->shared->players, practice->shared->program, err))
            return false;
        if (practice->seat[i].player.kind == PLAYER_TEAM && !practice->shared->lobby)
            return err_set(err, "no team can connect: the judge's port was taken");
        if (!player_suits(&practice->seat[i].player, &practice->config.rules, &practice->limits,
                          err))
            return false;
    }
    return true;
}

// A team that connects by itself cannot be held.
static void suit_limits(struct practice *practice, const json_t *plan) {
    const json_t *seats = json_object_get(plan, "seats");
    for (size_t i = 0; i < 2; i++) {
        const char *text = json_string_value(json_array_get(seats, i));
        if (text && strncmp(text, "tcp:", 4) == 0)
            practice->limits.ponder = PONDER_ALLOW;
    }
}

// A game of practice gets what memory there is, as its record says.
static bool fit_memory(struct practice *practice, struct err *err) {
    const struct player_limits_room there = {.game = practice->game,
                                             .memory = box_machine_memory(),
                                             .players =
                                                 player_is_stranger(&practice->seat[0].player) +
                                                 player_is_stranger(&practice->seat[1].player),
                                             .games = 1};
    char words[PLAYER_LIMITS_WORDS];
    return player_limits_fit(&practice->limits, &there, words, err) > 0;
}

// A limit is a text; without one it is the contest's.
static bool read_time(struct practice *practice, const json_t *value, struct err *err) {
    if (!value || json_is_null(value))
        return true;
    return json_is_string(value)
               ? conditions_time(&practice->conditions, json_string_value(value), err)
               : err_set(err, "the setting %.40s is no text", "time");
}

static bool read_count(const json_t *value, int least, int *count, struct err *err) {
    int64_t number = least;
    if (value && !json_whole(value, least, SERIES_MAX, &number))
        return err_set(err, "the games of a series are counted from %d to %d", least, SERIES_MAX);
    *count = (int)number;
    return true;
}

static bool read_series(struct practice *practice, const json_t *plan, struct err *err) {
    const json_t *tally = json_object_get(plan, "tally");
    if (tally && !json_is_null(tally) && json_array_size(tally) != 2)
        return err_set(err, "%s is a list of two", "tally");
    return read_count(json_object_get(plan, "number"), 1, &practice->number, err) &&
           read_count(json_array_get(tally, 0), 0, &practice->tally[0], err) &&
           read_count(json_array_get(tally, 1), 0, &practice->tally[1], err);
}

static bool draw(struct practice *practice, struct err *err) {
    struct rng rng = conditions_rng(practice->seed, 0);
    struct match_config *c = &practice->config;
    c->time_us = conditions_draw_time(&practice->conditions, &rng);
    c->number = practice->number;
    c->freeze = practice->limits.ponder == PONDER_FREEZE;
    for (int i = 0; i < 2; i++)
        c->seed[i] = 1 + rng_below(&rng, INT32_MAX);
    return conditions_draw_blocks(&practice->conditions, &c->rules, NULL, &rng) ||
           err_set(err, "no blocked cells could be drawn");
}

bool game_request_read(struct practice *practice, const json_t *plan, struct err *err) {
    const char *name = text_of(plan, "game", "");
    practice->game = game_find(name);
    if (!practice->game)
        return err_set(err, "there is no game '%.40s'", name);
    ruleset_init(&practice->config.rules, practice->game);
    penalties_init(&practice->config.penalties, practice->game);
    conditions_init(&practice->conditions, practice->game);
    player_limits_init(&practice->limits, practice->game);
    suit_limits(practice, plan);
    practice->people_timed = json_is_true(json_object_get(plan, "people"));
    return read_series(practice, plan, err) &&
           read_time(practice, json_object_get(plan, "time"), err) &&
           game_request_set_rules(&practice->config.rules, &practice->conditions,
                                  json_object_get(plan, "set"), err) &&
           read_seats(practice, plan, err) && fit_memory(practice, err) && draw(practice, err);
}
