// SPDX-License-Identifier: MIT
// What is drawn at random for a game: the limit of a turn, blocked cells, an opening. All of it
// comes from one seed and the number of the draw, so that it can be drawn again.
#pragma once

#include "base/err.h"
#include "base/rng.h"
#include "games/game.h"

struct conditions {
    int64_t time_low_us, time_high_us; // both 0: no limit
    bool random_blocks;                // connect6
    int blocks;                        // how many; -1: that too
    int opening_plies;                 // random ones; 0: none
};

enum { BLOCKS_DRAWN_MAX = 10 };

// The game's contest: its time, and for connect6 random blocks.
void conditions_init(struct conditions *c, const struct game *game);
// "S", "A..B" or "off".
bool conditions_time(struct conditions *c, const char *text, struct err *err);
// "random" or "random:N"; false without an error if it is neither.
bool conditions_blocks(struct conditions *c, const char *text, struct err *err);

// The random numbers of one draw.
struct rng conditions_rng(uint64_t seed, int number);
// In whole seconds, or in milliseconds if an end of the range is not whole.
int64_t conditions_draw_time(const struct conditions *c, struct rng *rng);
// Sets the blocked cells of the rules, off the stones of an opening (NULL: none) and so that the
// game goes on after it; false if no such cells are found.
bool conditions_draw_blocks(const struct conditions *c, struct ruleset *rules, const char *opening,
                            struct rng *rng);
// How many random moves a game may begin with: half of its longest course under these rules.
int conditions_opening_max(const struct ruleset *rules);
// Random moves separated by "; " that do not end the game, freed by the caller; NULL if none are
// found.
char *conditions_draw_opening(const struct conditions *c, const struct ruleset *rules,
                              struct rng *rng);

// What a game is played under.
struct deal {
    struct ruleset rules; // before the draw: those given; after it the blocked cells are drawn
    int64_t time_us;      // limit of a turn; 0: none
    char *opening;        // before: the one given, or NULL; after: that, or the one drawn; owned
};

// All of it for one game.
bool conditions_deal(const struct conditions *c, uint64_t seed, int number, struct deal *deal,
                     struct err *err);
// What player 0 or 1 is told as the seed of what it draws in the game of that index: never 0.
uint32_t conditions_player_seed(uint64_t seed, int index, int player);
