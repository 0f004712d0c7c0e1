// SPDX-License-Identifier: MIT
// Games are played in slots, each in a child (base/child.h) that says what play.h lists. A slot is
// free only when its child has ended, so that players of one game take no time from those of the
// next. A game in a slot is claimed: in the store it is ours until a lease has passed, and while it
// is played the lease is renewed again and again. If we die, or hang for so long, others claim it;
// a game that is found to be another's is broken off, and what comes of it is not kept. A result is
// in the store before anybody is told of it.
#include "contest/dispatch.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/mem.h"
#include "contest/identity.h"
#include "contest/player_files.h"
#include "referee/record.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILURES_MAX = 3, FAILED_MAX = 256, TICK_MS = 250, REPLAYS_MAX = 5 };
enum { VERDICT_TEXT_MAX = 2 * EVIDENCE_MAX + 100 };

struct dispatch_contest {
    const struct plan *plan;
    struct player_files *files; // by player
};

struct dispatch_slot {
    struct dispatch *dispatch;
    struct child *child;                    // NULL: nothing is played
    const struct dispatch_contest *contest; // whose game it is; NULL: nothing
    struct stored_game game;
    char home[32];
    bool told;       // how it ended
    bool stopped;    // nobody wants to know
    int64_t free_us; // since when the slot had nothing to do but this
    int64_t fork_us; // when the process of its game was started
    int64_t kept_us; // when its result was kept; 0: not yet
};

struct failure {
    const struct plan *plan;
    int64_t number;
    int count;
};

struct dispatch {
    struct store *store;
    struct dispatch_options options;
    const struct dispatch_events *events;
    void *owner;
    char name[IDENTITY_MAX];
    int64_t speed, offset_us; // of the store's clock from ours
    struct children *children;
    int fitting;        // so many games at once the machine has memory and cores for
    int64_t lowered_us; // when it was found that they were too many
    struct dispatch_slot *slots;
    int watch, timer;
    struct dispatch_contest **contests;
    int contest_count;
    int ended; // games
    int64_t renewed_us;
    bool idle, idle_before;            // the last claim found nothing, since then or at that time
    struct failure failed[FAILED_MAX]; // games that were not played
    unsigned failed_next;
    struct dispatch_times times;
    struct err err;
};

static void dispatch_note(void *owner, const char *words) {
    const struct dispatch *d = owner;
    d->events->note(d->owner, words);
}

static int64_t now_there(const struct dispatch *d) { return clock_now_us() + d->offset_us; }

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
static void lower(const struct dispatch_slot *slot) {
    struct dispatch *d = slot->dispatch;
    char words[ERR_TEXT_MAX];
    if (slot->fork_us < d->lowered_us || d->fitting <= 1)
        return;
    snprintf(words, sizeof words, "%d games at once are too many for this machine: %d from now on",
             d->fitting, d->fitting / 2);
    d->fitting /= 2;
    d->lowered_us = clock_now_us();
    dispatch_note(d, words);
}

static void tell_ended(struct dispatch *d, const struct stored_game *game) {
    d->ended++;
    if (d->events->ended)
        d->events->ended(d->owner, game);
}

// A fault of the platform: nobody has lost, and it is played again.
static void break_off(struct dispatch_slot *slot, const json_t *record) {
    struct dispatch *d = slot->dispatch;
    struct stored_game *g = &slot->game;
    char words[ERR_TEXT_MAX], verdict[VERDICT_TEXT_MAX];
    enum broken_off how;
    const char *who = record_platform_player(record) == 2 ? "white" : "black",
               *fault = record_platform_fault(record);
    snprintf(verdict, sizeof verdict, "%s platform: %s", who, fault);
    g->state = GAME_ANNULLED;
    g->winner = -1;
    g->verdict = verdict;
    if (!store_break_off(d->store, slot->contest->plan->name, g, REPLAYS_MAX, &how, &d->err) ||
        how == BROKEN_OFF_NOT_OURS)
        return;
    snprintf(words, sizeof words,
             "game %lld was broken off by a fault of the platform: %s: %.300s; %s",
             (long long)g->number, who, fault,
             how == BROKEN_OFF_AGAIN
                 ? "it is played again"
                 : "that was too often: it counts for nobody, until the organiser has it replayed");
    dispatch_note(d, words);
    lower(slot);
    tell_ended(d, g);
    g->verdict = "";
}

static void keep_result(struct dispatch_slot *slot, const json_t *record, const char *messages) {
    struct dispatch *d = slot->dispatch;
    const json_t *winner = json_object_get(record, "winner"),
                 *scores = json_object_get(record, "scores");
    char *line = record_line(record), verdict[VERDICT_TEXT_MAX];
    struct stored_game *g = &slot->game;
    bool ours;
    g->state = GAME_DONE;
    g->winner = json_is_null(winner) ? -1 : json_int(winner, -1);
    for (size_t i = 0; i < 2; i++)
        g->scores[i] = json_int(json_array_get(scores, i), 0);
    g->plies = json_int(json_object_get(record, "plies"), 0);
    g->reason = json_string_value(json_object_get(record, "reason"));
    g->verdict = verdict_in(record, verdict);
    g->record = line;
    g->log = messages;
    g->ended_us = now_there(d);
    if (record_platform_fault(record))
        break_off(slot, record);
    else if (store_finish(d->store, slot->contest->plan->name, g, &ours, &d->err) && ours)
        tell_ended(d, g);
    g->reason = g->verdict = g->record = "";
    g->log = NULL;
    free(line);
}

static int64_t number_in(const json_t *line, const char *key) {
    return json_integer_value(json_object_get(line, key));
}

// When it began by the clock of all processes, how long its players took to start, and it to play,
// stands beside the record.
static void take_record(struct dispatch_slot *slot, const json_t *line) {
    struct dispatch_times *times = &slot->dispatch->times;
    const int64_t begin_us = number_in(line, "begin_us"), play_us = number_in(line, "play_us");
    keep_result(slot, json_object_get(line, "record"),
                json_string_value(json_object_get(line, "messages")));
    slot->kept_us = clock_now_us();
    if (begin_us == 0) // there was no game
        return;
    times->games++;
    const int64_t start_us = begin_us + number_in(line, "start_us") - slot->fork_us;
    times->start_us += start_us;
    times->play_us += play_us;
    times->rest_us += slot->kept_us - slot->free_us - start_us - play_us;
}

// How often a game has failed here by now; those that failed long ago are forgotten.
static int count_failure(struct dispatch *d, const struct plan *plan, int64_t number) {
    struct failure *f = NULL;
    for (int i = 0; i < FAILED_MAX && !f; i++)
        if (d->failed[i].plan == plan && d->failed[i].number == number)
            f = &d->failed[i];
    if (!f) {
        f = &d->failed[d->failed_next++ % FAILED_MAX];
        *f = (struct failure){.plan = plan, .number = number};
    }
    return ++f->count;
}

// A game was not played: by a circumstance here, or because its referee was killed. It is tried
// again. If that happens again and again it is nobody's game, for one of the players kills its
// referee; or nobody can go on.
static void fail(struct dispatch_slot *slot, const char *why, bool killed) {
    struct dispatch *d = slot->dispatch;
    char words[ERR_TEXT_MAX];
    const struct plan *plan = slot->contest->plan;
    const int64_t number = slot->game.number;
    snprintf(words, sizeof words, "game %lld was not played: %.300s", (long long)number, why);
    dispatch_note(d, words);
    store_release(d->store, plan->name, number, d->name, &d->err);
    if (count_failure(d, plan, number) < FAILURES_MAX)
        return;
    if (killed)
        store_award(d->store, plan->name, number, -1, why, &d->err);
    else
        err_set(&d->err, "%s", words);
}

static void game_said(void *owner, const json_t *line) {
    struct dispatch_slot *slot = owner;
    const struct dispatch *d = slot->dispatch;
    const char *error = json_string_value(json_object_get(line, "error")),
               *moved = json_string_value(json_object_get(line, "moved")),
               *note = json_string_value(json_object_get(line, "note"));
    const json_t *record = json_object_get(line, "record");
    if (slot->stopped || slot->told)
        return;
    if (note)
        d->events->note(d->owner, note);
    if (json_object_get(line, "names") && d->events->named)
        d->events->named(d->owner, slot->game.number, line);
    if (moved && d->events->moved)
        d->events->moved(d->owner, slot->game.number, (int)number_in(line, "ply"), moved);
    if (json_object_get(line, "team") && d->events->team)
        d->events->team(d->owner, (int)number_in(line, "team"), (int)number_in(line, "port"));
    const char *failed = json_string_value(json_object_get(line, "rules_failed"));
    slot->told = record || error || failed;
    if (record)
        take_record(slot, line);
    else if (error)
        fail(slot, error, false);
    else if (failed)
        fail(slot, failed, true);
}

static void game_ended(void *owner, int status) {
    struct dispatch_slot *slot = owner;
    struct dispatch *d = slot->dispatch;
    char words[80] = "its referee ended without a result";
    if (WIFSIGNALED(status))
        snprintf(words, sizeof words, "its referee was ended by signal %d (%.30s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (!slot->told && !slot->stopped)
        fail(slot, words, true);
    const int64_t now = clock_now_us();
    if (slot->kept_us)
        d->times.end_us += now - slot->kept_us;
    *slot = (struct dispatch_slot){.dispatch = d, .free_us = now};
    d->idle = false;
}

static struct player_files files_of(const struct dispatch_contest *contest, int player) {
    return player >= 0 ? contest->files[player] : (struct player_files){.folder = NULL};
}

static int game_live(void *owner, int out) {
    const struct dispatch_slot *slot = owner;
    const struct dispatch *d = slot->dispatch;
    const struct play_job job = {
        .plan = slot->contest->plan,
        .game = &slot->game,
        .files = {files_of(slot->contest, slot->game.black),
                  files_of(slot->contest, slot->game.white)},
        .program = d->options.program,
        .box = d->options.box,
        .place = (int)(slot - d->slots),
        .cores = d->options.cores,
        .alone = d->options.jobs == 1,
        .live = d->options.live,
        .lent = d->options.lent,
    };
    play_game(&job, out);
}

static const struct child_task game_task = {
    .name = "games", .live = game_live, .said = game_said, .ended = game_ended};

static bool watch(struct dispatch *d, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(d->watch, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool set_watch(struct dispatch *d, struct err *err) {
    const struct itimerspec tick = {{0, TICK_MS * 1000000L}, {0, TICK_MS * 1000000L}};
    d->watch = epoll_create1(EPOLL_CLOEXEC);
    d->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return (d->watch >= 0 && d->timer >= 0 && timerfd_settime(d->timer, 0, &tick, NULL) == 0 &&
            watch(d, d->timer) && watch(d, children_fd(d->children))) ||
           err_set(err, "cannot watch games: %s", strerror(errno));
}

struct dispatch *dispatch_new(struct store *store, const struct dispatch_options *options,
                              const struct dispatch_events *events, void *owner, struct err *err) {
    struct dispatch *d = mem_new(1, sizeof *d);
    int64_t there;
    *d = (struct dispatch){.store = store, .options = *options, .events = events, .owner = owner};
    d->fitting = options->jobs;
    d->watch = d->timer = -1;
    d->slots = mem_new((size_t)options->jobs + 1, sizeof *d->slots);
    for (int i = 0; i < options->jobs; i++)
        d->slots[i].dispatch = d;
    identity_name(d->name);
    d->speed = identity_speed();
    d->children = children_new(&game_task, err);
    if (d->children && set_watch(d, err) && store_now(store, &there, err) &&
        store_note_worker(store, d->name, d->speed, there, err)) {
        d->offset_us = there - clock_now_us();
        return d;
    }
    dispatch_free(d);
    return NULL;
}

static struct worker_claim claim_of(const struct dispatch *d, const char *home) {
    const int64_t now_us = now_there(d);
    return (struct worker_claim){d->name, home, now_us, now_us + d->options.lease_us};
}

// Says of all games under way that they are; one that is not ours any more is broken off.
static void renew(struct dispatch *d) {
    const int64_t now = clock_now_us();
    if (now - d->renewed_us < d->options.lease_us / 4)
        return;
    d->renewed_us = now;
    for (int i = 0; i < d->options.jobs && !d->err.set; i++) {
        struct dispatch_slot *slot = &d->slots[i];
        bool ours = true;
        if (!slot->child || slot->told)
            continue;
        const struct worker_claim claim = claim_of(d, "");
        if (store_renew(d->store, slot->contest->plan->name, slot->game.number, &claim, &ours,
                        &d->err) &&
            !ours) {
            slot->stopped = true;
            child_signal(slot->child, SIGTERM);
        }
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

static bool bury_dead(struct dispatch *d, const char *contest, struct err *err) {
    struct census census = {.count = 0};
    bool good = store_workers(d->store, contest, take_census, &census, err);
    for (int i = 0; good && i < census.count; i++)
        good = store_release_all(d->store, contest, census.dead[i], err);
    free(census.dead);
    return good;
}

// While players are built: games go on, and whoever waits for us may break it off.
static bool wait_meanwhile(void *owner) {
    struct dispatch *d = owner;
    children_hear(d->children);
    renew(d);
    return !d->events->stop || !d->events->stop(d->owner);
}

// Where no game is played nothing needs to be built.
static struct player_files *make_ready(struct dispatch *d, const struct plan *plan,
                                       struct err *err) {
    const struct dispatch_options *o = &d->options;
    const struct player_files_means means = {
        .box = o->box, .kits = o->kits, .note = dispatch_note, .wait = wait_meanwhile, .owner = d};
    if (o->jobs == 0)
        return mem_new((size_t)plan->player_count, sizeof(struct player_files));
    return player_files_make(plan, d->store, &means, err);
}

// The memory of all players at once must be there: the contest's own limit takes fewer games.
static bool fit_memory(struct dispatch *d, const struct plan *plan, struct err *err) {
    const struct player_limits_room room =
        player_limits_here(plan->rules.game, plan->strangers, d->options.jobs);
    struct player_limits limits = plan->limits;
    char words[PLAYER_LIMITS_WORDS] = "";
    limits.box = d->options.box;
    const int fitting = d->options.jobs > 0 ? player_limits_fit(&limits, &room, words, err) : 0;
    if (*words)
        dispatch_note(d, words);
    if (fitting < d->fitting)
        d->fitting = fitting;
    return fitting > 0 || d->options.jobs == 0;
}

bool dispatch_add(struct dispatch *d, const struct plan *plan, struct err *err) {
    if (!fit_memory(d, plan, err))
        return false;
    struct dispatch_contest *contest = mem_new(1, sizeof *contest);
    contest->plan = plan;
    contest->files = make_ready(d, plan, err);
    if (!contest->files) {
        free(contest);
        return false;
    }
    d->contests = mem_resize(d->contests, (size_t)(d->contest_count + 1) * sizeof *d->contests);
    d->contests[d->contest_count++] = contest;
    d->idle = false;
    return bury_dead(d, plan->name, err);
}

static void take_claimed(void *owner, const struct stored_game *game) {
    struct dispatch_slot *slot = owner;
    slot->game = *game;
    snprintf(slot->home, sizeof slot->home, "%s", game->home);
    slot->game.home = slot->home;
    slot->game.reason = slot->game.verdict = slot->game.record = "";
    slot->game.worker = slot->dispatch->name;
    slot->game.speed = slot->dispatch->speed;
}

static bool home_is_taken(const struct dispatch *d) {
    for (int i = 0; i < d->options.jobs; i++)
        if (d->slots[i].contest && *d->slots[i].home)
            return true;
    return false;
}

// Claims a game of any contest for a slot; false if there is none, or with an error.
static bool claim(struct dispatch_slot *slot) {
    struct dispatch *d = slot->dispatch;
    const struct worker_claim wanted =
        claim_of(d, d->options.is_home && !home_is_taken(d) ? "runner" : "");
    slot->game.number = 0;
    for (int i = 0; i < d->contest_count && !slot->game.number; i++) {
        if (!store_claim(d->store, d->contests[i]->plan->name, &wanted, take_claimed, slot,
                         &d->err))
            return false;
        slot->contest = slot->game.number ? d->contests[i] : NULL;
    }
    return slot->contest;
}

static void begin(struct dispatch_slot *slot) {
    struct dispatch *d = slot->dispatch;
    slot->fork_us = clock_now_us();
    slot->child = child_start(d->children, slot);
    if (!slot->child)
        err_set(&d->err, "cannot start a game: %s", strerror(errno));
    else if (d->events->began)
        d->events->began(d->owner, &slot->game);
}

// One where nothing is played, unless there are enough games.
static struct dispatch_slot *free_slot(const struct dispatch *d) {
    for (int i = 0; i < d->options.jobs && children_count(d->children) < d->fitting; i++)
        if (!d->slots[i].child)
            return &d->slots[i];
    return NULL;
}

static void claim_all(struct dispatch *d) {
    for (struct dispatch_slot *slot; !d->err.set && (slot = free_slot(d));) {
        renew(d); // to begin many on a busy machine takes longer than a lease
        if (d->idle_before || slot->free_us == 0)
            slot->free_us = clock_now_us();
        if (!claim(slot)) {
            d->idle = d->idle_before = true;
            return;
        }
        d->idle_before = false;
        begin(slot);
        if (children_count(d->children) > d->times.most)
            d->times.most = children_count(d->children);
    }
}

bool dispatch_work(struct dispatch *d, bool more, struct err *err) {
    uint64_t ticks;
    if (read(d->timer, &ticks, sizeof ticks) > 0)
        d->idle = false;
    children_hear(d->children);
    renew(d);
    if (more && !d->idle && !d->err.set)
        claim_all(d);
    return !d->err.set || err_set(err, "%s", d->err.text);
}

const char *dispatch_name(const struct dispatch *d) { return d->name; }
int dispatch_fd(const struct dispatch *d) { return d->watch; }
int dispatch_busy(const struct dispatch *d) { return children_count(d->children); }
int dispatch_ended(const struct dispatch *d) { return d->ended; }
bool dispatch_is_idle(const struct dispatch *d) { return d->idle || d->options.jobs == 0; }
struct dispatch_times dispatch_times(const struct dispatch *d) {
    return d->times;
}

void dispatch_free(struct dispatch *d) {
    struct err unused = {.set = false};
    if (!d)
        return;
    children_free(d->children);
    for (int i = 0; i < d->options.jobs; i++)
        if (d->slots[i].contest && !d->slots[i].told)
            store_release(d->store, d->slots[i].contest->plan->name, d->slots[i].game.number,
                          d->name, &unused);
    for (int i = 0; i < d->contest_count; i++) {
        player_files_free(d->contests[i]->files, d->contests[i]->plan->player_count);
        free(d->contests[i]);
    }
    free(d->contests);
    if (d->watch >= 0)
        close(d->watch);
    if (d->timer >= 0)
        close(d->timer);
    free(d->slots);
    free(d);
}
