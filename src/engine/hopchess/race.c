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

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 128 };

struct races {
    int max_hops;
    uint32_t below[RACE_PIECES + 1][HOP_SQUARES]; // [n][s]: sets of n squares below s
    uint32_t sets[RACE_PIECES + 1];
    uint8_t *moves[RACE_PIECES + 1]; // [n][set * n + k - 1]
};

static uint32_t number_of(const struct races *r, uint64_t pieces) {
    uint32_t number = 0;
    for (int n = 1; pieces; pieces &= pieces - 1)
        number += r->below[n++][bits_first(pieces)];
    return number;
}

static void fill_below(struct races *r) {
    for (int s = 0; s < HOP_SQUARES; s++) {
        r->below[0][s] = 1;
        for (int n = 1; n <= RACE_PIECES; n++)
            r->below[n][s] = s == 0 ? 0 : r->below[n][s - 1] + r->below[n - 1][s - 1];
    }
    for (int n = 1; n <= RACE_PIECES; n++)
        r->sets[n] = r->below[n][HOP_SQUARES - 1] + r->below[n - 1][HOP_SQUARES - 1];
}

// The next set with as many squares, in the order of its number; 0 after the last.
static uint64_t set_after(uint64_t set) {
    const uint64_t low = set & -set, sum = set + low;
    return sum < set ? 0 : sum | (set ^ sum) >> 2 >> bits_first(set);
}

// Sets waiting for their neighbours to be visited.
struct queue {
    uint64_t *sets;
    size_t head, tail;
};

static void put(const struct races *r, struct queue *q, uint64_t set, int n, int k, int moves) {
    uint8_t *known = &r->moves[n][number_of(r, set) * (uint32_t)n + (uint32_t)k - 1];
    if (*known != RACE_FAR)
        return;
    *known = (uint8_t)moves;
    q->sets[q->tail++] = set;
}

static void fill_moves(struct races *r, struct queue *q, int n, int k) {
    struct leap list[LIST];
    q->head = q->tail = 0;
    for (uint64_t set = bit(n) - 1; set; set = set_after(set))
        if (bits_count(set & FIELD_HOME) >= k)
            put(r, q, set, n, k, 0);
    while (q->head < q->tail) {
        const uint64_t set = q->sets[q->head++];
        const int moves = r->moves[n][number_of(r, set) * (uint32_t)n + (uint32_t)k - 1] + 1;
        const int count = leaps_solo(set, r->max_hops, list, LIST);
        for (int i = 0; i < count; i++)
            put(r, q, list[i].own, n, k, moves);
    }
}

static struct races standard = {.max_hops = HOP_COUNT_MAX}; // written once, then read

static void fill(void) {
    struct queue q;
    fill_below(&standard);
    q.sets = mem_new(standard.sets[RACE_PIECES], sizeof *q.sets);
    for (int n = 1; n <= RACE_PIECES; n++) {
        const size_t bytes = (size_t)standard.sets[n] * (size_t)n;
        standard.moves[n] = mem_new(bytes, 1);
        memset(standard.moves[n], RACE_FAR, bytes);
        for (int k = 1; k <= n; k++)
            fill_moves(&standard, &q, n, k);
    }
    free(q.sets);
}

const struct races *races_find(int max_hops) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (max_hops != HOP_COUNT_MAX)
        return NULL;
    pthread_once(&once, fill);
    return &standard;
}

struct race race_of(const struct races *races, uint64_t pieces) {
    const int n = bits_count(pieces);
    if (n == 0)
        return (struct race){0, NULL};
    return (struct race){n, &races->moves[n][number_of(races, pieces) * (uint32_t)n]};
}

int race_home(const struct race *race, int moves) {
    int home = race->pieces;
    while (home > 0 && race->moves[home - 1] > moves)
        home--;
    return home;
}

bool race_is_on(const struct field *f) {
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

int race_margin(const struct races *races, const struct field *f, int *plies) {
    const struct race own = race_of(races, f->own);
    const struct race other = race_of(races, field_turned(f->other));
    return race_meet(&own, &other, f->left, plies);
}
