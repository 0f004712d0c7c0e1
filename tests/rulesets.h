// SPDX-License-Identifier: MIT
// The rulesets that tests go through: each game as it is played, and every switch turned.
#pragma once

#include "games/game.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct test_ruleset {
    const char *game;
    const char *settings[5]; // "key=value", ended by NULL
};

static const struct test_ruleset test_rulesets[] = {
    {"cuptactoe", {NULL}},
    {"cuptactoe", {"max_turns=7"}},
    {"reversi", {NULL}},
    {"reversi", {"board=othello"}},
    {"tower4", {NULL}},
    {"tower4", {"corners=1"}},
    {"tower4", {"pieces=144"}},
    {"tower4", {"corners=1", "pieces=192"}},
    {"hopchess", {NULL}},
    {"hopchess", {"max_hops=1"}},
    {"hopchess", {"max_hops=3", "max_moves=60"}},
    {"connect6", {NULL}},
    {"connect6", {"size=6"}},
    {"connect6", {"size=8", "overline=ignore"}},
    {"connect6", {"size=9", "blocks=2,2 3,3 4,4 5,5 6,6 6,2 5,3 3,5 2,6 7,7"}},
    {"connect6", {"size=9", "blocks=2,2 3,3 4,4 5,5 6,2 5,3", "overline=win"}},
    {"connect6", {"size=9", "blocks=2,2 3,3 4,4 5,5 6,2 5,3", "overline=ignore"}},
    {"connect6", {"size=9", "blocks=2,2 3,3 4,4 5,5", "blocks_count=neither"}},
    {"connect6", {"size=12", "blocks=5,5 6,6 5,6 6,5", "overline=win", "blocks_count=neither"}},
    {"connect6", {"size=12", "overline=ignore", "blocks=5,5 6,6", "blocks_count=neither"}},
    {"connect6", {"blocks=3,3 15,3 3,15 15,15 9,9 9,3 3,9 9,15 15,9 10,10"}},
};

enum { TEST_RULESETS = sizeof test_rulesets / sizeof *test_rulesets, TEST_NAME_MAX = 160 };

// "connect6 size=9 overline=win"
static inline void test_ruleset_name(const struct test_ruleset *r,
                                     char name[static TEST_NAME_MAX]) {
    int used = snprintf(name, TEST_NAME_MAX, "%s", r->game);
    for (int i = 0; r->settings[i]; i++)
        used += snprintf(name + used, (size_t)(TEST_NAME_MAX - used), " %s", r->settings[i]);
}

static inline void test_ruleset_make(const struct test_ruleset *r, struct ruleset *rules) {
    ruleset_init(rules, game_find(r->game));
    for (int i = 0; r->settings[i]; i++) {
        char key[32], why[WHY_TEXT_MAX];
        const char *equals = strchr(r->settings[i], '=');
        snprintf(key, sizeof key, "%.*s", (int)(equals - r->settings[i]), r->settings[i]);
        const bool set = ruleset_set(rules, key, equals + 1, why);
        assert(set);
        (void)set;
    }
}
