// SPDX-License-Identifier: MIT
// Every member that is named is of the right kind or refused, and what is missing is as in the
// game's contest. Nothing is started here: when a request has been read, all that can be wrong with
// it is known.
#include "web/game_request.h"

#include "base/clock.h"
#include "folder/folder.h"
#include "folder/proxy.h"
#include "referee/box_files.h"
#include "web/shown_game.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum {
    SERIES_MAX = 9999,
    WAIT_US = 60000000,         // for a team that was there and has gone
    VISITOR_TIME_US = 10000000, // a visitor's engine thinks no longer
    VISITOR_GRACE_US = 60000000 // and is not late because it has to wait for others
};

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

static bool read_seats(struct game_request *r, const struct services *services, const json_t *plan,
                       struct err *err) {
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
        struct seat *seat = &r->seat[i];
        if (!seat_take(seat, text, r->game, services->players, services->program, err))
            return false;
        seat_set_name(seat, name ? name : "");
        if (seat->player.kind == PLAYER_TEAM && !services->lobby)
            return err_set(err, "no team can connect: the judge's port was taken");
        if (!player_suits(&seat->player, &r->sitting.rules, &r->sitting.limits, err))
            return false;
        seat->player.text = seat->text; // what starts it is not recorded
    }
    return true;
}

// A team that connects by itself cannot be held.
static void suit_limits(struct player_limits *limits, const json_t *plan) {
    const json_t *seats = json_object_get(plan, "seats");
    for (size_t i = 0; i < 2; i++) {
        const char *text = json_string_value(json_array_get(seats, i));
        if (text && strncmp(text, "tcp:", 4) == 0)
            limits->ponder = PONDER_ALLOW;
    }
}

// A game of practice gets what memory there is, as its record says.
static bool fit_memory(struct game_request *r, struct err *err) {
    const struct player_limits_room there = {.game = r->game,
                                             .memory = box_machine_memory(),
                                             .players = player_is_stranger(&r->seat[0].player) +
                                                        player_is_stranger(&r->seat[1].player),
                                             .games = 1};
    char words[PLAYER_LIMITS_WORDS];
    return player_limits_fit(&r->sitting.limits, &there, words, err) > 0;
}

// Players that are not ours are boxed, where there is a box.
static bool box_seats(struct game_request *r, const struct services *services, struct err *err) {
    struct err refusal[2] = {{.set = false}, {.set = false}};
    if (!player_is_stranger(&r->seat[0].player) && !player_is_stranger(&r->seat[1].player))
        return true;
    r->sitting.limits.box = services_box(services);
    if (!r->sitting.limits.box ||
        box_files_show(&r->seat[0].player, &r->seat[1].player, &r->sitting.limits, refusal))
        return true;
    const int at = refusal[0].set ? 0 : 1;
    return err_refuse(err, r->seat[at].text, &refusal[at]);
}

// A limit is a text; without one it is the contest's.
static bool read_time(struct sitting_config *s, const json_t *value, struct err *err) {
    if (!value || json_is_null(value))
        return true;
    return json_is_string(value) ? conditions_time(&s->conditions, json_string_value(value), err)
                                 : err_set(err, "the setting %.40s is no text", "time");
}

static bool read_count(const json_t *value, int least, int *count, struct err *err) {
    int64_t number = least;
    if (value && !json_whole(value, least, SERIES_MAX, &number))
        return err_set(err, "the games of a series are counted from %d to %d", least, SERIES_MAX);
    *count = (int)number;
    return true;
}

static bool read_series(struct game_request *r, const json_t *plan, struct err *err) {
    const json_t *tally = json_object_get(plan, "tally");
    if (tally && !json_is_null(tally) && json_array_size(tally) != 2)
        return err_set(err, "%s is a list of two", "tally");
    return read_count(json_object_get(plan, "number"), 1, &r->number, err) &&
           read_count(json_array_get(tally, 0), 0, &r->tally[0], err) &&
           read_count(json_array_get(tally, 1), 0, &r->tally[1], err);
}

static bool has_visitors_seats(const json_t *plan, struct err *err) {
    const json_t *seats = json_object_get(plan, "seats");
    int persons = 0;
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *text = json_string_value(json_array_get(seats, i));
        if (text && !seat_is_for_visitors(text))
            return err_set(err, "without the organiser's key people and built-in players play");
        persons += text && strcmp(text, "human") == 0;
    }
    return persons > 0 || err_set(err, "without the organiser's key one of the players is you");
}

bool game_request_has_engine(const struct game_request *r) {
    return !seat_is_person(&r->seat[0]) || !seat_is_person(&r->seat[1]);
}

static void bound_engines(struct game_request *r) {
    struct conditions *c = &r->sitting.conditions;
    if (c->time_high_us == 0 || c->time_high_us > VISITOR_TIME_US)
        c->time_high_us = VISITOR_TIME_US;
    if (c->time_low_us == 0 || c->time_low_us > c->time_high_us)
        c->time_low_us = c->time_high_us;
    if (!r->sitting.people_timed)
        r->sitting.grace_us = VISITOR_GRACE_US;
    for (int i = 0; i < 2; i++)
        if (!seat_is_person(&r->seat[i]))
            player_go_idle(&r->seat[i].player);
}

// Moves to begin with, a list of texts, which must leave something to play.
static bool read_opening(struct game_request *r, const json_t *moves, struct err *err) {
    union game_state state;
    char start[WHY_TEXT_MAX];
    int plies;
    if (!moves || json_is_null(moves))
        return true;
    if (!json_is_array(moves))
        return err_set(err, "a position has a game and moves");
    if (!r->game->start(&state, &r->sitting.rules, NULL, start))
        return err_set(err, "%s", start);
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *text = json_string_value(json_array_get(moves, i));
        const char *why =
            text ? shown_game_play(r->game, &state, text, &plies) : "a move is a text";
        if (why)
            return err_set(err, "move %zu: %s", i + 1, why);
    }
    const bool over = game_is_over(r->game, &state);
    const char *failure = proxy_failure(r->game);
    if (failure)
        return err_set(err, "%s", failure);
    if (over)
        return err_set(err, "the game is over there, or a move is not legal");
    for (int i = 0; i < 2 && json_array_size(moves); i++)
        if (!player_takes_openings(&r->seat[i].player))
            return err_set(err, "a player there cannot be told of moves before the first");
    r->opening = json_deep_copy(moves);
    return true;
}

bool game_request_read(struct game_request *r, const struct services *services, const json_t *plan,
                       bool of_visitor, struct err *err) {
    const char *given = json_string_value(json_object_get(plan, "game")),
               *name = given ? given : "";
    struct sitting_config *s = &r->sitting;
    *r = (struct game_request){.game = game_find(name)};
    const char *trouble = r->game ? NULL : folder_trouble(name);
    if (trouble)
        return err_set(err, "%s", trouble);
    if (!r->game)
        return err_set(err, "there is no game '%.40s'", name);
    *s = (struct sitting_config){.loop = services->loop,
                                 .lobby = services->lobby,
                                 .player = {&r->seat[0].player, &r->seat[1].player},
                                 .people_timed = json_is_true(json_object_get(plan, "people")),
                                 .wait_us = WAIT_US};
    ruleset_init(&s->rules, r->game);
    penalties_init(&s->penalties, r->game);
    conditions_init(&s->conditions, r->game);
    player_limits_init(&s->limits, r->game);
    if (getrandom(&s->seed, sizeof s->seed, 0) != sizeof s->seed)
        s->seed = (uint64_t)clock_now_us();
    s->seed >>= 2; // what JSON holds
    suit_limits(&s->limits, plan);
    const bool good =
        (!of_visitor || has_visitors_seats(plan, err)) && read_series(r, plan, err) &&
        read_time(s, json_object_get(plan, "time"), err) &&
        game_request_set_rules(&s->rules, &s->conditions, json_object_get(plan, "set"), err) &&
        read_seats(r, services, plan, err) && box_seats(r, services, err) && fit_memory(r, err) &&
        read_opening(r, json_object_get(plan, "opening"), err);
    if (good && of_visitor && game_request_has_engine(r))
        bound_engines(r);
    return good;
}

void game_request_done(struct game_request *r) {
    seat_done(&r->seat[0]);
    seat_done(&r->seat[1]);
    json_decref(r->opening);
}
