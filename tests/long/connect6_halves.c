// SPDX-License-Identifier: MIT
// A turn of connect6 and its second half: what the engine says of a position must fit to what it
// says of the same with a first stone placed. Nothing is lost where some first stone wins.
#include "base/rng.h"
#include "check.h"
#include "engine/connect6/search.h"
#include "share.h"

#include <stdio.h>
#include <string.h>

enum {
    POSITIONS = 200,
    FIRSTS = 5,          // stones tried in each, the engine's own first
    PLAY_NODES = 300,    // for a turn of a game
    THINK_NODES = 10000, // for a turn's second half; so many times FIRSTS for the whole
    PLIES_LEAST = 5,
    PLIES_MORE = 14,
    BLOCKS_MOST = 10,
    SIDE = 19,
};

struct halves {
    struct ruleset rules;
    struct brain *brain;
    struct rng rng;
    char blocks[RULE_TEXT_MAX], moves[1000];
    int wins, missed; // by first stones; and those that were not seen without
};

static void draw_blocks(struct halves *h) {
    const int count = (int)rng_below(&h->rng, BLOCKS_MOST / 2 + 1) * 2;
    char why[WHY_TEXT_MAX];
    do {
        h->blocks[0] = '\0';
        for (int i = 0; i < count; i++) {
            char one[16];
            snprintf(one, sizeof one, "%s%u,%u", i ? " " : "", rng_below(&h->rng, SIDE),
                     rng_below(&h->rng, SIDE));
            strcat(h->blocks, one);
        }
    } while (!ruleset_set(&h->rules, "blocks", count ? h->blocks : "none", why));
}

static void play(struct halves *h, void *state, move stone) {
    char text[MOVE_TEXT_MAX];
    const struct game *game = h->rules.game;
    game->write_move(state, stone, text);
    snprintf(h->moves + strlen(h->moves), sizeof h->moves - strlen(h->moves), "%s; ", text);
    game->apply(state, stone);
}

// A position of a game of the engine with itself, where a turn of two stones begins.
static bool draw_position(struct halves *h, void *state) {
    const struct game *game = h->rules.game;
    const struct limits limits = {.nodes = PLAY_NODES};
    const int plies = PLIES_LEAST + (int)rng_below(&h->rng, PLIES_MORE);
    char why[WHY_TEXT_MAX];
    draw_blocks(h);
    brain_free(h->brain);
    h->brain = brain_new(&h->rules, LEVEL_STRONG, 1, 1);
    h->moves[0] = '\0';
    if (!game->start(state, &h->rules, NULL, why))
        return false;
    for (int i = 0; game->turn(state) && (i < plies || game->due(state) != 2); i++) {
        struct thought t;
        if (i < 3) {
            play(h, state, game->nth(state, (int)rng_below(&h->rng, (uint32_t)game->count(state))));
            continue;
        }
        brain_think(h->brain, state, &limits, &t);
        play(h, state, t.pv[0]);
    }
    return game->turn(state) != 0;
}

static struct thought think(struct halves *h, const void *state, uint64_t nodes) {
    const struct limits limits = {.nodes = nodes};
    struct thought t;
    brain_think(h->brain, state, &limits, &t);
    return t;
}

// A cell near the stones: of a few drawn ones the one nearest to the last.
static move draw_first(struct halves *h, const void *state, move near) {
    const struct game *game = h->rules.game;
    move best = near;
    int least = SIDE * SIDE;
    for (int i = 0; i < 12; i++) {
        const move cell = game->nth(state, (int)rng_below(&h->rng, (uint32_t)game->count(state)));
        const int x = abs((int)(cell % BOARD_STRIDE) - (int)(near % BOARD_STRIDE));
        const int y = abs((int)(cell / BOARD_STRIDE) - (int)(near / BOARD_STRIDE));
        if (x + y < least) {
            least = x + y;
            best = cell;
        }
    }
    return best;
}

static void check_halves(struct halves *h, const struct thought *whole, const struct thought *half,
                         bool own, const char *first) {
    const bool half_wins = half->exact && half->value > VALUE_FORCED;
    h->wins += half_wins;
    h->missed += half_wins && whole->value < VALUE_FORCED;
    const bool half_loses = half->exact && half->value < -VALUE_FORCED;
    if (half_wins && whole->value <= 1 - VALUE_FORCED)
        fail_msg("blocks %s, %s: lost (%d%s), but %s wins (%d)", h->blocks, h->moves, whole->value,
                 whole->exact ? ", proven" : "", first, half->value);
    if (own && half_loses && whole->exact && whole->value > VALUE_FORCED)
        fail_msg("blocks %s, %s: won (%d), but not with its own stone %s (%d)", h->blocks, h->moves,
                 whole->value, first, half->value);
}

static void test_halves_fit(void **state) {
    (void)state;
    struct halves h = {.rng = {18}};
    ruleset_init(&h.rules, game_find("connect6"));
    const struct game *game = h.rules.game;
    for (int i = 0; i < POSITIONS / TEST_SHARE; i++) {
        union game_state whole_state, half_state;
        if (!draw_position(&h, &whole_state))
            continue;
        const struct thought whole = think(&h, &whole_state, THINK_NODES * FIRSTS);
        for (int j = 0; j < FIRSTS; j++) {
            char text[MOVE_TEXT_MAX];
            const move first = j == 0 ? whole.pv[0] : draw_first(&h, &whole_state, whole.pv[j % 2]);
            memcpy(&half_state, &whole_state, game->state_size);
            game->write_move(&whole_state, first, text);
            game->apply(&half_state, first);
            if (!game->turn(&half_state))
                continue;
            const struct thought half = think(&h, &half_state, THINK_NODES);
            check_halves(&h, &whole, &half, j == 0, text);
        }
    }
    brain_free(h.brain);
    print_message("# %d first stones win, %d of which were missed\n", h.wins, h.missed);
    assert_int_equal(h.missed, 0);
}

// A turn of threats that answers everything: each stone alone looks worse than a defence.
static void test_counter_threats(void **state) {
    (void)state;
    static const char *const moves[] = {"13,9", "6,9", "7,9", "12,10", "14,8", "16,6", "11,11"};
    struct halves h = {.rng = {1}};
    union game_state position;
    char why[WHY_TEXT_MAX];
    ruleset_init(&h.rules, game_find("connect6"));
    const struct game *game = h.rules.game;
    assert_true(ruleset_set(&h.rules, "blocks", "2,1 15,7 6,8 18,14", why));
    assert_true(game->start(&position, &h.rules, NULL, why));
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        move stone;
        assert_null(game->read_move(&position, moves[i], &stone));
        game->apply(&position, stone);
    }
    h.brain = brain_new(&h.rules, LEVEL_STRONG, 1, 1);
    const struct thought t = think(&h, &position, 200000);
    assert_true(t.exact && t.value > VALUE_FORCED);
    brain_free(h.brain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_fit),
        cmocka_unit_test(test_counter_threats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
