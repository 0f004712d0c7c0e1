// SPDX-License-Identifier: MIT
// `arbiter solve cuptactoe`: makes the table of all values, or tells about the one that is there.
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "cli/solve/solve.h"
#include "engine/cuptactoe/retro.h"
#include "engine/cuptactoe/solved.h"
#include "engine/share.h"
#include "games/bits.h"
#include "games/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BAR_WIDTH = 50, OPENINGS = CUPS_SIZES * CUPS_CELLS };

struct cuptactoe_solution {
    struct atlas *atlas;
    const int8_t *values;
    uint64_t sum;
    uint64_t count[UINT8_MAX + 1]; // positions by value as an unsigned byte, turned ones apart
    int longest;                   // forced win, in plies
    size_t example;                // a slot with that value
};

struct solve_job {
    const char *path;
    int threads;
    bool again, json;
    bool is_new; // the table was made now
    int64_t begin_us;
};

// A bar on a terminal, lines elsewhere.
static void draw_share(void *context, const char *what, double done) {
    static const char full[] = "##################################################";
    (void)context;
    if (!isatty(STDERR_FILENO))
        return;
    const int length = (int)(done * BAR_WIDTH);
    fprintf(stderr, "\r%-8s [%.*s%*s] %3d %%", what, length, full, BAR_WIDTH - length, "",
            (int)(done * 100));
}

static void print_ply(void *context, int ply, uint64_t lost, uint64_t won) {
    (void)context;
    if (!isatty(STDERR_FILENO))
        fprintf(stderr, "ply %d: %" PRIu64 " lost, %" PRIu64 " won\n", ply, lost, won);
}

static void clear_bar(void) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 20, "");
}

static bool fill_values(const struct solve_job *job, const struct atlas *atlas, int8_t *values,
                        struct err *err) {
    const struct progress progress = {.share = draw_share, .ply = print_ply};
    retro_solve(atlas, values, job->threads, &progress);
    const uint64_t wrong = retro_check(atlas, values, job->threads, &progress);
    clear_bar();
    if (wrong)
        return err_set(err, "%" PRIu64 " values are not right; no table is written", wrong);
    if (!isatty(STDERR_FILENO))
        fprintf(stderr, "every value agrees with those that moves lead to\n");
    return true;
}

static bool make_table(const struct solve_job *job, const struct atlas *atlas, struct err *err) {
    struct solved_part *part = mem_new(1, sizeof *part);
    int8_t *values = NULL;
    bool made = solved_begin(part, job->path, err);
    if (made) {
        values = mem_new(SLOTS, 1);
        made = fill_values(job, atlas, values, err);
        if (made)
            made = solved_end(part, values, err);
        else
            solved_abandon(part);
    }
    free(values);
    free(part);
    return made;
}

static bool is_right(const struct solved *table) { return solved_sum(table->values) == table->sum; }

// Opens the table, if it is there and whole; makes it otherwise.
static bool have_table(struct solve_job *job, const struct atlas *atlas, struct solved *table,
                       struct err *err) {
    struct err why = {.set = false};
    if (!job->again && solved_is_table(job->path)) {
        if (solved_open(table, job->path, &why) && is_right(table))
            return true;
        fprintf(stderr, "%s is damaged; it is made anew\n", job->path);
        solved_close(table);
    }
    job->is_new = true;
    return make_table(job, atlas, err) && solved_open(table, job->path, err);
}

static void count_values(struct cuptactoe_solution *s) {
    for (size_t i = 0; i < SLOTS; i++) {
        const int value = s->values[i], plies = abs(value);
        s->count[(uint8_t)value] += s->atlas->weight[i / LAYERS / LAYERS];
        if (value != VALUE_LOST && value != VALUE_WON && plies > s->longest) {
            s->longest = plies;
            s->example = i;
        }
    }
}

static uint64_t count_of(const struct cuptactoe_solution *s, int value) {
    return s->count[(uint8_t)value];
}

// A slot as a position that X is to move in, with as few turns as its cups need.
static void write_slot(const struct atlas *a, size_t slot, char text[static STATE_TEXT_MAX]) {
    const int layers[CUPS_SIZES] = {(int)(slot % LAYERS), (int)(slot / LAYERS % LAYERS),
                                    a->layer_of_shape[slot / LAYERS / LAYERS]};
    struct cups state = {.turns = 0};
    int own = 0, other = 0;
    for (int size = 0; size < CUPS_SIZES; size++) {
        state.cup[0][size] = a->cells[a->own[layers[size]]];
        state.cup[1][size] = a->cells[a->other[layers[size]]];
        own += bits_count(state.cup[0][size]);
        other += bits_count(state.cup[1][size]);
    }
    state.turns = (uint8_t)(2 * (own > other ? own : other));
    game_cuptactoe.write_state(&state, text);
}

// The value of each first move.
static void list_openings(const struct cuptactoe_solution *s,
                          struct cup_step steps[static OPENINGS], int values[static OPENINGS]) {
    const struct cupboard empty = {.own = {0}};
    struct threes threes;
    int symmetry;
    struct cup_step all[STEPS_MAX];
    threes_init(&threes);
    const int count = cupboard_steps(&empty, &threes, all);
    for (int i = 0; i < count; i++) {
        const int next = s->values[atlas_slot(s->atlas, &all[i].next, &symmetry)];
        steps[i] = all[i];
        values[i] = next > 0 ? -next - 1 : next < 0 ? -next + 1 : 0;
    }
}

static json_t *openings_json(const struct cuptactoe_solution *s) {
    struct cup_step steps[OPENINGS];
    int values[OPENINGS];
    char text[MOVE_TEXT_MAX];
    json_t *list = json_object();
    list_openings(s, steps, values);
    for (int i = 0; i < OPENINGS; i++) {
        game_cuptactoe.write_move(NULL, steps[i].move, text);
        json_object_set_new(list, text, json_integer(values[i]));
    }
    return list;
}

// How many positions are won, or lost, in 1, 2, ... plies.
static json_t *counts_json(const struct cuptactoe_solution *s, int sign) {
    json_t *list = json_array();
    for (int plies = 1; plies <= s->longest; plies++)
        json_array_append_new(list, json_integer((json_int_t)count_of(s, sign * plies)));
    return list;
}

static double seconds(int64_t us) { return (double)us / 1e6; }

static int64_t peak_kb(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

static void solve_cuptactoe_print_json(const struct solve_job *job,
                                       const struct cuptactoe_solution *s) {
    char sum[24], example[STATE_TEXT_MAX];
    snprintf(sum, sizeof sum, "%016" PRIx64, s->sum);
    write_slot(s->atlas, s->example, example);
    json_print_line(
        stdout,
        json_pack("{s:s, s:s, s:b, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:i, s:s, s:f, s:f, s:I}",
                  "game", "cuptactoe", "table", job->path, "new", job->is_new, "checksum", sum,
                  "slots", (json_int_t)SLOTS, "over",
                  (json_int_t)(count_of(s, VALUE_LOST) + count_of(s, VALUE_WON)), "never",
                  (json_int_t)count_of(s, VALUE_NEVER), "won", counts_json(s, 1), "lost",
                  counts_json(s, -1), "openings", openings_json(s), "longest", s->longest,
                  "example", example, "s", seconds(clock_now_us() - job->begin_us), "cpu_s",
                  seconds(clock_cpu_us()), "peak_kb", (json_int_t)peak_kb()));
}

static void print_openings(const struct cuptactoe_solution *s) {
    static const char *const sizes[] = {"small", "medium", "large"};
    struct cup_step steps[OPENINGS];
    int values[OPENINGS];
    list_openings(s, steps, values);
    printf("\nfirst move  corner  edge  centre\n");
    for (int size = 0; size < CUPS_SIZES; size++) {
        const int *v = values + size * CUPS_CELLS;
        printf("%-10s  %+6d  %+4d  %+6d\n", sizes[size], v[0], v[1], v[4]);
    }
}

static void solve_cuptactoe_print_words(const struct solve_job *job,
                                        const struct cuptactoe_solution *s) {
    char example[STATE_TEXT_MAX];
    write_slot(s->atlas, s->example, example);
    printf("table       %s, %s\nchecksum    %016" PRIx64 "\n", job->path,
           job->is_new ? "made now" : "made before", s->sum);
    print_openings(s);
    printf("\nplies             won            lost\n");
    for (int plies = 1; plies <= s->longest; plies++)
        printf("%5d  %14" PRIu64 "  %14" PRIu64 "\n", plies, count_of(s, plies),
               count_of(s, -plies));
    printf("never  %14" PRIu64 "\nover   %14" PRIu64 "\n\nlongest     %d plies, as in %s\n",
           count_of(s, VALUE_NEVER), count_of(s, VALUE_LOST) + count_of(s, VALUE_WON), s->longest,
           example);
    printf("time        %.1f s, CPU %.1f s, %" PRId64 " MB of memory at most\n",
           seconds(clock_now_us() - job->begin_us), seconds(clock_cpu_us()),
           peak_kb() * 1024 / 1000000);
}

static bool read_job(struct solve_job *job, char path[static SOLVED_PATH_MAX],
                     const struct args *args, struct err *err) {
    *job = (struct solve_job){.path = args_value(args, "--out"),
                              .again = args_value(args, "--again") != NULL,
                              .json = args_value(args, "--json") != NULL,
                              .begin_us = clock_now_us()};
    if (!args_int(args, (struct number_option){"--threads", share_processors(), 1, 64},
                  &job->threads, err))
        return false;
    if (!job->path && !solved_path(path))
        return err_set(err, "there is no home folder for the table; say --out FILE");
    if (!job->path)
        job->path = path;
    return true;
}

int solve_cuptactoe(const struct setup *setup, const struct args *args, struct err *err) {
    (void)setup;
    char path[SOLVED_PATH_MAX];
    struct solve_job job;
    struct solved table;
    if (!read_job(&job, path, args, err))
        return -1;
    struct cuptactoe_solution s = {.atlas = atlas_new()};
    const bool have = have_table(&job, s.atlas, &table, err);
    if (have) {
        s.values = table.values;
        s.sum = table.sum;
        count_values(&s);
        (job.json ? solve_cuptactoe_print_json : solve_cuptactoe_print_words)(&job, &s);
        solved_close(&table);
    }
    free(s.atlas);
    return have ? 0 : -1;
}
