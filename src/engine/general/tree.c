// SPDX-License-Identifier: MIT
// What is proven goes up: a player has at least the best of what his moves have at least, and at
// most the best of what they have at most (score-bounded search, with three results).
#include "engine/general/tree.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOLLOW_PLIES = 6,       // how far below the root a position is looked for
    FOLLOW_MOVES = 20000,   // and how many moves are tried
    TURNS_MAX = UINT16_MAX, // that are counted
    ENDED = 3,              // a win at once, as a sum of weights
    JUDGED = 15,            // games that what was learned of a position counts as
};

static const float sharpness = 3; // of what was judged, when it is shared out

void tree_init(struct tree *tree, const struct game *game, size_t bytes) {
    const size_t least = (size_t)game->moves_max + 2; // the root can always grow
    const size_t size = bytes / 2 / sizeof(struct tree_node);
    *tree = (struct tree){.game = game, .size = (uint32_t)(size > least ? size : least)};
    tree->nodes = mem_new(tree->size, sizeof *tree->nodes);
    tree->spare = mem_new(tree->size, sizeof *tree->spare);
}

void tree_done(struct tree *tree) {
    free(tree->nodes);
    free(tree->spare);
}

void tree_begin(struct tree *tree, const void *state) {
    memcpy(&tree->root, state, tree->game->state_size);
    tree->nodes[TREE_ROOT] =
        (struct tree_node){.turn = (uint8_t)tree->game->turn(state), .least = -1, .most = 1};
    tree->used = TREE_ROOT + 1;
}

// Copies what hangs on a node to the other half of the memory, level by level.
static void keep(struct tree *tree, uint32_t node) {
    struct tree_node *to = tree->spare;
    uint32_t used = TREE_ROOT + 1;
    to[TREE_ROOT] = tree->nodes[node];
    for (uint32_t at = TREE_ROOT; at < used; at++) {
        if (to[at].first == TREE_NONE)
            continue;
        memcpy(&to[used], &tree->nodes[to[at].first], to[at].child_count * sizeof *to);
        to[at].first = used;
        used += to[at].child_count;
    }
    tree->spare = tree->nodes;
    tree->nodes = to;
    tree->used = used;
}

struct pursuit {
    const struct tree *tree;
    const void *wanted;
    int tried;
};

// The node of the wanted position, exactly so many plies below this one.
static uint32_t find(struct pursuit *p, uint32_t node, const void *state, int plies) {
    const struct game *game = p->tree->game;
    const struct tree_node *n = &p->tree->nodes[node];
    if (plies == 0)
        return memcmp(state, p->wanted, game->state_size) == 0 ? node : TREE_NONE;
    for (uint32_t i = 0; i < n->child_count && p->tried < FOLLOW_MOVES; i++) {
        const struct tree_node *child = &p->tree->nodes[n->first + i];
        union game_state next;
        if (plies > 1 ? child->first == TREE_NONE : child->visits == 0)
            continue;
        memcpy(&next, state, game->state_size);
        game->apply(&next, child->m);
        p->tried++;
        const uint32_t found = find(p, n->first + i, &next, plies - 1);
        if (found != TREE_NONE)
            return found;
    }
    return TREE_NONE;
}

bool tree_follow(struct tree *tree, const void *state) {
    struct pursuit p = {.tree = tree, .wanted = state};
    uint32_t found = TREE_NONE;
    if (tree->used == 0)
        return false;
    for (int plies = 0; plies <= FOLLOW_PLIES && found == TREE_NONE; plies++)
        found = find(&p, TREE_ROOT, &tree->root, plies);
    if (found == TREE_NONE)
        return false;
    if (found != TREE_ROOT) {
        keep(tree, found);
        memcpy(&tree->root, state, tree->game->state_size);
    }
    return true;
}

// A child as it is before it was visited.
static struct tree_node look(const struct tree *tree, const void *state, move m) {
    const struct game *game = tree->game;
    struct tree_node child = {.m = m, .least = -1, .most = 1};
    union game_state next;
    memcpy(&next, state, game->state_size);
    game->apply(&next, m);
    child.turn = (uint8_t)game->turn(&next);
    if (child.turn == 0) {
        const int winner = game->outcome(&next).winner;
        child.least = child.most = (int8_t)(winner ? tree_sign(winner) : 0);
        child.prior = (float)(child.least * ENDED);
    } else if (tree->view) {
        child.prior = lore_sum_after(tree->view, m, tree->game->turn(state), &next);
        child.guess = tanhf(child.prior);
        child.amaf_visits = JUDGED;
        child.amaf_sum = JUDGED * child.guess;
    }
    return child;
}

// What the children are judged to be, as shares of the whole.
static void share_out(struct tree_node *children, uint32_t count, int sign) {
    float most = 0, whole = 0;
    for (uint32_t i = 0; i < count; i++) {
        children[i].prior *= (float)sign * sharpness;
        most = i == 0 || children[i].prior > most ? children[i].prior : most;
    }
    for (uint32_t i = 0; i < count; i++)
        whole += children[i].prior = expf(children[i].prior - most);
    for (uint32_t i = 0; i < count; i++)
        children[i].prior /= whole;
}

bool tree_grow(struct tree *tree, uint32_t node, const void *state, move *list) {
    struct tree_node *n = &tree->nodes[node];
    const uint32_t count = (uint32_t)tree->game->count(state);
    assert(n->first == TREE_NONE && count > 0);
    if (count > tree->size - tree->used)
        return false;
    tree->game->moves(state, list);
    n->first = tree->used;
    n->child_count = count;
    tree->used += count;
    if (tree->view)
        lore_look(tree->view, state);
    for (uint32_t i = 0; i < count; i++)
        tree->nodes[n->first + i] = look(tree, state, list[i]);
    if (tree->view)
        share_out(&tree->nodes[n->first], count, tree_sign(n->turn));
    tree_prove(tree, node);
    return true;
}

// Who wins takes the shortest way, who loses the longest.
static int count_turns(const struct tree *tree, const struct tree_node *n) {
    const bool wins = n->least == tree_sign(n->turn);
    int turns = -1;
    for (uint32_t i = 0; i < n->child_count; i++) {
        const struct tree_node *child = &tree->nodes[n->first + i];
        const int by = tree_turns_by(child, n->turn);
        if (tree_is_known(child) && child->least == n->least &&
            (turns < 0 || (wins ? by < turns : by > turns)))
            turns = by;
    }
    return turns < TURNS_MAX ? turns : TURNS_MAX;
}

void tree_prove(struct tree *tree, uint32_t node) {
    struct tree_node *n = &tree->nodes[node];
    const int sign = tree_sign(n->turn);
    int least = -1, most = -1; // as the player sees it
    for (uint32_t i = 0; i < n->child_count; i++) {
        const struct tree_node *child = &tree->nodes[n->first + i];
        const int low = sign > 0 ? child->least : -child->most;
        const int high = sign > 0 ? child->most : -child->least;
        least = low > least ? low : least;
        most = high > most ? high : most;
    }
    n->least = (int8_t)(sign > 0 ? least : -most);
    n->most = (int8_t)(sign > 0 ? most : -least);
    if (n->least == n->most && n->least != 0)
        n->turns = (uint16_t)count_turns(tree, n);
}
