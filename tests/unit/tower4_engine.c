// SPDX-License-Identifier: MIT
// The tower4 engine's own parts against the rules.
#include "tower4.h"

#include "engine/tower4/ending.h"
#include "engine/tower4/eval.h"
#include "engine/tower4/explain.h"
#include "train/tower4/learn.h"

enum { GAMES = 40 / SAMPLE };

static const struct {
    const char *corners, *pieces;
    int lines;
} fields[] = {{"3", "64", 336}, {"1", "64", 600}, {"3", "144", 336}, {"1", "192", 600}};

static struct net *random_net(struct rng *rng) {
    struct tower_weights *weights = calloc(1, sizeof *weights);
    int16_t *flat = (int16_t *)weights;
    for (size_t i = 0; i < WEIGHTS; i++)
        flat[i] = (int16_t)(rng_below(rng, 101) - 50);
    struct net *net = tower_net_of(weights);
    free(weights);
    return net;
}

// The evaluation of the rows that the training sees.
static int gain_by_rows(const struct tower_board *t) {
    uint16_t rows[EVAL_ROWS_MAX];
    const int count = tower_rows(t, rows);
    const struct tower_weights *w = &t->net->weights;
    int64_t total = 0;
    for (int unit = 0; unit < UNITS; unit++) {
        int sum = 0;
        for (int i = 0; i < count; i++)
            sum += w->row[rows[i]][unit];
        total += (int64_t)sum * w->out[tower_stage(t)][sum > 0][unit];
    }
    return (int)(total * tower_worth(t, NEXT_LINES) * POINT / (ROW_UNIT * OUT_UNIT * 100));
}

// All that a drop keeps up to date, against a tower read anew from the rules' state.
static void check_same(const struct tower_board *kept, const struct tower_board *read) {
    assert_memory_equal(kept->taken, read->taken, sizeof kept->taken);
    assert_memory_equal(kept->black, read->black, sizeof kept->black);
    assert_memory_equal(kept->height, read->height, sizeof kept->height);
    assert_memory_equal(kept->line, read->line, sizeof kept->line);
    assert_memory_equal(kept->open, read->open, sizeof kept->open);
    assert_int_equal(kept->played, read->played);
    assert_int_equal(kept->left, read->left);
    assert_int_equal(kept->lines, read->lines);
    assert_int_equal(kept->side, read->side);
    assert_int_equal(kept->key[0], read->key[0]);
    for (int side = 0; side < 2; side++)
        assert_int_equal(tower_hot(kept, side), tower_hot(read, side));
}

static void play_and_compare(const struct ruleset *rules, const struct lattice *l,
                             const struct net *net, struct rng *rng) {
    const struct game *game = rules->game;
    union game_state state;
    char why[WHY_TEXT_MAX];
    struct tower_board kept, read, before;
    assert_true(game->start(&state, rules, NULL, why));
    tower_init(&kept, l, net);
    while (!game_is_over(game, &state)) {
        const move m = game->nth(&state, (int)rng_below(rng, (uint32_t)game->count(&state)));
        const int column = l->column[m], mover = game->turn(&state) - 1;
        int was[2], now[2];
        game->scores(&state, was);
        game->apply(&state, m);
        game->scores(&state, now);
        before = kept;
        const int worth = tower_worth(&kept, kept.threes[kept.side][tower_cell(&kept, column)]);
        assert_int_equal(worth, now[mover] - was[mover]);
        const int made = tower_drop(&kept, column);
        struct tower_board back = kept;
        tower_undo(&back, column, made);
        assert_memory_equal(&back, &before, offsetof(struct tower_board, sums));
        tower_read(&read, l, net, game, &state);
        check_same(&kept, &read);
        assert_int_equal(tower_gain(&kept), gain_by_rows(&kept));
        assert_int_equal(tower_gain(&read), tower_gain(&kept));
        assert_int_equal(game->count(&state),
                         kept.left ? __builtin_popcount(tower_columns(&kept)) : 0);
    }
}

static void test_drops_agree_with_the_rules(void **unused) {
    (void)unused;
    struct rng rng = {1};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct ruleset rules;
        struct lattice lattice;
        make_rules(&rules, fields[i].corners, fields[i].pieces);
        lattice_init(&lattice, &rules);
        assert_int_equal(lattice.lines, fields[i].lines);
        struct net *net = random_net(&rng);
        for (int game = 0; game < GAMES; game++)
            play_and_compare(&rules, &lattice, net, &rng);
        free(net);
    }
}

// The weights that the program carries keep within the numbers that sums are kept in.
static void test_trained_weights_do_not_overflow(void **unused) {
    (void)unused;
    struct rng rng = {2};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct ruleset rules;
        struct lattice lattice;
        make_rules(&rules, fields[i].corners, fields[i].pieces);
        lattice_init(&lattice, &rules);
        const struct net *net = tower_net_find(&rules);
        assert_non_null(net);
        for (int game = 0; game < GAMES; game++)
            play_and_compare(&rules, &lattice, net, &rng);
    }
}

// What the training takes for the gains of a game, against the scores of the rules.
static void check_gains(const struct ruleset *rules, const struct lattice *l, const struct net *net,
                        struct rng *rng) {
    const struct game *game = rules->game;
    struct played played[DROPS_MAX];
    int margin[DROPS_MAX + 1], gain[DROPS_MAX + 1], count = 0; // margins are black's
    union game_state state;
    char why[WHY_TEXT_MAX];
    struct tower_board tower;
    assert_true(game->start(&state, rules, NULL, why));
    for (;; count++) {
        int scores[2];
        game->scores(&state, scores);
        margin[count] = scores[0] - scores[1];
        if (game_is_over(game, &state))
            break;
        const move m = game->nth(&state, (int)rng_below(rng, (uint32_t)game->count(&state)));
        played[count] = (struct played){.column = l->column[m]};
        game->apply(&state, m);
    }
    tower_init(&tower, l, net);
    tower_gains(&tower, played, gain);
    for (int i = 0; i <= count; i++)
        assert_int_equal(gain[i], (margin[count] - margin[i]) * (i % 2 ? -1 : 1));
}

static void test_gains_are_those_of_the_rules(void **unused) {
    (void)unused;
    struct rng rng = {5};
    for (int i = 0; i < 2; i++) {
        struct ruleset rules;
        struct lattice lattice;
        make_rules(&rules, i ? "1" : "3", "64");
        lattice_init(&lattice, &rules);
        struct net *net = random_net(&rng);
        for (int game = 0; game < GAMES; game++)
            check_gains(&rules, &lattice, net, &rng);
        free(net);
    }
}

// A line taken by a view to another stands there, cell by cell in the order of both or reversed.
static void check_view(const struct lattice *l, int line, int view) {
    int cells[4], found = 0;
    for (int i = 0; i < 4; i++)
        cells[i] = cell_layer(l->cell[line][i]) * COLUMNS_MAX +
                   l->mirror[view][cell_column(l->cell[line][i])];
    for (int other = 0; other < l->lines; other++) {
        const uint8_t *c = l->cell[other];
        const bool same =
            c[0] == cells[0] && c[1] == cells[1] && c[2] == cells[2] && c[3] == cells[3];
        const bool back =
            c[3] == cells[0] && c[2] == cells[1] && c[1] == cells[2] && c[0] == cells[3];
        found += same || back;
        if (same || back)
            assert_int_equal(l->orbit[other], l->orbit[line]);
    }
    assert_int_equal(found, 1);
}

// Every view of the field takes lines to lines and is one to one.
static void test_mirrors_keep_lines(void **unused) {
    (void)unused;
    struct ruleset rules;
    struct lattice l;
    for (int corners = 1; corners <= 3; corners += 2) {
        make_rules(&rules, corners == 1 ? "1" : "3", "64");
        lattice_init(&l, &rules);
        for (int view = 0; view < MIRRORS; view++) {
            uint32_t seen = 0;
            for (int column = 0; column < l.columns; column++)
                seen |= UINT32_C(1) << l.mirror[view][column];
            assert_int_equal(__builtin_popcount(seen), l.columns);
            for (int other = 0; other < view; other++)
                assert_memory_not_equal(l.mirror[view], l.mirror[other], (size_t)l.columns);
            for (int line = 0; line < l.lines; line++)
                check_view(&l, line, view);
        }
    }
}

// Drops that ending_columns leaves out are all the same, and the last plies are counted right.
static void check_ending(const struct game *game, const struct tower_board *t, const void *state) {
    const int player = game->turn(state);
    int scores[2], idle = 0, same = 0;
    game->scores(state, scores);
    const int now = scores[player - 1] - scores[2 - player];
    const uint32_t busy = ending_columns(t);
    if (t->left <= 2)
        assert_int_equal(t->left == 1 ? ending_one(t) : ending_two(t),
                         brute(game, state, player) - now);
    for (int i = 0; i < game->count(state); i++) {
        const move m = game->nth(state, i);
        union game_state next;
        if (busy >> t->lattice->column[m] & 1)
            continue;
        memcpy(&next, state, game->state_size);
        game->apply(&next, m);
        const int value = brute(game, &next, player);
        assert_true(idle++ == 0 || value == same);
        same = value;
    }
}

static void test_endings(void **unused) {
    (void)unused;
    static const char *const lengths[] = {"16", "40", "64", "100"};
    struct rng rng = {3};
    for (int i = 0; i < 8; i++) {
        struct ruleset rules;
        struct lattice lattice;
        union game_state state;
        struct tower_board tower;
        char why[WHY_TEXT_MAX];
        make_rules(&rules, i < 4 ? "3" : "1", lengths[i % 4]);
        lattice_init(&lattice, &rules);
        struct net *net = random_net(&rng);
        for (int n = 0; n < 40; n++) {
            assert_true(rules.game->start(&state, &rules, NULL, why));
            for (int left = lattice.pieces; left > 1 + n % 3 + (n == 3); left--)
                rules.game->apply(
                    &state, rules.game->nth(
                                &state, (int)rng_below(&rng, (uint32_t)rules.game->count(&state))));
            tower_read(&tower, &lattice, net, rules.game, &state);
            check_ending(rules.game, &tower, &state);
        }
        free(net);
    }
}

// tests/long/tower4_solver.c has more of these.
static void test_ends_are_exact(void **unused) {
    (void)unused;
    static const char *const lengths[] = {"16", "30", "64", "120"};
    struct rng rng = {7};
    for (int i = 0; i < 8; i++)
        check_ends(i < 4 ? "3" : "1", lengths[i % 4], 1, 3, 12, &rng);
    check_ends("3", "144", 4, 7, 8, &rng); // all columns full but a few
    check_ends("1", "192", 4, 7, 8, &rng);
}

static json_t *facts_of(const char *position) {
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    make_rules(&rules, "3", "64");
    assert_true(rules.game->start(&state, &rules, position, why));
    return engine_find("tower4")->facts(&rules, &state);
}

// What people are told and what programs get.
static void test_explains_what_is_threatened(void **unused) {
    (void)unused;
    static const struct {
        const char *position, *remarks, *facts;
    } cases[] = {
        {"# # . . # #/# . . . . #/. . XXXX OOO . ./. . . . . ./# . . . . #/# # . . # # 100 0",
         "X threatens 1 line by 2,2 on layer 4, worth 50 points now: the next piece there\n"
         "O threatens 1 line by 2,3 on layer 3, worth 50 points now: the next piece there\n",
         "[{\"player\":1,\"move\":\"2,2\",\"layer\":4,\"pieces_before\":0,\"points\":50,"
         "\"lines\":[[[2,2,1],[2,2,2],[2,2,3],[2,2,4]]]},"
         "{\"player\":2,\"move\":\"2,3\",\"layer\":3,\"pieces_before\":0,\"points\":50,"
         "\"lines\":[[[2,3,0],[2,3,1],[2,3,2],[2,3,3]]]}]"},
        {"# # . . # #/# . . . . #/. . . . . ./X OX OOX . . ./# . . . . #/# # . . # # 0 0",
         "X threatens 1 line by 3,3 on layer 3, worth 100 points now: once 3 more pieces lie "
         "there\n",
         "[{\"player\":1,\"move\":\"3,3\",\"layer\":3,\"pieces_before\":3,\"points\":100,"
         "\"lines\":[[[3,0,0],[3,1,1],[3,2,2],[3,3,3]]]}]"},
        {"# # . . # #/# . X . . #/O O X . . ./. . . . . ./# O X O . #/# # X . # # 0 0",
         "X threatens 2 lines by 3,2 on layer 0, worth 150 points now: the next piece there\n",
         "[{\"player\":1,\"move\":\"3,2\",\"layer\":0,\"pieces_before\":0,\"points\":150,"
         "\"lines\":[[[1,2,0],[2,2,0],[3,2,0],[4,2,0]],[[5,2,0],[4,2,0],[3,2,0],[2,2,0]]]}]"},
        {"# # . . # #/# . . . . #/. . . . . ./X OX . . . ./# . . . . #/# # . . # # 0 0",
         "nobody threatens a line\n", "[]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ruleset rules;
        union game_state state;
        struct buf out = {.data = NULL};
        char why[WHY_TEXT_MAX];
        make_rules(&rules, "3", "64");
        assert_true(rules.game->start(&state, &rules, cases[i].position, why));
        tower_explain(&rules, &state, &out);
        assert_string_equal(out.data, cases[i].remarks);
        json_t *facts = facts_of(cases[i].position);
        json_t *expected = json_loads(cases[i].facts, 0, NULL);
        assert_true(json_equal(json_object_get(facts, "threatened"), expected));
        json_decref(facts);
        json_decref(expected);
        buf_done(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drops_agree_with_the_rules),
        cmocka_unit_test(test_trained_weights_do_not_overflow),
        cmocka_unit_test(test_gains_are_those_of_the_rules),
        cmocka_unit_test(test_mirrors_keep_lines),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_explains_what_is_threatened),
        cmocka_unit_test(test_ends_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
