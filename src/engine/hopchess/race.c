// SPDX-License-Identifier: MIT
// Moves of a side alone can be taken back, so the moves until k pieces are home are found by going
// out from all sets that have k home, breadth first.
//
// Who plays the race? Say the mover can be home in a moves and the other in b. If a <= b he ends
// the game with his a-th move; the other has made a - 1 moves by then, and has as many home as can
// be after those. Nobody does better: the other cannot end the game before, what he has home stays
// there, and waiting only lets him bring more. If a > b it is the other who ends it with his b-th
// move, before which the mover has made b. If the moves are used up first, each brings home what he
// can.
#include "engine/hopchess/race.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct races {
    uint32_t below[RACE_PIECES + 1][HOP_SQUARES]; // [n][s]: sets of n squares below s
    uint32_t sets[RACE_PIECES + 1];
    uint32_t begin[RACE_PIECES + 2]; // of the moves of n pieces
    uint8_t moves[];                 // [begin of n + set * n + k - 1]
};

static uint32_t number_of(const struct races *r, uint64_t pieces) {
    uint32_t number = 0;
    for (int n = 1; pieces; pieces &= pieces - 1)
        number += r->below[n++][bits_first(pieces)];
    return number;
}

// Where the moves of a set stand.
static uint32_t place_of(const struct races *r, uint64_t pieces) {
    const uint32_t n = (uint32_t)bits_count(pieces);
    return r->begin[n] + number_of(r, pieces) * n;
}

static void fill_below(struct races *r) {
    for (int s = 0; s < HOP_SQUARES; s++) {
        r->below[0][s] = 1;
        for (int n = 1; n <= RACE_PIECES; n++)
            r->below[n][s] = s == 0 ? 0 : r->below[n][s - 1] + r->below[n - 1][s - 1];
    }
    for (int n = 1; n <= RACE_PIECES; n++) {
        r->sets[n] = r->below[n][HOP_SQUARES - 1] + r->below[n - 1][HOP_SQUARES - 1];
        r->begin[n + 1] = r->begin[n] + r->sets[n] * (uint32_t)n;
    }
}

// The next set with as many squares, in the order of its number; 0 after the last, and after 0.
static uint64_t set_after(uint64_t set) {
    const uint64_t low = set & -set, sum = set + low;
    return sum <= set ? 0 : sum | (set ^ sum) >> 2 >> bits_first(set);
}

// Going out from the sets that have k home. A set of n is kept n times: as each of its pieces and
// the n - 1 that stand still while that one moves. All places of the mover among the same others
// are one word and move at once.
struct tide {
    struct races *races;
    int n, k;
    uint64_t *seen, *fresh, *next; // by the number of the others: where the mover may stand
};

static void reach(const struct tide *t, uint64_t set, int moves) {
    struct races *r = t->races;
    r->moves[place_of(r, set) + (uint32_t)t->k - 1] = (uint8_t)moves;
    for (uint64_t left = set; left; left &= left - 1) {
        const uint64_t mover = left & -left;
        t->next[number_of(r, set & ~mover)] |= mover;
    }
}

static void reach_home(const struct tide *t) {
    for (uint64_t set = bit(t->n) - 1; set; set = set_after(set))
        if (bits_count(set & FIELD_HOME) >= t->k)
            reach(t, set, 0);
}

// One move more, from all sets reached last.
static void go_out(const struct tide *t, uint32_t others, int moves) {
    uint64_t still = bit(t->n - 1) - 1;
    for (uint32_t i = 0; i < others; i++, still = set_after(still)) {
        if (!t->fresh[i])
            continue;
        uint64_t places = leaps_together(t->fresh[i], still) & ~(t->seen[i] | t->next[i]);
        for (; places; places &= places - 1)
            reach(t, still | (places & -places), moves);
    }
}

// What was reached last is seen, and what comes next starts empty; false if nothing was reached.
static bool turn(struct tide *t, uint32_t others) {
    uint64_t *const old = t->fresh, any = 0;
    for (uint32_t i = 0; i < others; i++) {
        t->seen[i] |= t->next[i];
        any |= t->next[i];
    }
    t->fresh = t->next;
    t->next = memset(old, 0, others * sizeof *old);
    return any;
}

static void fill_moves(struct races *r, int n, int k) {
    const uint32_t others = n > 1 ? r->sets[n - 1] : 1;
    uint64_t *const words = mem_new((size_t)others * 3, sizeof *words);
    struct tide t = {r, n, k, words, words + others, words + 2 * (size_t)others};
    reach_home(&t);
    for (int moves = 1; turn(&t, others); moves++)
        go_out(&t, others, moves);
    free(words);
}

struct races *races_new(size_t *bytes) {
    struct races *r = mem_new(1, sizeof *r);
    fill_below(r);
    const size_t all = r->begin[RACE_PIECES + 1];
    *bytes = sizeof *r + all;
    r = mem_resize(r, *bytes);
    memset(r->moves, RACE_FAR, all);
    for (int n = 1; n <= RACE_PIECES; n++)
        for (int k = 1; k <= n; k++)
            fill_moves(r, n, k);
    return r;
}

struct race race_of(const struct races *races, uint64_t pieces) {
    const int n = bits_count(pieces);
    assert(race_is_known(pieces));
    return (struct race){n, n ? &races->moves[place_of(races, pieces)] : NULL};
}

int race_home(const struct race *race, int moves) {
    int home = race->pieces;
    while (home > 0 && race->moves[home - 1] > moves)
        home--;
    return home;
}

bool race_is_on(const struct hop_field *f) {
    if (!race_is_known(f->own) || !race_is_known(f->other))
        return false;
    uint64_t behind = f->own; // every column from the mover's last piece on
    for (int i = 1; i < HOP_SIDE; i++)
        behind |= hop_shift(behind, HOP_RIGHT);
    for (int i = 1; i < HOP_SIDE; i++)
        behind |= behind >> HOP_SIDE | behind << HOP_SIDE;
    return !(behind & f->other);
}

int race_meet(const struct race *own, const struct race *other, int left, int *plies) {
    const int own_length = race_length(own), other_length = race_length(other);
    const int own_last = (left + 1) / 2, other_last = left / 2; // moves before the end
    if (own_length <= other_length && own_length <= own_last) {
        *plies = 2 * own_length - 1;
        return own->pieces - race_home(other, own_length - 1);
    }
    if (other_length < own_length && other_length <= other_last) {
        *plies = 2 * other_length;
        return race_home(own, other_length) - other->pieces;
    }
    *plies = left;
    return race_home(own, own_last) - race_home(other, other_last);
}

int race_margin(const struct races *races, const struct hop_field *f, int *plies) {
    const struct race own = race_of(races, f->own);
    const struct race other = race_of(races, field_turned(f->other));
    return race_meet(&own, &other, f->left, plies);
}
