// SPDX-License-Identifier: MIT
// The child that plays tells a game's beginning, its moves and its record, a line each. What is
// shown follows the rules here, too, only to know whose turn it is: where they refuse a move that
// was told
// (`broken`), it is shown all the same, and nobody is waited for. In the end the record replaces
// what was put together, times above all, which were measured where it was played.
#include "web/contest_game.h"

#include "base/builtin.h"
#include "base/clock.h"
#include "base/mem.h"
#include "folder/proxy.h"
#include "web/game_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Players are shown by their names. A built-in one is named by what starts it, so that everybody
// reads it in his language; whoever else is called so is not taken for it.
static const char *kind_of(const char *name, const char *start) {
    return name && start && strcmp(name, start) == 0 && builtin_is_name(name) ? name : "entrant";
}

static void take_seats(struct shown_game *shown, const json_t *began) {
    for (size_t i = 0; i < 2; i++) {
        const char *name = shown_game_text(began, "players", i),
                   *kind = shown_game_text(began, "kinds", i);
        json_array_append_new(shown->seats, shown_game_seat(kind ? kind : "entrant", name));
    }
}

static void play(struct contest_game *g, const char *text) {
    int plies;
    proxy_forget();
    g->broken |= shown_game_play(g->game, &g->state, text, &plies) || proxy_failure(g->game);
    shown_game_add(&g->shown, text, clock_now_us() - g->shown.since_us);
    shown_game_await(&g->shown, g->broken ? 0 : g->game->turn(&g->state));
}

static void play_opening(struct contest_game *g, const char *opening) {
    char *copy = mem_text(opening), *rest = copy;
    for (char *one; (one = strsep(&rest, ";"));) {
        one += strspn(one, " ");
        if (*one)
            play(g, one);
    }
    free(copy);
}

struct contest_game *contest_game_new(struct live *live, const char *contest_id,
                                      const char *contest_name, const struct game *game,
                                      const json_t *began) {
    struct contest_game *g = mem_new(1, sizeof *g);
    struct shown_game *shown = &g->shown;
    struct ruleset rules;
    struct err err = {.set = false};
    char id[GAME_ID_MAX], why[WHY_TEXT_MAX];
    const char *opening = json_string_value(json_object_get(began, "opening"));
    g->game = game;
    g->number = json_int(json_object_get(began, "number"), 0);
    snprintf(id, sizeof id, "%.10sg%d", contest_id, (int)g->number);
    shown_game_init(shown, live, id, game);
    shown->people = true;
    shown->state = SHOWN_RUNNING;
    shown->time_ms = json_integer_value(json_object_get(began, "time_ms"));
    shown->contest = json_pack("{s:o, s:s, s:o}", "contest", json_text(contest_name), "contest_id",
                               contest_id, "told", json_deep_copy(began));
    take_seats(shown, began);
    proxy_forget();
    if (json_is_object(json_object_get(began, "settings")))
        json_object_update(shown->settings, json_object_get(began, "settings"));
    ruleset_init(&rules, game);
    game_request_set_rules(&rules, NULL, json_object_get(began, "settings"), &err);
    g->broken = err.set || !game->start(&g->state, &rules, NULL, why);
    shown_game_await(shown, g->broken ? 0 : game->turn(&g->state));
    if (opening)
        play_opening(g, opening);
    return g;
}

// Of built-in players everybody knows it.
static void tell_seats(struct contest_game *g, const json_t *told) {
    for (size_t i = 0; i < 2; i++) {
        json_t *seat = json_array_get(g->shown.seats, i);
        const char *player = json_string_value(json_object_get(seat, "player"));
        if (!player || strcmp(player, "entrant") != 0)
            continue;
        shown_game_tell_seat(seat, "called", shown_game_text(told, "names", i));
        shown_game_tell_seat(seat, "department", shown_game_text(told, "departments", i));
    }
}

void contest_game_name(struct contest_game *g, const json_t *told) {
    tell_seats(g, told);
    topic_publish(&g->shown.topic, NULL);
}

void contest_game_move(struct contest_game *g, const json_t *moved) {
    const char *text = json_string_value(json_object_get(moved, "move"));
    const json_int_t ply = json_integer_value(json_object_get(moved, "ply"));
    const int before = shown_game_plies(&g->shown);
    if (!text || g->shown.result || ply != before + 1)
        return;
    play(g, text);
    shown_game_publish_moves(&g->shown, before);
}

void contest_game_end(struct contest_game *g, const json_t *record) {
    struct shown_game *shown = &g->shown;
    json_decref(shown->moves);
    json_decref(shown->ms);
    shown->moves = json_incref(json_object_get(record, "moves"));
    shown->ms = json_incref(json_object_get(record, "ms"));
    tell_seats(g, record);
    shown_game_end(shown, record);
    topic_publish(&shown->topic, NULL);
}

json_t *contest_game_record(const json_t *record) {
    json_t *seen = json_copy((json_t *)record);
    const json_t *told = json_object_get(record, "contest");
    // What starts a player is the organiser's business.
    json_t *players = json_array(), *called = json_array();
    for (size_t i = 0; i < 2; i++) {
        const char *name = shown_game_text(told, "players", i),
                   *start = shown_game_text(record, "players", i);
        const char *kind = kind_of(name, start), *own = shown_game_text(record, "names", i);
        json_array_append_new(players, json_string(kind));
        json_array_append_new(called, json_text(own && strcmp(kind, "entrant") == 0 ? own : ""));
    }
    json_object_set_new(seen, "called", called);
    json_object_set_new(seen, "players", players);
    json_object_set(seen, "names", json_object_get(told, "players"));
    return seen;
}

void contest_game_remove(struct contest_game **list, struct contest_game *game) {
    while (*list != game)
        list = &(*list)->next;
    *list = game->next;
    shown_game_done(&game->shown);
    free(game);
}
