// SPDX-License-Identifier: MIT
// The tree of a Monte-Carlo search: what is known of positions, in a pool of fixed size. A node is
// named by its place there; the children of one lie side by side, in the order of the moves. All
// values are Black's, from -1 lost to 1 won, so that it does not matter who moves twice in a row.
// The tree owns its nodes; whoever holds one must not keep it beyond tree_follow().
#pragma once

#include "engine/general/lore.h"
#include "games/game.h"

enum { TREE_ROOT = 1, TREE_NONE = 0 };

struct tree_node {
    double sum;     // results of the visits
    float amaf_sum; // results of games in which the move was played later, by the same player
    uint32_t visits, amaf_visits;
    move m;               // leads here
    uint32_t first;       // its children; TREE_NONE: it has none yet
    uint32_t child_count; // of them
    uint8_t turn;         // who moves; 0: the game is over
    int8_t least, most;   // what the result is proven to be within; the same: it is known
    uint16_t turns;       // where it is a win: of both, until then at the latest
    // By what was learned, if anything was.
    float guess; // the result to expect
    float prior; // the share of its parent's visits that it should get
};

struct tree {
    const struct game *game;
    struct tree_node *nodes, *spare; // as many each; tree_follow() copies from one to the other
    uint32_t size, used;
    struct lore_view *view; // by which positions are judged; NULL: they are not
    union game_state root;
};

void tree_init(struct tree *tree, const struct game *game, size_t bytes);
void tree_done(struct tree *tree);
// Nothing is known but that the game stands here.
void tree_begin(struct tree *tree, const void *state);
// Where the game stands now becomes the root, with all that is known of it, if it is found among
// what may follow the root; false: it is not, and nothing has changed.
bool tree_follow(struct tree *tree, const void *state);
// Gives a node its children. Those that end the game are known at once, and maybe the node then is.
// False: there is no room; nothing has changed.
bool tree_grow(struct tree *tree, uint32_t node, const void *state, move *list);
// What the children say of the result of a node.
void tree_prove(struct tree *tree, uint32_t node);

static inline bool tree_is_known(const struct tree_node *node) { return node->least == node->most; }
static inline int tree_sign(int player) { return player == BLACK ? 1 : -1; }
// Turns until the end if this child is played by `player`.
static inline int tree_turns_by(const struct tree_node *child, int player) {
    return child->turns + (child->turn != player);
}
