// SPDX-License-Identifier: MIT
// Connect6 as other contests play it: six or more in a line win for both, and up to twenty cells of
// any number are blocked and count for nobody. A variant of our connect6: states and moves are its
// own, overline=win and blocks_count=neither; the row comes first in a cell's text.
#include "games/connect6.c"

enum { OPEN_BLOCKS_MAX = 20 };

static const struct rule open_rules[] = {
    {.key = "blocks",
     .standard = "none",
     .help = "cells where nobody may play",
     .form = "none, or different cells, 20 at most: r,c r,c"},
};

static void write_open_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_pair(&t, (int)m / STRIDE, (int)m % STRIDE);
}

static const char *read_open_move(const void *state, const char *text, move *m) {
    (void)state;
    int row, column;
    text_take_blanks(&text);
    if (!text_take_pair(&text, &row, &column) || !text_at_end(text))
        return "a move is written \"r,c\", one stone";
    if (row >= GRID_SIDE_MAX || column >= GRID_SIDE_MAX)
        return "the cell is outside the board";
    *m = (move)(row * STRIDE + column);
    return NULL;
}

static const char *read_open_blocks(struct connect6 *s, const struct ruleset *inner,
                                    const char *at) {
    if (text_equal(at, "none"))
        return NULL;
    for (text_take_blanks(&at); *at; text_take_blanks(&at)) {
        int row, column;
        if (!text_take_pair(&at, &row, &column) || (*at && *at != ' ' && *at != '\t'))
            return "blocks is written \"r,c r,c ...\", or none";
        if (s->left == GRID_CELLS_MAX - OPEN_BLOCKS_MAX)
            return "too many blocked cells; accepted: 20 at most";
        const char *wrong = connect6_block(s, inner, column, row);
        if (wrong)
            return wrong;
    }
    return NULL;
}

// Blocked cells may come from the position or from the ruleset; if from both, they are the same.
static const char *read_open_position(struct connect6 *s, const struct ruleset *inner,
                                      const char *at) {
    char grid[GRID_CELLS_MAX];
    const bool given = s->left < GRID_CELLS_MAX;
    const char *wrong = grid_read(&at, GRID_SIDE_MAX, GRID_SIDE_MAX, grid);
    if (wrong || !text_at_end(at))
        return wrong ? wrong : "nothing stands after the board";
    for (int i = 0; i < GRID_CELLS_MAX; i++) {
        const int cell = plane_at(i % GRID_SIDE_MAX, i / GRID_SIDE_MAX);
        if (given && (grid[i] == '#') == plane_has(s->empty, cell))
            return "the blocked cells of the position are not those of the ruleset";
        if (!given && grid[i] == '#')
            block(s, inner, cell);
    }
    if (s->left < GRID_CELLS_MAX - OPEN_BLOCKS_MAX)
        return "at most 20 cells are blocked";
    return place_stones(s, grid);
}

static bool start_open(void *state, const struct ruleset *set, const char *position,
                       char why[static WHY_TEXT_MAX]) {
    struct ruleset inner = {.number = {[RULE_SIZE] = GRID_SIDE_MAX,
                                       [RULE_OVERLINE] = OVERLINE_WIN,
                                       [RULE_BLOCKS_COUNT] = BLOCKS_COUNT_NEITHER}};
    start(state, &inner, NULL, why);
    const char *wrong = read_open_blocks(state, &inner, set->text[0]);
    if (!wrong && position)
        wrong = read_open_position(state, &inner, position);
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

const struct game game_connect6open = {
    .name = "connect6open",
    .title = "Connect6, six or more",
    .width = GRID_SIDE_MAX,
    .height = GRID_SIDE_MAX,
    .distinct_moves = (GRID_SIDE_MAX - 1) * STRIDE + GRID_SIDE_MAX,
    .moves_max = GRID_CELLS_MAX,
    .plies_max = GRID_CELLS_MAX,
    .state_size = sizeof(struct connect6),
    .rules = open_rules,
    .rule_count = sizeof open_rules / sizeof *open_rules,
    .endings = endings,
    .ending_count = sizeof endings / sizeof *endings,
    .start = start_open,
    .turn = turn,
    .due = due,
    .count = count,
    .nth = nth,
    .moves = moves,
    .illegal = illegal,
    .apply = apply,
    .outcome = outcome,
    .scores = game_scores_none,
    .write_move = write_open_move,
    .read_move = read_open_move,
    .write_state = write_state,
    .draw = draw,
};
