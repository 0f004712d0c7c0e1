// SPDX-License-Identifier: MIT
// Qubic: four in a line in a cube of 4x4x4 cells, without gravity. A move is a cell. Cells are bits
// of a word, layer by layer, each row by row. A line is four bits, all equally far apart; the 76
// lines are listed by direction: how far apart, and where such lines begin.
#include "games/bits.h"
#include "games/game.h"
#include "games/grid.h"

enum { SIDE = 4, LAYER = SIDE * SIDE, CELLS = LAYER * SIDE };
enum { ENDING_FOUR = 1, ENDING_FULL };

struct qubic {
    uint64_t stone[2]; // [player - 1]
    uint32_t ending, winner;
};

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_FOUR] = {"four", "four in a line"},
    [ENDING_FULL] = {"full", "all cells are taken"},
};

static uint64_t empty(const struct qubic *s) {
    return s->ending == ENDING_RUNNING ? ~(s->stone[0] | s->stone[1]) : 0;
}

static int mover(const struct qubic *s) { return bits_count(s->stone[0] | s->stone[1]) % 2 + 1; }

static bool has_line(uint64_t stones) {
    static const struct {
        int step;
        uint64_t first;
    } ways[] = {
        {1, UINT64_C(0x1111111111111111)}, // along a row
        {4, UINT64_C(0x000f000f000f000f)}, // along a column
        {5, UINT64_C(0x0001000100010001)}, // diagonally in a layer
        {3, UINT64_C(0x0008000800080008)}, // and the other way
        {16, 0xffff},                      // upright
        {17, 0x1111},                      // rising along a row
        {15, 0x8888},                      // falling
        {20, 0x000f},                      // rising along a column
        {12, 0xf000},                      // falling
        {21, 0x0001},                      // from a corner of the cube to the opposite one
        {19, 0x0008},                      // from the next corner
        {13, 0x1000},                      // and the next
        {11, 0x8000},                      // and the last
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const uint64_t pairs = stones & stones >> ways[i].step;
        if (pairs & pairs >> 2 * ways[i].step & ways[i].first)
            return true;
    }
    return false;
}

// Writes down how the game has ended, if it has; `last` made the last move.
static void settle(struct qubic *s, int last) {
    if (has_line(s->stone[last - 1])) {
        s->ending = ENDING_FOUR;
        s->winner = (uint32_t)last;
    } else if (empty(s) == 0) {
        s->ending = ENDING_FULL;
    }
}

static int turn(const void *state) {
    const struct qubic *s = state;
    return s->ending == ENDING_RUNNING ? mover(s) : 0;
}

static int count(const void *state) { return bits_count(empty(state)); }

static move nth(const void *state, int n) { return (move)bits_nth(empty(state), n); }

static int moves(const void *state, move *list) {
    int n = 0;
    for (uint64_t rest = empty(state); rest; rest &= rest - 1)
        list[n++] = (move)bits_first(rest);
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct qubic *s = state;
    if (s->ending != ENDING_RUNNING)
        return "the game is over";
    if (m >= CELLS)
        return "the cell is outside the board";
    return empty(s) >> m & 1 ? NULL : "the cell is taken";
}

static void apply(void *state, move m) {
    struct qubic *s = state;
    const int player = mover(s);
    s->stone[player - 1] |= bit((int)m);
    settle(s, player);
}

static struct outcome outcome(const void *state) {
    const struct qubic *s = state;
    return (struct outcome){.ending = (int)s->ending, .winner = (int)s->winner};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_number(&t, (int)m / LAYER);
    text_put_char(&t, ',');
    text_put_pair(&t, (int)m % LAYER / SIDE, (int)m % SIDE);
}

static const char *read_move(const void *state, const char *text, move *m) {
    (void)state;
    int layer, row, column;
    text_take_blanks(&text);
    if (!text_take_pair(&text, &layer, &row) || !text_take(&text, ','))
        return "a move is written \"l,r,c\": layer, row and column";
    text_take_blanks(&text);
    if (!text_take_number(&text, &column) || !text_at_end(text))
        return "a move is written \"l,r,c\": layer, row and column";
    if (layer >= SIDE || row >= SIDE || column >= SIDE)
        return "the cell is outside the board";
    *m = (move)(layer * LAYER + row * SIDE + column);
    return NULL;
}

static void fill_grid(const struct qubic *s, char grid[static CELLS]) {
    for (int i = 0; i < CELLS; i++)
        grid[i] = s->stone[0] & bit(i) ? 'X' : s->stone[1] & bit(i) ? 'O' : '.';
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    char grid[CELLS];
    fill_grid(state, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    for (int layer = 0; layer < SIDE; layer++) {
        text_put(&t, layer ? " " : "");
        grid_write(&t, SIDE, SIDE, grid + layer * LAYER);
    }
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    char grid[CELLS];
    fill_grid(state, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    for (int layer = 0; layer < SIDE; layer++) {
        text_put(&t, "   layer ");
        text_put_number(&t, layer);
        text_put_char(&t, '\n');
        grid_draw(&t, colour, SIDE, SIDE, grid + layer * LAYER);
    }
}

static const char *read_position(struct qubic *s, const char *at) {
    char grid[CELLS];
    for (int layer = 0; layer < SIDE; layer++) {
        const char *wrong = layer > 0 && !text_take_blanks(&at)
                                ? "four layers are separated by blanks"
                                : grid_read(&at, SIDE, SIDE, grid + layer * LAYER);
        if (wrong)
            return wrong;
    }
    if (!text_at_end(at))
        return "nothing stands after the board";
    for (int i = 0; i < CELLS; i++) {
        if (grid[i] == '#')
            return "no cell is blocked";
        if (grid[i] != '.')
            s->stone[grid[i] == 'O'] |= bit(i);
    }
    const int more = bits_count(s->stone[0]) - bits_count(s->stone[1]);
    if (more < 0 || more > 1)
        return "X has as many stones as O, or one more";
    if (has_line(s->stone[mover(s) - 1]))
        return "the game was over before the last move";
    settle(s, side_other(mover(s)));
    return NULL;
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    (void)set;
    struct qubic *s = state;
    *s = (struct qubic){.ending = ENDING_RUNNING};
    const char *wrong = position ? read_position(s, position) : NULL;
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

const struct game game_qubic = {
    .name = "qubic",
    .title = "Qubic",
    .width = SIDE,
    .height = SIDE,
    .distinct_moves = CELLS,
    .moves_max = CELLS,
    .plies_max = CELLS,
    .state_size = sizeof(struct qubic),
    .start = start,
    .due = game_due_one,
    .outcome = outcome,
    .scores = game_scores_none,
    GAME_BY_NAME,
};
