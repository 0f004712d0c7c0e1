// SPDX-License-Identifier: MIT
#include "web/platform.h"

#include "base/clock.h"
#include "base/mem.h"
#include "referee/record.h"
#include "web/game_request.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    TICK_US = 100000,
    PRACTICES_MAX = 64,
    TEAMS_MAX = 256,       // shown
    LINGER_US = 300000000, // a game that is over, or paused, and that nobody watches
    TRIM_US = 60000000,    // between two times that free memory is given back
    DAY_MS = 86400000,
};

json_t *platform_json(const struct platform *platform) {
    json_t *practices = json_array(), *teams = json_array();
    int32_t team[TEAMS_MAX];
    for (const struct practice *practice = platform->practices; practice; practice = practice->next)
        if (practice->shown.state != SHOWN_OVER)
            json_array_append_new(practices, shown_game_summary(&practice->shown));
    json_t *shows = hosted_contests_games(platform->contests);
    json_array_extend(practices, shows);
    json_decref(shows);
    const int count = platform->lobby ? lobby_teams(platform->lobby, team, TEAMS_MAX) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(teams, json_integer(team[i]));
    return json_pack("{s:o, s:o, s:o, s:i}", "games", practices, "teams", teams, "contests",
                     hosted_contests_list(platform->contests), "judge_port",
                     platform->lobby ? lobby_port(platform->lobby) : 0);
}

static void write_venue(void *owner, struct buf *out) {
    json_t *object = platform_json(owner);
    char *line = json_dumps(object, JSON_LINE);
    buf_text(out, line);
    free(line);
    json_decref(object);
}

static void platform_changed(void *owner) {
    struct platform *platform = owner;
    platform->topic_stale = true;
}

// Whose team plays in a contest that is not over comes to stay.
static bool platform_expects(void *owner, int32_t team) {
    const struct platform *platform = owner;
    return hosted_contests_expect(platform->contests, team);
}

static bool spares(void *owner, int32_t team, struct err *err) {
    const struct platform *platform = owner;
    return hosted_contests_spare(platform->contests, team, NULL, err);
}

static void platform_ended(void *owner, const char *id, const json_t *record) {
    struct platform *platform = owner;
    struct err err = {.set = false};
    if (!game_archive_put(platform->archive, id, record, &err))
        platform->config.note(platform->config.owner, err.text);
}

static void platform_lobby_note(void *owner, const char *words) {
    struct platform *platform = owner;
    platform->config.note(platform->config.owner, words);
}

static struct topic *find_topic(void *owner, const char *name) {
    struct platform *platform = owner;
    if (strcmp(name, platform->topic.name) == 0)
        return &platform->topic;
    for (struct practice *practice = platform->practices; practice; practice = practice->next)
        if (strcmp(name, practice->shown.topic.name) == 0)
            return &practice->shown.topic;
    return hosted_contests_topic(platform->contests, name);
}

static void remove_practice(struct platform *platform, struct practice *practice) {
    struct practice **at = &platform->practices;
    while (*at != practice)
        at = &(*at)->next;
    *at = practice->next;
    practice_free(practice);
    platform_changed(platform);
}

static bool is_idle(const struct practice *practice, int64_t now_us) {
    const bool resting =
        practice->shown.state == SHOWN_OVER || practice->shown.state == SHOWN_PAUSED;
    return resting && practice->shown.topic.watcher_count == 0 &&
           now_us - practice->idle_us > LINGER_US;
}

static void platform_tick(void *owner, int64_t now_us) {
    struct platform *platform = owner;
    for (struct practice *practice = platform->practices, *next; practice; practice = next) {
        next = practice->next;
        practice_clear(practice);
        if (is_idle(practice, now_us))
            remove_practice(platform, practice);
    }
    tasks_tick(platform->tasks, now_us);
    hosted_contests_tick(platform->contests, now_us);
    if (now_us - platform->trimmed_us >
        TRIM_US) { // games come and go; malloc would keep what they had
        malloc_trim(0);
        platform->trimmed_us = now_us;
    }
    if (platform->topic_stale)
        topic_publish(&platform->topic, &platform->live, NULL);
    platform->topic_stale = false;
    timer_set(platform->timer, now_us + TICK_US);
}

static bool make_folders(struct platform *platform, struct err *err) {
    const char *data = platform->config.data;
    snprintf(platform->players, sizeof platform->players, "%.3900s/players", data);
    const char *const folders[] = {data, platform->players};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0700) != 0 && errno != EEXIST)
            return err_set(err, "cannot make the folder %.300s: %s", folders[i], strerror(errno));
    char store[4096];
    snprintf(store, sizeof store, "%.3900s/arbiter.db", data);
    platform->archive = game_archive_open(store, err);
    return platform->archive != NULL;
}

// Another judge may own the port: then there are no teams, and it is said.
static void open_lobby(struct platform *platform) {
    struct err err = {.set = false};
    if (platform->config.judge_port == 0)
        return;
    platform->lobby = lobby_new(platform->loop, platform->config.address,
                                platform->config.judge_port, platform_lobby_note, platform, &err);
    if (platform->lobby) {
        lobby_keep(platform->lobby, platform_changed);
        lobby_expect(platform->lobby, platform_expects);
        platform->config.restart->judge_port = lobby_port(platform->lobby);
    } else {
        platform->config.note(platform->config.owner, err.text);
    }
}

static bool open_arenas(struct platform *platform, struct err *err) {
    const struct platform_config *c = &platform->config;
    const struct hosting hosting = {.services = &platform->services,
                                    .archive = platform->archive,
                                    .restart = c->restart,
                                    .note = c->note,
                                    .owner = c->owner};
    char path[4096];
    snprintf(path, sizeof path, "%.3900s/contests", c->data);
    platform->contests = hosted_contests_new(path, &hosting, c->again, err);
    if (platform->contests && c->demo)
        hosted_contests_demo(platform->contests);
    return platform->contests != NULL;
}

struct platform *platform_new(struct loop *loop, const struct platform_config *config,
                              struct err *err) {
    struct platform *platform = mem_new(1, sizeof *platform);
    platform->loop = loop;
    platform->config = *config;
    platform->live = (struct live){.wake = config->wake, .find = find_topic, .owner = platform};
    topic_init(&platform->topic, "hall", write_venue, platform);
    platform->timer = timer_new(loop, platform_tick, platform);
    if (!make_folders(platform, err)) {
        platform_free(platform);
        return NULL;
    }
    open_lobby(platform);
    platform->services = (struct services){.loop = loop,
                                           .lobby = platform->lobby,
                                           .live = &platform->live,
                                           .players = platform->players,
                                           .program = config->program,
                                           .kits = config->kits,
                                           .ended = platform_ended,
                                           .changed = platform_changed,
                                           .spares = spares,
                                           .owner = platform};
    platform->tasks = tasks_new(&platform->services);
    if (!open_arenas(platform, err)) {
        platform_free(platform);
        return NULL;
    }
    timer_set(platform->timer, clock_now_us() + TICK_US);
    return platform;
}

void platform_free(struct platform *platform) {
    if (!platform)
        return;
    while (platform->practices)
        remove_practice(platform, platform->practices);
    tasks_free(platform->tasks);
    hosted_contests_free(platform->contests);
    topic_done(&platform->topic, &platform->live);
    lobby_free(platform->lobby);
    game_archive_close(platform->archive);
    timer_free(platform->timer);
    free(platform);
}

static int64_t last_us(const struct practice *practice) {
    return practice->idle_us > practice->shown.since_us ? practice->idle_us
                                                        : practice->shown.since_us;
}

// The game that nobody watches and where nothing has happened for the longest time; NULL: all are
// watched.
static struct practice *find_forgotten(const struct platform *platform) {
    struct practice *found = NULL;
    for (struct practice *practice = platform->practices; practice; practice = practice->next)
        if (practice->shown.topic.watcher_count == 0 &&
            (!found || last_us(practice) < last_us(found)))
            found = practice;
    return found;
}

struct practice *platform_begin(struct platform *platform, const json_t *plan, struct err *err) {
    char id[GAME_ID_MAX];
    int running = 0;
    for (const struct practice *practice = platform->practices; practice; practice = practice->next)
        running++;
    struct practice *forgotten = running >= PRACTICES_MAX ? find_forgotten(platform) : NULL;
    if (running >= PRACTICES_MAX && !forgotten) {
        err_set(err, "%d games are open, which is all there is room for", running);
        return NULL;
    }
    game_archive_draw_id(platform->archive, id, sizeof id);
    struct practice *practice = practice_new(&platform->services, id, plan, err);
    if (!practice)
        return NULL;
    if (forgotten)
        remove_practice(platform, forgotten);
    practice->next = platform->practices;
    platform->practices = practice;
    platform_changed(platform);
    return practice;
}

struct practice *platform_again(struct platform *platform, struct practice *practice,
                                struct err *err) {
    struct practice *known =
        *practice->shown.next_id ? platform_find(platform, practice->shown.next_id) : NULL;
    if (known)
        return known;
    json_t *plan = practice_plan_again(practice);
    practice_clear(practice); // so that a team is free for the next game
    struct practice *fresh = platform_begin(platform, plan, err);
    json_decref(plan);
    if (!fresh)
        return NULL;
    snprintf(practice->shown.next_id, GAME_ID_MAX, "%s", fresh->shown.id);
    topic_publish(&practice->shown.topic, &platform->live, NULL);
    return fresh;
}

struct practice *platform_find(const struct platform *platform, const char *id) {
    for (struct practice *practice = platform->practices; practice; practice = practice->next)
        if (strcmp(practice->shown.id, id) == 0)
            return practice;
    return NULL;
}

// Plays one turn of a game that people have played by themselves, from the move at `at` on; returns
// where the next one begins.
static size_t play_turn(struct match *match, const struct game *game, const json_t *played,
                        size_t at, int64_t *now_us, struct err *err) {
    const json_t *moves = json_object_get(played, "moves"), *ms = json_object_get(played, "ms");
    struct buf turn = {.data = NULL};
    union game_state state;
    memcpy(&state, match_state(match), game->state_size);
    const size_t end = at + (size_t)game->due(&state);
    while (at < end && at < json_array_size(moves) && !err->set && !game_is_over(game, &state)) {
        const char *one = json_string_value(json_array_get(moves, at));
        const double took_ms = json_number_value(json_array_get(ms, at));
        move m;
        const char *wrong = one ? game->read_move(&state, one, &m) : "a move is a text";
        if (wrong || (wrong = game->illegal(&state, m)) || (wrong = game_play(game, &state, m)))
            err_set(err, "move %zu: %s", at + 1, wrong);
        else
            buf_format(&turn, "%s%s", turn.length ? ";" : "", one);
        *now_us += took_ms > 0 && took_ms < DAY_MS ? (int64_t)(took_ms * 1000) : 0;
        at++;
    }
    if (!err->set && at < end && !game_is_over(game, &state))
        err_set(err, "the game is not over");
    if (!err->set)
        match_play(match, match_awaits(match), turn.data, *now_us);
    buf_done(&turn);
    return at;
}

// The record of a game that nobody refereed: the rules alone say how it ended.
static json_t *record_of(const struct ruleset *rules, const json_t *played, struct err *err) {
    struct match_config config = {.rules = *rules, .number = 1, .untimed = {true, true}};
    const struct conditions none = {.blocks = -1};
    struct player_limits limits;
    struct record_info info = {.players = {"human", "human"},
                               .number = 1,
                               .conditions = &none,
                               .limits = &limits,
                               .ponder_us = {-1, -1}};
    const json_t *names = json_object_get(played, "names");
    const size_t plies = json_array_size(json_object_get(played, "moves"));
    int64_t now_us = 0;
    penalties_init(&config.penalties, rules->game);
    struct match *match = match_new(&config, NULL, NULL);
    player_limits_init(&limits, rules->game);
    for (size_t i = 0; i < 2; i++) {
        const char *given = json_string_value(json_array_get(names, i));
        info.names[i] = given && strlen(given) < SEAT_NAME_MAX ? given : "";
    }
    match_start(match, now_us);
    match_joined(match, BLACK, now_us);
    match_joined(match, WHITE, now_us);
    for (size_t at = 0; at < plies && !err->set;)
        if (match_is_over(match))
            err_set(err, "move %zu: %s", at + 1, "the game is over");
        else
            at = play_turn(match, rules->game, played, at, &now_us, err);
    if (!err->set && !match_is_over(match))
        err_set(err, "the game is not over");
    json_t *record = err->set ? NULL : record_make(match, &config, &info);
    match_free(match);
    return record;
}

bool platform_keep(struct platform *platform, const json_t *played, char id[static GAME_ID_MAX],
                   struct err *err) {
    const char *name = json_string_value(json_object_get(played, "game"));
    const struct game *game = name ? game_find(name) : NULL;
    struct ruleset rules;
    if (!game)
        return err_set(err, "there is no such game");
    ruleset_init(&rules, game);
    if (!game_request_set_rules(&rules, NULL, json_object_get(played, "set"), err))
        return false;
    json_t *record = record_of(&rules, played, err);
    game_archive_draw_id(platform->archive, id, GAME_ID_MAX);
    if (!err->set)
        game_archive_put(platform->archive, id, record, err);
    json_decref(record);
    return !err->set;
}
