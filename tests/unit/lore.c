// SPDX-License-Identifier: MIT
// What the general player learns: positions seen quickly and in full are worth the same, files come
// back as they were, and what is no file of this game is refused in words.
#include "engine/general/lore.h"

#include "base/mem.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "thoughts.h"

#include <math.h>
#include <string.h>

static const char sum[] = "0123456789abcdef0123";

static struct lore *make(struct ruleset *rules, const char *game, const char *key,
                         const char *value) {
    struct err err = {.set = false};
    char why[WHY_TEXT_MAX];
    struct rng rng = {3};
    ruleset_init(rules, game_find(game));
    if (key)
        assert_true(ruleset_set(rules, key, value, why));
    struct lore *lore = lore_new(rules, &err);
    if (!lore)
        fail_msg("%s: %s", game, err.text);
    for (uint32_t i = 0; i < lore->places; i++)
        for (int k = 0; k < 2; k++)
            lore->weight[i][k] = (float)((int)rng_below(&rng, 200) - 100) / LORE_PER_ONE;
    return lore;
}

// From one position to what follows it, as the search does.
static void check_moves(const struct lore *lore, struct lore_view *view, struct lore_view *whole,
                        const union game_state *state) {
    const struct game *game = lore->game;
    lore_look(view, state);
    for (int i = 0; i < game->count(state); i += 3) {
        union game_state next = *state;
        const move m = game->nth(state, i);
        game->apply(&next, m);
        if (game_is_over(game, &next))
            continue;
        lore_look(whole, &next);
        const double wanted = whole->sum[game->turn(&next) - 1];
        assert_true(fabs(wanted - lore_sum_of(view, &next)) < 0.001);
        assert_true(fabs(wanted - lore_sum_after(view, m, game->turn(state), &next)) < 0.001);
    }
}

static void test_quick_and_full(void **state) {
    (void)state;
    static const char *const games[] = {"reversi", "connect6", "cuptactoe", "hopchess"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        struct ruleset rules;
        struct lore *lore = make(&rules, games[g], NULL, NULL);
        struct lore_view view, whole;
        struct rng rng = {7};
        lore_view_init(&view, lore);
        lore_view_init(&whole, lore);
        for (int i = 0; i < 30; i++) {
            union game_state now = {.align = 0};
            char why[WHY_TEXT_MAX];
            assert_true(lore->game->start(&now, &rules, NULL, why));
            thoughts_wander(lore->game, &rng, 40, &now);
            check_moves(lore, &view, &whole, &now);
        }
        lore_view_done(&view);
        lore_view_done(&whole);
        lore_free(lore);
    }
}

static void test_kept(void **state) {
    (void)state;
    struct ruleset rules;
    struct err err = {.set = false};
    struct buf out = {.data = NULL};
    struct lore *lore = make(&rules, "reversi", NULL, NULL);
    lore->mixed = 0.6F;
    lore_write(lore, sum, &out);
    struct lore *back = lore_read(&rules, sum, out.data, out.length, &err);
    if (!back)
        fail_msg("%s", err.text);
    assert_int_equal(back->places, lore->places);
    assert_true(fabs(back->mixed - 0.6) < 0.001);
    assert_memory_equal(back->weight, lore->weight, lore->places * sizeof *lore->weight);
    lore_free(back);
    lore_free(lore);
    buf_done(&out);
}

static void refuse(const struct ruleset *rules, const void *bytes, size_t size, const char *words) {
    struct err err = {.set = false};
    struct lore *lore = lore_read(rules, sum, bytes, size, &err);
    assert_null(lore);
    if (!strstr(err.text, words))
        fail_msg("%s: %s", words, err.text);
}

// Cut, changed, made up: never more than a sentence.
static void test_refused(void **state) {
    (void)state;
    struct ruleset rules, other;
    struct buf out = {.data = NULL};
    struct rng rng = {5};
    struct lore *lore = make(&rules, "connect6", "size", "7");
    lore_write(lore, sum, &out);
    lore_free(lore);
    for (size_t size = 0; size < out.length; size += size < 100 ? 1 : 97)
        refuse(&rules, out.data, size, "");
    for (int i = 0; i < 300; i++) {
        char *copy = mem_new(out.length, 1);
        memcpy(copy, out.data, out.length);
        const uint32_t at = rng_below(&rng, (uint32_t)(i < 100 ? 60 : out.length));
        copy[at] ^= (char)(1 << i % 5);
        refuse(&rules, copy, out.length, "");
        free(copy);
    }
    static const char *const names[] = {"lore1 99x99x9 OX 0123456789abcdef\n1 2 3 4\n",
                                        "lore1 7x7x1 XO 0123456789abcdef\n",
                                        "lore1 7x7x1 O1X 0123456789abcdef\n",
                                        "lore1 26x26x8 OX 0123456789abcdef\n",
                                        "lore2 7x7x1 OX 0123456789abcdef\n",
                                        "\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        refuse(&rules, names[i], strlen(names[i]), "no weights of a game");
    ruleset_init(&other, game_find("connect6"));
    refuse(&other, out.data, out.length, "the weights are of a board of 7x7x1");
    memcpy(strstr(out.data, "01234567"), "f", 1);
    refuse(&rules, out.data, out.length, "of other rules: train the game anew");
    buf_done(&out);
}

// Weights are of the settings that they were learned under, on one board too.
static void test_settings(void **state) {
    (void)state;
    struct ruleset rules, own;
    struct buf out = {.data = NULL};
    struct err err = {.set = false};
    struct lore *lore = make(&rules, "reversi", "board", "othello");
    ruleset_init(&own, rules.game);
    assert_true(ruleset_is_standard(&own));
    assert_false(ruleset_is_standard(&rules));
    lore_write(lore, sum, &out);
    refuse(&own, out.data, out.length, "under other settings of the game");
    lore_free(lore);
    lore = lore_read(&rules, sum, out.data, out.length, &err);
    assert_non_null(lore);
    lore_free(lore);
    lore = make(&own, "reversi", NULL, NULL);
    buf_clear(&out);
    lore_write(lore, sum, &out);
    lore_free(lore);
    refuse(&rules, out.data, out.length, "under other settings of the game");
    buf_done(&out);
}

// A brain that was taught plays, the same by the same nodes, and wins where it can.
static void test_taught(void **state) {
    (void)state;
    struct ruleset rules;
    struct err err = {.set = false};
    struct buf out = {.data = NULL};
    const struct limits limits = {.nodes = 200};
    struct lore *lore = make(&rules, "reversi", NULL, NULL);
    for (int mix = 0; mix <= 10; mix += 5) {
        union game_state now = {.align = 0};
        char why[WHY_TEXT_MAX];
        struct thought one, two;
        lore->mixed = (float)mix / 10;
        buf_clear(&out);
        lore_write(lore, sum, &out);
        struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
        assert_true(brain_teach(brain, sum, out.data, out.length, &err));
        assert_true(rules.game->start(&now, &rules, NULL, why));
        brain_think(brain, &now, &limits, &one);
        brain_think(brain, &now, &limits, &two);
        thoughts_check_line(rules.game, &now, &one);
        assert_int_equal(one.value, two.value);
        assert_int_equal(one.pv[0], two.pv[0]);
        brain_free(brain);
    }
    struct brain *own = brain_new(&rules, LEVEL_STRONG, 1, 1);
    assert_false(brain_teach(own, sum, out.data, out.length, &err));
    assert_false(err.set);
    brain_free(own);
    lore_free(lore);
    buf_done(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_and_full), cmocka_unit_test(test_kept),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_taught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
