// SPDX-License-Identifier: MIT
#include "train/tower4/selfplay.h"

#include "base/rng.h"
#include "games/bits.h"

enum {
    RANDOM_MIN = 2, // plies at the beginning are drawn at random, and up to so many more
    RANDOM_MORE = 10,
    STRAY_PERCENT = 4, // of later drops too
    STRAY_LEFT = 12,   // until so many pieces are left
};

static struct played draw(const struct tower *b, struct rng *rng) {
    const uint32_t columns = tower_columns(b);
    const int n = (int)rng_below(rng, (uint32_t)bits_count(columns));
    return (struct played){.column = (uint8_t)bits_nth(columns, n)};
}

static struct played think(const struct tower_selfplay *play, struct tower_search *s) {
    struct thought thought = {.length = 0};
    tt_age(s->tt);
    tower_search_think(s, play->nodes, &thought);
    return (struct played){.column = play->lattice->column[thought.pv[0]],
                           .searched = 1,
                           .gain = (int16_t)thought.value};
}

void tower_selfplay(const struct tower_selfplay *play, uint32_t number, struct tower_search *s,
                    struct buf *out) {
    struct rng rng = {play->seed * UINT64_C(1000003) + number};
    const int random = RANDOM_MIN + (int)rng_below(&rng, RANDOM_MORE + 1);
    tower_init(&s->board, play->lattice, play->net);
    tt_clear(s->tt, play->nodes * 8);
    while (s->board.left > 0) {
        const bool stray = s->board.played < random ||
                           (s->board.left > STRAY_LEFT && rng_below(&rng, 100) < STRAY_PERCENT);
        const struct played ply = stray ? draw(&s->board, &rng) : think(play, s);
        buf_put(out, &ply, sizeof ply);
        tower_drop(&s->board, ply.column);
    }
}
