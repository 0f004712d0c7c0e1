// SPDX-License-Identifier: MIT
// Games played to their end by chance, which prefers moves that did well before (MAST).
// A playout belongs to one thread; it owns its tables.
#pragma once

#include "base/rng.h"
#include "games/game.h"

// What is known of a move wherever it is played. Where a game has more moves than there are
// habits, some share one, and the last to use it has it.
struct habit {
    move m;
    uint32_t stamp[2]; // for AMAF: the game in which it was played last, by each player
    float sum[2];      // results for who played it
    float count[2];
};

struct playout {
    const struct game *game;
    struct rng rng;
    struct habit *habits;
    uint32_t habit_count; // a power of 2
    bool habits_direct;   // no two moves share one
    move *moves;          // of the game that is played, from the root
    uint8_t *players;
    int length, length_max;
    double margin;  // of scores in the end, on average
    uint64_t ended; // games behind that average
};

void playout_init(struct playout *playout, const struct game *game);
void playout_done(struct playout *playout);
// Nothing is remembered; the same seed gives the same games.
void playout_forget(struct playout *playout, uint64_t seed);
// What was learned counts less from now on.
void playout_fade(struct playout *playout);

// Plays on from a state, which becomes the end. Returns the result for Black, -1 to 1.
float playout_run(struct playout *playout, void *state);
// The result of a finished game.
float playout_result(struct playout *playout, const void *state);
// Remembers how the moves of the game did.
void playout_learn(struct playout *playout, float result);

static inline void playout_add(struct playout *p, move m, int player) {
    if (p->length == p->length_max)
        return;
    p->moves[p->length] = m;
    p->players[p->length++] = (uint8_t)player;
}

static inline struct habit *playout_place(const struct playout *p, move m) {
    const uint32_t at = p->habits_direct ? m : m * UINT32_C(0x9e3779b1) >> 8;
    return &p->habits[at & (p->habit_count - 1)];
}

// The habit of a move; NULL: another has its place.
static inline const struct habit *playout_find(const struct playout *p, move m) {
    const struct habit *habit = playout_place(p, m);
    return habit->m == m ? habit : NULL;
}

// The same; it takes the place.
static inline struct habit *playout_habit(const struct playout *p, move m) {
    struct habit *habit = playout_place(p, m);
    if (habit->m != m)
        *habit = (struct habit){.m = m};
    return habit;
}
