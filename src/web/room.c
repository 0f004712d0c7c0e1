// SPDX-License-Identifier: MIT
#include "web/room.h"

#include "base/clock.h"
#include "base/mem.h"
#include "referee/record.h"
#include "web/result.h"
#include "web/wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { WAIT_US = 60000000 }; // for a team that was there and has gone

static const char *state_word(enum room_state state) {
    static const char *const words[] = {
#define ROOM_STATE_WORD(id, word) word,
        ROOM_STATES(ROOM_STATE_WORD)
#undef ROOM_STATE_WORD
    };
    return words[state];
}

static int plies_of(const struct room *room) { return (int)json_array_size(room->moves); }

static bool is_timed(const struct room *room, int player) {
    return room->config.time_us > 0 && player > 0 && !room->config.untimed[player - 1];
}

static void add_turn(const struct room *room, json_t *object) {
    const int64_t used = clock_now_us() - room->since_us;
    json_object_set_new(object, "state", json_string(state_word(room->state)));
    json_object_set_new(object, "awaits", json_integer(room->awaits));
    json_object_set_new(object, "left_ms",
                        is_timed(room, room->awaits)
                            ? json_integer((json_int_t)((room->config.time_us - used) / 1000))
                            : json_null());
}

json_t *room_json(const struct room *room) {
    json_t *o = json_pack("{s:s, s:s, s:s, s:[o, o], s:o, s:I, s:b, s:O, s:O, s:[i, i], s:i}", "id",
                          room->id, "next", room->next_id, "game", room->game->name, "seats",
                          seat_json(&room->seat[0]), seat_json(&room->seat[1]), "settings",
                          wish_settings(&room->config.rules), "time_ms",
                          (json_int_t)(room->config.time_us / 1000), "people", room->people_timed,
                          "moves", room->moves, "ms", room->ms, "tally", room->tally[0],
                          room->tally[1], "number", room->number);
    add_turn(room, o);
    json_object_set(o, "result", room->result ? room->result : json_null());
    return o;
}

json_t *room_summary(const struct room *room) {
    return json_pack("{s:s, s:s, s:s, s:[o, o], s:i}", "id", room->id, "game", room->game->name,
                     "state", state_word(room->state), "seats", seat_json(&room->seat[0]),
                     seat_json(&room->seat[1]), "plies", plies_of(room));
}

static void write_whole(void *owner, struct buf *out) {
    json_t *object = room_json(owner);
    char *line = json_dumps(object, JSON_LINE);
    buf_text(out, line);
    free(line);
    json_decref(object);
}

static void publish(struct room *room, json_t *take_change) {
    char *line = take_change ? json_dumps(take_change, JSON_LINE) : NULL;
    topic_publish(&room->topic, room->house->live, line);
    free(line);
    json_decref(take_change);
}

// Takes over the moves that the match has beyond ours; returns how many there were before.
static int take_moves(struct room *room, const struct match *match) {
    const struct match_move *moves;
    const char *all;
    char text[MOVE_TEXT_MAX];
    const int count = match_moves(match, &moves, &all), before = plies_of(room);
    for (int i = before; i < count; i++) {
        json_array_append_new(room->moves, json_text(match_move_text(match, i, text)));
        json_array_append_new(room->ms, json_real((double)moves[i].us / 1000));
    }
    return before;
}

static json_t *tail(const json_t *array, int from) {
    json_t *rest = json_array();
    for (size_t i = (size_t)from; i < json_array_size(array); i++)
        json_array_append(rest, json_array_get(array, i));
    return rest;
}

static void note_turn(struct room *room, const struct match *match) {
    room->awaits = match_awaits(match);
    room->since_us = clock_now_us();
    if (room->awaits)
        room->state = ROOM_RUNNING;
}

static void moved(void *owner, const struct match *match) {
    struct room *room = owner;
    if (room->leaving || match_is_over(match))
        return;
    const int before = take_moves(room, match);
    note_turn(room, match);
    json_t *change = json_pack("{s:i, s:o, s:o}", "ply", before, "moves", tail(room->moves, before),
                               "ms", tail(room->ms, before));
    add_turn(room, change);
    publish(room, change);
}

static void take_names(struct room *room) {
    for (int i = 0; i < 2; i++)
        if (!seat_is_person(&room->seat[i]) && !seat_is_builtin(&room->seat[i]))
            snprintf(room->seat[i].name, SEAT_NAME_MAX, "%.60s", table_name(room->table, i));
}

// The record of the match, with what was played and measured before it was last gone on with.
static json_t *make_record(const struct room *room, const struct match *match) {
    const struct record_info info = {
        .players = {room->seat[0].text, room->seat[1].text},
        .names = {room->seat[0].name, room->seat[1].name},
        .departments = {table_department(room->table, 0), table_department(room->table, 1)},
        .seed = room->seed,
        .number = room->number,
        .conditions = &room->conditions,
        .terms = &room->terms,
        .ponder_us = {-1, -1},
    };
    return record_make(match, &room->config, &info);
}

static void over(void *owner, const struct match *match) {
    struct room *room = owner;
    if (room->leaving)
        return;
    take_moves(room, match);
    take_names(room);
    json_t *record = make_record(room, match);
    room->result = result_json(record);
    room->state = ROOM_OVER;
    room->awaits = 0;
    room->idle_us = clock_now_us();
    room->old = room->table;
    room->table = NULL;
    json_object_set(record, "ms", room->ms);
    room->house->ended(room->house->owner, room->id, record);
    json_decref(record);
    publish(room, NULL);
    room->house->changed(room->house->owner);
}

static void asked(void *owner, int seat, const char *request) {
    struct room *room = owner;
    int id = 0, due = 0;
    if (strncmp(request, "abp ", 4) == 0)
        table_type(room->table, seat, "ready");
    else if (sscanf(request, "go id=%d time=%*d due=%d", &id, &due) == 2) {
        room->ask_id[seat] = id;
        room->ask_due[seat] = due;
    }
}

// The moves so far as one text.
static char *moves_text(const struct room *room) {
    struct buf text = {.data = NULL};
    size_t i;
    json_t *one;
    buf_text(&text, "");
    json_array_foreach(room->moves, i, one)
        buf_format(&text, "%s%s", i ? "; " : "", json_string_value(one));
    return text.data;
}

static void leave_table(struct room *room) {
    if (!room->table)
        return;
    room->leaving = true;
    table_abort(room->table, "gone on with elsewhere");
    table_free(room->table);
    room->table = NULL;
    room->leaving = false;
    room->awaits = 0;
}

static bool is_awaited(const struct player *p) { return p->kind == PLAYER_TEAM && !p->command; }

static bool may_seat(const struct room *room, struct err *err) {
    for (int i = 0; i < 2 && !err->set; i++)
        if (is_awaited(&room->seat[i].player))
            room->house->spares(room->house->owner, room->seat[i].player.team, err);
    return !err->set;
}

// Begins, or goes on from the moves there are.
static bool begin(struct room *room, struct err *err) {
    static const struct table_events events = {.moved = moved, .over = over, .ask = asked};
    struct match_config *c = &room->config;
    if (!may_seat(room, err))
        return false;
    free(room->opening);
    room->opening = moves_text(room);
    c->opening = *room->opening ? room->opening : NULL;
    for (int i = 0; i < 2; i++) {
        const struct player *p = &room->seat[i].player;
        c->start_us[i] = is_awaited(p) ? WAIT_US : room->terms.start_s * INT64_C(1000000);
        c->untimed[i] = p->kind == PLAYER_HUMAN && !room->people_timed;
        room->ask_id[i] = 0;
    }
    room->state = ROOM_STARTING;
    room->awaits = 0;
    room->since_us = clock_now_us();
    room->table = table_new(room->house->loop, &room->seat[0].player, &room->seat[1].player,
                            &room->terms, room->house->lobby, NULL, &events, room);
    return table_play(room->table, c, 0, err);
}

void room_tick(struct room *room, int64_t now_us) {
    (void)now_us;
    table_free(room->old);
    room->old = NULL;
    const struct match *match = room->table ? table_match(room->table) : NULL;
    if (!match || match_awaits(match) == room->awaits || match_is_over(match))
        return;
    take_names(room);
    note_turn(room, match);
    publish(room, NULL);
    room->house->changed(room->house->owner);
}

struct room *room_new(const struct room_house *house, const char *id, const json_t *plan,
                      struct err *err) {
    struct room *room = mem_new(1, sizeof *room);
    char name[TOPIC_NAME_MAX];
    room->house = house;
    snprintf(room->id, ROOM_ID_MAX, "%s", id);
    snprintf(name, sizeof name, "game/%s", id);
    room->moves = json_array();
    room->ms = json_array();
    topic_init(&room->topic, name, write_whole, room);
    if (getrandom(&room->seed, sizeof room->seed, 0) != sizeof room->seed)
        room->seed = (uint64_t)clock_now_us();
    room->seed >>= 2; // what JSON holds
    if (wish_read(room, plan, err) && begin(room, err))
        return room;
    room_free(room);
    return NULL;
}

void room_free(struct room *room) {
    leave_table(room);
    table_free(room->old);
    topic_done(&room->topic, room->house->live);
    for (int i = 0; i < 2; i++)
        seat_done(&room->seat[i]);
    json_decref(room->moves);
    json_decref(room->ms);
    json_decref(room->result);
    free(room->opening);
    free(room);
}

// Why these moves are not a whole turn here, or NULL.
static const char *refuse(const struct room *room, const char *moves, int due) {
    union game_state state;
    char *copy = mem_text(moves), *bad;
    int ply = 0;
    memcpy(&state, match_state(table_match(room->table)), room->game->state_size);
    const char *why = game_play_line(room->game, &state, copy, &ply, &bad);
    free(copy);
    if (!why && (ply == 0 || (ply < due && !game_is_over(room->game, &state))))
        why = "moves are missing";
    return why ? why : ply > due ? "that is more than is due" : NULL;
}

bool room_move(struct room *room, int ply, const char *moves, struct err *err) {
    const int seat = room->table ? match_awaits(table_match(room->table)) - 1 : -1;
    if (seat < 0 || !room->ask_id[seat])
        return err_set(err, "it is no person's turn");
    if (ply != plies_of(room))
        return err_set(err, "the game has gone on meanwhile");
    const char *why = refuse(room, moves, room->ask_due[seat]);
    if (why)
        return err_set(err, "%s", why);
    struct buf line = {.data = NULL};
    buf_format(&line, "move id=%d %s", room->ask_id[seat], moves);
    room->ask_id[seat] = 0;
    table_type(room->table, seat, line.data);
    buf_done(&line);
    return true;
}

// Where the last turn of a person began; -1 if there was none.
static int last_turn(const struct room *room) {
    union game_state state;
    char why[WHY_TEXT_MAX];
    int found = -1;
    room->game->start(&state, &room->config.rules, NULL, why);
    for (int ply = 0; ply < plies_of(room);) {
        const int turn = room->game->turn(&state);
        const int due = room->game->due(&state);
        if (turn > 0 && seat_is_person(&room->seat[turn - 1]))
            found = ply;
        for (int i = 0; i < due && ply < plies_of(room); i++, ply++) {
            char *one = mem_text(json_string_value(json_array_get(room->moves, (size_t)ply))), *bad;
            int played;
            game_play_line(room->game, &state, one, &played, &bad);
            free(one);
        }
    }
    return found;
}

static bool can_go_on(const struct room *room, struct err *err) {
    for (int i = 0; i < 2; i++)
        if (!seat_takes_openings(&room->seat[i]))
            return err_set(err, "%s can only play a game from its start", room->seat[i].text);
    return true;
}

static void cut(struct room *room, int ply) {
    while (plies_of(room) > ply) {
        json_array_remove(room->moves, (size_t)plies_of(room) - 1);
        json_array_remove(room->ms, json_array_size(room->ms) - 1);
    }
}

bool room_undo(struct room *room, struct err *err) {
    for (int i = 0; i < 2; i++)
        if (!seat_is_person(&room->seat[i]) && !seat_is_builtin(&room->seat[i]))
            return err_set(err, "moves are taken back against built-in players only");
    const int ply = last_turn(room);
    if (ply < 0)
        return err_set(err, "there is nothing to take back");
    if (room->state == ROOM_OVER)
        return err_set(err, "the game is over");
    leave_table(room);
    cut(room, ply);
    const bool good = begin(room, err);
    publish(room, NULL);
    return good;
}

bool room_pause(struct room *room, struct err *err) {
    if (!room->table)
        return err_set(err, "the game is not running");
    if (!can_go_on(room, err))
        return false;
    leave_table(room);
    room->state = ROOM_PAUSED;
    room->idle_us = clock_now_us();
    publish(room, NULL);
    room->house->changed(room->house->owner);
    return true;
}

bool room_go_on(struct room *room, struct err *err) {
    if (room->state != ROOM_PAUSED)
        return err_set(err, "the game is not paused");
    const bool good = begin(room, err);
    publish(room, NULL);
    room->house->changed(room->house->owner);
    return good;
}

json_t *room_plan_again(const struct room *room) {
    const json_int_t winner = json_integer_value(json_object_get(room->result, "winner"));
    json_t *set = wish_settings(&room->config.rules);
    char time[32] = "off";
    if (room->conditions.random_blocks)
        json_object_set_new(set, "blocks",
                            room->conditions.blocks < 0
                                ? json_string("random")
                                : json_sprintf("random:%d", room->conditions.blocks));
    if (room->config.time_us)
        snprintf(time, sizeof time, "%.3f", (double)room->config.time_us / 1e6);
    return json_pack("{s:s, s:[s, s], s:[o, o], s:s, s:b, s:o, s:i, s:[i, i]}", "game",
                     room->game->name, "seats", room->seat[1].text, room->seat[0].text, "names",
                     json_text(room->seat[1].name), json_text(room->seat[0].name), "time", time,
                     "people", room->people_timed, "set", set, "number", room->number + 1, "tally",
                     room->tally[1] + (winner == 2), room->tally[0] + (winner == 1));
}
