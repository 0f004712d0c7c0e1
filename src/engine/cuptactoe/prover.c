// SPDX-License-Identifier: MIT
// A claim is that the player to move wins, or loses, within so many plies. Claims are kept without
// the way that led to them: one proven for n plies holds for more, one refuted holds for fewer, and
// both hold for ever. So cycles do no harm, as they would if bare values of positions were kept.
//
// Wins by a line take an odd number of plies; even ones end by the loser's having nothing but cups
// to lift from his opponent's lines. Asking for an even number includes both: whoever deepens by
// two plies does half the work.
#include "engine/cuptactoe/prover.h"

#include "base/rng.h"
#include "games/bits.h"

enum { PLIES_MAX = 127 };

static bool claim(struct prover *s, const struct cupboard *b, int plies, bool wins);

// Can the move leave the opponent nothing but to uncover a line?
static bool leaves_lifts(const struct prover *s, const struct cupboard *b) {
    struct cup_step steps[STEPS_MAX];
    if (bits_count(b->other[CUPS_SIZES - 1]) < CUPS_EACH) // a large cup can always be placed
        return false;
    const int count = cupboard_steps(b, s->threes, steps);
    for (int i = 0; i < count; i++)
        if (steps[i].end == STEP_ON && cupboard_must_lift(&steps[i].next, s->threes))
            return true;
    return false;
}

static bool all_lose_at_once(const struct prover *s, const struct cupboard *b) {
    struct cup_step steps[STEPS_MAX];
    const int count = cupboard_steps(b, s->threes, steps);
    for (int i = 0; i < count; i++)
        if (steps[i].end == STEP_ON && !cupboard_wins_now(&steps[i].next, s->threes))
            return false;
    return true;
}

// Two plies at most, and the player to move cannot win at once.
static bool claim_soon(const struct prover *s, const struct cupboard *b, int plies, bool wins) {
    if (plies == 1)
        return !wins && cupboard_must_lift(b, s->threes);
    return wins ? leaves_lifts(s, b) : all_lose_at_once(s, b);
}

int prover_rank(const struct prover *s, const struct cup_step *step) {
    struct cup_step replies[STEPS_MAX];
    if (cupboard_wins_now(&step->next, s->threes))
        return RANK_MOST;
    const int count = cupboard_steps(&step->next, s->threes, replies);
    int left = 0;
    for (int i = 0; i < count; i++)
        left += replies[i].end == STEP_ON && !cupboard_wins_now(&replies[i].next, s->threes);
    return left;
}

// A move as it is in the turned position, or back: cells carried by `cell`.
static move turned_move(move m, const uint8_t cell[static CUPS_CELLS]) {
    const int source = (int)m / CUPS_CELLS, to = cell[m % CUPS_CELLS];
    const int from = source < CUPS_SIZES ? source : CUPS_SIZES + cell[source - CUPS_SIZES];
    return (move)(from * CUPS_CELLS + to);
}

// Tries moves, the one that was good before first, then by rank: is there one that makes the claim
// of a win true, or that of a loss false? Returns its number, or -1.
static int find_step(struct prover *s, const struct cup_step *steps, int count, int plies,
                     bool wins, int first) {
    uint8_t rank[STEPS_MAX];
    if (first >= 0 && claim(s, &steps[first].next, plies - 1, !wins) == wins && !s->stopped)
        return first;
    for (int i = 0; i < count; i++) {
        rank[i] =
            i == first || steps[i].end != STEP_ON ? RANK_MOST : (uint8_t)prover_rank(s, &steps[i]);
        if (rank[i] == 0) // the opponent loses within two plies
            return i;
    }
    while (!s->stopped) {
        int best = 0;
        for (int i = 1; i < count; i++)
            best = rank[i] < rank[best] ? i : best;
        if (rank[best] == RANK_MOST)
            return -1;
        rank[best] = RANK_MOST;
        if (claim(s, &steps[best].next, plies - 1, !wins) == wins)
            return best;
    }
    return -1;
}

static int step_of_move(const struct cup_step *steps, int count, move m) {
    for (int i = 0; i < count; i++)
        if (steps[i].move == m)
            return steps[i].end == STEP_ON ? i : -1;
    return -1;
}

// Looks the claim up, and looks into it if that does not settle it.
static bool claim_later(struct prover *s, const struct cupboard *b, int plies, bool wins) {
    struct cup_step steps[STEPS_MAX];
    struct tt_entry e = {.lower = 0, .upper = PLIES_MAX};
    int symmetry, first = -1;
    struct rng key = {2 * atlas_slot(s->atlas, b, &symmetry) + wins};
    key.state = rng_next(&key);
    const bool known = tt_get(s->tt, key.state, &e);
    if (known && (plies <= e.lower || plies >= e.upper))
        return plies >= e.upper;
    const int count = cupboard_steps(b, s->threes, steps);
    if (known && e.move)
        first = step_of_move(steps, count, turned_move(e.move - 1u, s->atlas->uncell[symmetry]));
    const int found = find_step(s, steps, count, plies, wins, first);
    if (s->stopped)
        return false;
    const bool is_true = (found >= 0) == wins;
    *(is_true ? &e.upper : &e.lower) = (int16_t)plies;
    if (found >= 0)
        e.move = (uint16_t)(turned_move(steps[found].move, s->atlas->cell[symmetry]) + 1);
    e.depth = (uint8_t)plies;
    tt_put(s->tt, key.state, e);
    return is_true;
}

static bool claim(struct prover *s, const struct cupboard *b, int plies, bool wins) {
    s->nodes++;
    if (s->stopped || (s->stop && stop_look(s->stop, s->nodes))) { // a node takes microseconds
        s->stopped = true;
        return false;
    }
    if (plies <= 0)
        return false;
    if (cupboard_wins_now(b, s->threes))
        return wins;
    return plies <= 2 ? claim_soon(s, b, plies, wins) : claim_later(s, b, plies, wins);
}

bool prover_wins(struct prover *prover, const struct cupboard *board, int plies) {
    return claim(prover, board, plies, true);
}

bool prover_loses(struct prover *prover, const struct cupboard *board, int plies) {
    return claim(prover, board, plies, false);
}
