// SPDX-License-Identifier: MIT
// `arbiter solve reversi`: the positions of a file, solved one after the other.
#include "base/clock.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "cli/bench/bench.h"
#include "cli/solve/solve.h"
#include "engine/reversi/obf.h"
#include "engine/reversi/think.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct position {
    int line; // of the file
    struct obf obf;
};

struct book {
    struct position *positions;
    int count, bad;
};

struct reversi_solution {
    int empties, value, square; // square: -1 if only the opponent can move
    bool differs;
    char why[WHY_TEXT_MAX];
    uint64_t nodes;
    int64_t us; // CPU
};

// Takes one line of the file; what is wrong with it is said at once, so that all that is wrong is.
static void take_line(struct book *book, const struct lines *lines, const char *name, int number,
                      const struct variant *v) {
    struct position p = {.line = number};
    if (!lines->has_nul && obf_is_remark(lines->text))
        return;
    const char *why = lines->too_long  ? "the line is too long"
                      : lines->has_nul ? "the line holds a NUL byte"
                                       : obf_read(lines->text, v, &p.obf);
    if (why) {
        fprintf(stderr, "%s:%d: %s\n", name, number, why);
        book->bad++;
        return;
    }
    book->positions =
        mem_resize(book->positions, (size_t)(book->count + 1) * sizeof *book->positions);
    book->positions[book->count++] = p;
}

static bool read_book(struct book *book, const char *name, const struct variant *v,
                      struct err *err) {
    struct lines *lines = mem_new(1, sizeof *lines);
    lines->file = fopen(name, "r");
    if (!lines->file) {
        err_set(err, "cannot open %s: %s", name, strerror(errno));
        free(lines);
        return false;
    }
    for (int number = 1; lines_next(lines); number++)
        take_line(book, lines, name, number, v);
    if (ferror(lines->file))
        err_set(err, "cannot read %s: %s", name, strerror(errno));
    else if (book->bad)
        err_set(err, "%s: %d of its lines cannot be read", name, book->bad);
    else if (book->count == 0)
        err_set(err, "%s holds no position", name);
    fclose(lines->file);
    free(lines);
    return !err->set;
}

// Says in words where a solution is not what the file says.
static void compare(const struct obf *obf, struct reversi_solution *s) {
    char square[3] = "--";
    int listed;
    if (s->square >= 0)
        obf_write_square(s->square, square);
    if (obf_best(obf, &listed) && listed != s->value) {
        s->differs = true;
        snprintf(s->why, sizeof s->why, "the file says %+d", listed);
    } else if (s->square >= 0 && obf_value(obf, s->square, &listed) && listed != s->value) {
        s->differs = true;
        snprintf(s->why, sizeof s->why, "the file says %+d for %s", listed, square);
    }
}

static struct reversi_solution solve(struct reversi_mind *mind, const struct variant *v,
                                     const struct obf *obf) {
    const bool passes = !board_moves(&obf->board, v);
    const struct board b = passes ? board_pass(&obf->board) : obf->board;
    struct reversi_solution s = {.empties = board_empties(&b, v)};
    struct thought t = {.length = 0};
    const int64_t begin = clock_cpu_us();
    // What a position costs should not depend on those before it.
    reversi_forget(mind);
    reversi_think(mind, &b, UINT64_MAX, &(struct limits){0}, &t);
    s.us = clock_cpu_us() - begin;
    s.nodes = t.nodes;
    s.value = passes ? -t.value : t.value;
    s.square = passes ? -1 : (int)t.pv[0];
    compare(obf, &s);
    return s;
}

static double rate(uint64_t nodes, int64_t us) { return (double)nodes / (double)(us + 1); }

static void print_solution(const struct setup *setup, int line, const struct reversi_solution *s,
                           bool json) {
    char move_text[MOVE_TEXT_MAX] = "pass", square[3] = "--";
    if (s->square >= 0) {
        setup->game->write_move(&setup->start, (move)s->square, move_text);
        obf_write_square(s->square, square);
    }
    if (json)
        json_print_line(stdout,
                        json_pack("{s:i, s:i, s:i, s:s, s:s, s:I, s:f, s:b, s:s}", "line", line,
                                  "empties", s->empties, "score", s->value, "best", move_text,
                                  "square", square, "nodes", (json_int_t)s->nodes, "cpu_ms",
                                  (double)s->us / 1000, "differs", s->differs, "why", s->why));
    else
        printf("%5d %7d %+5d  %s %15" PRIu64 " %9.3f %9.1f  %s\n", line, s->empties, s->value,
               square, s->nodes, (double)s->us / 1e6, rate(s->nodes, s->us), s->why);
    fflush(stdout);
}

static void print_total(const struct reversi_solution *t, int count, int differ, bool json) {
    if (json)
        json_print_line(stdout,
                        json_pack("{s:i, s:i, s:I, s:f, s:f, s:f}", "positions", count, "differ",
                                  differ, "nodes", (json_int_t)t->nodes, "cpu_ms",
                                  (double)t->us / 1000, "million_nodes_per_s",
                                  rate(t->nodes, t->us), "million_steps_per_s", bench_calibrate()));
    else
        printf("%d positions %21" PRIu64 " %9.3f %9.1f  %d differ from the file\n"
               "fixed loop: %.0f million steps/s\n",
               count, t->nodes, (double)t->us / 1e6, rate(t->nodes, t->us), differ,
               bench_calibrate());
}

int solve_reversi(const struct setup *setup, const struct args *args, struct err *err) {
    const struct variant *v = board_variant(&setup->rules);
    const bool json = args_value(args, "--json") != NULL;
    struct book book = {.count = 0};
    struct reversi_solution total = {.nodes = 0};
    int threads;
    int differ = 0;
    if (!args_int(args, (struct number_option){"--threads", 1, 1, 64}, &threads, err) ||
        !read_book(&book, args->word[1], v, err)) {
        free(book.positions);
        return -1;
    }
    struct reversi_mind *mind = reversi_new(v, v->kind == BOARD_OTHELLO, threads);
    if (!json)
        printf("%5s %7s %5s %s %15s %9s %9s\n", "line", "empties", "score", "best", "nodes",
               "CPU s", "M nodes/s");
    for (int i = 0; i < book.count; i++) {
        const struct reversi_solution s = solve(mind, v, &book.positions[i].obf);
        print_solution(setup, book.positions[i].line, &s, json);
        total.nodes += s.nodes;
        total.us += s.us;
        differ += s.differs;
    }
    print_total(&total, book.count, differ, json);
    reversi_free(mind);
    free(book.positions);
    return differ > 0;
}
