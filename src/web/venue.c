// SPDX-License-Identifier: MIT
#include "web/venue.h"

#include "base/clock.h"
#include "base/mem.h"
#include "web/wish.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    TICK_US = 100000,
    ROOMS_MAX = 64,
    TEAMS_MAX = 256,       // shown
    LINGER_US = 300000000, // a game that is over, or paused, and that nobody watches
    TRIM_US = 60000000,    // between two times that free memory is given back
};

json_t *venue_json(const struct venue *venue) {
    json_t *rooms = json_array(), *teams = json_array();
    int32_t team[TEAMS_MAX];
    for (const struct room *room = venue->rooms; room; room = room->next)
        if (room->state != ROOM_OVER)
            json_array_append_new(rooms, room_summary(room));
    json_t *shows = arenas_games(venue->arenas);
    json_array_extend(rooms, shows);
    json_decref(shows);
    const int count = venue->lobby ? lobby_teams(venue->lobby, team, TEAMS_MAX) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(teams, json_integer(team[i]));
    return json_pack("{s:o, s:o, s:o, s:i}", "games", rooms, "teams", teams, "contests",
                     arenas_list(venue->arenas), "judge_port",
                     venue->lobby ? lobby_port(venue->lobby) : 0);
}

static void write_venue(void *owner, struct buf *out) {
    json_t *object = venue_json(owner);
    char *line = json_dumps(object, JSON_LINE);
    buf_text(out, line);
    free(line);
    json_decref(object);
}

static void changed(void *owner) {
    struct venue *venue = owner;
    venue->topic_stale = true;
}

// Whose team plays in a contest that is not over comes to stay.
static bool expects(void *owner, int32_t team) {
    const struct venue *venue = owner;
    return arenas_expect(venue->arenas, team);
}

static bool spares(void *owner, int32_t team, struct err *err) {
    const struct venue *venue = owner;
    return arenas_spare(venue->arenas, team, NULL, err);
}

static void ended(void *owner, const char *id, const json_t *record) {
    struct venue *venue = owner;
    struct err err = {.set = false};
    if (!shelf_put(venue->shelf, id, record, &err))
        venue->config.note(venue->config.owner, err.text);
}

static void lobby_note(void *owner, const char *words) {
    struct venue *venue = owner;
    venue->config.note(venue->config.owner, words);
}

static struct topic *find_topic(void *owner, const char *name) {
    struct venue *venue = owner;
    if (strcmp(name, venue->topic.name) == 0)
        return &venue->topic;
    for (struct room *room = venue->rooms; room; room = room->next)
        if (strcmp(name, room->topic.name) == 0)
            return &room->topic;
    return arenas_topic(venue->arenas, name);
}

static void remove_room(struct venue *venue, struct room *room) {
    struct room **at = &venue->rooms;
    while (*at != room)
        at = &(*at)->next;
    *at = room->next;
    room_free(room);
    changed(venue);
}

static bool is_idle(const struct room *room, int64_t now_us) {
    const bool resting = room->state == ROOM_OVER || room->state == ROOM_PAUSED;
    return resting && room->topic.watcher_count == 0 && now_us - room->idle_us > LINGER_US;
}

static void tick(void *owner, int64_t now_us) {
    struct venue *venue = owner;
    for (struct room *room = venue->rooms, *next; room; room = next) {
        next = room->next;
        room_tick(room, now_us);
        if (is_idle(room, now_us))
            remove_room(venue, room);
    }
    jobs_tick(venue->jobs, now_us);
    arenas_tick(venue->arenas, now_us);
    if (now_us - venue->trimmed_us >
        TRIM_US) { // games come and go; malloc would keep what they had
        malloc_trim(0);
        venue->trimmed_us = now_us;
    }
    if (venue->topic_stale)
        topic_publish(&venue->topic, &venue->live, NULL);
    venue->topic_stale = false;
    timer_set(venue->timer, now_us + TICK_US);
}

static bool make_folders(struct venue *venue, struct err *err) {
    const char *data = venue->config.data;
    snprintf(venue->players, sizeof venue->players, "%.3900s/players", data);
    const char *const folders[] = {data, venue->players};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0700) != 0 && errno != EEXIST)
            return err_set(err, "cannot make the folder %.300s: %s", folders[i], strerror(errno));
    char store[4096];
    snprintf(store, sizeof store, "%.3900s/arbiter.db", data);
    venue->shelf = shelf_open(store, err);
    return venue->shelf != NULL;
}

// Another judge may own the port: then there are no teams, and it is said.
static void open_lobby(struct venue *venue) {
    struct err err = {.set = false};
    if (venue->config.judge_port == 0)
        return;
    venue->lobby = lobby_new(venue->loop, venue->config.address, venue->config.judge_port,
                             lobby_note, venue, &err);
    if (venue->lobby) {
        lobby_keep(venue->lobby, changed);
        lobby_expect(venue->lobby, expects);
        venue->config.lasting->judge_port = lobby_port(venue->lobby);
    } else {
        venue->config.note(venue->config.owner, err.text);
    }
}

static bool open_arenas(struct venue *venue, struct err *err) {
    const struct venue_config *c = &venue->config;
    const struct arena_hall hall = {.house = &venue->house,
                                    .shelf = venue->shelf,
                                    .lasting = c->lasting,
                                    .note = c->note,
                                    .owner = c->owner};
    char path[4096];
    snprintf(path, sizeof path, "%.3900s/contests", c->data);
    venue->arenas = arenas_new(path, &hall, c->again, err);
    if (venue->arenas && c->demo)
        arenas_demo(venue->arenas);
    return venue->arenas != NULL;
}

struct venue *venue_new(struct loop *loop, const struct venue_config *config, struct err *err) {
    struct venue *venue = mem_new(1, sizeof *venue);
    venue->loop = loop;
    venue->config = *config;
    venue->live = (struct live){.wake = config->wake, .find = find_topic, .owner = venue};
    topic_init(&venue->topic, "hall", write_venue, venue);
    venue->timer = timer_new(loop, tick, venue);
    if (!make_folders(venue, err)) {
        venue_free(venue);
        return NULL;
    }
    open_lobby(venue);
    venue->house = (struct room_house){.loop = loop,
                                       .lobby = venue->lobby,
                                       .live = &venue->live,
                                       .players = venue->players,
                                       .program = config->program,
                                       .kits = config->kits,
                                       .ended = ended,
                                       .changed = changed,
                                       .spares = spares,
                                       .owner = venue};
    venue->jobs = jobs_new(&venue->house);
    if (!open_arenas(venue, err)) {
        venue_free(venue);
        return NULL;
    }
    timer_set(venue->timer, clock_now_us() + TICK_US);
    return venue;
}

void venue_free(struct venue *venue) {
    if (!venue)
        return;
    while (venue->rooms)
        remove_room(venue, venue->rooms);
    jobs_free(venue->jobs);
    arenas_free(venue->arenas);
    topic_done(&venue->topic, &venue->live);
    lobby_free(venue->lobby);
    shelf_close(venue->shelf);
    timer_free(venue->timer);
    free(venue);
}

static int64_t last_us(const struct room *room) {
    return room->idle_us > room->since_us ? room->idle_us : room->since_us;
}

// The game that nobody watches and where nothing has happened for the longest time; NULL: all are
// watched.
static struct room *find_forgotten(const struct venue *venue) {
    struct room *found = NULL;
    for (struct room *room = venue->rooms; room; room = room->next)
        if (room->topic.watcher_count == 0 && (!found || last_us(room) < last_us(found)))
            found = room;
    return found;
}

struct room *venue_begin(struct venue *venue, const json_t *plan, struct err *err) {
    char id[ROOM_ID_MAX];
    int running = 0;
    for (const struct room *room = venue->rooms; room; room = room->next)
        running++;
    struct room *forgotten = running >= ROOMS_MAX ? find_forgotten(venue) : NULL;
    if (running >= ROOMS_MAX && !forgotten) {
        err_set(err, "%d games are open, which is all there is room for", running);
        return NULL;
    }
    shelf_draw_id(venue->shelf, id, sizeof id);
    struct room *room = room_new(&venue->house, id, plan, err);
    if (!room)
        return NULL;
    if (forgotten)
        remove_room(venue, forgotten);
    room->next = venue->rooms;
    venue->rooms = room;
    changed(venue);
    return room;
}

struct room *venue_again(struct venue *venue, struct room *room, struct err *err) {
    struct room *known = *room->next_id ? venue_find(venue, room->next_id) : NULL;
    if (known)
        return known;
    json_t *plan = room_plan_again(room);
    if (room->old) { // its players are sent away, so that a team is free for the next game
        table_free(room->old);
        room->old = NULL;
    }
    struct room *fresh = venue_begin(venue, plan, err);
    json_decref(plan);
    if (!fresh)
        return NULL;
    snprintf(room->next_id, ROOM_ID_MAX, "%s", fresh->id);
    topic_publish(&room->topic, &venue->live, NULL);
    return fresh;
}

struct room *venue_find(const struct venue *venue, const char *id) {
    for (struct room *room = venue->rooms; room; room = room->next)
        if (strcmp(room->id, id) == 0)
            return room;
    return NULL;
}

// The record of a game that nobody refereed: the rules alone say how it ended.
static json_t *record_of(const struct ruleset *rules, const json_t *played, struct err *err) {
    const struct game *game = rules->game;
    const json_t *moves = json_object_get(played, "moves"), *ms = json_object_get(played, "ms"),
                 *names = json_object_get(played, "names");
    union game_state state;
    char why[WHY_TEXT_MAX];
    json_t *texts = json_array(), *times = json_array();
    game->start(&state, rules, NULL, why);
    for (size_t i = 0; i < json_array_size(moves) && !err->set; i++) {
        const char *one = json_string_value(json_array_get(moves, i));
        move m;
        const char *wrong = one ? game->read_move(&state, one, &m) : "a move is a text";
        char text[MOVE_TEXT_MAX];
        if (!wrong && !(wrong = game->illegal(&state, m)))
            game->write_move(&state, m, text);
        if (wrong || (wrong = game_play(game, &state, m))) {
            err_set(err, "move %zu: %s", i + 1, wrong);
            continue;
        }
        json_array_append_new(texts, json_text(text));
        json_array_append_new(times, json_real(json_number_value(json_array_get(ms, i))));
    }
    const struct outcome outcome = game->outcome(&state);
    if (!err->set && outcome.ending == ENDING_RUNNING)
        err_set(err, "the game is not over");
    int scores[2];
    game->scores(&state, scores);
    const char *name[2];
    for (size_t i = 0; i < 2; i++) {
        const char *given = json_string_value(json_array_get(names, i));
        name[i] = given && strlen(given) < SEAT_NAME_MAX ? given : "";
    }
    return json_pack("{s:s, s:[s, s], s:[o, o], s:i, s:o, s:s, s:n, s:i, s:o, s:o, s:o}", "game",
                     game->name, "players", "human", "human", "names", json_text(name[0]),
                     json_text(name[1]), "winner", outcome.winner, "scores",
                     game->has_scores ? json_pack("[i, i]", scores[0], scores[1]) : json_null(),
                     "reason", game_ending_word(game, outcome.ending), "verdict", "plies",
                     (int)json_array_size(texts), "moves", texts, "ms", times, "settings",
                     wish_settings(rules));
}

bool venue_keep(struct venue *venue, const json_t *played, char id[static ROOM_ID_MAX],
                struct err *err) {
    const char *name = json_string_value(json_object_get(played, "game"));
    const struct game *game = name ? game_find(name) : NULL;
    struct ruleset rules;
    if (!game)
        return err_set(err, "there is no such game");
    ruleset_init(&rules, game);
    if (!wish_set_rules(&rules, NULL, json_object_get(played, "set"), err))
        return false;
    json_t *record = record_of(&rules, played, err);
    shelf_draw_id(venue->shelf, id, ROOM_ID_MAX);
    if (!err->set)
        shelf_put(venue->shelf, id, record, err);
    json_decref(record);
    return !err->set;
}
