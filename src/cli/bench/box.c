// SPDX-License-Identifier: MIT
// `arbiter bench box`: what the box costs. A start is the time from the call until the first byte
// of a player that prints at once; levels take turns, so that a busy moment hits all alike. A hold
// is freeze, look and thaw of a player that waits for input, as between two moves; a turn is taking
// the core from it and giving it back. The machine is shared, so medians are shown, and for holds
// and turns the CPU time that we spent ourselves.
#include "cli/bench/bench.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "link/box.h"
#include "link/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LEVELS = BOX_GROUPS + 2 }; // all levels, and off

// One player, and what is awaited of it.
struct trial {
    struct loop *loop;
    struct link *link;
    int64_t heard_us;                // 0: not yet
    struct scratch folder;           // of its own, where there are no walls
    void (*deed)(struct link *link); // what is done to it, and undone
};

static void bench_box_heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    (void)bytes;
    (void)length;
    struct trial *trial = owner;
    trial->heard_us = now_us;
    loop_stop(trial->loop);
}

static void bench_box_gone(void *owner, const struct parting *how, int64_t now_us) {
    (void)how;
    (void)now_us;
    struct trial *trial = owner;
    loop_stop(trial->loop);
}

static const struct link_events events = {.bytes = bench_box_heard, .gone = bench_box_gone};

static int64_t clock_cpu_ns(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static int bench_box_compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list, int count) {
    qsort(list, (size_t)count, sizeof *list, bench_box_compare);
    return list[count / 2];
}

static void end(struct trial *trial) {
    link_free(trial->link, 0);
    scratch_done(&trial->folder);
}

// Starts a player; false with an error if it did not answer.
static bool begin(struct trial *trial, const struct box *box, const char *command,
                  struct err *err) {
    trial->heard_us = 0;
    if (box && box->level < BOX_NAMESPACES && !scratch_make(&trial->folder, "bench", err))
        return false;
    const struct program program = {.command = command, .box = box, .folder = trial->folder.path};
    trial->link = link_new_pipe(trial->loop, &program, &events, trial, err);
    if (!trial->link)
        return false;
    loop_run(trial->loop);
    return trial->heard_us > 0 || err_set(err, "a player in the box did not answer: %s", command);
}

// Milliseconds from the call to the first byte, at each level in turn.
static bool measure_starts(struct trial *trial, struct box *box, int count, double *ms[LEVELS],
                           struct err *err) {
    for (int i = 0; i < count; i++)
        for (int level = BOX_OFF; level <= box->best; level++) {
            const int64_t from = clock_now_us();
            box->level = level;
            if (!begin(trial, level == BOX_OFF ? NULL : box, "echo x", err))
                return false;
            ms[level + 1][i] = (double)(trial->heard_us - from) / 1000;
            end(trial);
        }
    return true;
}

// Microseconds for the deed, to a player that has just answered: our CPU time in `cost[0]`, wall
// time in `cost[1]`.
static bool measure_deed(struct trial *trial, const struct box *box, int count, double *cost[2],
                         struct usage *usage, struct err *err) {
    if (!begin(trial, box, "echo x; exec cat", err))
        return false;
    for (int i = 0; i < count && trial->heard_us > 0; i++) {
        trial->heard_us = 0;
        link_send(trial->link, "x\n", 2);
        loop_run(trial->loop);
        const int64_t cpu = clock_cpu_ns(), wall = clock_now_us();
        trial->deed(trial->link);
        cost[0][i] = (double)(clock_cpu_ns() - cpu) / 1000;
        cost[1][i] = (double)(clock_now_us() - wall);
    }
    link_usage(trial->link, usage);
    end(trial);
    return true;
}

static void bench_box_hold(struct link *link) {
    link_hold(link);
    link_settle(link);
    link_release(link);
}

static void bench_box_turn(struct link *link) {
    link_favour(link, false);
    link_favour(link, true);
}

// The least of many is what it takes where nobody else wants the machine.
static void print_start(const char *name, double *ms, int count, double *middle, double *least) {
    const double m = median(ms, count);
    printf("  %s  %7.2f  %7.2f", name, m, ms[0]);
    if (*least > 0)
        printf("  %+7.2f  %+7.2f", m - *middle, ms[0] - *least);
    else
        *middle = m, *least = ms[0];
    printf("\n");
}

static void print_starts(struct trial *trial, struct box *box, int count, struct err *err) {
    double *ms[LEVELS], middle = 0, least = 0;
    for (int i = 0; i < LEVELS; i++)
        ms[i] = mem_new((size_t)count, sizeof *ms[i]);
    if (measure_starts(trial, box, count, ms, err)) {
        printf("start of a player, ms until its first byte: median and least of %d, and more than "
               "without a box\n",
               count);
        print_start("no box ", ms[0], count, &middle, &least);
        for (int level = 0; level <= box->best; level++) {
            char name[16];
            snprintf(name, sizeof name, "level %d", level);
            print_start(name, ms[level + 1], count, &middle, &least);
        }
    }
    for (int i = 0; i < LEVELS; i++)
        free(ms[i]);
}

static void print_deeds(struct trial *trial, struct box *box, int count, struct err *err) {
    double *cost[2] = {mem_new((size_t)count, sizeof *cost[0]),
                       mem_new((size_t)count, sizeof *cost[1])};
    struct usage usage;
    for (int level = box->best; level >= BOX_OFF && !err->set; level--) {
        box->level = level;
        if (level < box->best && level != BOX_OFF && level != BOX_NAMESPACES)
            continue; // they do as the one above
        if (!measure_deed(trial, level == BOX_OFF ? NULL : box, count, cost, &usage, err))
            break;
        printf(level == BOX_OFF ? "  no box  " : "  level %d ", level);
        printf(" CPU %6.1f  wall %6.1f", median(cost[0], count), median(cost[1], count));
        if (usage.holds > 0)
            printf("  not confirmed %d, CPU time of the player meanwhile %lld us",
                   usage.unconfirmed, (long long)usage.frozen_us);
        printf("\n");
        fflush(stdout);
    }
    free(cost[0]);
    free(cost[1]);
}

int bench_box(const struct args *args, struct err *err) {
    int count;
    if (!args_int(args, (struct number_option){"--games", 100, 1, 100000}, &count, err))
        return -1;
    struct box box;
    struct trial trial = {.loop = loop_new(err)};
    box_find(&box);
    if (trial.loop && box.has_tool)
        print_starts(&trial, &box, count, err);
    for (size_t i = 0; trial.loop && box.has_tool && i < 2 && !err->set; i++) {
        trial.deed = i == 0 ? bench_box_hold : bench_box_turn;
        printf("%s, median of %d, us\n", i == 0 ? "freeze and thaw" : "the core, taken and given",
               count * 20);
        print_deeds(&trial, &box, count * 20, err);
    }
    if (!box.has_tool)
        box_choose(&box, BOX_BEST, err);
    loop_free(trial.loop);
    box_done(&box);
    return err->set ? -1 : 0;
}
