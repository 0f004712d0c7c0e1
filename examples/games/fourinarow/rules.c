// SPDX-License-Identifier: MIT
// Four in a row: discs fall into seven columns of six cells, and four in a line win. A move is a
// column. In a state each column is seven bits of a word, from the bottom up; the seventh is always
// clear and ends every line that would leave the board.
#include "games/bits.h"
#include "games/game.h"
#include "games/grid.h"

enum { COLUMNS = 7, ROWS = 6, CELLS = COLUMNS * ROWS, STRIDE = ROWS + 1 };
enum { ENDING_FOUR = 1, ENDING_FULL };

static const uint64_t bottoms = UINT64_C(0x40810204081); // the lowest cell of every column
static const uint64_t tops = UINT64_C(0x810204081020);   // and the highest

struct four {
    uint64_t disc[2]; // [player - 1]
    uint32_t ending, winner;
};

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_FOUR] = {"four", "four in a line"},
    [ENDING_FULL] = {"full", "the board is full"},
};

static uint64_t taken(const struct four *s) { return s->disc[0] | s->disc[1]; }

static int mover(const struct four *s) { return bits_count(taken(s)) % 2 + 1; }

// The highest cells of the columns that take a disc.
static uint64_t open_tops(const struct four *s) {
    return s->ending == ENDING_RUNNING ? tops & ~taken(s) : 0;
}

static bool has_four(uint64_t discs) {
    static const int steps[] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    for (int i = 0; i < 4; i++) {
        const uint64_t pairs = discs & discs >> steps[i];
        if (pairs & pairs >> 2 * steps[i])
            return true;
    }
    return false;
}

// Writes down how the game has ended, if it has; `last` made the last move.
static void settle(struct four *s, int last) {
    if (has_four(s->disc[last - 1])) {
        s->ending = ENDING_FOUR;
        s->winner = (uint32_t)last;
    } else if ((tops & ~taken(s)) == 0) {
        s->ending = ENDING_FULL;
    }
}

static int turn(const void *state) {
    const struct four *s = state;
    return s->ending == ENDING_RUNNING ? mover(s) : 0;
}

static int count(const void *state) { return bits_count(open_tops(state)); }

static move nth(const void *state, int n) { return (move)(bits_nth(open_tops(state), n) / STRIDE); }

static int moves(const void *state, move *list) {
    int n = 0;
    for (uint64_t rest = open_tops(state); rest; rest &= rest - 1)
        list[n++] = (move)(bits_first(rest) / STRIDE);
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct four *s = state;
    if (s->ending != ENDING_RUNNING)
        return "the game is over";
    if (m >= COLUMNS)
        return "there is no such column";
    return open_tops(s) >> (m * STRIDE + ROWS - 1) & 1 ? NULL : "the column is full";
}

static void apply(void *state, move m) {
    struct four *s = state;
    const int player = mover(s), bottom = (int)m * STRIDE;
    // One more than a column filled from the bottom is its lowest empty cell.
    const uint64_t column = taken(s) & ((bit(ROWS) - 1) << bottom);
    s->disc[player - 1] |= column + bit(bottom);
    settle(s, player);
}

static struct outcome outcome(const void *state) {
    const struct four *s = state;
    return (struct outcome){.ending = (int)s->ending, .winner = (int)s->winner};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_number(&t, (int)m);
}

static const char *read_move(const void *state, const char *text, move *m) {
    (void)state;
    int column;
    text_take_blanks(&text);
    if (!text_take_number(&text, &column) || !text_at_end(text))
        return "a move is written \"c\", the column";
    if (column >= COLUMNS)
        return "there is no such column";
    *m = (move)column;
    return NULL;
}

// The bit of a cell of the grid, which counts row by row from the top.
static uint64_t grid_bit(int i) { return bit(i % COLUMNS * STRIDE + ROWS - 1 - i / COLUMNS); }

static void fill_grid(const struct four *s, char grid[static CELLS]) {
    for (int i = 0; i < CELLS; i++)
        grid[i] = s->disc[0] & grid_bit(i) ? 'X' : s->disc[1] & grid_bit(i) ? 'O' : '.';
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    char grid[CELLS];
    fill_grid(state, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, COLUMNS, ROWS, grid);
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    char grid[CELLS];
    fill_grid(state, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    grid_draw(&t, colour, COLUMNS, ROWS, grid);
}

static const char *read_position(struct four *s, const char *at) {
    char grid[CELLS];
    const char *wrong = grid_read(&at, COLUMNS, ROWS, grid);
    if (wrong || !text_at_end(at))
        return wrong ? wrong : "nothing stands after the board";
    for (int i = 0; i < CELLS; i++) {
        if (grid[i] == '#')
            return "no cell is blocked";
        if (grid[i] != '.')
            s->disc[grid[i] == 'O'] |= grid_bit(i);
    }
    if ((taken(s) + bottoms) & taken(s))
        return "a disc falls to the bottom of its column";
    const int more = bits_count(s->disc[0]) - bits_count(s->disc[1]);
    if (more < 0 || more > 1)
        return "X has as many discs as O, or one more";
    if (has_four(s->disc[mover(s) - 1]))
        return "the game was over before the last move";
    settle(s, side_other(mover(s)));
    return NULL;
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    (void)set;
    struct four *s = state;
    *s = (struct four){.ending = ENDING_RUNNING};
    const char *wrong = position ? read_position(s, position) : NULL;
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

const struct game game_fourinarow = {
    .name = "fourinarow",
    .title = "Four in a row",
    .width = COLUMNS,
    .height = ROWS,
    .distinct_moves = COLUMNS,
    .moves_max = COLUMNS,
    .plies_max = CELLS,
    .state_size = sizeof(struct four),
    .start = start,
    .due = game_due_one,
    .outcome = outcome,
    .scores = game_scores_none,
    GAME_BY_NAME,
};
