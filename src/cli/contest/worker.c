// SPDX-License-Identifier: MIT
// `arbiter worker`: plays the waiting games of all contests in a store.
#include "base/clock.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/signals.h"
#include "cli/box_option.h"
#include "cli/contest/contest.h"
#include "contest/dispatch.h"
#include "contest/game_files.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_US = 1000000 };

struct worker {
    struct store *store;
    struct dispatch *dispatch;
    char **known; // names of contests
    int known_count;
    int *tries;                 // by contest: how often we have tried to join it, in vain
    struct plan **plans;        // by contest; NULL: it cannot be played here
    int signals;                // a descriptor
    int64_t looked_us, busy_us; // when we last looked for contests, and had something to play
    struct err err;
};

static void see_contest(void *owner, const char *name) {
    struct worker *w = owner;
    for (int i = 0; i < w->known_count; i++)
        if (strcmp(w->known[i], name) == 0)
            return;
    const size_t count = (size_t)w->known_count + 1;
    w->known = mem_resize(w->known, count * sizeof *w->known);
    w->plans = mem_resize(w->plans, count * sizeof *w->plans);
    w->tries = mem_resize(w->tries, count * sizeof *w->tries);
    w->tries[w->known_count] = 0;
    w->plans[w->known_count] = NULL;
    w->known[w->known_count++] = mem_text(name);
}

struct joining {
    const char *name;
    struct plan *plan;
    struct err refusal;
};

static void worker_read_plan(void *owner, const char *text) {
    struct joining *j = owner;
    j->plan = plan_read(j->name, text, &j->refusal);
}

// Joins a contest, or leaves it and tries again later: its game may still be on its way into the
// store. Therefore the first time is not told of.
static bool join(struct worker *w, int contest) {
    struct joining j = {.name = w->known[contest]};
    const bool fetched = game_files_fetch(w->store, j.name, &j.refusal);
    if (fetched && !store_text(w->store, j.name, worker_read_plan, &j, &w->err))
        return false;
    w->plans[contest] = j.plan;
    if (!j.plan && ++w->tries[contest] == (fetched ? 2 : 1))
        command_note(w, j.refusal.text); // others can be played
    return !j.plan || dispatch_add(w->dispatch, j.plan, &w->err);
}

// Joins the contests that have come into the store.
static bool look_for_contests(struct worker *w) {
    if (clock_now_us() - w->looked_us < LOOK_US)
        return true;
    w->looked_us = clock_now_us();
    bool good = store_contests(w->store, see_contest, w, &w->err);
    for (int i = 0; good && i < w->known_count; i++)
        good = w->plans[i] || join(w, i);
    return good;
}

static bool worker_stop(void *owner) {
    const struct worker *w = owner;
    return signals_came(w->signals);
}

// Until a signal comes, or there was nothing to play for so long (0: for ever).
static bool work(struct worker *w, int64_t idle_us) {
    w->busy_us = clock_now_us();
    for (;;) {
        struct pollfd fds[] = {{.fd = dispatch_fd(w->dispatch), .events = POLLIN},
                               {.fd = w->signals, .events = POLLIN}};
        if (!look_for_contests(w) || !dispatch_work(w->dispatch, true, &w->err))
            return worker_stop(w);
        if (dispatch_busy(w->dispatch) > 0)
            w->busy_us = clock_now_us();
        if (idle_us > 0 && clock_now_us() - w->busy_us > idle_us)
            return true;
        if (poll(fds, 2, -1) > 0 && fds[1].revents)
            return true;
    }
}

static int worker_run(const struct args *args, struct err *err) {
    static const struct dispatch_events events = {.note = command_note, .stop = worker_stop};
    char program[PATH_PROGRAM_MAX];
    int jobs, cores;
    int64_t lease, idle;
    if (!args_int(args, (struct number_option){"--jobs", 1, 1, 256}, &jobs, err) ||
        !args_int(args, (struct number_option){"--cores", 1, 1, 1024}, &cores, err) ||
        !args_number(args, (struct number_option){"--lease", 30, 1, 86400}, &lease, err) ||
        !args_number(args, (struct number_option){"--idle", 0, 0, 1000000}, &idle, err))
        return -1;
    struct box box;
    const struct dispatch_options options = {.jobs = jobs,
                                             .cores = cores,
                                             .lease_us = lease * 1000000,
                                             .program = path_of_program(program),
                                             .kits = kit_files,
                                             .box = box_option_choose(&box, args, NULL, NULL, err)};
    const struct store_ear ear = {.note = command_note};
    struct worker w = {.store = err->set ? NULL : store_reach(args->word[0], false, &ear, err)};
    const int signals = w.signals = w.store ? contest_signals(err) : -1;
    if (signals >= 0)
        w.dispatch = dispatch_new(w.store, &options, &events, &w, err);
    if (w.dispatch)
        fprintf(stderr, "arbiter: %s plays what %s has to be played; Ctrl-C ends it\n",
                dispatch_name(w.dispatch), args->word[0]);
    const bool good = w.dispatch && (work(&w, idle * 1000000) || err_set(err, "%s", w.err.text));
    if (good)
        printf("%s: %d games\n", dispatch_name(w.dispatch), dispatch_ended(w.dispatch));
    dispatch_free(w.dispatch);
    for (int i = 0; i < w.known_count; i++) {
        plan_free(w.plans[i]);
        free(w.known[i]);
    }
    free(w.plans);
    free(w.tries);
    free(w.known);
    store_close(w.store);
    box_done(&box);
    if (signals >= 0)
        close(signals);
    return good ? 0 : -1;
}

static const struct option options[] = {
    {"--jobs", "N", "games at once (1)"},
    {"--cores", "N", "cores for each game (1)"},
    {"--lease", "S", "seconds after which our game is another's if we are silent (30)"},
    OPTION_BOX_CONTEST,
    {"--idle", "S", "end after so many seconds without a game (0: never)"},
};

const struct command command_worker = {
    .name = "worker",
    .arguments = "STORE",
    .words_min = 1,
    .words_max = 1,
    .summary = "play games of contests for another machine",
    .help =
        "STORE is postgresql://..., as `arbiter contest run FILE --store` has it; it then plans\n"
        "the games, and any number of workers play them, on any number of machines\n"
        "(docs/cluster.md). What players need comes from the store.\n"
        "Example: arbiter worker postgresql://arbiter@judge/contests --jobs 4\n",
    COMMAND_OPTIONS(options),
    .run = worker_run,
};
