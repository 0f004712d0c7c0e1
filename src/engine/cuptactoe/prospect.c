// SPDX-License-Identifier: MIT
// Two ways lead to a value. A search asks the prover about the steps: does one win within so many
// plies, and if not, which one does not let the opponent win in time? The plies grow by two. The
// first step that wins, or the one that loses last, settles the value; until then `best` is a step
// that nobody has refuted yet, so that a search that is stopped has an answer. The table has a
// value for every position as if there were no limit of turns: a step is worth a ply more than the
// position it leads to, or the limit if that takes longer than there are turns.
#include "engine/cuptactoe/prospect.h"

#include "engine/cuptactoe/retro.h"
#include "engine/registry.h"

#include <assert.h>
#include <stdlib.h>

static int least(int a, int b) { return a < b ? a : b; }

void prospect_init(struct prospect *p, const struct cups *state, move only,
                   const struct threes *threes) {
    const struct cupboard board = cupboard_of(state);
    *p = (struct prospect){.left = state->max_turns - state->turns};
    p->limit = state->turns % 2 ? p->left : -p->left;
    p->value = p->limit;
    p->by_limit = true;
    p->count = cupboard_steps(&board, threes, p->steps);
    for (int i = 0; i < p->count && only != MOVE_PASS; i++)
        if (p->steps[i].move == only) {
            p->steps[0] = p->steps[i];
            p->count = 1;
        }
}

void prospect_leave_out(struct prospect *p, const struct limits *limits) {
    int kept = 0;
    for (int i = 0; i < p->count; i++)
        if (!limits_except(limits, p->steps[i].move, MOVE_PASS))
            p->steps[kept++] = p->steps[i];
    assert(kept > 0);
    p->count = kept;
}

struct ranked {
    int rank;
    struct cup_step step;
};

static int by_rank(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : (int)x->step.move - (int)y->step.move;
}

void prospect_sort(struct prospect *p, const struct prover *prover) {
    struct ranked ranked[STEPS_MAX];
    for (int i = 0; i < p->count; i++) {
        const struct cup_step *step = &p->steps[i];
        ranked[i].step = *step;
        ranked[i].rank = step->end == STEP_ON     ? prover_rank(prover, step)
                         : step->end == STEP_LINE ? -1
                                                  : RANK_MOST + 1;
    }
    qsort(ranked, (size_t)p->count, sizeof *ranked, by_rank);
    for (int i = 0; i < p->count; i++)
        p->steps[i] = ranked[i].step;
}

// Nobody forces a win beyond the turns left, nor beyond the longest there is.
static int horizon(const struct prospect *p) { return least(p->left, VALUE_LONGEST); }

int prospect_last_depth(const struct prospect *p) { return (horizon(p) + 1) / 2; }

// The first step that ends, or leads to a position that ends, in a win within so many plies; -1 if
// there is none or the search was stopped.
static int winning_step(const struct prospect *p, struct prover *s, int plies) {
    for (int i = 0; i < p->count && !s->stopped; i++)
        if (p->steps[i].end == STEP_LINE ||
            (p->steps[i].end == STEP_ON && prover_loses(s, &p->steps[i].next, plies - 1)))
            return s->stopped ? -1 : i;
    return -1;
}

// From step `from` on, the first that does not let the opponent win within so many plies; the one
// looked at if the search was stopped; -1 if there is none.
static int holding_step(const struct prospect *p, struct prover *s, int from, int plies) {
    for (int i = from; i < p->count; i++)
        if (p->steps[i].end == STEP_ON && !prover_wins(s, &p->steps[i].next, plies))
            return i;
    return -1;
}

static bool settle(struct prospect *p, int best, int value) {
    p->best = best;
    p->value = value;
    p->by_limit = false;
    p->exact = true;
    return true;
}

static bool settle_win(struct prospect *p, struct prover *s, int step, int plies) {
    if (p->steps[step].end == STEP_LINE)
        return settle(p, step, 1);
    const int sooner = winning_step(p, s, plies - 1);
    p->best = step;
    p->value = plies;
    return !s->stopped && settle(p, sooner < 0 ? step : sooner, sooner < 0 ? plies : plies - 1);
}

// All steps lose within `plies` after them: which one last?
static bool settle_loss(struct prospect *p, struct prover *s, int plies) {
    while (--plies >= 0) {
        const int step = holding_step(p, s, 0, plies);
        if (s->stopped)
            return false;
        if (step >= 0)
            return settle(p, step, -(plies + 2));
    }
    return settle(p, 0, -1); // nothing but lifts
}

bool prospect_deepen(struct prospect *p, struct prover *s, int depth) {
    assert(depth >= 1);
    const int ahead = least(2 * depth, horizon(p)), after = least(2 * depth, horizon(p) - 1);
    const int winning = winning_step(p, s, ahead);
    if (s->stopped)
        return false;
    if (winning >= 0)
        return settle_win(p, s, winning, ahead);
    const int holding = holding_step(p, s, p->best, after);
    if (holding < 0)
        return settle_loss(p, s, after);
    p->best = holding;
    p->exact = !s->stopped && ahead == horizon(p);
    return !s->stopped;
}

static int worth(int value) { return engine_worth(&engine_cuptactoe, value); }

// What a step is worth without a limit of turns.
static int free_value(const struct cup_step *step, const struct atlas *atlas,
                      const int8_t *values) {
    if (step->end != STEP_ON)
        return step->end == STEP_LINE ? 1 : -1;
    int symmetry;
    const int next = values[atlas_slot(atlas, &step->next, &symmetry)];
    return next == VALUE_NEVER ? VALUE_NEVER : next > 0 ? -next - 1 : -next + 1;
}

static int step_value(const struct prospect *p, const struct cup_step *step,
                      const struct atlas *atlas, const int8_t *values) {
    const int value = free_value(step, atlas, values);
    return value == VALUE_NEVER || abs(value) > p->left ? p->limit : value;
}

static int free_worth(int value) { return value == VALUE_NEVER ? 0 : worth(value); }

bool prospect_fits(const struct cups *state, const struct threes *threes, const struct atlas *atlas,
                   const int8_t *values) {
    const struct cupboard board = cupboard_of(state);
    struct cup_step steps[STEPS_MAX];
    const int count = cupboard_steps(&board, threes, steps);
    int symmetry, best = -1;
    for (int i = 0; i < count; i++) {
        const int value = free_value(&steps[i], atlas, values);
        best = i == 0 || free_worth(value) > free_worth(best) ? value : best;
    }
    return values[atlas_slot(atlas, &board, &symmetry)] == best;
}

void prospect_look_up(struct prospect *p, const struct atlas *atlas, const int8_t *values,
                      int enough) {
    for (int i = 0; i < p->count && (i == 0 || p->value != enough); i++) {
        const int value = step_value(p, &p->steps[i], atlas, values);
        if (i == 0 || worth(value) > worth(p->value))
            settle(p, i, value);
    }
}

bool prospect_follow(struct prospect *p, struct prover *s, int value, bool by_limit) {
    int step;
    if (by_limit)
        step = holding_step(p, s, 0, horizon(p) - 1);
    else if (value > 0)
        step = winning_step(p, s, value);
    else
        step = value < -1 ? holding_step(p, s, 0, -value - 2) : 0;
    p->best = step < 0 ? 0 : step;
    return step >= 0 && !s->stopped;
}
