// SPDX-License-Identifier: MIT
// Games of tower4 for tests, from random drops under the rules, and their values by trying
// everything.
#pragma once

#include "base/rng.h"
#include "check.h"
#include "engine/finish.h"

#include <stdlib.h>
#include <string.h>

// Under the sanitizers a test takes one case in so many: it is slow there.
#ifdef __SANITIZE_ADDRESS__
enum { SAMPLE = 4 };
#else
enum { SAMPLE = 1 };
#endif

static inline void make_rules(struct ruleset *rules, const char *corners, const char *pieces) {
    char why[WHY_TEXT_MAX];
    ruleset_init(rules, game_find("tower4"));
    assert_true(ruleset_set(rules, "corners", corners, why));
    assert_true(ruleset_set(rules, "pieces", pieces, why));
}

// After random drops, so many pieces before the end.
static inline void make_late(union game_state *state, const struct ruleset *rules, struct rng *rng,
                             int left) {
    const struct game *game = rules->game;
    char why[WHY_TEXT_MAX];
    assert_true(game->start(state, rules, NULL, why));
    for (int i = atoi(rules->text[1]) - left; i > 0; i--)
        game->apply(state, game->nth(state, (int)rng_below(rng, (uint32_t)game->count(state))));
}

// The value of a position by trying everything.
static inline int brute(const struct game *game, const void *state, int player) {
    int scores[2], best = -100000;
    game->scores(state, scores);
    if (game_is_over(game, state))
        return scores[player - 1] - scores[2 - player];
    for (int i = 0; i < game->count(state); i++) {
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, game->nth(state, i));
        const int value = -brute(game, &next, 3 - player);
        best = value > best ? value : best;
    }
    return best;
}

// The same within a window: what cannot matter is not tried.
static inline int brute_within(const struct game *game, const void *state, int player, int low,
                               int high) {
    int scores[2];
    game->scores(state, scores);
    if (game_is_over(game, state))
        return scores[player - 1] - scores[2 - player];
    for (int i = 0; i < game->count(state) && low < high; i++) {
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, game->nth(state, i));
        const int value = -brute_within(game, &next, 3 - player, -high, -low);
        low = value > low ? value : low;
    }
    return low;
}

// Late positions: brute force and the engine agree on all values, and the line, told to the end and
// played by the rules, comes to it.
static inline void check_end(const struct ruleset *rules, struct brain *brain, struct rng *rng,
                             int left) {
    const struct game *game = rules->game;
    const struct limits none = {.time_us = 0};
    union game_state state;
    struct thought t;
    int scores[2];
    make_late(&state, rules, rng, left);
    const int player = game->turn(&state);
    const int value = left <= 4 ? brute(game, &state, player)
                                : brute_within(game, &state, player, -100000, 100000);
    brain_think(brain, &state, &none, &t);
    assert_true(t.exact);
    assert_int_equal(t.value, value);
    thought_finish(brain, game, &state, &none, &t);
    for (int i = 0; i < t.length; i++)
        assert_null(game_play(game, &state, t.pv[i]));
    assert_true(game_is_over(game, &state));
    game->scores(&state, scores);
    assert_int_equal(scores[player - 1] - scores[2 - player], value);
}

// So many positions of a ruleset, `first` to `last` pieces before the end in turn.
static inline void check_ends(const char *corners, const char *pieces, int first, int last,
                              int count, struct rng *rng) {
    struct ruleset rules;
    make_rules(&rules, corners, pieces);
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    assert_non_null(brain);
    for (int i = 0; i < count; i += SAMPLE)
        check_end(&rules, brain, rng, first + i / SAMPLE % (last - first + 1));
    brain_free(brain);
}
