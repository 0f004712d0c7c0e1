// SPDX-License-Identifier: MIT
#include "web/wish.h"

#include <inttypes.h>
#include <string.h>

enum { SERIES_MAX = 9999 };

static const char *text_of(const json_t *object, const char *key, const char *standard) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : standard;
}

bool wish_set_rules(struct ruleset *rules, struct conditions *conditions, const json_t *settings,
                    struct err *err) {
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

json_t *wish_settings(const struct ruleset *rules) {
    json_t *settings = json_object();
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->text[i], rules->game->rules[i].standard) != 0)
            json_object_set_new(settings, rules->game->rules[i].key, json_text(rules->text[i]));
    return settings;
}

static bool read_seats(struct room *room, const json_t *plan, struct err *err) {
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
        if (!seat_take(&room->seat[i], text, name ? name : "", room->game, room->house->players,
                       room->house->program, err))
            return false;
        if (room->seat[i].player.kind == PLAYER_TEAM && !room->house->lobby)
            return err_set(err, "no team can connect: the judge's port was taken");
        if (!player_suits(&room->seat[i].player, &room->config.rules, &room->terms, err))
            return false;
    }
    return true;
}

// A team that connects by itself cannot be held.
static void suit_terms(struct room *room, const json_t *plan) {
    const json_t *seats = json_object_get(plan, "seats");
    for (size_t i = 0; i < 2; i++) {
        const char *text = json_string_value(json_array_get(seats, i));
        if (text && strncmp(text, "tcp:", 4) == 0)
            room->terms.ponder = PONDER_ALLOW;
    }
}

// A game of practice gets what memory there is, as its record says.
static bool fit_memory(struct room *room, struct err *err) {
    const struct terms_room there = {.game = room->game,
                                     .memory = box_machine_memory(),
                                     .players = player_is_stranger(&room->seat[0].player) +
                                                player_is_stranger(&room->seat[1].player),
                                     .games = 1};
    char words[TERMS_WORDS];
    return terms_fit(&room->terms, &there, words, err) > 0;
}

// A limit is a text; without one it is the contest's.
static bool read_time(struct room *room, const json_t *value, struct err *err) {
    if (!value || json_is_null(value))
        return true;
    return json_is_string(value) ? conditions_time(&room->conditions, json_string_value(value), err)
                                 : err_set(err, "the setting %.40s is no text", "time");
}

static bool read_count(const json_t *value, int least, int *count, struct err *err) {
    int64_t number = least;
    if (value && !json_whole(value, least, SERIES_MAX, &number))
        return err_set(err, "the games of a series are counted from %d to %d", least, SERIES_MAX);
    *count = (int)number;
    return true;
}

static bool read_series(struct room *room, const json_t *plan, struct err *err) {
    const json_t *tally = json_object_get(plan, "tally");
    if (tally && !json_is_null(tally) && json_array_size(tally) != 2)
        return err_set(err, "%s is a list of two", "tally");
    return read_count(json_object_get(plan, "number"), 1, &room->number, err) &&
           read_count(json_array_get(tally, 0), 0, &room->tally[0], err) &&
           read_count(json_array_get(tally, 1), 0, &room->tally[1], err);
}

static bool draw(struct room *room, struct err *err) {
    struct rng rng = conditions_rng(room->seed, 0);
    struct match_config *c = &room->config;
    c->time_us = conditions_draw_time(&room->conditions, &rng);
    c->number = room->number;
    c->freeze = room->terms.ponder == PONDER_FREEZE;
    for (int i = 0; i < 2; i++)
        c->seed[i] = 1 + rng_below(&rng, INT32_MAX);
    return conditions_draw_blocks(&room->conditions, &c->rules, NULL, &rng) ||
           err_set(err, "no blocked cells could be drawn");
}

bool wish_read(struct room *room, const json_t *plan, struct err *err) {
    const char *name = text_of(plan, "game", "");
    room->game = game_find(name);
    if (!room->game)
        return err_set(err, "there is no game '%.40s'", name);
    ruleset_init(&room->config.rules, room->game);
    penalties_init(&room->config.penalties, room->game);
    conditions_init(&room->conditions, room->game);
    terms_init(&room->terms, room->game);
    suit_terms(room, plan);
    room->people_timed = json_is_true(json_object_get(plan, "people"));
    return read_series(room, plan, err) && read_time(room, json_object_get(plan, "time"), err) &&
           wish_set_rules(&room->config.rules, &room->conditions, json_object_get(plan, "set"),
                          err) &&
           read_seats(room, plan, err) && fit_memory(room, err) && draw(room, err);
}
