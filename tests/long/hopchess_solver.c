// SPDX-License-Identifier: MIT
// What the hopchess engine calls exact, against trying everything with the rules: races of up to
// four pieces a side, and endings of up to seven pieces, six turns before the moves are
// used up.
#include "hopchess.h"

#ifdef __SANITIZE_ADDRESS__
enum { SAMPLE = 6 }; // one case in so many: it is slow there
#else
enum { SAMPLE = 1 };
#endif

// How many were lost, drawn and won.
struct count {
    int of[3];
};

static void count_value(struct count *count, int value) {
    count->of[(value > 0) - (value < 0) + 1]++;
}

// There is a tenth of each at least.
static void assert_mixed(const struct count *count) {
    const int all = count->of[0] + count->of[1] + count->of[2];
    print_message("# %d: %d lost, %d drawn, %d won\n", all, count->of[0], count->of[1],
                  count->of[2]);
    for (int i = 0; i < 3; i++)
        assert_true(10 * count->of[i] >= all && count->of[i] > 0);
}

// The sides have passed each other, and contact would take longer than the game lasts.
static void test_races(void **unused) {
    (void)unused;
    const struct races *races = races_find(HOP_COUNT_MAX);
    struct count count = {{0}};
    struct rng rng = {21};
    for (int i = 0; i < 1500; i += SAMPLE) {
        struct hopchess state;
        if (draw_race(&rng, 2, 3, 3, &state))
            count_value(&count, checked_margin(races, &state));
    }
    assert_mixed(&count);
}

// Sides of one to four pieces among each other.
static void test_endings(void **unused) {
    (void)unused;
    const struct ruleset rules = standard();
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct count count = {{0}};
    struct rng rng = {22};
    assert_non_null(brain);
    for (int i = 0; i < 720; i += SAMPLE) {
        struct hopchess state;
        const uint64_t black = strew(&rng, 1 + i / SAMPLE % 4, ~FIELD_AWAY);
        const uint64_t white = strew(&rng, 1 + i / SAMPLE / 4 % 3, ~FIELD_HOME) & ~black;
        if (!lay(&state, black, white, 6))
            continue;
        struct thought t;
        brain_think(brain, (const void *)&state, &(struct limits){.nodes = 0}, &t);
        const int value = best_value(&state, 0, -HOP_NONE, HOP_NONE);
        assert_true(t.exact);
        assert_int_equal(t.value, state.turns % 2 ? -value : value);
        count_value(&count, t.value);
    }
    brain_free(brain);
    assert_mixed(&count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races),
        cmocka_unit_test(test_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
