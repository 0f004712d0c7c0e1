// SPDX-License-Identifier: MIT
// The ends of tower4 games by the engine, against trying everything with the rules and, further
// before the end, against the search without any of its techniques. Both corner rules.
#include "tower4.h"

#include "engine/tower4/search.h"

static void test_late_positions(void **unused) {
    (void)unused;
    static const char *const lengths[] = {"16", "30", "64", "120"};
    struct rng rng = {7};
    for (int i = 0; i < 8; i++)
        check_ends(i < 4 ? "3" : "1", lengths[i % 4], 1, 4, 24, &rng);
}

// Reduced games, further before their end.
static void test_reduced_games(void **unused) {
    (void)unused;
    struct rng rng = {9};
    check_ends("3", "16", 5, 6, 16, &rng);
    check_ends("1", "16", 5, 6, 16, &rng);
}

// All cells are filled in the end: few columns are left, and everything can be tried from afar.
static void test_full_fields(void **unused) {
    (void)unused;
    struct rng rng = {17};
    check_ends("3", "144", 5, 9, 60, &rng);
    check_ends("1", "192", 5, 9, 60, &rng);
}

// The value of a position that both searches play to the end.
static int full_value(struct tower_search *s, const struct lattice *l, const struct net *net,
                      const struct game *game, const void *state, uint32_t without) {
    struct thought t = {.length = 0};
    struct stop stop;
    stop_init(&stop, &(struct limits){.nodes = 0});
    s->stop = &stop;
    s->without = without;
    s->only = -1;
    s->points = 0;
    tower_read(&s->board, l, net, game, state);
    tower_mirror(&s->board);
    tt_clear(s->tt, 0);
    tower_search_forget(s);
    // Shallow ones first leave values in the table that must not count.
    for (int depth = s->board.left > 6 ? 4 : 1; depth <= s->board.left; depth++)
        assert_true(tower_search_run(s, depth, &t));
    assert_true(t.exact);
    return t.value;
}

// Further before the end than brute force goes, against the search without any of its techniques.
static void test_techniques_keep_ends_exact(void **unused) {
    (void)unused;
    static const char *const lengths[] = {"16", "40", "64"};
    struct tower_search *s = calloc(1, sizeof *s);
    struct rng rng = {13};
    s->tt = tt_new(1 << 22);
    for (int i = 0; i < 6; i++) {
        struct ruleset rules;
        struct lattice lattice;
        make_rules(&rules, i < 3 ? "3" : "1", lengths[i % 3]);
        lattice_init(&lattice, &rules);
        const struct net *net = tower_net_find(&rules);
        for (int n = 0; n < 8; n += SAMPLE) {
            union game_state state;
            make_late(&state, &rules, &rng, 6 + n / SAMPLE % 2);
            const int plain =
                full_value(s, &lattice, net, rules.game, &state, (1u << TECHNIQUES) - 1);
            assert_int_equal(full_value(s, &lattice, net, rules.game, &state, 0), plain);
        }
    }
    tt_free(s->tt);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late_positions),
        cmocka_unit_test(test_reduced_games),
        cmocka_unit_test(test_full_fields),
        cmocka_unit_test(test_techniques_keep_ends_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
