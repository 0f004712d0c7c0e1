// SPDX-License-Identifier: MIT
// A search in breadth that keeps, of all sets met after so many moves, those with the fewest
// columns to go. What it finds can be played; less may do.
#include "base/mem.h"
#include "engine/hopchess/race.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 300, LIST = 512, MOVES_MAX = 80 };

struct hope {
    uint64_t pieces;
    int to_go;
};

// Columns to go in sum, and the last piece's once more.
static int to_go(uint64_t pieces) {
    int last;
    const int sum = field_columns(pieces, &last);
    return sum + last;
}

static int by_hope(const void *a, const void *b) {
    const struct hope *x = a, *y = b;
    return x->to_go != y->to_go ? (x->to_go > y->to_go) - (x->to_go < y->to_go)
                                : (x->pieces > y->pieces) - (x->pieces < y->pieces);
}

// The best sets one move further; returns their count.
static int advance(const struct hope *now, int count, int max_hops, struct hope *next) {
    struct leap list[LIST];
    int met = 0, kept = 0;
    for (int i = 0; i < count; i++) {
        const int leaps = leaps_solo(now[i].pieces, max_hops, list, LIST);
        for (int k = 0; k < leaps; k++)
            next[met++] = (struct hope){list[k].own, to_go(list[k].own)};
    }
    qsort(next, (size_t)met, sizeof *next, by_hope);
    for (int i = 0; i < met && kept < WIDTH; i++)
        if (kept == 0 || next[i].pieces != next[kept - 1].pieces)
            next[kept++] = next[i];
    return kept;
}

static void note(const struct hope *hopes, int count, int now, uint8_t moves[static HOP_PIECES]) {
    int most = 0;
    for (int i = 0; i < count; i++) {
        const int home = bits_count(hopes[i].pieces & FIELD_HOME);
        most = home > most ? home : most;
    }
    for (int k = 0; k < most && k < HOP_PIECES; k++)
        moves[k] = (uint8_t)(now < moves[k] ? now : moves[k]);
}

void race_search(uint64_t pieces, int max_hops, uint8_t moves[static HOP_PIECES]) {
    struct hope *room[2] = {mem_new(WIDTH * LIST, sizeof *room[0]),
                            mem_new(WIDTH * LIST, sizeof *room[1])};
    const int all = bits_count(pieces);
    int count = 1;
    memset(moves, RACE_FAR, HOP_PIECES);
    room[0][0] = (struct hope){pieces, to_go(pieces)};
    note(room[0], count, 0, moves);
    for (int now = 1; now < MOVES_MAX && all > 0 && moves[all - 1] == RACE_FAR; now++) {
        count = advance(room[(now + 1) % 2], count, max_hops, room[now % 2]);
        note(room[now % 2], count, now, moves);
    }
    free(room[0]);
    free(room[1]);
}
