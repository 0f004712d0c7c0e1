// SPDX-License-Identifier: MIT
// A mind thinks in steps: searches of a growing depth, then to the end of the game, at first with
// little certainty about what they leave out and at last with all. Each step begins with what the
// one before left in the table.
#include "engine/reversi/think.h"

#include "base/mem.h"
#include "engine/deepen.h"
#include "engine/registry.h"
#include "engine/reversi/search.h"

#include <assert.h>
#include <stdlib.h>

enum { TT_BYTES = 1 << 28, STEPS_MAX = 80 };

struct think_step {
    int depth;
    enum certainty certainty;
    bool outcome; // asks only whether the game is won, or drawn
};

struct reversi_mind {
    struct ruleset rules; // of an engine's
    const struct variant *variant;
    bool winner_takes_empties;
    struct tt *tt;
    int threads;
};

// What the threads of one thought share.
struct think_task {
    struct board board;
    uint64_t among; // the moves to look at
    struct think_step steps[STEPS_MAX];
    int step_count;
    int empties;
    bool limited; // it may have to stop before the score is known
};

struct think_thread {
    struct reversi_search search;
    const struct think_task *task;
    int value; // of the last step
};

static int depth_before_end(int empties) { return empties <= 10 ? 1 : empties - 9; }

static void plan(struct think_task *task) {
    const int empties = task->empties, last = depth_before_end(empties);
    int n = 0;
    for (int depth = 1; depth <= last && depth < empties; depth++)
        task->steps[n++] =
            (struct think_step){.depth = depth, .certainty = depth < 8 ? CERTAIN : CERTAINTY_73};
    if (empties > 13)
        for (enum certainty c = CERTAINTY_73; c < CERTAIN; c++)
            if (c == CERTAINTY_73 || (empties > 25 && c == CERTAINTY_95))
                task->steps[n++] = (struct think_step){.depth = empties, .certainty = c};
    if (empties > 13 && task->limited)
        task->steps[n++] =
            (struct think_step){.depth = empties, .certainty = CERTAIN, .outcome = true};
    task->steps[n++] = (struct think_step){.depth = empties, .certainty = CERTAIN};
    task->step_count = n;
}

// Searches with a narrow window around the value expected, and a wider one where that fails. What a
// failure says of the other side is believed only if nothing was left out.
static int search_around(struct think_thread *t, const struct think_step *step, int guess,
                         struct reversi_line *line) {
    const bool certain = step->certainty == CERTAIN;
    int width = step->depth == t->task->empties ? 1 : 3;
    struct reversi_root r = {.board = t->task->board,
                             .among = t->task->among,
                             .alpha = guess - width,
                             .beta = guess + width,
                             .depth = step->depth};
    for (;;) {
        r.alpha = r.alpha < -VALUE_NONE ? -VALUE_NONE : r.alpha;
        r.beta = r.beta > VALUE_NONE ? VALUE_NONE : r.beta;
        const int value = t->search.run(&t->search, &r, line);
        if (search_stopped(&t->search) || (value > r.alpha && value < r.beta))
            return value;
        width *= 2;
        if (value <= r.alpha) {
            r.beta = certain ? value + 1 : r.beta;
            r.alpha = value - width;
        } else {
            r.alpha = certain ? value - 1 : r.alpha;
            r.beta = value + width;
        }
    }
}

// A move that wins is found sooner than the score, and a game that is won counts as one; so where
// it looks won or even, such a move is asked for first, and one that draws if there is none. A
// proof that nothing helps would cost as much as the score.
static void search_outcome(struct think_thread *t, const struct think_step *step,
                           struct reversi_line *line) {
    struct reversi_root r = {
        .board = t->task->board, .among = t->task->among, .beta = 1, .depth = step->depth};
    line->length = 0;
    for (; t->value >= 0 && r.alpha >= -1 && line->length == 0; r.alpha--, r.beta--)
        if (t->search.run(&t->search, &r, line) > r.alpha || search_stopped(&t->search))
            return;
}

static void tell(const struct think_thread *t, const struct think_step *step,
                 const struct reversi_line *line, int value, struct thought *thought) {
    thought->length = line->length;
    for (int i = 0; i < line->length; i++)
        thought->pv[i] = line->square[i];
    thought->value = value;
    thought->depth = step->depth;
    thought->exact = step->depth == t->task->empties && step->certainty == CERTAIN;
}

// One step of a thread.
static bool reversi_step(void *thread, int number, struct thought *thought) {
    struct think_thread *t = thread;
    const struct think_step *step = &t->task->steps[number];
    struct reversi_line line;
    t->search.look_at = 0; // the limits may be others than in the step before
    t->search.certainty = step->certainty;
    int value = t->value;
    if (step->outcome)
        search_outcome(t, step, &line);
    else
        value = search_around(t, step, value, &line);
    const bool stopped = search_stopped(&t->search);
    thought->nodes = t->search.nodes;
    if (!stopped && !step->outcome) {
        t->value = value;
        tell(t, step, &line, value, thought);
    } else if (line.length > 0) {
        tell(t, step, &line, value, thought);
        thought->exact = false;
    }
    return !stopped;
}

// One thread thinks; the others are its squad.
static void think_all(struct reversi_mind *mind, struct think_task *task, struct stop *stop,
                      struct thought *thought) {
    struct think_thread *threads = mem_new((size_t)mind->threads, sizeof *threads);
    struct squad squad;
    for (int i = 0; i < mind->threads; i++) {
        search_init(&threads[i].search, mind->variant, mind->tt, stop);
        threads[i].search.spoils = mind->winner_takes_empties;
        threads[i].search.squad = mind->threads > 1 ? &squad : NULL;
        threads[i].task = task;
    }
    if (mind->threads > 1)
        squad_start(&squad, &threads[0].search, sizeof *threads, mind->threads);
    deepen(&(struct deepening){.first = 0,
                               .last = task->step_count - 1,
                               .search = reversi_step,
                               .threads = threads,
                               .thread_bytes = sizeof *threads,
                               .thread_count = 1,
                               .stop = stop},
           thought);
    if (mind->threads > 1)
        squad_end(&squad);
    for (int i = 1; i < mind->threads; i++)
        thought->nodes += threads[i].search.nodes;
    free(threads);
}

// How many positions will be kept: those close to the end are not.
static uint64_t expect(const struct limits *limits, int empties) {
    enum { KEPT = 16, PACE = 20 }; // one node in so many; nodes in a microsecond
    return limits->time_us ? (uint64_t)limits->time_us * PACE / KEPT + 1
                           : UINT64_C(1) << (empties > 14 ? empties - 5 : 10);
}

void reversi_think(struct reversi_mind *mind, const struct board *b, uint64_t among,
                   const struct limits *limits, struct thought *thought) {
    struct think_task task = {.board = *b,
                              .among = among,
                              .empties = board_empties(b, mind->variant),
                              .limited = limits->time_us || limits->nodes};
    struct stop stop;
    assert(board_moves(b, mind->variant) & among);
    stop_init(&stop, limits);
    plan(&task);
    tt_begin(mind->tt, limits->nodes, expect(limits, task.empties));
    think_all(mind, &task, &stop, thought);
}

void reversi_forget(struct reversi_mind *mind) { tt_clear(mind->tt, 1); }

struct reversi_mind *reversi_new(const struct variant *v, bool winner_takes_empties, int threads) {
    struct reversi_mind *mind = mem_new(1, sizeof *mind);
    mind->variant = v;
    mind->winner_takes_empties = winner_takes_empties;
    mind->threads = threads;
    mind->tt = tt_new(TT_BYTES);
    return mind;
}

void reversi_free(void *m) {
    struct reversi_mind *mind = m;
    tt_free(mind->tt);
    free(mind);
}

static void *reversi_engine_new(const struct ruleset *rules, int threads) {
    struct reversi_mind *mind = reversi_new(board_variant(rules), false, threads);
    mind->rules = *rules;
    return mind;
}

// The moves to look at, a bit each.
static uint64_t moves_among(const struct limits *limits, move only) {
    uint64_t among = only == MOVE_PASS ? UINT64_MAX : bit((int)only);
    for (int i = 0; i < limits->except_count; i++)
        among &= ~bit((int)limits->except[i][0]);
    return among;
}

static void reversi_engine_think(void *m, const void *state, const struct limits *limits, move only,
                                 struct thought *thought) {
    struct reversi_mind *mind = m;
    const struct board b = board_of_state(&mind->rules, state);
    reversi_think(mind, &b, moves_among(limits, only), limits, thought);
}

const struct engine engine_reversi = {
    .game = "reversi",
    .unit = "discs",
    .counted = {"disc", "discs", 1},
    .new = reversi_engine_new,
    .free = reversi_free,
    .think = reversi_engine_think,
};
