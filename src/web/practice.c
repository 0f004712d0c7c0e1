// SPDX-License-Identifier: MIT
// The sitting plays; what it tells is shown. Where a game is gone on with from its middle, players
// are started anew and told the moves so far as an opening: the sitting then knows the moves of all
// of it, but the times only of what was played since. Those before are kept here.
#include "web/practice.h"

#include "base/clock.h"
#include "base/mem.h"
#include "folder/proxy.h"
#include "referee/log.h"
#include "referee/record.h"
#include "web/game_logs.h"
#include "web/guard.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_seats(struct practice *p) {
    json_array_clear(p->shown.seats);
    for (int i = 0; i < 2; i++) {
        json_t *seat = shown_game_seat(p->request.seat[i].text, p->request.seat[i].name);
        shown_game_tell_seat(seat, "department", p->request.seat[i].department);
        if (p->free_seat == i + 1)
            json_object_set_new(seat, "free", json_true());
        json_array_append_new(p->shown.seats, seat);
    }
}

static void take_names(struct practice *p) {
    for (int i = 0; i < 2; i++) {
        struct seat *seat = &p->request.seat[i];
        if (seat_is_person(seat) || seat_is_builtin(seat))
            continue;
        seat_set_name(seat, sitting_name(p->sitting, i));
        seat_set_department(seat, sitting_department(p->sitting, i));
    }
    take_seats(p);
}

static void publish(struct practice *p) {
    p->stale = true;
    topic_publish(&p->shown.topic, NULL);
}

// Whose turn it is by the match.
static void await(struct practice *p, const struct match *match) {
    p->shown.first_turn = !match_is_timed(match);
    shown_game_await(&p->shown, match_awaits(match));
}

// Takes over the moves that the match has beyond ours; returns how many there were before.
static int take_moves(struct practice *p, const struct match *match) {
    const struct match_move *moves;
    const char *all;
    char text[MOVE_TEXT_MAX];
    const int count = match_moves(match, &moves, &all), before = shown_game_plies(&p->shown);
    for (int i = before; i < count; i++)
        shown_game_add(&p->shown, match_move_text(match, i, text), moves[i].us);
    shown_game_take_faults(&p->shown, record_faults(match));
    return before;
}

// Both players are there. Later turns are told with the moves before them.
static void practice_asked(void *owner, const struct match *match, int player) {
    struct practice *p = owner;
    (void)player;
    if (p->leaving || p->shown.awaits)
        return;
    take_names(p);
    await(p, match);
    publish(p);
    services_changed(p->services);
}

static void practice_moved(void *owner, const struct match *match) {
    struct practice *p = owner;
    if (p->leaving || match_is_over(match))
        return;
    const int before = take_moves(p, match);
    p->stale = true;
    await(p, match);
    shown_game_publish_moves(&p->shown, before);
}

// The organiser reads it, who has seated what is not ours.
static void keep_log(const struct practice *p) {
    struct buf text = {.data = NULL};
    struct err err = {.set = false};
    if (p->log)
        log_put(p->log, GAME_LOG_BYTES, &text);
    if (text.length > 0)
        game_logs_put(p->services->logs, p->shown.id, &text, &err);
    services_note(p->services, &err);
    buf_done(&text);
}

static void practice_over(void *owner, const struct match *match, json_t *take_record) {
    struct practice *p = owner;
    if (!p->leaving) {
        const struct seat *seat = p->request.seat;
        take_moves(p, match);
        take_names(p);
        shown_game_end(&p->shown, take_record);
        p->winner = match_winner(match);
        p->over = true;
        p->idle_us = clock_now_us();
        json_object_set(take_record, "ms", p->shown.ms);
        json_object_set_new(take_record, "names",
                            json_pack("[o, o]", json_text(seat[0].name), json_text(seat[1].name)));
        p->shown.draw = 0;
        const struct logged_game logged = shown_game_logged(&p->shown);
        if (p->left)
            services_log_game(p->services, &logged, "was left: nobody wins");
        else
            services_keep(p->services, p->shown.id, take_record);
        if (!p->left)
            keep_log(p);
        publish(p);
        services_changed(p->services);
    }
    json_decref(take_record);
}

// The moves so far as one text.
static char *moves_text(const struct practice *p) {
    struct buf text = {.data = NULL};
    size_t i;
    json_t *one;
    buf_text(&text, "");
    json_array_foreach(p->shown.moves, i, one)
        buf_format(&text, "%s%s", i ? "; " : "", json_string_value(one));
    return text.data;
}

static bool is_played(const struct practice *p) { // not before its start, nor paused, nor over
    return p->sitting && !p->over && sitting_match(p->sitting);
}

static void break_off(struct practice *p) {
    if (!p->sitting)
        return;
    p->leaving = true;
    sitting_abort(p->sitting, "gone on with elsewhere");
    sitting_leave(p->sitting);
    p->leaving = p->over = false;
    p->shown.awaits = 0;
}

static bool may_seat(const struct practice *p, struct err *err) {
    for (int i = 0; i < 2 && !err->set; i++)
        if (player_is_awaited(&p->request.seat[i].player))
            p->services->spares(p->services->owner, p->request.seat[i].player.team, err);
    return !err->set;
}

// Begins the game, after the moves there are.
static bool begin(struct practice *p, struct err *err) {
    static const struct sitting_events events = {
        .asked = practice_asked, .moved = practice_moved, .over = practice_over};
    const struct match_config *drawn;
    if (!may_seat(p, err))
        return false;
    char *moves = moves_text(p);
    const struct sitting_game game = {.index = p->request.number - 1,
                                      .opening = *moves ? moves : NULL};
    p->sitting = sitting_new(&p->request.sitting, &events, p);
    drawn = sitting_drawn(p->sitting);
    const bool good = sitting_play(p->sitting, &game, err);
    json_decref(p->shown.settings);
    p->shown.settings = record_rules(&drawn->rules);
    p->shown.time_ms = drawn->time_us / 1000;
    for (int i = 0; i < 2; i++)
        p->shown.untimed[i] = drawn->untimed[i];
    free(moves);
    return good;
}

// Goes on from the moves there are.
static bool go_on(struct practice *p, struct err *err) {
    assert(!is_played(p) && !p->shown.result);
    if (!may_seat(p, err))
        return false;
    char *moves = moves_text(p);
    p->shown.state = SHOWN_STARTING;
    shown_game_await(&p->shown, 0);
    const bool good = sitting_play_on(p->sitting, moves, err);
    free(moves);
    return good;
}

void practice_clear(struct practice *p) {
    if (p->over)
        sitting_leave(p->sitting);
    p->over = false;
}

// A game by its plan, which is not begun.
static struct practice *make(const struct services *services, const char *id, const json_t *plan,
                             bool of_visitor, struct err *err) {
    struct practice *p = mem_new(1, sizeof *p);
    struct game_request *r = &p->request;
    p->services = services;
    p->of_visitor = of_visitor;
    if (!game_request_read(r, services, plan, of_visitor, err)) {
        game_request_done(r);
        free(p);
        return NULL;
    }
    if (player_is_stranger(&r->seat[0].player) || player_is_stranger(&r->seat[1].player))
        p->log = r->sitting.log = log_new();
    shown_game_init(&p->shown, services->live, id, r->game);
    p->shown.people = r->sitting.people_timed;
    p->shown.number = r->number;
    memcpy(p->shown.tally, r->tally, sizeof r->tally);
    p->plan = json_deep_copy(plan);
    p->seen_us = clock_now_us();
    p->stale = true;
    return p;
}

// Which seat waits for somebody, if one does.
static bool read_free(struct practice *p, struct err *err) {
    const json_t *value = json_object_get(p->plan, "free");
    int64_t seat = 0;
    if (value && !json_whole(value, 1, 2, &seat))
        return err_set(err, "a seat is 1 or 2");
    p->free_seat = (int)seat;
    p->shown.link = seat > 0;
    return !p->free_seat || !game_request_has_engine(&p->request) ||
           err_set(err, "somebody is invited to a game of two people");
}

struct practice *practice_new(const struct services *services, const char *id, const json_t *plan,
                              const struct practice_asker *maker, struct err *err) {
    struct practice *p = make(services, id, plan, !maker->organiser, err);
    if (!p)
        return NULL;
    p->address = address_number(maker->address);
    const bool good = read_free(p, err);
    for (int i = 0; i < 2; i++)
        if (seat_is_person(&p->request.seat[i]) && p->free_seat != i + 1)
            snprintf(p->holder[i], SECRET_TEXT_MAX, "%s", maker->token);
    take_seats(p);
    json_array_extend(p->shown.moves, p->request.opening);
    for (size_t i = 0; i < json_array_size(p->request.opening); i++)
        json_array_append_new(p->shown.ms, json_real(0));
    if (good && (p->free_seat || begin(p, err)))
        return p;
    practice_free(p);
    return NULL;
}

void practice_free(struct practice *p) {
    struct err unused = {.set = false};
    break_off(p);
    sitting_free(p->sitting);
    log_close(p->log, &unused);
    shown_game_done(&p->shown);
    game_request_done(&p->request);
    json_decref(p->plan);
    free(p);
}

int practice_seats(const struct practice *p, const struct practice_asker *asker) {
    const int held =
        secret_same(p->holder[0], asker->token) + 2 * secret_same(p->holder[1], asker->token);
    return held || !asker->organiser || p->of_visitor ? held : 3;
}

bool practice_has_person(const struct practice *p) {
    return seat_is_person(&p->request.seat[0]) || seat_is_person(&p->request.seat[1]);
}

bool practice_has_engine(const struct practice *p) { return game_request_has_engine(&p->request); }

bool practice_sit(struct practice *p, const struct practice_asker *asker, const char *name,
                  struct err *err) {
    const int seat = p->free_seat - 1;
    if (seat < 0)
        return err_set(err, "no seat of this game is free");
    if (secret_same(p->holder[1 - seat], asker->token))
        return err_set(err, "you have the other seat: send the link to somebody else");
    snprintf(p->holder[seat], SECRET_TEXT_MAX, "%s", asker->token);
    seat_set_name(&p->request.seat[seat], name);
    p->free_seat = 0;
    take_seats(p);
    const bool good = begin(p, err);
    const struct logged_game logged = shown_game_logged(&p->shown);
    services_log_game(p->services, &logged, "begins: %s at %s has come", name, asker->address);
    publish(p);
    services_changed(p->services);
    return good;
}

// Why these moves are not a whole turn here, or NULL.
static const char *refuse(const struct practice *p, const char *moves) {
    const struct game *game = p->request.game;
    union game_state state;
    int ply;
    memcpy(&state, match_state(sitting_match(p->sitting)), game->state_size);
    const int due = game->due(&state);
    const char *why = shown_game_play(game, &state, moves, &ply);
    if (!why && (ply == 0 || (ply < due && !game_is_over(game, &state))))
        why = "moves are missing";
    return why ? why : ply > due ? "that is more than is due" : NULL;
}

bool practice_move(struct practice *p, int seats, int ply, const char *moves, struct err *err) {
    const int seat = is_played(p) ? match_awaits(sitting_match(p->sitting)) - 1 : -1;
    if (seat < 0 || !seat_is_person(&p->request.seat[seat]))
        return err_set(err, "it is no person's turn");
    if (!(seats & 1 << seat))
        return err_set(err, "it is not your turn");
    if (ply != shown_game_plies(&p->shown))
        return err_set(err, "the game has gone on meanwhile");
    const char *failure = proxy_failure(p->request.game); // again and again, in other games
    const char *why = failure ? failure : refuse(p, moves);
    if (why && (failure || !proxy_failure(p->request.game))) // else the match ends itself
        return err_set(err, "%s", why);
    if (p->shown.draw == 2 - seat) // who moves on has not taken it
        p->shown.draw = 0;
    sitting_move(p->sitting, seat, moves);
    return true;
}

// Where the last turn of a person began; -1 if there was none.
static int last_turn(const struct practice *p) {
    const struct game *game = p->request.game;
    const int plies = shown_game_plies(&p->shown);
    union game_state state;
    char why[WHY_TEXT_MAX];
    int found = -1;
    game->start(&state, &sitting_drawn(p->sitting)->rules, NULL, why);
    for (int ply = 0; ply < plies;) {
        const int turn = game->turn(&state), due = game->due(&state);
        if (turn > 0 && seat_is_person(&p->request.seat[turn - 1]))
            found = ply;
        for (int i = 0, played; i < due && ply < plies; i++, ply++)
            shown_game_play(game, &state,
                            json_string_value(json_array_get(p->shown.moves, (size_t)ply)),
                            &played);
    }
    return found;
}

static bool can_go_on(const struct practice *p, struct err *err) {
    for (int i = 0; i < 2; i++)
        if (!player_takes_openings(&p->request.seat[i].player))
            return err_set(err, "%s can only play a game from its start", p->request.seat[i].text);
    return true;
}

static void cut(struct practice *p, int ply) {
    while (shown_game_plies(&p->shown) > ply) {
        json_array_remove(p->shown.moves, json_array_size(p->shown.moves) - 1);
        json_array_remove(p->shown.ms, json_array_size(p->shown.ms) - 1);
    }
}

// Two people at two screens have begun a game that neither can stop alone.
static bool is_not_alone(const struct practice *p, int seats, struct err *err) {
    if (!p->sitting)
        return !err_set(err, "the game has not begun");
    return p->shown.link && seats != 3 && !err_set(err, "that is not for one of two players alone");
}

bool practice_undo(struct practice *p, int seats, struct err *err) {
    if (is_not_alone(p, seats, err))
        return false;
    for (int i = 0; i < 2; i++)
        if (!seat_is_person(&p->request.seat[i]) && !seat_is_builtin(&p->request.seat[i]))
            return err_set(err, "moves are taken back against built-in players only");
    const int ply = last_turn(p);
    const char *failure = proxy_failure(p->request.game);
    if (failure)
        return err_set(err, "%s", failure);
    if (ply < 0)
        return err_set(err, "there is nothing to take back");
    if (p->shown.state == SHOWN_OVER)
        return err_set(err, "the game is over");
    break_off(p);
    cut(p, ply);
    const bool good = go_on(p, err);
    publish(p);
    return good;
}

bool practice_pause(struct practice *p, int seats, struct err *err) {
    if (is_not_alone(p, seats, err))
        return false;
    if (!is_played(p))
        return err_set(err, "the game is not running");
    if (!can_go_on(p, err))
        return false;
    break_off(p);
    p->shown.state = SHOWN_PAUSED;
    p->idle_us = clock_now_us();
    publish(p);
    services_changed(p->services);
    return true;
}

bool practice_go_on(struct practice *p, int seats, struct err *err) {
    (void)seats;
    if (p->shown.state != SHOWN_PAUSED)
        return err_set(err, "the game is not paused");
    const bool good = go_on(p, err);
    publish(p);
    services_changed(p->services);
    return good;
}

// Whose game it is to give up, of these: that of the person to move, if he may be either.
static int find_person(const struct practice *p, int seats) {
    const int awaited = match_awaits(sitting_match(p->sitting)) - 1;
    for (int i = 0; i < 3; i++) {
        const int seat = i == 0 ? awaited : i - 1;
        if (seat >= 0 && seats & 1 << seat && seat_is_person(&p->request.seat[seat]))
            return seat;
    }
    return -1;
}

bool practice_resign(struct practice *p, int seats, struct err *err) {
    if (!is_played(p))
        return err_set(err, "the game is not running");
    const int seat = find_person(p, seats);
    if (seat < 0)
        return err_set(err, "no person plays there");
    sitting_resign(p->sitting, seat);
    return true;
}

bool practice_draw(struct practice *p, int seats, struct err *err) {
    if (!is_played(p))
        return err_set(err, "the game is not running");
    if (practice_has_engine(p))
        return err_set(err, "two people agree to a draw");
    if (seats == 3 || p->shown.draw == 3 - seats) {
        sitting_agree(p->sitting);
        return true;
    }
    p->shown.draw = seats;
    publish(p);
    return true;
}

bool practice_decline(struct practice *p, int seats, struct err *err) {
    int *offer = p->shown.state == SHOWN_OVER ? &p->shown.rematch : &p->shown.draw;
    if (*offer == 0 || *offer == seats)
        return err_set(err, "nothing is offered to you");
    *offer = 0;
    publish(p);
    return true;
}

bool practice_leave(struct practice *p) {
    p->left = true;
    if (is_played(p))
        sitting_abort(p->sitting, "nobody plays any more");
    return p->shown.state == SHOWN_OVER;
}

bool practice_want_again(struct practice *p, int seats) {
    if (!p->shown.link || seats == 3 || p->shown.rematch == 3 - seats)
        return true;
    p->shown.rematch = seats;
    publish(p);
    return false;
}

// Its plan, once it was begun: as it was drawn, so that the same is played on.
static json_t *drawn_plan(const struct practice *p) {
    const struct game_request *r = &p->request;
    const struct match_config *drawn = sitting_drawn(p->sitting);
    char time[32] = "off";
    if (drawn->time_us)
        snprintf(time, sizeof time, "%.6f", (double)drawn->time_us / 1e6);
    return json_pack("{s:s, s:[s, s], s:[o, o], s:s, s:b, s:o, s:i, s:[i, i]}", "game",
                     r->game->name, "seats", r->seat[0].text, r->seat[1].text, "names",
                     json_text(r->seat[0].name), json_text(r->seat[1].name), "time", time, "people",
                     r->sitting.people_timed, "set", record_rules(&drawn->rules), "number",
                     r->number, "tally", r->tally[0], r->tally[1]);
}

json_t *practice_save(const struct practice *p) {
    assert(p->shown.state != SHOWN_OVER);
    return json_pack("{s:o, s:[s, s], s:i, s:i, s:b, s:b, s:b, s:I, s:O, s:O}", "plan",
                     p->sitting ? drawn_plan(p) : json_incref(p->plan), "holders", p->holder[0],
                     p->holder[1], "free", p->free_seat, "draw", p->shown.draw, "link",
                     p->shown.link, "visitor", p->of_visitor, "paused",
                     p->shown.state == SHOWN_PAUSED, "address", (json_int_t)p->address, "moves",
                     p->shown.moves, "ms", p->shown.ms);
}

// The moves and times of a game that is gone on with.
static bool resume_moves(struct practice *p, const json_t *saved, struct err *err) {
    const json_t *moves = json_object_get(saved, "moves"), *ms = json_object_get(saved, "ms");
    struct err why = {.set = false};
    if (!json_is_array(moves) || json_array_size(moves) != json_array_size(ms))
        return err_set(err, "what is kept of the game is damaged");
    p->shown.begun_again = !can_go_on(p, &why) && json_array_size(moves) > 0;
    for (size_t i = 0; i < json_array_size(moves) && !p->shown.begun_again; i++) {
        const json_t *one = json_array_get(moves, i), *took = json_array_get(ms, i);
        if (!json_is_string(one) || !json_is_number(took))
            return err_set(err, "what is kept of the game is damaged");
        json_array_append(p->shown.moves, (json_t *)one);
        json_array_append(p->shown.ms, (json_t *)took);
    }
    return true;
}

static bool resume(struct practice *p, const json_t *saved, struct err *err) {
    const json_t *holders = json_object_get(saved, "holders");
    for (size_t i = 0; i < 2; i++) {
        const char *holder = json_string_value(json_array_get(holders, i));
        if (holder && secret_is_one(holder))
            snprintf(p->holder[i], SECRET_TEXT_MAX, "%s", holder);
    }
    p->free_seat = json_int(json_object_get(saved, "free"), 0);
    p->shown.draw = json_int(json_object_get(saved, "draw"), 0);
    p->shown.link = json_is_true(json_object_get(saved, "link"));
    p->address = (uint32_t)json_integer_value(json_object_get(saved, "address"));
    if (p->free_seat < 0 || p->free_seat > 2 || p->shown.draw < 0 || p->shown.draw > 2)
        return err_set(err, "what is kept of the game is damaged");
    if (!resume_moves(p, saved, err) || (!p->free_seat && !begin(p, err)))
        return false;
    if (p->shown.begun_again) // of another game
        p->shown.draw = 0;
    if (json_is_true(json_object_get(saved, "paused")) && p->sitting) {
        break_off(p);
        p->shown.state = SHOWN_PAUSED;
        p->idle_us = clock_now_us();
    }
    take_seats(p);
    return true;
}

struct practice *practice_resume(const struct services *services, const char *id,
                                 const json_t *saved, struct err *err) {
    proxy_forget();
    struct practice *p = make(services, id, json_object_get(saved, "plan"),
                              json_is_true(json_object_get(saved, "visitor")), err);
    if (!p || resume(p, saved, err))
        return p;
    practice_free(p);
    return NULL;
}

json_t *practice_plan_again(const struct practice *p) {
    const struct game_request *r = &p->request;
    const struct conditions *c = &r->sitting.conditions;
    const struct match_config *drawn = sitting_drawn(p->sitting);
    json_t *set = record_rules(&drawn->rules);
    char time[32] = "off";
    if (c->random_blocks)
        json_object_set_new(set, "blocks",
                            c->blocks < 0 ? json_string("random")
                                          : json_sprintf("random:%d", c->blocks));
    if (drawn->time_us)
        snprintf(time, sizeof time, "%.3f", (double)drawn->time_us / 1e6);
    return json_pack("{s:s, s:[s, s], s:[o, o], s:s, s:b, s:o, s:i, s:[i, i]}", "game",
                     r->game->name, "seats", r->seat[1].text, r->seat[0].text, "names",
                     json_text(r->seat[1].name), json_text(r->seat[0].name), "time", time, "people",
                     r->sitting.people_timed, "set", set, "number", r->number + 1, "tally",
                     r->tally[1] + (p->winner == WHITE), r->tally[0] + (p->winner == BLACK));
}
