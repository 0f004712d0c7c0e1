// SPDX-License-Identifier: MIT
// The net of connect6: a view that is told of stones one by one says what a new one says of the
// board, whenever it is asked, and the way back leads to where it was.
#include "engine/connect6/net.h"

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "games/registry.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES = 8, STONES = 60 };

struct table6 {
    struct ruleset rules;
    struct net6_weights weights;
    struct net6 net;
    struct board6 board;
    struct net6_view view, fresh;
    struct rng rng;
    int16_t stones[STONES];
};

// A net whose every weight counts.
static void draw_weights(struct table6 *t) {
    int16_t *weight = (int16_t *)&t->weights;
    for (size_t i = 0; i < sizeof t->weights / sizeof *weight; i++)
        weight[i] = (int16_t)((int)rng_below(&t->rng, 401) - 200);
    net6_make(&t->net, &t->weights);
}

static struct table6 *table_new(const char *blocks) {
    struct table6 *t = mem_lines(sizeof *t);
    char why[WHY_TEXT_MAX];
    union game_state state;
    t->rng.state = 5;
    ruleset_init(&t->rules, &game_connect6);
    assert_true(ruleset_set(&t->rules, "blocks", blocks, why));
    assert_true(t->rules.game->start(&state, &t->rules, NULL, why));
    draw_weights(t);
    board_init(&t->board, &t->rules, &lines_carried[true]);
    board_read(&t->board, &t->rules, &state);
    net6_view_init(&t->view, &t->net, &t->board);
    return t;
}

static void assert_same_policies(struct table6 *t, int player, int stones) {
    int16_t cells[BOARD_CELLS], others[BOARD_CELLS];
    int values[BOARD_CELLS], fresh[BOARD_CELLS];
    const struct cells *from = &t->board.empties;
    const int n = net6_view_policies(&t->view, player, stones, from, cells, values);
    assert_int_equal(n, net6_view_policies(&t->fresh, player, stones, from, others, fresh));
    assert_memory_equal(cells, others, (size_t)n * sizeof *cells);
    assert_memory_equal(values, fresh, (size_t)n * sizeof *values);
}

// The values are asked for before the policies and after them: a view takes in its last stone for
// policies alone.
static void assert_same(struct table6 *t) {
    net6_view_init(&t->fresh, &t->net, &t->board);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(net6_view_value(&t->view, i % 2), net6_view_value(&t->fresh, i % 2));
        assert_same_policies(t, i % 2, 1 + i / 2);
    }
}

// What a policy is, cell by cell.
static int policy_of(const struct table6 *t, int cell, int player, int stones) {
    const int16_t(*w)[NET6_UNITS] = t->weights.policy[stones - 1];
    int value = 0;
    for (int i = 0; i < NET6_UNITS; i++) {
        const int sum = t->fresh.sum[cell][player][i];
        value += w[0][i] * sum + (sum > 0 ? w[1][i] * sum : 0);
    }
    return value;
}

static void place(struct table6 *t, int number) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&t->board.empties, cells);
    t->stones[number] = cells[rng_below(&t->rng, (uint32_t)n)];
    net6_view_place(&t->view, t->stones[number]);
    board_place(&t->board, t->stones[number], number % 2);
}

static void undo(struct table6 *t, int number) {
    board_undo(&t->board, t->stones[number], number % 2);
    net6_view_undo(&t->view);
}

static void test_view_follows_board(void **unused) {
    static const char *const blocks[] = {"none", "3,3 9,9 9,10 15,4"};
    (void)unused;
    for (int game = 0; game < GAMES; game++) {
        struct table6 *t = table_new(blocks[game % 2]);
        t->rng.state = (uint64_t)game;
        for (int i = 0; i < STONES; i++) {
            place(t, i);
            if (rng_below(&t->rng, 3) == 0) { // there and back, asked on the way or not
                undo(t, i);
                if (rng_below(&t->rng, 2))
                    assert_same(t);
                place(t, i);
            }
            if (rng_below(&t->rng, 2))
                assert_same(t);
        }
        for (int i = STONES - 1; i >= 0; i--) {
            undo(t, i);
            if (i % 5 == 0)
                assert_same(t);
        }
        free(t);
    }
}

static void test_policies(void **unused) {
    struct table6 *t = table_new("3,3 9,9 9,10 15,4");
    int16_t cells[BOARD_CELLS];
    int values[BOARD_CELLS];
    (void)unused;
    for (int i = 0; i < STONES; i++) {
        place(t, i);
        net6_view_init(&t->fresh, &t->net, &t->board);
        const int player = i % 2, stones = 1 + i / 2 % 2;
        struct cells from = t->board.empties;
        from.word[i % BOARD_WORDS] = 0; // not all of them
        const int n = net6_view_policies(&t->fresh, player, stones, &from, cells, values);
        for (int k = 0; k < n; k++) {
            assert_true(cells_has(&from, cells[k]) && t->fresh.near[cells[k]]);
            assert_int_equal(values[k], policy_of(t, cells[k], player, stones));
        }
    }
    free(t);
}

static void test_lines_turned_around(void **unused) {
    (void)unused;
    for (int way = 0; way < NET6_WAYS; way++) {
        const int turned = way % LINE_SIDES * LINE_SIDES + way / LINE_SIDES;
        assert_int_equal(net6_row(way), net6_row(turned));
        assert_in_range(net6_row(way), 0, NET6_ROWS - 1);
        assert_int_equal(way_is_blank(way), way_is_blank(turned));
    }
}

static void test_packed_weights(void **unused) {
    struct table6 *t = table_new("none");
    struct net6_weights *read = mem_new(1, sizeof *read);
    struct buf packed = {.data = NULL};
    struct err err = {.set = false};
    (void)unused;
    net6_write(&t->weights, &packed);
    assert_true(net6_read(packed.data, packed.length, read, &err));
    assert_memory_equal(read, &t->weights, sizeof *read);
    assert_false(net6_read(packed.data, packed.length - 1, read, &err));
    buf_done(&packed);
    free(read);
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_follows_board),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_lines_turned_around),
        cmocka_unit_test(test_packed_weights),
    };
    return cmocka_run_group_tests_name("connect6_net", tests, NULL, NULL);
}
