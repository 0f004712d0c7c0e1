// SPDX-License-Identifier: MIT
// The contract of struct game, sentence by sentence, over random games of every ruleset.
#include "base/rng.h"
#include "check.h"
#include "rulesets.h"

#include <stdlib.h>

enum { GAMES = 12, GUARD = 64, PROBES = 40, LIST_MAX = 74000 };

struct subject {
    const struct game *game;
    struct ruleset rules;
    struct rng rng;
    move list[LIST_MAX];
    int count;
};

// A state between guards, to see that nothing outside it is written.
struct guarded {
    unsigned char before[GUARD];
    union game_state state;
    unsigned char after[GUARD];
};

static void guard(struct guarded *g, const struct game *game) {
    memset(g->before, 0xa5, GUARD);
    memset(g->state.bytes + game->state_size, 0xa5, GAME_STATE_MAX - game->state_size);
    memset(g->after, 0xa5, GUARD);
}

static void check_guard(const struct guarded *g, const struct game *game) {
    for (int i = 0; i < GUARD; i++) {
        assert_int_equal(g->before[i], 0xa5);
        assert_int_equal(g->after[i], 0xa5);
    }
    for (size_t i = game->state_size; i < GAME_STATE_MAX; i++)
        assert_int_equal(g->state.bytes[i], 0xa5);
}

static bool is_listed(const struct subject *s, move m) {
    for (int i = 0; i < s->count; i++)
        if (s->list[i] == m)
            return true;
    return false;
}

static void check_list(struct subject *s, const void *state) {
    const struct game *game = s->game;
    s->count = game->moves(state, s->list);
    assert_int_equal(s->count, game->count(state));
    assert_in_range(s->count, 0, game->moves_max);
    for (int i = 0; i < s->count; i++) {
        assert_true(s->list[i] < game->distinct_moves);
        assert_true(i == 0 || s->list[i - 1] < s->list[i]);
        assert_null(game->illegal(state, s->list[i]));
        assert_int_equal(game->nth(state, i), s->list[i]);
    }
    for (int i = 0; i < PROBES; i++) {
        const move m = rng_below(&s->rng, game->distinct_moves);
        assert_int_equal(game->illegal(state, m) == NULL, is_listed(s, m));
    }
    assert_non_null(game->illegal(state, game->distinct_moves));
    assert_non_null(game->illegal(state, MOVE_PASS));
    assert_non_null(game->illegal(state, MOVE_PASS - 1));
}

static void check_move_texts(const struct subject *s, const void *state) {
    for (int i = 0; i < s->count; i++) {
        char text[MOVE_TEXT_MAX];
        move back;
        s->game->write_move(state, s->list[i], text);
        assert_in_range(strlen(text), 1, MOVE_TEXT_MAX - 2);
        assert_null(strchr(text, ';'));
        assert_null(s->game->read_move(state, text, &back));
        assert_int_equal(back, s->list[i]);
    }
}

static void check_state_text(const struct subject *s, const void *state) {
    char text[STATE_TEXT_MAX], again[STATE_TEXT_MAX], why[WHY_TEXT_MAX];
    struct guarded back;
    guard(&back, s->game);
    s->game->write_state(state, text);
    assert_in_range(strlen(text), 1, STATE_TEXT_MAX - 2);
    assert_null(strchr(text, '\n'));
    memset(back.state.bytes, 0xff, s->game->state_size);
    assert_true(s->game->start(&back.state, &s->rules, text, why));
    check_guard(&back, s->game);
    assert_memory_equal(&back.state, state, s->game->state_size);
    assert_true(game_hash(s->game, &back.state) == game_hash(s->game, state));
    s->game->write_state(&back.state, again);
    assert_string_equal(text, again);
}

// The picture in colour is the plain one with escape sequences in it.
static void check_picture(const struct subject *s, const void *state) {
    static char plain[DRAW_TEXT_MAX], colour[DRAW_TEXT_MAX];
    s->game->draw(state, false, plain);
    s->game->draw(state, true, colour);
    assert_in_range(strlen(plain), 10, DRAW_TEXT_MAX - 2);
    assert_in_range(strlen(colour), 10, DRAW_TEXT_MAX - 2);
    assert_int_equal(plain[strlen(plain) - 1], '\n');
    assert_null(strchr(plain, '\033'));
    const char *p = plain;
    for (const char *c = colour; *c; c++) {
        if (*c == '\033') {
            c += strcspn(c, "m");
            continue;
        }
        assert_int_equal(*c, *p++);
    }
    assert_int_equal(*p, '\0');
}

static void check_outcome(const struct subject *s, const void *state) {
    const struct outcome end = s->game->outcome(state);
    const int turn = s->game->turn(state);
    int scores[2] = {-7, -7};
    s->game->scores(state, scores);
    assert_in_range(turn, 0, 2);
    assert_in_range(end.winner, 0, 2);
    assert_int_equal(turn == 0, end.ending != ENDING_RUNNING);
    assert_int_equal(turn == 0, s->count == 0);
    assert_int_equal(turn == 0, game_is_over(s->game, state));
    if (end.ending == ENDING_RUNNING)
        assert_int_equal(end.winner, 0);
    if (!s->game->has_scores)
        assert_true(scores[0] == 0 && scores[1] == 0);
    else if (turn == 0)
        assert_int_equal(end.winner, scores[0] > scores[1] ? 1 : scores[0] < scores[1] ? 2 : 0);
}

// A turn of several moves stays with the player until they are played, or the game is over.
static void check_due(struct subject *s, const union game_state *state) {
    const int due = s->game->due(state);
    union game_state next = *state;
    assert_true(due >= 1);
    if (s->count == 0) {
        assert_int_equal(due, 1);
        return;
    }
    s->game->apply(&next, s->game->nth(state, (int)rng_below(&s->rng, (uint32_t)s->count)));
    if (due > 1 && !game_is_over(s->game, &next)) {
        assert_int_equal(s->game->turn(&next), s->game->turn(state));
        assert_int_equal(s->game->due(&next), due - 1);
    }
}

// Asking changes nothing.
static void check_position(struct subject *s, const struct guarded *g) {
    const struct guarded before = *g;
    check_list(s, &g->state);
    check_move_texts(s, &g->state);
    check_state_text(s, &g->state);
    check_picture(s, &g->state);
    check_outcome(s, &g->state);
    check_due(s, &g->state);
    assert_memory_equal(&before, g, sizeof before);
}

// A move refused leaves the state as it was.
static void check_refusal(struct subject *s, struct guarded *g) {
    const struct guarded before = *g;
    move m = rng_below(&s->rng, s->game->distinct_moves);
    if (s->count == 0 || !is_listed(s, m)) {
        assert_non_null(game_play(s->game, &g->state, m));
        assert_memory_equal(&before, g, sizeof before);
    }
    if (s->count == 0 || !s->game->may_pass) {
        assert_non_null(game_play(s->game, &g->state, MOVE_PASS));
        assert_memory_equal(&before, g, sizeof before);
    }
}

static void play_game(struct subject *s) {
    struct guarded g, twin;
    char why[WHY_TEXT_MAX];
    int plies = 0;
    guard(&g, s->game);
    memset(g.state.bytes, 0xff, s->game->state_size); // what was there before does not matter
    assert_true(s->game->start(&g.state, &s->rules, NULL, why));
    memset(&twin, 0, sizeof twin);
    assert_true(s->game->start(&twin.state, &s->rules, NULL, why));
    assert_memory_equal(&twin.state, &g.state, s->game->state_size);
    while (check_position(s, &g), check_refusal(s, &g), s->count > 0) {
        const bool pass = s->game->may_pass && rng_below(&s->rng, 20) == 0;
        const move m = pass ? MOVE_PASS : s->list[rng_below(&s->rng, (uint32_t)s->count)];
        const uint64_t hash = game_hash(s->game, &g.state);
        twin = g;
        s->game->apply(&twin.state, m);
        assert_null(game_play(s->game, &g.state, m));
        assert_memory_equal(&twin, &g, sizeof g);
        assert_true(hash != game_hash(s->game, &g.state));
        check_guard(&g, s->game);
        assert_in_range(++plies, 1, s->game->plies_max);
    }
}

static void test_contract(void **state) {
    const struct test_ruleset *ruleset = *state;
    struct subject *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->game = game_find(ruleset->game);
    s->rng.state = 1;
    assert_in_range(s->game->moves_max, 1, LIST_MAX);
    assert_in_range(s->game->state_size, 1, GAME_STATE_MAX);
    test_ruleset_make(ruleset, &s->rules);
    for (int i = 0; i < GAMES; i++)
        play_game(s);
    free(s);
}

// Every game is in the list of rulesets as it is played, and knows its own standard values.
static void test_registry(void **state) {
    (void)state;
    for (int i = 0; i < game_count(); i++) {
        bool listed = false;
        for (int k = 0; k < TEST_RULESETS; k++)
            listed |= strcmp(game_nth(i)->name, test_rulesets[k].game) == 0;
        assert_true(listed);
        assert_ptr_equal(game_find(game_nth(i)->name), game_nth(i));
        assert_in_range(game_nth(i)->rule_count, 0, GAME_RULES_MAX);
        struct ruleset rules;
        ruleset_init(&rules, game_nth(i));
        for (int k = 0; k < game_nth(i)->rule_count; k++)
            assert_string_equal(rules.text[k], game_nth(i)->rules[k].standard);
    }
    assert_null(game_find("chess"));
    assert_null(game_find(""));
}

int main(void) {
    static char names[TEST_RULESETS][TEST_NAME_MAX];
    struct CMUnitTest tests[TEST_RULESETS + 1] = {cmocka_unit_test(test_registry)};
    for (int i = 0; i < TEST_RULESETS; i++) {
        test_ruleset_name(&test_rulesets[i], names[i]);
        tests[i + 1] = (struct CMUnitTest){.name = names[i],
                                           .test_func = test_contract,
                                           .initial_state = (void *)&test_rulesets[i]};
    }
    return cmocka_run_group_tests_name("contract", tests, NULL, NULL);
}
