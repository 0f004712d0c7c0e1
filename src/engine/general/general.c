// SPDX-License-Identifier: MIT
// Each thread has a tree of its own (root parallelisation): nothing is shared while they search,
// and one thread alone gives the same answer every time. In the end the visits of the root's moves
// are added up, and what one thread has proven holds for all.
#include "engine/general/general.h"

#include "base/mem.h"
#include "engine/general/search.h"
#include "engine/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TREE_BYTES = 640 << 20, // of all threads together
    HURRY = 20,             // a part of the time, where there is nothing to choose
    GAMES_MAX = 200000,     // for a thought without a limit, by each thread
};

struct general_mind {
    struct stop stop;
    struct ruleset rules;
    struct lore *lore; // or NULL
    int threads;
    struct uct *search; // one for each
};

// A move as the player sees it.
struct uct_option {
    uint64_t visits;
    double mean;
    int least, most, turns;
};

static void *general_new(const struct ruleset *rules, int threads) {
    struct general_mind *mind = mem_new(1, sizeof *mind);
    mind->rules = *rules;
    mind->threads = threads;
    mind->search = mem_new((size_t)threads, sizeof *mind->search);
    for (int i = 0; i < threads; i++)
        uct_init(&mind->search[i], rules->game, (size_t)TREE_BYTES / (size_t)threads);
    return mind;
}

static void general_free(void *data) {
    struct general_mind *mind = data;
    for (int i = 0; i < mind->threads; i++)
        uct_done(&mind->search[i]);
    free(mind->search);
    lore_free(mind->lore);
    free(mind);
}

static bool general_teach(void *data, const char *sum, const void *bytes, size_t size,
                          struct err *err) {
    struct general_mind *mind = data;
    assert(!mind->lore);
    mind->lore = lore_read(&mind->rules, sum, bytes, size, err);
    if (mind->lore && mind->lore->mixed > 1) {
        lore_free(mind->lore);
        mind->lore = NULL;
    }
    for (int i = 0; mind->lore && i < mind->threads; i++)
        uct_teach(&mind->search[i], mind->lore);
    return mind->lore;
}

// Adds what one tree knows of a child.
static void add(struct uct_option *o, const struct tree_node *child, int player) {
    const int sign = tree_sign(player);
    const int least = sign > 0 ? child->least : -child->most;
    const int most = sign > 0 ? child->most : -child->least;
    const uint64_t visits = o->visits + child->visits;
    if (visits > 0)
        o->mean += (sign * child->sum - o->mean * child->visits) / (double)visits;
    o->visits = visits;
    o->least = least > o->least ? least : o->least;
    o->most = most < o->most ? most : o->most;
    if (tree_is_known(child))
        o->turns = tree_turns_by(child, player);
}

static struct uct_option option_of(const struct tree_node *child, int player) {
    struct uct_option o = {.least = -1, .most = 1};
    add(&o, child, player);
    return o;
}

// A win, what is open or even, a loss.
static int class_of(const struct uct_option *o) {
    return o->least == 1 ? 2 : o->most == -1 ? 0 : 1;
}

// What is known to be even is better than what looks worse.
static bool is_better(const struct uct_option *a, const struct uct_option *b) {
    const int class = class_of(a);
    if (class != class_of(b))
        return class > class_of(b);
    if (class != 1 && a->turns != b->turns)
        return class == 2 ? a->turns < b->turns : a->turns > b->turns;
    if ((a->most == 0) != (b->most == 0))
        return a->most == 0 ? b->mean < 0 : a->mean > 0;
    return a->visits > b->visits;
}

// The best child of a node in one tree.
static uint32_t best_child(const struct tree *tree, const struct tree_node *n) {
    uint32_t best = n->first;
    for (uint32_t i = 1; i < n->child_count; i++) {
        const struct uct_option a = option_of(&tree->nodes[n->first + i], n->turn);
        const struct uct_option b = option_of(&tree->nodes[best], n->turn);
        if (is_better(&a, &b))
            best = n->first + i;
    }
    return best;
}

// Goes on with the line as long as the tree knows something.
static void follow_line(const struct tree *tree, uint32_t node, struct thought *t) {
    while (t->length < PV_MAX && tree->nodes[node].first != TREE_NONE) {
        node = best_child(tree, &tree->nodes[node]);
        if (tree->nodes[node].visits == 0 && !tree_is_known(&tree->nodes[node]))
            return;
        t->pv[t->length++] = tree->nodes[node].m;
    }
}

static int value_of(const struct uct_option *o) {
    const double within = o->mean < o->least ? o->least : o->mean > o->most ? o->most : o->mean;
    if (o->least == o->most && o->least != 0)
        return o->least * (GENERAL_WIN - o->turns);
    return (int)lround(within * GENERAL_SURE);
}

// What all threads know of a move of the root.
static struct uct_option gather(const struct general_mind *mind, uint32_t number) {
    struct uct_option all = {.least = -1, .most = 1};
    for (int i = 0; i < mind->threads; i++) {
        const struct tree_node *nodes = mind->search[i].tree.nodes;
        add(&all, &nodes[nodes[TREE_ROOT].first + number], nodes[TREE_ROOT].turn);
    }
    return all;
}

// The line of the thread that knows the move, or has visited it most.
static void put_line(const struct general_mind *mind, uint32_t number, struct thought *t) {
    const struct tree *tree = NULL;
    const struct tree_node *most = NULL;
    for (int i = 0; i < mind->threads; i++) {
        const struct tree_node *nodes = mind->search[i].tree.nodes;
        const struct tree_node *child = &nodes[nodes[TREE_ROOT].first + number];
        if (!most || (tree_is_known(child) != tree_is_known(most) ? tree_is_known(child)
                                                                  : child->visits > most->visits)) {
            tree = &mind->search[i].tree;
            most = child;
        }
    }
    t->pv[0] = most->m;
    t->length = 1;
    follow_line(tree, (uint32_t)(most - tree->nodes), t);
}

static void conclude(const struct general_mind *mind, struct thought *t) {
    const struct uct *first = &mind->search[0];
    const uint32_t count = first->tree.nodes[TREE_ROOT].child_count;
    struct uct_option best = {.visits = 0};
    uint32_t chosen = count;
    int most = -1;
    for (uint32_t i = 0; i < count; i++) {
        const struct uct_option o = gather(mind, i);
        if (first->barred[i])
            continue;
        most = o.most > most ? o.most : most;
        if (chosen == count || is_better(&o, &best)) {
            best = o;
            chosen = i;
        }
    }
    assert(chosen < count);
    put_line(mind, chosen, t);
    t->value = value_of(&best);
    t->exact = best.least == most;
    t->depth = t->length;
    for (int i = 0; i < mind->threads; i++)
        t->nodes += mind->search[i].nodes;
}

static void run_part(void *data, int number) {
    struct general_mind *mind = data;
    uct_run(&mind->search[number], &mind->stop);
}

static void general_think(void *data, const void *state, const struct limits *limits, move only,
                          struct thought *thought) {
    struct general_mind *mind = data;
    stop_init(&mind->stop, limits);
    if (!limits->time_us && !limits->nodes)
        mind->stop.nodes = GAMES_MAX;
    for (int i = 0; i < mind->threads; i++)
        uct_begin(&mind->search[i], state, limits, only, (uint64_t)i + 1);
    if (only == MOVE_PASS && !limits->curious && mind->search[0].open_count == 1)
        stop_share(&mind->stop, HURRY);
    share_run(mind->threads, mind->threads, 1, run_part, mind);
    thought->nodes = 0;
    conclude(mind, thought);
}

const struct engine engine_general = {
    .unit = "tenths of a percent",
    .counted = {"percent", "percent", GENERAL_SURE / 100},
    .win = GENERAL_WIN,
    .new = general_new,
    .teach = general_teach,
    .free = general_free,
    .think = general_think,
};
