// SPDX-License-Identifier: MIT
#include "contest/staff.h"

#include "base/clock.h"
#include "base/mem.h"
#include "contest/calibrate.h"
#include "contest/folder.h"
#include "contest/identity.h"
#include "referee/record.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { FAILURES_MAX = 3, FAILED_MAX = 256, TICK_MS = 250, REPLAYS_MAX = 5 };
enum { VERDICT_TEXT_MAX = 2 * EVIDENCE_MAX + 100 };

struct engagement {
    const struct plan *plan;
    struct lodging *lodgings;
};

// What is played at a table.
struct assignment {
    const struct engagement *engagement; // NULL: nothing
    struct stored_game game;
    char home[32];
    int64_t free_us; // since when the table had nothing to do but this
    int64_t fork_us; // when the process of its game was started
    int64_t told_us; // when its result was kept
};

struct failure {
    const struct plan *plan;
    int64_t number;
    int count;
};

struct staff {
    struct store *store;
    struct staff_options options;
    const struct staff_events *events;
    void *owner;
    char name[IDENTITY_MAX];
    int64_t speed, offset_us; // of the store's clock from ours
    struct hall *hall;
    int fitting;        // so many games at once the machine has memory and cores for
    int64_t lowered_us; // when it was found that they were too many
    struct assignment *tables;
    int watch, timer;
    struct engagement **contests;
    int contest_count;
    int64_t renewed_us;
    bool idle, idle_before;            // the last claim found nothing, since then or at that time
    struct failure failed[FAILED_MAX]; // games that were not played
    unsigned failed_next;
    struct staff_times times;
    struct err err;
};

static void note(const struct staff *s, const char *words) { s->events->note(s->owner, words); }

static int64_t now_there(const struct staff *s) { return clock_now_us() + s->offset_us; }

// What a fault says, in one line, behind what is in `text`.
static void put_fault(char text[static VERDICT_TEXT_MAX], const json_t *fault) {
    const char *word = json_string_value(json_object_get(fault, "word")),
               *evidence = json_string_value(json_object_get(fault, "evidence"));
    const size_t used = strlen(text);
    const bool white = json_integer_value(json_object_get(fault, "player")) == 2;
    if (!word)
        return;
    snprintf(text + used, VERDICT_TEXT_MAX - used, "%s%s %s%s%s", used ? "\n" : "",
             white ? "white" : "black", word, evidence && *evidence ? ": " : "",
             evidence ? evidence : "");
    for (char *c = text + used + (used > 0); *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

// The fault that decided a game, or where both have lost the last of each, a line each.
static const char *verdict_in(const json_t *record, char text[static VERDICT_TEXT_MAX]) {
    const json_t *faults = json_object_get(record, "faults"), *last[2] = {NULL, NULL};
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(faults); i++) {
        const json_t *fault = json_array_get(faults, i);
        last[json_integer_value(json_object_get(fault, "player")) == 2] = fault;
    }
    const char *reason = json_string_value(json_object_get(record, "reason"));
    const bool both = json_is_null(json_object_get(record, "winner")) && reason &&
                      finish_find(reason) == FINISH_FORFEIT;
    for (int i = 0; both && i < 2; i++)
        put_fault(text, last[i]);
    if (!both)
        put_fault(text, json_object_get(record, "verdict"));
    return text;
}

// A game has shown that the machine does not hold so many at once; those that were begun before
// that was known have shown nothing new.
static void lower(struct staff *s, const struct assignment *a) {
    char words[ERR_TEXT_MAX];
    if (a->fork_us < s->lowered_us || s->fitting <= 1)
        return;
    snprintf(words, sizeof words, "%d games at once are too many for this machine: %d from now on",
             s->fitting, s->fitting / 2);
    s->fitting /= 2;
    s->lowered_us = clock_now_us();
    note(s, words);
}

// A fault of the platform: nobody has lost, and it is played again.
static void break_off(struct staff *s, struct assignment *a, const json_t *record) {
    struct stored_game *g = &a->game;
    char words[ERR_TEXT_MAX], verdict[VERDICT_TEXT_MAX];
    bool ours, again;
    const char *who = record_platform_player(record) == 2 ? "white" : "black",
               *fault = record_platform_fault(record);
    snprintf(verdict, sizeof verdict, "%s platform: %s", who, fault);
    g->state = GAME_ANNULLED;
    g->winner = -1;
    g->verdict = verdict;
    if (!store_break_off(s->store, a->engagement->plan->name, g, REPLAYS_MAX, &ours, &again,
                         &s->err) ||
        !ours)
        return;
    snprintf(
        words, sizeof words, "game %lld was broken off by a fault of the platform: %s: %.300s; %s",
        (long long)g->number, who, fault,
        again ? "it is played again"
              : "that was too often: it counts for nobody, until the organiser has it replayed");
    note(s, words);
    lower(s, a);
    if (s->events->ended)
        s->events->ended(s->owner, a->engagement->plan, g);
    g->verdict = "";
}

static void keep_result(struct staff *s, struct assignment *a, const json_t *record) {
    const json_t *winner = json_object_get(record, "winner"),
                 *scores = json_object_get(record, "scores");
    char *line = record_line(record), verdict[VERDICT_TEXT_MAX];
    struct stored_game *g = &a->game;
    bool ours;
    g->state = GAME_DONE;
    g->winner = json_is_null(winner) ? -1 : json_int(winner, -1);
    for (size_t i = 0; i < 2; i++)
        g->scores[i] = json_int(json_array_get(scores, i), 0);
    g->plies = json_int(json_object_get(record, "plies"), 0);
    g->reason = json_string_value(json_object_get(record, "reason"));
    g->verdict = verdict_in(record, verdict);
    g->record = line;
    if (record_platform_fault(record))
        break_off(s, a, record);
    else if (store_finish(s->store, a->engagement->plan->name, g, &ours, &s->err) && ours &&
             s->events->ended)
        s->events->ended(s->owner, a->engagement->plan, g);
    g->reason = g->verdict = g->record = "";
    free(line);
}

static void ended(void *owner, int table, json_t *record, const struct hall_times *times) {
    struct staff *s = owner;
    struct assignment *a = &s->tables[table];
    if (!a->engagement)
        return;
    keep_result(s, a, record);
    a->told_us = clock_now_us();
    if (times->begin_us == 0) // there was no game
        return;
    s->times.games++;
    const int64_t start_us = times->begin_us + times->start_us - a->fork_us;
    s->times.start_us += start_us;
    s->times.play_us += times->play_us;
    s->times.rest_us += a->told_us - a->free_us - start_us - times->play_us;
}

// How often a game has failed here by now; those that failed long ago are forgotten.
static int count_failure(struct staff *s, const struct plan *plan, int64_t number) {
    struct failure *f = NULL;
    for (int i = 0; i < FAILED_MAX && !f; i++)
        if (s->failed[i].plan == plan && s->failed[i].number == number)
            f = &s->failed[i];
    if (!f) {
        f = &s->failed[s->failed_next++ % FAILED_MAX];
        *f = (struct failure){.plan = plan, .number = number};
    }
    return ++f->count;
}

// A game was not played: by a circumstance here, or because its referee was killed. It is tried
// again. If that happens again and again it is nobody's game, for one of the players kills its
// referee; or nobody can go on.
static void failed(void *owner, int table, const char *why, bool killed) {
    struct staff *s = owner;
    struct assignment *a = &s->tables[table];
    char words[ERR_TEXT_MAX];
    if (!a->engagement)
        return;
    const struct plan *plan = a->engagement->plan;
    const int64_t number = a->game.number;
    snprintf(words, sizeof words, "game %lld was not played: %.300s", (long long)number, why);
    note(s, words);
    store_release(s->store, plan->name, number, s->name, &s->err);
    if (count_failure(s, plan, number) < FAILURES_MAX)
        return;
    if (killed)
        store_award(s->store, plan->name, number, -1, why, &s->err);
    else
        err_set(&s->err, "%s", words);
}

static void moved(void *owner, int table, int ply, const char *words) {
    struct staff *s = owner;
    const struct assignment *a = &s->tables[table];
    if (a->engagement && s->events->moved)
        s->events->moved(s->owner, a->engagement->plan, a->game.number, ply, words);
}

static void team(void *owner, int table, int number, int port) {
    struct staff *s = owner;
    const struct assignment *a = &s->tables[table];
    if (a->engagement && s->events->team)
        s->events->team(s->owner, a->engagement->plan, number, port);
}

static void left(void *owner, int table) {
    struct staff *s = owner;
    struct assignment *a = &s->tables[table];
    if (a->told_us)
        s->times.end_us += clock_now_us() - a->told_us;
    *a = (struct assignment){.free_us = clock_now_us()};
    s->idle = false;
}

static void hall_note(void *owner, const char *words) { note(owner, words); }

static const struct hall_events hall_events = {.ended = ended,
                                               .failed = failed,
                                               .moved = moved,
                                               .team = team,
                                               .left = left,
                                               .note = hall_note};

static bool watch(struct staff *s, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(s->watch, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool set_watch(struct staff *s, struct err *err) {
    const struct itimerspec tick = {{0, TICK_MS * 1000000L}, {0, TICK_MS * 1000000L}};
    s->watch = epoll_create1(EPOLL_CLOEXEC);
    s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return (s->watch >= 0 && s->timer >= 0 && timerfd_settime(s->timer, 0, &tick, NULL) == 0 &&
            watch(s, s->timer) && watch(s, hall_fd(s->hall))) ||
           err_set(err, "cannot watch games: %s", strerror(errno));
}

struct staff *staff_new(struct store *store, const struct staff_options *options,
                        const struct staff_events *events, void *owner, struct err *err) {
    struct staff *s = mem_new(1, sizeof *s);
    int64_t there;
    *s = (struct staff){.store = store, .options = *options, .events = events, .owner = owner};
    s->fitting = options->jobs;
    s->watch = s->timer = -1;
    s->tables = mem_new((size_t)options->jobs + 1, sizeof *s->tables);
    identity_name(s->name);
    s->speed = calibrate();
    s->hall = hall_new(options->jobs, &hall_events, s, err);
    if (s->hall && set_watch(s, err) && store_now(store, &there, err) &&
        store_note_worker(store, s->name, s->speed, there, err)) {
        s->offset_us = there - clock_now_us();
        return s;
    }
    staff_free(s);
    return NULL;
}

// Says of all games under way that they are; one that is not ours any more is broken off.
static void renew(struct staff *s) {
    const int64_t now = clock_now_us();
    if (now - s->renewed_us < s->options.lease_us / 4)
        return;
    s->renewed_us = now;
    for (int i = 0; i < s->options.jobs && !s->err.set; i++) {
        const struct assignment *a = &s->tables[i];
        bool ours = true;
        if (!a->engagement || a->told_us)
            continue;
        if (store_renew(s->store, a->engagement->plan->name, a->game.number, s->name,
                        now_there(s) + s->options.lease_us, &ours, &s->err) &&
            !ours)
            hall_stop(s->hall, i);
    }
}

// Games of a process of this machine that is no more are given back at once.
struct census {
    char (*dead)[IDENTITY_MAX];
    int count;
};

static void take_census(void *owner, const char *worker) {
    struct census *c = owner;
    if (!identity_is_dead(worker))
        return;
    c->dead = mem_resize(c->dead, (size_t)(c->count + 1) * sizeof *c->dead);
    snprintf(c->dead[c->count++], IDENTITY_MAX, "%s", worker);
}

static bool bury_dead(struct staff *s, const char *contest, struct err *err) {
    struct census census = {.count = 0};
    bool good = store_workers(s->store, contest, take_census, &census, err);
    for (int i = 0; good && i < census.count; i++)
        good = store_release_all(s->store, contest, census.dead[i], err);
    free(census.dead);
    return good;
}

// While players are built: games go on, and whoever waits for us may break it off.
static bool wait_meanwhile(void *owner) {
    struct staff *s = owner;
    hall_work(s->hall);
    renew(s);
    return !s->events->stop || !s->events->stop(s->owner);
}

// Where no game is played nothing needs to be built.
static struct lodging *lodge(struct staff *s, const struct plan *plan, struct err *err) {
    const struct staff_options *o = &s->options;
    const struct lodging_means means = {
        .box = o->box, .kits = o->kits, .note = hall_note, .wait = wait_meanwhile, .owner = s};
    if (o->jobs == 0)
        return mem_new((size_t)plan->player_count, sizeof(struct lodging));
    return folder_lodge_all(plan, s->store, &means, err);
}

// The memory of all players at once must be there: the contest's own limit takes fewer games.
static bool fit_memory(struct staff *s, const struct plan *plan, struct err *err) {
    const struct player_limits_room room = {.game = plan->rules.game,
                                            .memory = box_machine_memory(),
                                            .players = plan->strangers,
                                            .games = s->options.jobs};
    struct player_limits limits = plan->limits;
    char words[PLAYER_LIMITS_WORDS] = "";
    limits.box = s->options.box;
    const int fitting = s->options.jobs > 0 ? player_limits_fit(&limits, &room, words, err) : 0;
    if (*words)
        note(s, words);
    if (fitting < s->fitting)
        s->fitting = fitting;
    return fitting > 0 || s->options.jobs == 0;
}

bool staff_add(struct staff *s, const struct plan *plan, struct err *err) {
    if (!fit_memory(s, plan, err))
        return false;
    struct engagement *e = mem_new(1, sizeof *e);
    e->plan = plan;
    e->lodgings = lodge(s, plan, err);
    if (!e->lodgings) {
        free(e);
        return false;
    }
    s->contests =
        mem_resize(s->contests, (size_t)(s->contest_count + 1) * sizeof(struct engagement *));
    s->contests[s->contest_count++] = e;
    s->idle = false;
    return bury_dead(s, plan->name, err);
}

struct taking {
    struct assignment *assignment;
    bool taken;
};

static void take(void *owner, const struct stored_game *game) {
    struct taking *t = owner;
    struct assignment *a = t->assignment;
    t->taken = true;
    a->game = *game;
    snprintf(a->home, sizeof a->home, "%s", game->home);
    a->game.home = a->home;
    a->game.reason = a->game.verdict = a->game.record = "";
}

static bool home_is_taken(const struct staff *s) {
    for (int i = 0; i < s->options.jobs; i++)
        if (s->tables[i].engagement && *s->tables[i].home)
            return true;
    return false;
}

static struct lodging lodging_of(const struct engagement *e, int player) {
    return player >= 0 ? e->lodgings[player] : (struct lodging){.folder = NULL};
}

static bool begin(struct staff *s, int table) {
    struct assignment *a = &s->tables[table];
    a->fork_us = clock_now_us();
    const struct play_job job = {
        .plan = a->engagement->plan,
        .game = &a->game,
        .lodging = {lodging_of(a->engagement, a->game.black),
                    lodging_of(a->engagement, a->game.white)},
        .program = s->options.program,
        .box = s->options.box,
        .place = table,
        .cores = s->options.cores,
        .alone = s->options.jobs == 1,
        .live = s->options.live,
        .lent = s->options.lent,
    };
    if (!hall_begin(s->hall, table, &job, &s->err))
        return false;
    if (s->events->began)
        s->events->began(s->owner, a->engagement->plan, &a->game);
    return true;
}

// Claims a game of any contest for a table; false if there is none, or with an error.
static bool claim(struct staff *s, int table) {
    struct assignment *a = &s->tables[table];
    const int64_t now = now_there(s);
    const char *home = s->options.is_home && !home_is_taken(s) ? "runner" : "";
    for (int i = 0; i < s->contest_count; i++) {
        struct taking t = {.assignment = a};
        const char *name = s->contests[i]->plan->name;
        if (!store_claim(s->store, name, s->name, home, now, now + s->options.lease_us, take, &t,
                         &s->err))
            return false;
        if (t.taken) {
            a->engagement = s->contests[i];
            a->game.worker = s->name;
            a->game.speed = s->speed;
            return true;
        }
    }
    return false;
}

static void claim_all(struct staff *s) {
    for (int table; !s->err.set && hall_busy(s->hall) < s->fitting &&
                    (table = hall_free_table(s->hall)) >= 0;) {
        renew(s); // to begin many on a busy machine takes longer than a lease
        if (s->idle_before || s->tables[table].free_us == 0)
            s->tables[table].free_us = clock_now_us();
        if (!claim(s, table)) {
            s->idle = s->idle_before = true;
            return;
        }
        s->idle_before = false;
        begin(s, table);
        if (hall_busy(s->hall) > s->times.most)
            s->times.most = hall_busy(s->hall);
    }
}

bool staff_work(struct staff *s, bool more, struct err *err) {
    uint64_t ticks;
    if (read(s->timer, &ticks, sizeof ticks) > 0)
        s->idle = false;
    hall_work(s->hall);
    renew(s);
    if (more && !s->idle && !s->err.set)
        claim_all(s);
    return !s->err.set || err_set(err, "%s", s->err.text);
}

const char *staff_name(const struct staff *s) { return s->name; }
int staff_fd(const struct staff *s) { return s->watch; }
int staff_busy(const struct staff *s) { return hall_busy(s->hall); }
bool staff_is_idle(const struct staff *s) { return s->idle || s->options.jobs == 0; }
struct staff_times staff_times(const struct staff *s) {
    return s->times;
}

void staff_free(struct staff *s) {
    struct err unused = {.set = false};
    if (!s)
        return;
    hall_free(s->hall);
    for (int i = 0; i < s->options.jobs; i++)
        if (s->tables[i].engagement && !s->tables[i].told_us)
            store_release(s->store, s->tables[i].engagement->plan->name, s->tables[i].game.number,
                          s->name, &unused);
    for (int i = 0; i < s->contest_count; i++) {
        folder_leave_all(s->contests[i]->lodgings, s->contests[i]->plan->player_count);
        free(s->contests[i]);
    }
    free(s->contests);
    if (s->watch >= 0)
        close(s->watch);
    if (s->timer >= 0)
        close(s->timer);
    free(s->tables);
    free(s);
}
