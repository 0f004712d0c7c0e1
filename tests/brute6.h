// SPDX-License-Identifier: MIT
// Who wins a connect6 game with few empty cells, by trying everything. Shares the rules with the
// product, and nothing else.
#pragma once

#include "games/game.h"

#include <stdlib.h>
#include <string.h>

enum { BRUTE_SLOTS = 1 << 22, BRUTE_CELLS = 16 };

struct brute {
    const struct game *game;
    int attacker;
    uint64_t *known; // [BRUTE_SLOTS]: a hash with its lowest bit set if the attacker wins there
};

static inline void brute_init(struct brute *b, const struct game *game) {
    *b = (struct brute){.game = game, .known = calloc(BRUTE_SLOTS, sizeof *b->known)};
}

static inline void brute_done(struct brute *b) { free(b->known); }

static inline uint64_t *brute_slot(const struct brute *b, uint64_t key) {
    size_t at = (size_t)(key >> 20) % BRUTE_SLOTS;
    while (b->known[at] && (b->known[at] ^ key) > 1)
        at = (at + 1) % BRUTE_SLOTS;
    return &b->known[at];
}

static inline bool brute_force(const struct brute *b, const union game_state *state) {
    move moves[BRUTE_CELLS];
    if (game_is_over(b->game, state))
        return b->game->outcome(state).winner == b->attacker;
    const uint64_t key = game_hash(b->game, state) & ~UINT64_C(1);
    uint64_t *slot = brute_slot(b, key);
    if (*slot)
        return *slot & 1;
    const bool attacks = b->game->turn(state) == b->attacker;
    const int count = b->game->moves(state, moves);
    bool wins = !attacks;
    for (int i = 0; i < count && wins != attacks; i++) {
        union game_state next = *state;
        b->game->apply(&next, moves[i]);
        wins = brute_force(b, &next);
    }
    *brute_slot(b, key) = key | wins;
    return wins;
}

// Can the attacker win whatever the other does? At most BRUTE_CELLS cells are empty.
static inline bool brute_wins(struct brute *b, int attacker, const union game_state *state) {
    b->attacker = attacker;
    memset(b->known, 0, BRUTE_SLOTS * sizeof *b->known);
    return brute_force(b, state);
}
