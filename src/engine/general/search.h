// SPDX-License-Identifier: MIT
// One thread's Monte-Carlo tree search: UCT with RAVE, and proofs.
// A search owns its tree and its tables.
#pragma once

#include "engine/general/playout.h"
#include "engine/general/tree.h"
#include "engine/stop.h"

struct uct {
    const struct game *game;
    struct tree tree;
    struct playout playout;
    struct lore_view view; // where something was learned
    uint32_t *path;        // nodes from the root on
    move *list;            // of legal moves
    bool *barred;          // moves of the root that are not to be considered, in their order
    int open_count;        // those that are
    int least, most;       // what their result is within, for the player
    uint32_t stamp;        // of the game that is played
    uint64_t nodes;        // games played, since it began to think
};

void uct_init(struct uct *uct, const struct game *game, size_t bytes);
void uct_done(struct uct *uct);
// Judges by what was learned from now on; before it has thought of anything.
void uct_teach(struct uct *uct, const struct lore *lore);
// Where the game stands: goes on with what is known of it, unless it is to forget. Considers no
// move but `only`, unless that is MOVE_PASS, and none that the limits except.
void uct_begin(struct uct *uct, const void *state, const struct limits *limits, move only,
               uint64_t seed);
// Until it is stopped, or knows the result; then it stops the others.
void uct_run(struct uct *uct, struct stop *stop);
// What the result of the moves considered is within, for the player to move.
void uct_bounds(const struct uct *uct, int *least, int *most);
