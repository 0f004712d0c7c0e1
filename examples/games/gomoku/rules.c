// SPDX-License-Identifier: MIT
// Gomoku on 15x15: five stones in a line win. A move is a cell. In a state the stones of a player
// are the bits of four words, rows 16 apart: the 16th column and the 16th row are always clear and
// end every line.
#include "games/bits.h"
#include "games/game.h"
#include "games/grid.h"

enum { SIDE = 15, CELLS = SIDE * SIDE, STRIDE = SIDE + 1, WORDS = 4, FIVE = 5 };
enum { ENDING_FIVE = 1, ENDING_FULL };
enum { LINE_EXACT, LINE_MORE };

static const uint64_t board[WORDS] = {UINT64_C(0x7fff7fff7fff7fff), UINT64_C(0x7fff7fff7fff7fff),
                                      UINT64_C(0x7fff7fff7fff7fff), UINT64_C(0x7fff7fff7fff)};

struct gomoku {
    uint64_t stone[2][WORDS]; // [player - 1]
    uint16_t placed;          // stones so far
    uint16_t line;            // as in the ruleset
    uint16_t ending, winner;
};

static const struct rule rules[] = {
    {.key = "line",
     .standard = "exact",
     .help = "exact: five in a line win, six or more do nothing; more: five or more win",
     .words = "exact|more"},
};

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_FIVE] = {"five", "five in a line"},
    [ENDING_FULL] = {"full", "the board is full"},
};

static int mover(const struct gomoku *s) { return s->placed % 2 + 1; }

static uint64_t empty(const struct gomoku *s, int word) {
    return board[word] & ~(s->stone[0][word] | s->stone[1][word]);
}

static int run(const uint64_t *stones, int at, int step) {
    int n = 0;
    for (at += step; at >= 0 && plane_has(stones, at); at += step)
        n++;
    return n;
}

static bool wins(const struct gomoku *s, int player, int at) {
    static const int steps[] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    const uint64_t *stones = s->stone[player - 1];
    for (int i = 0; i < 4; i++) {
        const int length = 1 + run(stones, at, steps[i]) + run(stones, at, -steps[i]);
        if (length == FIVE || (length > FIVE && s->line == LINE_MORE))
            return true;
    }
    return false;
}

static void place(struct gomoku *s, int player, int at) {
    plane_add(s->stone[player - 1], at);
    s->placed++;
}

// Writes down how the game has ended, if it has by the stone at `at`.
static void settle(struct gomoku *s, int player, int at) {
    if (wins(s, player, at)) {
        s->ending = ENDING_FIVE;
        s->winner = (uint16_t)player;
    } else if (s->placed == CELLS && s->ending == ENDING_RUNNING) {
        s->ending = ENDING_FULL;
    }
}

static int turn(const void *state) {
    const struct gomoku *s = state;
    return s->ending == ENDING_RUNNING ? mover(s) : 0;
}

static int count(const void *state) {
    const struct gomoku *s = state;
    return s->ending == ENDING_RUNNING ? CELLS - s->placed : 0;
}

static move nth(const void *state, int n) {
    int word = 0;
    for (int here; n >= (here = bits_count(empty(state, word))); word++)
        n -= here;
    return (move)(word * 64 + bits_nth(empty(state, word), n));
}

static int moves(const void *state, move *list) {
    int n = 0;
    for (int word = 0; word < WORDS && count(state) > 0; word++)
        for (uint64_t rest = empty(state, word); rest; rest &= rest - 1)
            list[n++] = (move)(word * 64 + bits_first(rest));
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct gomoku *s = state;
    if (s->ending != ENDING_RUNNING)
        return "the game is over";
    if (m >= 64 * WORDS || !plane_has(board, (int)m))
        return "the cell is outside the board";
    return empty(s, (int)m / 64) >> m % 64 & 1 ? NULL : "the cell is taken";
}

static void apply(void *state, move m) {
    struct gomoku *s = state;
    const int player = mover(s);
    place(s, player, (int)m);
    settle(s, player, (int)m);
}

static struct outcome outcome(const void *state) {
    const struct gomoku *s = state;
    return (struct outcome){.ending = s->ending, .winner = s->winner};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_pair(&t, (int)m / STRIDE, (int)m % STRIDE);
}

static const char *read_move(const void *state, const char *text, move *m) {
    (void)state;
    int row, column;
    text_take_blanks(&text);
    if (!text_take_pair(&text, &row, &column) || !text_at_end(text))
        return "a move is written \"r,c\"";
    if (row >= SIDE || column >= SIDE)
        return "the cell is outside the board";
    *m = (move)(row * STRIDE + column);
    return NULL;
}

static int at_of(int i) { return i / SIDE * STRIDE + i % SIDE; }

static void fill_grid(const struct gomoku *s, char grid[static CELLS]) {
    for (int i = 0; i < CELLS; i++)
        grid[i] = plane_has(s->stone[0], at_of(i))   ? 'X'
                  : plane_has(s->stone[1], at_of(i)) ? 'O'
                                                     : '.';
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    char grid[CELLS];
    fill_grid(state, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, SIDE, SIDE, grid);
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    char grid[CELLS];
    fill_grid(state, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    grid_draw(&t, colour, SIDE, SIDE, grid);
}

static const char *read_position(struct gomoku *s, const char *at) {
    char grid[CELLS];
    const char *wrong = grid_read(&at, SIDE, SIDE, grid);
    if (wrong || !text_at_end(at))
        return wrong ? wrong : "nothing stands after the board";
    int more = 0; // stones that X has more than O
    for (int i = 0; i < CELLS; i++) {
        if (grid[i] == '#')
            return "no cell is blocked";
        if (grid[i] == '.')
            continue;
        place(s, grid[i] == 'X' ? BLACK : WHITE, at_of(i));
        more += grid[i] == 'X' ? 1 : -1;
    }
    if (more != s->placed % 2)
        return "X has as many stones as O, or one more";
    for (int i = 0; i < CELLS; i++) {
        const int player = grid[i] == 'X' ? BLACK : WHITE;
        if (grid[i] == '.')
            continue;
        settle(s, player, at_of(i));
        if (s->winner == mover(s))
            return "the game was over before the last move";
    }
    return NULL;
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct gomoku *s = state;
    *s = (struct gomoku){.line = (uint16_t)set->number[0]};
    const char *wrong = position ? read_position(s, position) : NULL;
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

const struct game game_gomoku = {
    .name = "gomoku",
    .title = "Gomoku",
    .width = SIDE,
    .height = SIDE,
    .distinct_moves = (SIDE - 1) * STRIDE + SIDE,
    .moves_max = CELLS,
    .plies_max = CELLS,
    .state_size = sizeof(struct gomoku),
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .start = start,
    .due = game_due_one,
    .outcome = outcome,
    .scores = game_scores_none,
    GAME_BY_NAME,
};
