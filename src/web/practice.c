// SPDX-License-Identifier: MIT
#include "web/practice.h"

#include "base/clock.h"
#include "base/mem.h"
#include "referee/record.h"
#include "web/game_request.h"
#include "web/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { WAIT_US = 60000000 }; // for a team that was there and has gone

static const char *state_word(enum practice_state state) {
    static const char *const words[] = {
#define PRACTICE_STATE_WORD(id, word) word,
        PRACTICE_STATES(PRACTICE_STATE_WORD)
#undef PRACTICE_STATE_WORD
    };
    return words[state];
}

static int plies_of(const struct practice *practice) {
    return (int)json_array_size(practice->moves);
}

static bool is_timed(const struct practice *practice, int player) {
    return practice->config.time_us > 0 && player > 0 && !practice->config.untimed[player - 1];
}

static void add_turn(const struct practice *practice, json_t *object) {
    const int64_t used = clock_now_us() - practice->since_us;
    json_object_set_new(object, "state", json_string(state_word(practice->state)));
    json_object_set_new(object, "awaits", json_integer(practice->awaits));
    json_object_set_new(object, "left_ms",
                        is_timed(practice, practice->awaits)
                            ? json_integer((json_int_t)((practice->config.time_us - used) / 1000))
                            : json_null());
}

json_t *practice_json(const struct practice *practice) {
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:[o, o], s:o, s:I, s:b, s:O, s:O, s:[i, i], s:i}", "id",
                  practice->id, "next", practice->next_id, "game", practice->game->name, "seats",
                  seat_json(&practice->seat[0]), seat_json(&practice->seat[1]), "settings",
                  game_request_settings(&practice->config.rules), "time_ms",
                  (json_int_t)(practice->config.time_us / 1000), "people", practice->people_timed,
                  "moves", practice->moves, "ms", practice->ms, "tally", practice->tally[0],
                  practice->tally[1], "number", practice->number);
    add_turn(practice, o);
    json_object_set(o, "result", practice->result ? practice->result : json_null());
    return o;
}

json_t *practice_summary(const struct practice *practice) {
    return json_pack("{s:s, s:s, s:s, s:[o, o], s:i}", "id", practice->id, "game",
                     practice->game->name, "state", state_word(practice->state), "seats",
                     seat_json(&practice->seat[0]), seat_json(&practice->seat[1]), "plies",
                     plies_of(practice));
}

static void write_whole(void *owner, struct buf *out) {
    json_t *object = practice_json(owner);
    char *line = json_dumps(object, JSON_LINE);
    buf_text(out, line);
    free(line);
    json_decref(object);
}

static void publish(struct practice *practice, json_t *take_change) {
    char *line = take_change ? json_dumps(take_change, JSON_LINE) : NULL;
    topic_publish(&practice->topic, practice->shared->live, line);
    free(line);
    json_decref(take_change);
}

// Takes over the moves that the match has beyond ours; returns how many there were before.
static int take_moves(struct practice *practice, const struct match *match) {
    const struct match_move *moves;
    const char *all;
    char text[MOVE_TEXT_MAX];
    const int count = match_moves(match, &moves, &all), before = plies_of(practice);
    for (int i = before; i < count; i++) {
        json_array_append_new(practice->moves, json_text(match_move_text(match, i, text)));
        json_array_append_new(practice->ms, json_real((double)moves[i].us / 1000));
    }
    return before;
}

static json_t *tail(const json_t *array, int from) {
    json_t *rest = json_array();
    for (size_t i = (size_t)from; i < json_array_size(array); i++)
        json_array_append(rest, json_array_get(array, i));
    return rest;
}

static void note_turn(struct practice *practice, const struct match *match) {
    practice->awaits = match_awaits(match);
    practice->since_us = clock_now_us();
    if (practice->awaits)
        practice->state = PRACTICE_RUNNING;
}

static void moved(void *owner, const struct match *match) {
    struct practice *practice = owner;
    if (practice->leaving || match_is_over(match))
        return;
    const int before = take_moves(practice, match);
    note_turn(practice, match);
    json_t *change = json_pack("{s:i, s:o, s:o}", "ply", before, "moves",
                               tail(practice->moves, before), "ms", tail(practice->ms, before));
    add_turn(practice, change);
    publish(practice, change);
}

static void take_names(struct practice *practice) {
    for (int i = 0; i < 2; i++)
        if (!seat_is_person(&practice->seat[i]) && !seat_is_builtin(&practice->seat[i]))
            snprintf(practice->seat[i].name, SEAT_NAME_MAX, "%.60s",
                     table_name(practice->table, i));
}

// The record of the match, with what was played and measured before it was last gone on with.
static json_t *make_record(const struct practice *practice, const struct match *match) {
    const struct record_info info = {
        .players = {practice->seat[0].text, practice->seat[1].text},
        .names = {practice->seat[0].name, practice->seat[1].name},
        .departments = {table_department(practice->table, 0), table_department(practice->table, 1)},
        .seed = practice->seed,
        .number = practice->number,
        .conditions = &practice->conditions,
        .limits = &practice->limits,
        .ponder_us = {-1, -1},
    };
    return record_make(match, &practice->config, &info);
}

static void over(void *owner, const struct match *match) {
    struct practice *practice = owner;
    if (practice->leaving)
        return;
    take_moves(practice, match);
    take_names(practice);
    json_t *record = make_record(practice, match);
    practice->result = result_json(record);
    practice->state = PRACTICE_OVER;
    practice->awaits = 0;
    practice->idle_us = clock_now_us();
    practice->old = practice->table;
    practice->table = NULL;
    json_object_set(record, "ms", practice->ms);
    practice->shared->ended(practice->shared->owner, practice->id, record);
    json_decref(record);
    publish(practice, NULL);
    practice->shared->changed(practice->shared->owner);
}

static void asked(void *owner, int seat, const char *request) {
    struct practice *practice = owner;
    int id = 0, due = 0;
    if (strncmp(request, "abp ", 4) == 0)
        table_type(practice->table, seat, "ready");
    else if (sscanf(request, "go id=%d time=%*d due=%d", &id, &due) == 2) {
        practice->ask_id[seat] = id;
        practice->ask_due[seat] = due;
    }
}

// The moves so far as one text.
static char *moves_text(const struct practice *practice) {
    struct buf text = {.data = NULL};
    size_t i;
    json_t *one;
    buf_text(&text, "");
    json_array_foreach(practice->moves, i, one)
        buf_format(&text, "%s%s", i ? "; " : "", json_string_value(one));
    return text.data;
}

static void leave_table(struct practice *practice) {
    if (!practice->table)
        return;
    practice->leaving = true;
    table_abort(practice->table, "gone on with elsewhere");
    table_free(practice->table);
    practice->table = NULL;
    practice->leaving = false;
    practice->awaits = 0;
}

static bool is_awaited(const struct player *p) { return p->kind == PLAYER_TEAM && !p->command; }

static bool may_seat(const struct practice *practice, struct err *err) {
    for (int i = 0; i < 2 && !err->set; i++)
        if (is_awaited(&practice->seat[i].player))
            practice->shared->spares(practice->shared->owner, practice->seat[i].player.team, err);
    return !err->set;
}

// Begins, or goes on from the moves there are.
static bool begin(struct practice *practice, struct err *err) {
    static const struct table_events events = {.moved = moved, .over = over, .ask = asked};
    struct match_config *c = &practice->config;
    if (!may_seat(practice, err))
        return false;
    free(practice->opening);
    practice->opening = moves_text(practice);
    c->opening = *practice->opening ? practice->opening : NULL;
    for (int i = 0; i < 2; i++) {
        const struct player *p = &practice->seat[i].player;
        c->start_us[i] = is_awaited(p) ? WAIT_US : practice->limits.start_s * INT64_C(1000000);
        c->untimed[i] = p->kind == PLAYER_HUMAN && !practice->people_timed;
        practice->ask_id[i] = 0;
    }
    practice->state = PRACTICE_STARTING;
    practice->awaits = 0;
    practice->since_us = clock_now_us();
    practice->table =
        table_new(practice->shared->loop, &practice->seat[0].player, &practice->seat[1].player,
                  &practice->limits, practice->shared->lobby, NULL, &events, practice);
    return table_play(practice->table, c, 0, err);
}

void practice_tick(struct practice *practice, int64_t now_us) {
    (void)now_us;
    table_free(practice->old);
    practice->old = NULL;
    const struct match *match = practice->table ? table_match(practice->table) : NULL;
    if (!match || match_awaits(match) == practice->awaits || match_is_over(match))
        return;
    take_names(practice);
    note_turn(practice, match);
    publish(practice, NULL);
    practice->shared->changed(practice->shared->owner);
}

struct practice *practice_new(const struct practice_shared *shared, const char *id,
                              const json_t *plan, struct err *err) {
    struct practice *practice = mem_new(1, sizeof *practice);
    char name[TOPIC_NAME_MAX];
    practice->shared = shared;
    snprintf(practice->id, PRACTICE_ID_MAX, "%s", id);
    snprintf(name, sizeof name, "game/%s", id);
    practice->moves = json_array();
    practice->ms = json_array();
    topic_init(&practice->topic, name, write_whole, practice);
    if (getrandom(&practice->seed, sizeof practice->seed, 0) != sizeof practice->seed)
        practice->seed = (uint64_t)clock_now_us();
    practice->seed >>= 2; // what JSON holds
    if (game_request_read(practice, plan, err) && begin(practice, err))
        return practice;
    practice_free(practice);
    return NULL;
}

void practice_free(struct practice *practice) {
    leave_table(practice);
    table_free(practice->old);
    topic_done(&practice->topic, practice->shared->live);
    for (int i = 0; i < 2; i++)
        seat_done(&practice->seat[i]);
    json_decref(practice->moves);
    json_decref(practice->ms);
    json_decref(practice->result);
    free(practice->opening);
    free(practice);
}

// Why these moves are not a whole turn here, or NULL.
static const char *refuse(const struct practice *practice, const char *moves, int due) {
    union game_state state;
    char *copy = mem_text(moves), *bad;
    int ply = 0;
    memcpy(&state, match_state(table_match(practice->table)), practice->game->state_size);
    const char *why = game_play_line(practice->game, &state, copy, &ply, &bad);
    free(copy);
    if (!why && (ply == 0 || (ply < due && !game_is_over(practice->game, &state))))
        why = "moves are missing";
    return why ? why : ply > due ? "that is more than is due" : NULL;
}

bool practice_move(struct practice *practice, int ply, const char *moves, struct err *err) {
    const int seat = practice->table ? match_awaits(table_match(practice->table)) - 1 : -1;
    if (seat < 0 || !practice->ask_id[seat])
        return err_set(err, "it is no person's turn");
    if (ply != plies_of(practice))
        return err_set(err, "the game has gone on meanwhile");
    const char *why = refuse(practice, moves, practice->ask_due[seat]);
    if (why)
        return err_set(err, "%s", why);
    struct buf line = {.data = NULL};
    buf_format(&line, "move id=%d %s", practice->ask_id[seat], moves);
    practice->ask_id[seat] = 0;
    table_type(practice->table, seat, line.data);
    buf_done(&line);
    return true;
}

// Where the last turn of a person began; -1 if there was none.
static int last_turn(const struct practice *practice) {
    union game_state state;
    char why[WHY_TEXT_MAX];
    int found = -1;
    practice->game->start(&state, &practice->config.rules, NULL, why);
    for (int ply = 0; ply < plies_of(practice);) {
        const int turn = practice->game->turn(&state);
        const int due = practice->game->due(&state);
        if (turn > 0 && seat_is_person(&practice->seat[turn - 1]))
            found = ply;
        for (int i = 0; i < due && ply < plies_of(practice); i++, ply++) {
            char *one = mem_text(json_string_value(json_array_get(practice->moves, (size_t)ply))),
                 *bad;
            int played;
            game_play_line(practice->game, &state, one, &played, &bad);
            free(one);
        }
    }
    return found;
}

static bool can_go_on(const struct practice *practice, struct err *err) {
    for (int i = 0; i < 2; i++)
        if (!seat_takes_openings(&practice->seat[i]))
            return err_set(err, "%s can only play a game from its start", practice->seat[i].text);
    return true;
}

static void cut(struct practice *practice, int ply) {
    while (plies_of(practice) > ply) {
        json_array_remove(practice->moves, (size_t)plies_of(practice) - 1);
        json_array_remove(practice->ms, json_array_size(practice->ms) - 1);
    }
}

bool practice_undo(struct practice *practice, struct err *err) {
    for (int i = 0; i < 2; i++)
        if (!seat_is_person(&practice->seat[i]) && !seat_is_builtin(&practice->seat[i]))
            return err_set(err, "moves are taken back against built-in players only");
    const int ply = last_turn(practice);
    if (ply < 0)
        return err_set(err, "there is nothing to take back");
    if (practice->state == PRACTICE_OVER)
        return err_set(err, "the game is over");
    leave_table(practice);
    cut(practice, ply);
    const bool good = begin(practice, err);
    publish(practice, NULL);
    return good;
}

bool practice_pause(struct practice *practice, struct err *err) {
    if (!practice->table)
        return err_set(err, "the game is not running");
    if (!can_go_on(practice, err))
        return false;
    leave_table(practice);
    practice->state = PRACTICE_PAUSED;
    practice->idle_us = clock_now_us();
    publish(practice, NULL);
    practice->shared->changed(practice->shared->owner);
    return true;
}

bool practice_go_on(struct practice *practice, struct err *err) {
    if (practice->state != PRACTICE_PAUSED)
        return err_set(err, "the game is not paused");
    const bool good = begin(practice, err);
    publish(practice, NULL);
    practice->shared->changed(practice->shared->owner);
    return good;
}

json_t *practice_plan_again(const struct practice *practice) {
    const json_int_t winner = json_integer_value(json_object_get(practice->result, "winner"));
    json_t *set = game_request_settings(&practice->config.rules);
    char time[32] = "off";
    if (practice->conditions.random_blocks)
        json_object_set_new(set, "blocks",
                            practice->conditions.blocks < 0
                                ? json_string("random")
                                : json_sprintf("random:%d", practice->conditions.blocks));
    if (practice->config.time_us)
        snprintf(time, sizeof time, "%.3f", (double)practice->config.time_us / 1e6);
    return json_pack("{s:s, s:[s, s], s:[o, o], s:s, s:b, s:o, s:i, s:[i, i]}", "game",
                     practice->game->name, "seats", practice->seat[1].text, practice->seat[0].text,
                     "names", json_text(practice->seat[1].name), json_text(practice->seat[0].name),
                     "time", time, "people", practice->people_timed, "set", set, "number",
                     practice->number + 1, "tally", practice->tally[1] + (winner == 2),
                     practice->tally[0] + (winner == 1));
}
