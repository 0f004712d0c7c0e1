// SPDX-License-Identifier: MIT
// The moves of the hopchess engine against the rules.
#include "engine/hopchess/field.h"

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "games/registry.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES = 300, ROOM = 4096 };

static uint64_t perft(const struct hop_field *f, int depth) {
    struct leap *list = mem_new(ROOM, sizeof *list);
    const int count = leaps_list(f, HOP_COUNT_MAX, false, list, ROOM);
    uint64_t leaves = depth == 1 ? (uint64_t)count : 0;
    for (int i = 0; depth > 1 && i < count; i++) {
        const struct hop_field next = field_next(f, list[i].own, list[i].other);
        leaves += perft(&next, depth - 1);
    }
    free(list);
    return leaves;
}

static void start(struct hopchess *state, const char *max_hops, const char *position) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, &game_hopchess);
    assert_true(ruleset_set(&rules, "max_hops", max_hops, why));
    assert_true(game_hopchess.start(state, &rules, position, why));
}

static void test_counts_boards(void **unused) {
    (void)unused;
    static const uint64_t counts[] = {31, 961, 32150, 1076646};
    struct hopchess state;
    start(&state, "99", NULL);
    const struct hop_field f = field_of_state(&state);
    for (int depth = 1; depth <= 4; depth++)
        assert_int_equal(perft(&f, depth), counts[depth - 1]);
}

static int by_number(const void *a, const void *b) {
    const move x = *(const move *)a, y = *(const move *)b;
    return (x > y) - (x < y);
}

// The engine's moves are those of the rules, in any order.
static void check_moves(const struct hopchess *state, move *listed, struct leap *leaps) {
    const struct hop_field f = field_of_state(state);
    const int count = leaps_list(&f, state->max_hops, false, leaps, LEAPS_ROOM);
    const int expected = game_hopchess.moves(state, listed);
    move *found = mem_new((size_t)count + 1, sizeof *found);
    int captures = 0;
    assert_int_equal(count, expected);
    for (int i = 0; i < count; i++) {
        found[i] = field_move(state, &leaps[i]);
        captures += leaps[i].other != f.other;
    }
    qsort(found, (size_t)count, sizeof *found, by_number);
    assert_memory_equal(found, listed, (size_t)count * sizeof *found);
    assert_int_equal(leaps_list(&f, state->max_hops, true, leaps, LEAPS_ROOM), captures);
    for (int i = 0; i < captures; i++)
        assert_true(leaps[i].other != f.other);
    free(found);
}

// Random games, also with few hops, and boards strewn at random, where long chains are frequent.
static void test_lists_what_the_rules_list(void **unused) {
    (void)unused;
    static const char *const hops[] = {"99", "1", "2", "3", "5"};
    struct rng rng = {3};
    move *listed = mem_new((size_t)game_hopchess.moves_max, sizeof *listed);
    struct leap *leaps = mem_new(LEAPS_ROOM, sizeof *leaps);
    for (int g = 0; g < GAMES; g++) {
        struct hopchess state;
        start(&state, hops[g % 5], NULL);
        if (g % 2) {
            const uint64_t free = rng_next(&rng) | rng_next(&rng);
            for (int player = 0; player < 2; player++)
                for (state.piece[player] = 0; bits_count(state.piece[player]) < HOP_PIECES;)
                    state.piece[player] |= bit((int)rng_below(&rng, 64)) & free & ~state.piece[0];
        }
        while (!game_is_over(&game_hopchess, &state)) {
            check_moves(&state, listed, leaps);
            const int count = game_hopchess.count(&state);
            game_hopchess.apply(&state,
                                game_hopchess.nth(&state, (int)rng_below(&rng, (uint32_t)count)));
        }
    }
    free(leaps);
    free(listed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_boards),
        cmocka_unit_test(test_lists_what_the_rules_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
