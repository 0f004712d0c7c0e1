// SPDX-License-Identifier: MIT
// A round goes down the tree by the bounds of UCT, adds to it, plays the game to its end and tells
// every node on the way. A move that is young is judged by the games in which it was played later
// (RAVE), the more it is visited the less. What is proven is not visited again: a position is worth
// what it is known to be, and a move that cannot be better than another that is known is left out.
//
// A reply that wins at once is what the player should have thought of: if he can play it himself,
// that move is tried before others. In games of placing stones it is the way to stop it.
#include "engine/general/search.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIED_FIRST = 20, // games that a reply is said to have won
    LATE = 8,         // visits more, where memory gets short
    MANY = 60,        // moves of a position, so that their children wait for a second visit
};

static const double exploration = 0.4; // the constant of UCT, for results from -1 to 1
static const double curiosity = 0.7;   // the constant of PUCT
static const double rave = 300;        // visits after which those games count as much as its own

void uct_init(struct uct *uct, const struct game *game, size_t bytes) {
    *uct = (struct uct){.game = game};
    tree_init(&uct->tree, game, bytes);
    playout_init(&uct->playout, game);
    uct->path = mem_new((size_t)uct->playout.length_max + 1, sizeof *uct->path);
    uct->list = mem_new((size_t)game->moves_max, sizeof *uct->list);
    uct->barred = mem_new((size_t)game->moves_max, sizeof *uct->barred);
}

void uct_teach(struct uct *uct, const struct lore *lore) {
    lore_view_init(&uct->view, lore);
    uct->tree.view = &uct->view;
}

void uct_done(struct uct *uct) {
    if (uct->tree.view)
        lore_view_done(&uct->view);
    tree_done(&uct->tree);
    playout_done(&uct->playout);
    free(uct->path);
    free(uct->list);
    free(uct->barred);
}

void uct_begin(struct uct *uct, const void *state, const struct limits *limits, move only,
               uint64_t seed) {
    uct->nodes = 0;
    uct->open_count = 0;
    if (limits->nodes || !tree_follow(&uct->tree, state)) {
        tree_begin(&uct->tree, state);
        playout_forget(&uct->playout, seed);
    } else {
        playout_fade(&uct->playout);
    }
    const struct tree_node *root = &uct->tree.nodes[TREE_ROOT];
    if (root->first == TREE_NONE && !tree_grow(&uct->tree, TREE_ROOT, state, uct->list)) {
        tree_begin(&uct->tree, state);
        tree_grow(&uct->tree, TREE_ROOT, state, uct->list);
    }
    for (uint32_t i = 0; i < root->child_count; i++) {
        const move m = uct->tree.nodes[root->first + i].m;
        uct->barred[i] = only == MOVE_PASS ? limits_except(limits, m, MOVE_PASS) : m != only;
        uct->open_count += !uct->barred[i];
    }
}

void uct_bounds(const struct uct *uct, int *least, int *most) {
    const struct tree_node *root = &uct->tree.nodes[TREE_ROOT];
    const int sign = tree_sign(root->turn);
    *least = *most = -1;
    for (uint32_t i = 0; i < root->child_count; i++) {
        const struct tree_node *child = &uct->tree.nodes[root->first + i];
        const int low = sign > 0 ? child->least : -child->most;
        const int high = sign > 0 ? child->most : -child->least;
        if (uct->barred[i])
            continue;
        *least = low > *least ? low : *least;
        *most = high > *most ? high : *most;
    }
}

// What is expected of a child, for the player with this sign.
static double expected(const struct tree_node *child, int sign, double unknown) {
    const double n = child->visits, a = child->amaf_visits;
    const double own = n > 0 ? child->sum / n : 0, amaf = a > 0 ? child->amaf_sum / a : 0;
    const double beta = a > 0 ? a / (a + n + n * a / rave) : 0;
    const double mean = n + a > 0 ? (1 - beta) * own + beta * amaf : sign * unknown;
    return sign * (mean < child->least ? child->least : mean > child->most ? child->most : mean);
}

// What is added for a child that was seldom visited: as UCT does, or where something was learned as
// PUCT does, by what it was judged to be.
static double explore(const struct uct *uct, const struct tree_node *n,
                      const struct tree_node *child, double wide) {
    if (!uct->tree.view)
        return wide / sqrt((double)child->visits + 1);
    return curiosity * child->prior * sqrt((double)n->visits + 1) / ((double)child->visits + 1);
}

// The child to visit. There is one that can be better than what the node has at least; one that is
// known to be just that is visited too, so that the mean of the node comes to it.
static uint32_t select_child(struct uct *uct, uint32_t node) {
    const struct tree_node *n = &uct->tree.nodes[node], *children = &uct->tree.nodes[n->first];
    const int sign = tree_sign(n->turn);
    const int least = node == TREE_ROOT ? uct->least : sign > 0 ? n->least : -n->most;
    const double wide = exploration * sqrt(log((double)n->visits + 1));
    const double unknown = n->visits ? sign * n->sum / n->visits : 0;
    uint32_t best = TREE_NONE;
    double highest = 0;
    for (uint32_t i = 0; i < n->child_count; i++) {
        const struct tree_node *child = &children[i];
        const int most = sign > 0 ? child->most : -child->least;
        const bool known = tree_is_known(child);
        if (node == TREE_ROOT && (uct->barred[i] || known))
            continue;
        if (most < least || most == -1 || (most == least && !known))
            continue;
        const double chance = (double)rng_below(&uct->playout.rng, 1024) * 1e-6;
        const double bound =
            expected(child, sign, unknown) + chance + (known ? 0 : explore(uct, n, child, wide));
        if (best == TREE_NONE || bound > highest) {
            best = n->first + i;
            highest = bound;
        }
    }
    assert(best != TREE_NONE);
    return best;
}

// Is a node to get children? Where there are many moves, at the second visit; where memory gets
// short, later.
static bool is_ripe(const struct uct *uct, const struct tree_node *parent,
                    const struct tree_node *node) {
    const uint32_t wanted = parent->child_count > MANY;
    return node->visits >= (uct->tree.used > uct->tree.size / 2 ? wanted + LATE : wanted);
}

// Goes down to a node whose result is known, or that has no children; returns how deep it is.
static int descend(struct uct *uct, void *state) {
    struct tree *tree = &uct->tree;
    int depth = 0;
    uct->path[0] = TREE_ROOT;
    while (depth < uct->playout.length_max) {
        const uint32_t node = uct->path[depth];
        struct tree_node *n = &tree->nodes[node];
        if (depth > 0 && tree_is_known(n))
            break;
        if (n->first == TREE_NONE) {
            if (is_ripe(uct, &tree->nodes[uct->path[depth - 1]], n))
                tree_grow(tree, node, state, uct->list);
            break;
        }
        const uint32_t child = select_child(uct, node);
        playout_add(&uct->playout, tree->nodes[child].m, n->turn);
        uct->game->apply(state, tree->nodes[child].m);
        uct->path[++depth] = child;
    }
    return depth;
}

static void mark(struct uct *uct, int ply) {
    playout_habit(&uct->playout, uct->playout.moves[ply])->stamp[uct->playout.players[ply] - 1] =
        uct->stamp;
}

// Tells a node the result, and its children where their moves were played later.
static void tell(struct uct *uct, struct tree_node *n, float result) {
    n->visits++;
    n->sum += result;
    for (uint32_t i = 0; i < n->child_count; i++) {
        struct tree_node *child = &uct->tree.nodes[n->first + i];
        const struct habit *habit = playout_find(&uct->playout, child->m);
        if (habit && habit->stamp[n->turn - 1] == uct->stamp) {
            child->amaf_visits++;
            child->amaf_sum += result;
        }
    }
}

// The move of a node that wins at once, played by the other before it can be: tried first.
static void try_reply(struct uct *uct, const struct tree_node *parent, const struct tree_node *n) {
    const struct tree_node *nodes = uct->tree.nodes;
    uint32_t reply = 0, low = 0, high = parent->child_count;
    while (reply < n->child_count &&
           !(nodes[n->first + reply].turn == 0 && nodes[n->first + reply].least == n->least))
        reply++;
    if (reply == n->child_count)
        return;
    const move m = nodes[n->first + reply].m;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (nodes[parent->first + middle].m < m)
            low = middle + 1;
        else
            high = middle;
    }
    struct tree_node *same = &uct->tree.nodes[parent->first + low];
    if (low < parent->child_count && same->m == m && same->visits < TRIED_FIRST) {
        same->amaf_visits += TRIED_FIRST;
        same->amaf_sum += (float)(TRIED_FIRST * tree_sign(parent->turn));
    }
}

// What was proven of the last node of the path goes up as far as it proves something.
static void prove_up(struct uct *uct, int depth) {
    struct tree_node *nodes = uct->tree.nodes;
    for (int i = depth; i > 0; i--) {
        struct tree_node *n = &nodes[uct->path[i]], *parent = &nodes[uct->path[i - 1]];
        const int least = parent->least, most = parent->most;
        if (tree_is_known(n) && n->turn != 0 && n->turns == 1 && n->turn != parent->turn)
            try_reply(uct, parent, n);
        tree_prove(&uct->tree, uct->path[i - 1]);
        if (i - 1 == 0)
            uct_bounds(uct, &uct->least, &uct->most);
        else if (parent->least == least && parent->most == most)
            return;
    }
}

// A game by chance, and where something was learned also what the position was judged to be.
static float value_leaf(struct uct *uct, const struct tree_node *leaf, void *state) {
    const float judged = leaf->guess;
    const float played = uct->tree.view ? uct->view.lore->mixed : 1;
    return played > 0 ? played * playout_run(&uct->playout, state) + (1 - played) * judged : judged;
}

static void play_round(struct uct *uct) {
    union game_state state;
    memcpy(&state, &uct->tree.root, uct->game->state_size);
    uct->playout.length = 0;
    uct->stamp++;
    const int depth = descend(uct, &state);
    struct tree_node *leaf = &uct->tree.nodes[uct->path[depth]];
    const bool known = depth > 0 && tree_is_known(leaf);
    const float result = known ? leaf->least : value_leaf(uct, leaf, &state);
    for (int i = depth; i < uct->playout.length; i++)
        mark(uct, i);
    for (int i = depth; i >= 0; i--) {
        tell(uct, &uct->tree.nodes[uct->path[i]], result);
        if (i > 0)
            mark(uct, i - 1);
    }
    playout_learn(&uct->playout, result);
    if (leaf->least > -1 || leaf->most < 1)
        prove_up(uct, depth);
    uct->nodes++;
}

void uct_run(struct uct *uct, struct stop *stop) {
    uct_bounds(uct, &uct->least, &uct->most);
    while (uct->least < uct->most && !stop_look(stop, uct->nodes))
        play_round(uct);
    if (uct->least == uct->most)
        atomic_store_explicit(&stop->now, true, memory_order_relaxed);
}
