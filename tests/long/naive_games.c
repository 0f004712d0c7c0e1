// SPDX-License-Identifier: MIT
// The rules against the naive ones: random games of every ruleset, compared at every ply.
#include "base/rng.h"
#include "check.h"
#include "naive/naive.h"
#include "rulesets.h"
#include "share.h"

#include <stdlib.h>

enum { GAMES = 2000 / TEST_SHARE, LIST_MAX = 74000 };

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct pair {
    const struct game *game;
    union game_state state;
    struct naive *naive;
    char (*texts)[MOVE_TEXT_MAX]; // of our moves
    char **ours, **theirs;        // sorted, or in the same order
    int count;
};

static void compare_legal(struct pair *p, move *list) {
    char(*naive_texts)[NAIVE_MOVE_MAX] = NULL;
    p->count = p->game->moves(&p->state, list);
    assert_int_equal(naive_legal(p->naive, &naive_texts), p->count);
    for (int i = 0; i < p->count; i++) {
        p->game->write_move(&p->state, list[i], p->texts[i]);
        p->ours[i] = p->texts[i];
        p->theirs[i] = naive_texts[i];
    }
    // Mostly both list in the same order; sorting is for where they do not.
    bool same = true;
    for (int i = 0; same && i < p->count; i++)
        same = strcmp(p->ours[i], p->theirs[i]) == 0;
    if (same)
        return;
    qsort(p->ours, (size_t)p->count, sizeof *p->ours, compare_texts);
    qsort(p->theirs, (size_t)p->count, sizeof *p->theirs, compare_texts);
    for (int i = 0; i < p->count; i++)
        assert_string_equal(p->ours[i], p->theirs[i]);
}

static void compare_result(const struct pair *p) {
    const struct outcome end = p->game->outcome(&p->state);
    int ours[2], theirs[2] = {0, 0};
    assert_int_equal(p->game->turn(&p->state), naive_turn(p->naive));
    assert_int_equal(end.ending == ENDING_RUNNING ? -1 : end.winner, naive_winner(p->naive));
    assert_string_equal(game_ending_word(p->game, end.ending), naive_reason(p->naive));
    assert_int_equal(p->game->has_scores, naive_scores(p->naive, theirs));
    p->game->scores(&p->state, ours);
    assert_int_equal(ours[0], theirs[0]);
    assert_int_equal(ours[1], theirs[1]);
}

static void play_text(struct pair *p, const char *text) {
    move m;
    assert_null(p->game->read_move(&p->state, text, &m));
    assert_null(game_play(p->game, &p->state, m));
    assert_true(naive_play(p->naive, text));
}

// Both refuse what is not in the list.
static void compare_refusal(const struct pair *p, const char *text) {
    move m;
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->ours[i], text) == 0)
            return;
    const bool reads = p->game->read_move(&p->state, text, &m) == NULL;
    const bool legal = reads && p->game->illegal(&p->state, m) == NULL;
    struct naive *copy = naive_copy(p->naive);
    assert_int_equal(legal, naive_play(copy, text)); // a longer path may be legal, to both
    naive_free(copy);
}

static void play_game(const struct test_ruleset *r, struct pair *p, move *list, struct rng *rng) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX], old[MOVE_TEXT_MAX] = "";
    test_ruleset_make(r, &rules);
    assert_true(p->game->start(&p->state, &rules, NULL, why));
    p->naive = naive_new(r->game, r->settings);
    for (;;) {
        compare_result(p);
        compare_legal(p, list);
        if (p->count == 0)
            break;
        if (*old)
            compare_refusal(p, old);
        const uint32_t pick = rng_below(rng, (uint32_t)p->count);
        if (rng_below(rng, 8) == 0)
            strcpy(old, p->ours[pick]);
        play_text(p, p->game->may_pass && rng_below(rng, 16) == 0 ? "pass" : p->ours[pick]);
    }
    naive_free(p->naive);
}

static void test_naive(void **state) {
    const struct test_ruleset *r = *state;
    struct pair p = {.game = game_find(r->game)};
    struct rng rng = {1};
    move *list = calloc(LIST_MAX, sizeof *list);
    p.texts = calloc(LIST_MAX, sizeof *p.texts);
    p.ours = calloc(LIST_MAX, sizeof *p.ours);
    p.theirs = calloc(LIST_MAX, sizeof *p.theirs);
    assert_true(list && p.texts && p.ours && p.theirs && p.game->moves_max <= LIST_MAX);
    for (int i = 0; i < GAMES; i++)
        play_game(r, &p, list, &rng);
    free(list);
    free(p.texts);
    free(p.ours);
    free(p.theirs);
}

int main(void) {
    static char names[TEST_RULESETS][TEST_NAME_MAX];
    struct CMUnitTest tests[TEST_RULESETS];
    for (int i = 0; i < TEST_RULESETS; i++) {
        test_ruleset_name(&test_rulesets[i], names[i]);
        tests[i] = (struct CMUnitTest){
            .name = names[i], .test_func = test_naive, .initial_state = (void *)&test_rulesets[i]};
    }
    return cmocka_run_group_tests_name("naive", tests, NULL, NULL);
}
