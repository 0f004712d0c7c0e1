// SPDX-License-Identifier: MIT
// Plain Monte-Carlo tree search: UCT with random playouts; the move visited most is played.
#include "baselines/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 400000 };

struct node {
    move m;
    int player;       // who made it
    int first, count; // its children; count 0: not grown
    double points;    // for that player
    int visits;
};

struct tree {
    const struct game *game;
    struct node *nodes;
    int used;
    uint64_t *seed;
};

static void grow(struct tree *t, struct node *node, const void *state) {
    const int count = t->game->count(state);
    if (count == 0 || t->used + count > NODES_MAX)
        return;
    node->first = t->used;
    node->count = count;
    for (int i = 0; i < count; i++)
        t->nodes[t->used++] =
            (struct node){.m = t->game->nth(state, i), .player = t->game->turn(state)};
}

static struct node *select_child(struct tree *t, const struct node *node) {
    const double wide = 1.4 * sqrt(log(node->visits + 1));
    struct node *best = NULL;
    double most = 0;
    for (int i = 0; i < node->count; i++) {
        struct node *child = &t->nodes[node->first + i];
        const double noise = (double)(baseline_random(t->seed) % 1000) * 1e-6;
        const double bound =
            child->visits == 0 ? 1e6 : child->points / child->visits + wide / sqrt(child->visits);
        if (!best || bound + noise > most) {
            best = child;
            most = bound + noise;
        }
    }
    return best;
}

static int play_out(struct tree *t, void *state) {
    while (!game_is_over(t->game, state)) {
        const uint64_t count = (uint64_t)t->game->count(state);
        t->game->apply(state, t->game->nth(state, (int)(baseline_random(t->seed) % count)));
    }
    return t->game->outcome(state).winner;
}

static void run_once(struct tree *t, const void *root) {
    struct node *path[1024], *node = &t->nodes[0];
    union game_state state;
    int length = 0;
    memcpy(&state, root, t->game->state_size);
    path[length++] = node;
    while (node->count > 0 && length < 1024) {
        node = select_child(t, node);
        t->game->apply(&state, node->m);
        path[length++] = node;
    }
    if (node->visits > 0)
        grow(t, node, &state);
    const int winner = play_out(t, &state);
    for (int i = 0; i < length; i++) {
        path[i]->visits++;
        path[i]->points += winner == 0 ? 0.5 : winner == path[i]->player ? 1 : 0;
    }
}

move baseline_choose(const struct game *game, const void *state, int64_t until_us, uint64_t *seed) {
    struct tree t = {
        .game = game, .nodes = calloc(NODES_MAX, sizeof(struct node)), .used = 1, .seed = seed};
    grow(&t, &t.nodes[0], state);
    t.nodes[0].visits = 1;
    while (t.nodes[0].count > 1 && baseline_now_us() < until_us)
        run_once(&t, state);
    const struct node *best = &t.nodes[t.nodes[0].first];
    for (int i = 0; i < t.nodes[0].count; i++)
        if (t.nodes[t.nodes[0].first + i].visits > best->visits)
            best = &t.nodes[t.nodes[0].first + i];
    const move m = best->m;
    free(t.nodes);
    return m;
}
