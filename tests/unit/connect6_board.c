// SPDX-License-Identifier: MIT
// The connect6 engine's board against trying everything out on a plain grid.
#include "engine/connect6/threats.h"

#include "base/rng.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *overline, *count, *size;
} cases[] = {
    {"lose", "both", "9"},      {"lose", "neither", "8"}, {"ignore", "both", "9"},
    {"ignore", "neither", "7"}, {"win", "both", "9"},     {"win", "neither", "8"},
    {"lose", "both", "19"},     {"win", "both", "19"},    {"lose", "both", "6"},
};

enum { CASES = sizeof cases / sizeof *cases, GAMES = 6 };

// The board as a grid, and the rules as loops.
struct grid {
    int size;
    bool lose, win, count;
    char cell[GRID_CELLS_MAX];
};

static bool is_mine(const struct grid *g, char mark, int x, int y) {
    if (x < 0 || y < 0 || x >= g->size || y >= g->size)
        return false;
    const char c = g->cell[y * g->size + x];
    return c == mark || (c == '#' && g->count);
}

static int longest(const struct grid *g, char mark, int x, int y, int dx, int dy) {
    int n = 1;
    for (int i = 1; is_mine(g, mark, x + i * dx, y + i * dy); i++)
        n++;
    for (int i = 1; is_mine(g, mark, x - i * dx, y - i * dy); i++)
        n++;
    return n;
}

static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

enum result { NOTHING, WINS, LOSES };

static enum result try_stone(const struct grid *g, char mark, int at) {
    bool six = false, over = false;
    for (int d = 0; d < 4; d++) {
        const int n = longest(g, mark, at % g->size, at / g->size, steps[d][0], steps[d][1]);
        six |= n == 6;
        over |= n > 6;
    }
    return over && g->lose ? LOSES : six || (over && g->win) ? WINS : NOTHING;
}

static int cell_of(const struct grid *g, int at) {
    return at / g->size * BOARD_STRIDE + at % g->size;
}

static bool names(const struct threats *t, int a, int b) {
    for (int i = 0; i < t->count; i++)
        if ((t->list[i].a == a && t->list[i].b == b) || (t->list[i].a == b && t->list[i].b == a))
            return true;
    return false;
}

// Every stone and every two stones that make six, and no others, are threats.
static void check_threats(struct grid *g, const struct board6 *board, int player) {
    const char mark = player ? 'O' : 'X';
    struct threats threats;
    threats_find(board, player, &threats);
    for (int a = 0; a < g->size * g->size; a++) {
        if (g->cell[a] != '.')
            continue;
        const enum result first = try_stone(g, mark, a);
        assert_int_equal(first == LOSES, board_forbidden(board, player, cell_of(g, a)));
        assert_int_equal(first == WINS, names(&threats, cell_of(g, a), NO_CELL));
        if (first != NOTHING)
            continue;
        g->cell[a] = mark;
        for (int b = 0; b < a; b++) {
            if (g->cell[b] != '.' || try_stone(g, mark, b) != WINS)
                continue;
            g->cell[a] = '.';
            const bool alone = try_stone(g, mark, b) != NOTHING;
            g->cell[a] = mark;
            if (alone)
                continue;
            assert_true(names(&threats, cell_of(g, a), cell_of(g, b)));
        }
        g->cell[a] = '.';
    }
    for (int i = 0; i < threats.count; i++) {
        const struct threat t = threats.list[i];
        const int a = t.a / BOARD_STRIDE * g->size + t.a % BOARD_STRIDE;
        const int b = t.b / BOARD_STRIDE * g->size + t.b % BOARD_STRIDE;
        if (t.b == NO_CELL) {
            assert_int_equal(try_stone(g, mark, a), WINS);
            continue;
        }
        // Either stone first: it does not lose, and the second wins if the first has not.
        for (int turned = 0; turned < 2; turned++) {
            const int first = turned ? b : a, second = turned ? a : b;
            const enum result one = try_stone(g, mark, first);
            assert_int_not_equal(one, LOSES);
            g->cell[first] = mark;
            assert_true(one == WINS || try_stone(g, mark, second) == WINS);
            g->cell[first] = '.';
        }
    }
}

static bool covers_all(const struct threats *t, int a, int b) {
    for (int i = 0; i < t->count; i++)
        if (t->list[i].a != a && t->list[i].a != b &&
            (t->list[i].b == NO_CELL || (t->list[i].b != a && t->list[i].b != b)))
            return false;
    return true;
}

// Every two stones that stop all threats hold a cover, and covers do stop them.
static void check_covers(const struct grid *g, const struct board6 *board, int player) {
    struct threats threats;
    struct covers covers;
    int least = 3;
    threats_find(board, 1 - player, &threats);
    covers_find(board, player, 2, &covers);
    for (int i = 0; i < covers.count; i++)
        assert_true(covers_all(&threats, covers.list[i].a, covers.list[i].b));
    for (int i = 0; threats.count && i < g->size * g->size; i++)
        for (int j = 0; j < i; j++) {
            const int a = cell_of(g, i), b = cell_of(g, j);
            if (g->cell[i] != '.' || g->cell[j] != '.' || !covers_all(&threats, a, b) ||
                board_forbidden(board, player, a) || board_forbidden(board, player, b))
                continue;
            bool held = false;
            for (int k = 0; k < covers.count; k++) {
                const struct stone_cover c = covers.list[k];
                held |= (c.a == a && (c.b == b || c.b == NO_CELL)) ||
                        (c.a == b && (c.b == a || c.b == NO_CELL));
            }
            assert_true(held);
            least = least < 2 ? least : 2;
        }
    for (int i = 0; i < g->size * g->size; i++)
        if (g->cell[i] == '.' && !board_forbidden(board, player, cell_of(g, i)) &&
            covers_all(&threats, cell_of(g, i), NO_CELL))
            least = 1;
    assert_int_equal(covers.stones, threats.count ? least : 0);
}

static void check_same(const struct board6 *a, const struct board6 *b) {
    assert_memory_equal(a->mine, b->mine, sizeof a->mine);
    assert_memory_equal(a->stop, b->stop, sizeof a->stop);
    assert_memory_equal(a->empty, b->empty, sizeof a->empty);
    assert_memory_equal(a->threat, b->threat, sizeof a->threat);
    assert_memory_equal(a->threatened, b->threatened, sizeof a->threatened);
    assert_memory_equal(&a->empties, &b->empties, sizeof a->empties);
    assert_memory_equal(a->hot, b->hot, sizeof a->hot);
    assert_int_equal(a->hash, b->hash);
    assert_int_equal(a->placed, b->placed);
    assert_int_equal(a->left, b->left);
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&a->empties, cells);
    for (int i = 0; i < n; i++)
        for (int p = 0; p < 2; p++) {
            assert_memory_equal(&a->tally[p][cells[i]], &b->tally[p][cells[i]],
                                sizeof(struct cell_worth));
            for (int d = 0; d < DIRECTIONS; d++)
                assert_int_equal(a->kind[p][d][cells[i]], b->kind[p][d][cells[i]]);
        }
}

static void set_rule(struct ruleset *rules, const char *key, const char *value) {
    char why[WHY_TEXT_MAX];
    if (!ruleset_set(rules, key, value, why))
        fail_msg("%s=%s: %s", key, value, why);
}

static void make_rules(struct ruleset *rules, int number, struct rng *rng) {
    const int size = atoi(cases[number].size);
    char blocks[RULE_TEXT_MAX] = "";
    ruleset_init(rules, game_find("connect6"));
    set_rule(rules, "overline", cases[number].overline);
    set_rule(rules, "blocks_count", cases[number].count);
    set_rule(rules, "size", cases[number].size);
    const int first = (int)rng_below(rng, (uint32_t)(size * size)),
              step = 1 + (int)rng_below(rng, 3);
    for (int i = 0; i < 6; i++) {
        const int at = (first + i * step) % (size * size);
        snprintf(blocks + strlen(blocks), sizeof blocks - strlen(blocks), "%s%d,%d", i ? " " : "",
                 at % size, at / size);
    }
    set_rule(rules, "blocks", blocks);
}

static void read_grid(struct grid *g, const struct ruleset *rules, const void *state, int number) {
    char text[STATE_TEXT_MAX];
    const char *at = text;
    g->size = atoi(cases[number].size);
    g->lose = strcmp(cases[number].overline, "lose") == 0;
    g->win = strcmp(cases[number].overline, "win") == 0;
    g->count = strcmp(cases[number].count, "both") == 0;
    rules->game->write_state(state, text);
    assert_null(grid_read(&at, g->size, g->size, g->cell));
}

// A random game whose stones admission around one row, so that lines come about.
static move admission(const struct game *game, const void *state, int size, struct rng *rng) {
    for (int i = 0; i < 60; i++) {
        const int n = game->count(state);
        const move m = game->nth(state, (int)rng_below(rng, (uint32_t)n));
        if (abs((int)m / BOARD_STRIDE - size / 2) < 3 && (int)m % BOARD_STRIDE < 11)
            return m;
    }
    return game->nth(state, 0);
}

static void play_game(int number, struct rng *rng) {
    static struct line_kinds lines;
    static struct board6 board, fresh, before;
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    struct grid grid;
    make_rules(&rules, number, rng);
    lines_init(&lines, strcmp(cases[number].overline, "win") != 0);
    board_init(&board, &rules, &lines);
    fresh = board;
    assert_true(rules.game->start(&state, &rules, NULL, why));
    board_read(&board, &rules, &state);
    while (!game_is_over(rules.game, &state)) {
        const move m = admission(rules.game, &state, board.size, rng);
        const int player = board_turn(&board);
        assert_int_equal(player, rules.game->turn(&state) - 1);
        before = board;
        board_place(&board, (int)m, player);
        board_undo(&board, (int)m, player);
        check_same(&board, &before);
        board_place(&board, (int)m, player);
        rules.game->apply(&state, m);
        board_read(&fresh, &rules, &state);
        check_same(&board, &fresh);
        if (game_is_over(rules.game, &state))
            break;
        read_grid(&grid, &rules, &state, number);
        for (int p = 0; p < 2 && (board.placed % 3 == 0 || board.size < 10); p++) {
            check_threats(&grid, &board, p);
            check_covers(&grid, &board, p);
        }
    }
}

static void test_board_knows_what_the_rules_say(void **state) {
    (void)state;
    struct rng rng = {3};
    for (int i = 0; i < CASES; i++)
        for (int k = 0; k < GAMES; k++)
            play_game(i, &rng);
}

// The stones that stop the threats through a stone, of those in one direction, by trying.
static int threats_in_line(struct grid *g, char mark, int at, int d) {
    int sets[6], count = 0;
    for (int back = 0; back < 6; back++) {
        int set = 0, empty = 0, own = 1;
        for (int i = -back; i < 6 - back; i++) {
            const int x = at % g->size + i * steps[d][0], y = at / g->size + i * steps[d][1];
            const bool on = x >= 0 && y >= 0 && x < g->size && y < g->size;
            const bool free = on && g->cell[y * g->size + x] == '.';
            own &= free || is_mine(g, mark, x, y);
            set |= free << (i + 5);
            empty += free;
        }
        const int end[2] = {-back - 1, 6 - back};
        bool longer = false;
        for (int e = 0; e < 2; e++)
            longer |= is_mine(g, mark, at % g->size + end[e] * steps[d][0],
                              at / g->size + end[e] * steps[d][1]);
        if (own && empty <= 2 && empty > 0 && (g->win || !longer))
            sets[count++] = set;
    }
    for (int stones = 0; stones < 3; stones++)
        for (int set = 0; set < 1 << 11; set++) {
            bool all = __builtin_popcount((unsigned)set) == stones;
            for (int i = 0; i < count; i++)
                all &= (sets[i] & set) != 0;
            if (all)
                return stones;
        }
    return 3;
}

static void check_kinds(struct grid *g, const struct board6 *board) {
    for (int at = 0; at < g->size * g->size; at++)
        for (int i = 0; i < 8 && g->cell[at] == '.'; i++) {
            const int player = i / 4, d = i % 4;
            const char mark = player ? 'O' : 'X';
            const enum shape shape = kind_shape(board->kind[player][d][cell_of(g, at)]);
            const int length =
                longest(g, mark, at % g->size, at / g->size, steps[d][0], steps[d][1]);
            assert_int_equal(shape == SHAPE_OVER, length > 6 && !g->win);
            assert_int_equal(shape == SHAPE_SIX, length == 6 || (length > 6 && g->win));
            if (shape == SHAPE_OVER || shape == SHAPE_SIX)
                continue;
            g->cell[at] = mark;
            const int threats = threats_in_line(g, mark, at, d);
            g->cell[at] = '.';
            assert_int_equal(threats, shape < SHAPE_THREAT ? 0 : (int)shape - SHAPE_THREAT + 1);
        }
}

static void test_kinds_are_what_a_stone_makes(void **state) {
    (void)state;
    static struct line_kinds lines;
    static struct board6 board;
    struct rng rng = {5};
    for (int number = 0; number < CASES; number++) {
        struct ruleset rules;
        union game_state at;
        char why[WHY_TEXT_MAX];
        struct grid grid;
        make_rules(&rules, number, &rng);
        lines_init(&lines, strcmp(cases[number].overline, "win") != 0);
        board_init(&board, &rules, &lines);
        assert_true(rules.game->start(&at, &rules, NULL, why));
        for (int i = 0; i < 40 && !game_is_over(rules.game, &at); i++) {
            rules.game->apply(&at, admission(rules.game, &at, board.size, &rng));
            board_read(&board, &rules, &at);
            read_grid(&grid, &rules, &at, number);
            if (i % 4 == 3)
                check_kinds(&grid, &board);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board_knows_what_the_rules_say),
        cmocka_unit_test(test_kinds_are_what_a_stone_makes),
    };
    return cmocka_run_group_tests_name("connect6_board", tests, NULL, NULL);
}
