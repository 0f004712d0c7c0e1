// SPDX-License-Identifier: MIT
// Nothing here waits: whatever takes its time is a child or a link on the loop, and ten times a
// second the tick does what must not be done from within a callback (sending players away, ending
// tasks) and publishes the lists if something in them has changed. A game of practice lives as long
// as one of its players is there; when there are too many, the one goes that was forgotten longest.
// Each that is under way has a file in the folder `playing`, written by the tick when something has
// happened and removed with the game: so it outlives the server, but for what came within the last
// tick. A game that two people played without the server is played again here, move by move, in a
// match without a clock: so its record is made as all are, and the rules alone say how it ended.
#include "web/platform.h"

#include "base/clock.h"
#include "base/mem.h"
#include "folder/proxy.h"
#include "referee/record.h"
#include "web/game_request.h"
#include "web/visitors.h"

#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TICK_US = 100000,
    PRACTICES_MAX = 64,
    TEAMS_MAX = 256,        // shown
    LINGER_US = 300000000,  // a game that rests, or where a person plays, and that nobody watches
    LINGER_LINK = 6,        // so many times as long, if somebody is waited for
    ASLEEP_US = 1800000000, // a game against an engine where the person does nothing
    SAVED_MAX = 1 << 20,    // bytes of a game's file
    TRIM_US = 60000000,     // between two times that free memory is given back
    DAY_MS = 86400000,
};

json_t *platform_json(const struct platform *p) {
    json_t *practices = json_array(), *teams = json_array();
    int32_t team[TEAMS_MAX];
    for (const struct practice *g = p->practices; g; g = g->next)
        if (g->shown.state != SHOWN_OVER && !g->free_seat)
            json_array_append_new(practices, shown_game_summary(&g->shown));
    hosted_contests_list_games(p->contests, practices);
    const int count = p->services.lobby ? lobby_teams(p->services.lobby, team, TEAMS_MAX) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(teams, json_integer(team[i]));
    return json_pack("{s:o, s:o, s:o, s:i}", "games", practices, "teams", teams, "contests",
                     hosted_contests_list(p->contests), "judge_port",
                     p->services.lobby ? lobby_port(p->services.lobby) : 0);
}

static void write_platform(void *owner, struct buf *out) { json_put(out, platform_json(owner)); }

static void platform_changed(void *owner) {
    struct platform *p = owner;
    p->topic_stale = true;
}

// Whose team plays in a contest that is not over comes to stay.
static bool platform_expects(void *owner, int32_t team) {
    const struct platform *p = owner;
    return hosted_contests_expect(p->contests, team);
}

static bool platform_spares(void *owner, int32_t team, struct err *err) {
    const struct platform *p = owner;
    return hosted_contests_spare(p->contests, team, NULL, err);
}

static void platform_note(void *owner, const char *words) {
    struct platform *p = owner;
    journal_write(p->services.journal, "%s", words);
    p->config->note(p->config->owner, words);
}

static struct buf file_of(const struct platform *p, const char *id) {
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s", p->playing, id);
    return path;
}

static void remove_file(const struct platform *p, const char *id) {
    struct buf path = file_of(p, id);
    unlink(path.data);
    buf_done(&path);
}

// Writes down how a game stands. One that is over is in the archive.
static void save_practice(const struct platform *p, struct practice *g) {
    struct err err = {.set = false};
    struct buf path = file_of(p, g->shown.id), text = {.data = NULL};
    g->stale = false;
    if (g->shown.state == SHOWN_OVER)
        unlink(path.data);
    else if (json_put(&text, practice_save(g)))
        secret_write(path.data, text.data, text.length, &err);
    services_note(&p->services, &err);
    buf_done(&path);
    buf_done(&text);
}

static void drop_practice(struct platform *p, struct practice *g) {
    struct practice **at = &p->practices;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    practice_free(g);
    platform_changed(p);
}

static void remove_practice(struct platform *p, struct practice *g) {
    remove_file(p, g->shown.id);
    drop_practice(p, g);
}

// Whether nobody will go on with it: whoever played it has not looked for long, or has done nothing
// while an engine waits for him.
static bool is_forsaken(const struct practice *g, int64_t now_us) {
    const int64_t linger_us = g->shown.link ? LINGER_LINK * (int64_t)LINGER_US : LINGER_US;
    const int64_t away_us = now_us - (g->idle_us > g->seen_us ? g->idle_us : g->seen_us);
    const bool resting = g->shown.state == SHOWN_OVER || g->shown.state == SHOWN_PAUSED;
    if (resting || practice_has_person(g))
        return away_us > linger_us || (g->of_visitor && !resting && practice_has_engine(g) &&
                                       now_us - g->shown.since_us > ASLEEP_US);
    return false;
}

// Who watches does not play: a game in which a person plays is there for its players. One that is
// over, or that programs play, is for whoever watches.
static bool is_attended(const struct practice *g) {
    const bool watched = g->shown.topic.watcher_count > 0;
    return g->attended || (watched && (g->shown.state == SHOWN_OVER || !practice_has_person(g)));
}

void platform_sweep(struct platform *p, int64_t now_us) {
    for (struct practice *g = p->practices, *next; g; g = next) {
        next = g->next;
        practice_clear(g);
        const bool over = g->shown.state == SHOWN_OVER;
        if (is_attended(g))
            g->seen_us = now_us;
        g->attended = false;
        if (is_forsaken(g, now_us) && (over || !practice_leave(g)))
            remove_practice(p, g);
        else if (g->stale)
            save_practice(p, g);
    }
}

static void platform_tick(void *owner, int64_t now_us) {
    struct platform *p = owner;
    platform_sweep(p, now_us);
    tasks_tick(p->tasks, now_us);
    hosted_contests_tick(p->contests, now_us);
    if (now_us - p->trimmed_us > TRIM_US) { // games come and go; malloc would keep what they had
        malloc_trim(0);
        p->trimmed_us = now_us;
    }
    if (p->topic_stale)
        topic_publish(&p->topic, NULL);
    p->topic_stale = false;
    timer_set(p->timer, now_us + TICK_US);
}

static bool make_folders(struct platform *p, struct err *err) {
    const char *data = p->config->data;
    snprintf(p->players, sizeof p->players, "%.3900s/players", data);
    snprintf(p->playing, sizeof p->playing, "%.3900s/playing", data);
    snprintf(p->logs, sizeof p->logs, "%.3900s/logs", data);
    const char *const folders[] = {data, p->players, p->playing, p->logs};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0700) != 0 && errno != EEXIST)
            return err_set(err, "cannot make the folder %.300s: %s", folders[i], strerror(errno));
    char store[4096];
    snprintf(store, sizeof store, "%.3900s/arbiter.db", data);
    p->services.archive = game_archive_open(store, err);
    return p->services.archive != NULL;
}

// Another judge may own the port: then there are no teams, and it is said.
static bool open_lobby(struct platform *p) {
    struct err err = {.set = false};
    if (p->config->judge_port == 0)
        return true;
    p->services.lobby = lobby_new(p->services.loop, p->config->address, p->config->judge_port,
                                  platform_note, p, &err);
    if (p->services.lobby) {
        lobby_keep(p->services.lobby, platform_changed);
        lobby_expect(p->services.lobby, platform_expects);
        p->config->restart->judge_port = lobby_port(p->services.lobby);
    }
    services_note(&p->services, &err);
    return true;
}

static bool open_contests(struct platform *p, struct err *err) {
    char path[4096];
    snprintf(path, sizeof path, "%.3900s/contests", p->config->data);
    p->contests = hosted_contests_new(path, &p->services, p->config->again, err);
    if (p->contests && p->config->demo)
        hosted_contests_demo(p->contests);
    return p->contests != NULL;
}

static void add_practice(struct platform *p, struct practice *g) {
    g->next = p->practices;
    p->practices = g;
    platform_changed(p);
}

static void resume_practice(struct platform *p, const char *id) {
    struct err err = {.set = false};
    struct buf path = file_of(p, id), text = {.data = NULL};
    secret_read(path.data, SAVED_MAX, &text, &err);
    json_t *saved = text.data ? json_loadb(text.data, text.length, 0, NULL) : NULL;
    struct practice *g = saved ? practice_resume(&p->services, id, saved, &err) : NULL;
    if (g) {
        const struct logged_game logged = shown_game_logged(&g->shown);
        add_practice(p, g);
        services_log_game(&p->services, &logged, "goes on");
    } else {
        unlink(path.data);
    }
    services_note(&p->services, &err);
    json_decref(saved);
    buf_done(&path);
    buf_done(&text);
}

static int is_game(const struct dirent *entry) { return game_archive_is_id(entry->d_name); }

// Games that were under way when the server ended, however it did.
static bool resume_practices(struct platform *p) {
    struct dirent **entries;
    const int count = scandir(p->playing, &entries, is_game, alphasort);
    for (int i = 0; i < count; i++) {
        if (i < PRACTICES_MAX)
            resume_practice(p, entries[i]->d_name);
        else
            remove_file(p, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return true;
}

static bool open_journal(struct platform *p) {
    p->services.journal = journal_open(p->config->data);
    if (!p->services.journal)
        platform_note(p,
                      "log.txt in the data folder cannot be written: what happens is not logged");
    journal_write(p->services.journal, "the server has started%s",
                  p->config->again ? " again after a fall" : "");
    return true;
}

struct platform *platform_new(struct loop *loop, const struct server_config *config,
                              void (*wake)(void *connection), struct err *err) {
    struct platform *p = mem_new(1, sizeof *p);
    p->config = config;
    switches_load(&p->switches, config);
    p->keeping =
        (struct rate){.burst = VISITORS_KEPT_AN_HOUR, .per_second = VISITORS_KEPT_AN_HOUR / 3600.0};
    p->live.wake = wake;
    p->services = (struct services){.loop = loop,
                                    .live = &p->live,
                                    .restart = config->restart,
                                    .players = p->players,
                                    .logs = p->logs,
                                    .program = config->program,
                                    .kits = config->kits,
                                    .box = mem_new(1, sizeof(struct box)),
                                    .changed = platform_changed,
                                    .note = platform_note,
                                    .spares = platform_spares,
                                    .owner = p};
    topic_init(&p->topic, &p->live, "hall", write_platform, p);
    p->timer = timer_new(loop, platform_tick, p);
    p->tasks = tasks_new(&p->services);
    if (make_folders(p, err) && open_journal(p) && open_lobby(p) && open_contests(p, err) &&
        resume_practices(p)) {
        timer_set(p->timer, clock_now_us() + TICK_US);
        return p;
    }
    platform_free(p);
    return NULL;
}

void platform_free(struct platform *p) {
    if (!p)
        return;
    while (p->practices) {
        if (p->practices->stale)
            save_practice(p, p->practices);
        drop_practice(p, p->practices);
    }
    tasks_free(p->tasks);
    hosted_contests_free(p->contests);
    topic_done(&p->topic);
    lobby_free(p->services.lobby);
    game_archive_close(p->services.archive);
    journal_write(p->services.journal, "the server has ended");
    journal_close(p->services.journal);
    box_done(p->services.box);
    free(p->services.box);
    timer_free(p->timer);
    free(p);
}

static int64_t last_us(const struct practice *g) {
    return g->idle_us > g->shown.since_us ? g->idle_us : g->shown.since_us;
}

// Of the games that nobody watches, whose to give way is: those of visitors before the organiser's,
// which no visitor's takes the place of, and among them the one where nothing has happened for the
// longest time. NULL: none.
static struct practice *find_forgotten(const struct platform *p, bool for_organiser) {
    struct practice *found = NULL;
    for (struct practice *g = p->practices; g; g = g->next) {
        if (g->shown.topic.watcher_count > 0 || (!g->of_visitor && !for_organiser))
            continue;
        const bool sooner =
            !found ||
            (g->of_visitor == found->of_visitor ? last_us(g) < last_us(found) : g->of_visitor);
        found = sooner ? g : found;
    }
    return found;
}

struct practice *platform_begin(struct platform *p, const json_t *plan,
                                const struct practice_asker *maker, struct err *err) {
    char id[GAME_ID_MAX];
    int running = 0;
    if (!maker->organiser && !visitors_may_begin(p, plan, maker, err))
        return NULL;
    for (const struct practice *g = p->practices; g; g = g->next)
        running++;
    struct practice *forgotten =
        running >= PRACTICES_MAX ? find_forgotten(p, maker->organiser) : NULL;
    if (running >= PRACTICES_MAX && !forgotten) {
        err_set(err, "%d games are open, which is all there is room for", running);
        return NULL;
    }
    game_archive_draw_id(p->services.archive, id, sizeof id);
    struct practice *g = practice_new(&p->services, id, plan, maker, err);
    if (!g)
        return NULL;
    if (forgotten)
        remove_practice(p, forgotten);
    add_practice(p, g);
    const struct logged_game logged = shown_game_logged(&g->shown);
    services_log_game(&p->services, &logged, "%s, by %s at %s",
                      g->free_seat ? "waits for a guest" : "begins",
                      maker->organiser ? "the organiser" : "a visitor", maker->address);
    return g;
}

bool platform_leave(struct platform *p, struct practice *g, int seats, struct err *err) {
    if (g->shown.link && g->sitting && seats != 3)
        return err_set(err, "that is not for one of two players alone");
    if (g->shown.state == SHOWN_OVER)
        return err_set(err, "the game is over");
    if (practice_leave(g))
        practice_clear(g); // so that a team is free at once
    else
        remove_practice(p, g);
    return true;
}

struct practice *platform_again(struct platform *p, struct practice *g, int seats,
                                const struct practice_asker *asker, struct err *err) {
    struct practice *known = *g->shown.next_id ? platform_find(p, g->shown.next_id) : NULL;
    if (known)
        return known;
    if (g->shown.state != SHOWN_OVER) {
        err_set(err, "the game is not over");
        return NULL;
    }
    if (!practice_want_again(g, seats))
        return NULL;
    json_t *plan = practice_plan_again(g);
    practice_clear(g); // so that a team is free for the next game
    struct practice *fresh = platform_begin(p, plan, asker, err);
    json_decref(plan);
    if (!fresh)
        return NULL;
    fresh->shown.link = g->shown.link;
    for (int i = 0; i < 2; i++)
        memcpy(fresh->holder[i], g->holder[1 - i], SECRET_TEXT_MAX);
    snprintf(g->shown.next_id, GAME_ID_MAX, "%s", fresh->shown.id);
    topic_publish(&g->shown.topic, NULL);
    return fresh;
}

struct practice *platform_find(const struct platform *p, const char *id) {
    for (struct practice *g = p->practices; g; g = g->next)
        if (strcmp(g->shown.id, id) == 0)
            return g;
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
    const char *failure = proxy_failure(game);
    if (failure)
        err_set(err, "%s", failure);
    else if (at < end && !game_is_over(game, &state))
        err_set(err, "the game is not over");
    if (!err->set)
        match_play(match, match_awaits(match), turn.data, *now_us);
    buf_done(&turn);
    return at;
}

// Whether there can be one more move.
static bool goes_on(const struct match *match, size_t at, struct err *err) {
    int unused;
    const char *fault = match_platform_fault(match, &unused);
    if (fault)
        err_set(err, "%s", fault);
    else if (match_is_over(match))
        err_set(err, "move %zu: %s", at + 1, "the game is over");
    return !err->set;
}

// The record of a game that nobody refereed: the rules alone say how it ended, or who gave it up.
static json_t *record_of(const struct ruleset *rules, const json_t *played, struct err *err) {
    struct match_config config = {.rules = *rules, .number = 1, .untimed = {true, true}};
    const struct conditions none = {.blocks = -1};
    struct player_limits limits;
    struct record_info info = {.players = {"human", "human"},
                               .number = 1,
                               .conditions = &none,
                               .limits = &limits,
                               .ponder_us = {-1, -1}};
    const size_t plies = json_array_size(json_object_get(played, "moves"));
    int64_t now_us = 0, resigned;
    int unused;
    penalties_init(&config.penalties, rules->game);
    struct match *match = match_new(&config, NULL, NULL);
    player_limits_init(&limits, rules->game);
    for (size_t i = 0; i < 2; i++) {
        const char *given = shown_game_text(played, "names", i);
        info.names[i] = given && strlen(given) < SEAT_NAME_MAX ? given : "";
    }
    if (!match) {
        const char *failure = proxy_failure(rules->game);
        err_set(err, "%s", failure ? failure : "the rules refuse to begin");
        return NULL;
    }
    match_start(match, now_us);
    match_joined(match, BLACK, now_us);
    match_joined(match, WHITE, now_us);
    for (size_t at = 0; at < plies && goes_on(match, at, err);)
        at = play_turn(match, rules->game, played, at, &now_us, err);
    if (json_whole(json_object_get(played, "resigned"), BLACK, WHITE, &resigned) &&
        !match_is_over(match) && !err->set)
        match_resign(match, (int)resigned);
    const char *fault = match_platform_fault(match, &unused);
    if (fault)
        err_set(err, "%s", fault);
    else if (!match_is_over(match))
        err_set(err, "the game is not over");
    json_t *record = err->set ? NULL : record_make(match, &config, &info);
    match_free(match);
    return record;
}

bool platform_keep(struct platform *p, const json_t *played, char id[static GAME_ID_MAX],
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
    game_archive_draw_id(p->services.archive, id, GAME_ID_MAX);
    if (!err->set)
        game_archive_put(p->services.archive, id, record, err);
    json_decref(record);
    return !err->set;
}
