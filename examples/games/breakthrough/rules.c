// SPDX-License-Identifier: MIT
// Breakthrough on 8x8: pieces go one row forward, straight or diagonally, take diagonally, and the
// first on the far row wins. Black begins at the bottom and goes up. Squares are bits of a word,
// row by row from the top left. A move is six times the square it leaves, and 0 to 2 for up-left,
// up and up-right, 3 to 5 for down-left, down and down-right.
#include "games/bits.h"
#include "games/game.h"
#include "games/grid.h"

enum { SIDE = 8, SQUARES = SIDE * SIDE, WAYS = 3, KINDS = 2 * WAYS };
enum { ENDING_REACHED = 1, ENDING_CAPTURED };

static const uint64_t left_column = UINT64_C(0x0101010101010101);
static const uint64_t right_column = UINT64_C(0x8080808080808080);
static const uint64_t far_row[2] = {UINT64_C(0xff), UINT64_C(0xff) << 56}; // [player - 1]

struct breakthrough {
    uint64_t piece[2]; // [player - 1]
    uint16_t turn, ending, winner, unused;
};

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_REACHED] = {"reached", "a piece has reached the far row"},
    [ENDING_CAPTURED] = {"captured", "all pieces of a player are captured"},
};

// The mover's pieces that can go to the left, straight on and to the right.
struct sources {
    uint64_t way[WAYS];
};

static struct sources find_sources(const struct breakthrough *s) {
    if (s->turn == 0)
        return (struct sources){{0}};
    const uint64_t own = s->piece[s->turn - 1], all = s->piece[0] | s->piece[1];
    const uint64_t not_left = own & ~left_column, not_right = own & ~right_column;
    if (s->turn == BLACK)
        return (struct sources){
            {not_left & ~(own << 9), own & ~(all << 8), not_right & ~(own << 7)}};
    return (struct sources){{not_left & ~(own >> 7), own & ~(all >> 8), not_right & ~(own >> 9)}};
}

static move move_of(const struct breakthrough *s, int from, int way) {
    return (move)(from * KINDS + (s->turn == BLACK ? 0 : WAYS) + way);
}

static int from_of(move m) { return (int)m / KINDS; }

static bool goes_up(move m) { return m % KINDS < WAYS; }

static int column_after(move m) { return from_of(m) % SIDE + (int)m % WAYS - 1; }

static int row_after(move m) { return from_of(m) / SIDE + (goes_up(m) ? -1 : 1); }

// Writes down how the game has ended, if it has.
static void settle(struct breakthrough *s) {
    for (int player = BLACK; player <= WHITE; player++) {
        const bool reached = s->piece[player - 1] & far_row[player - 1];
        if (!reached && s->piece[side_other(player) - 1])
            continue;
        s->ending = reached ? ENDING_REACHED : ENDING_CAPTURED;
        s->winner = (uint16_t)player;
        s->turn = 0;
    }
}

static int turn(const void *state) { return ((const struct breakthrough *)state)->turn; }

static int count(const void *state) {
    const struct sources from = find_sources(state);
    return bits_count(from.way[0]) + bits_count(from.way[1]) + bits_count(from.way[2]);
}

static int moves(const void *state, move *list) {
    const struct sources from = find_sources(state);
    int n = 0;
    for (uint64_t rest = from.way[0] | from.way[1] | from.way[2]; rest; rest &= rest - 1)
        for (int way = 0; way < WAYS; way++)
            if (from.way[way] >> bits_first(rest) & 1)
                list[n++] = move_of(state, bits_first(rest), way);
    return n;
}

static move nth(const void *state, int n) {
    const struct sources from = find_sources(state);
    for (uint64_t rest = from.way[0] | from.way[1] | from.way[2]; rest; rest &= rest - 1)
        for (int way = 0; way < WAYS; way++)
            if (from.way[way] >> bits_first(rest) & 1 && n-- == 0)
                return move_of(state, bits_first(rest), way);
    return MOVE_PASS; // not reached: n is below the count
}

static const char *illegal(const void *state, move m) {
    const struct breakthrough *s = state;
    if (s->turn == 0)
        return "the game is over";
    if (m >= SQUARES * KINDS)
        return "no such move";
    if (!(s->piece[s->turn - 1] >> from_of(m) & 1))
        return "no piece of the mover is there";
    if (goes_up(m) != (s->turn == BLACK))
        return "a piece goes forward only";
    if (column_after(m) < 0 || column_after(m) >= SIDE)
        return "no such move";
    if (find_sources(s).way[m % WAYS] >> from_of(m) & 1)
        return NULL;
    return m % WAYS == 1 ? "straight ahead the cell must be empty"
                         : "a piece of the mover is there";
}

static void apply(void *state, move m) {
    struct breakthrough *s = state;
    const int player = s->turn;
    const uint64_t to = bit(row_after(m) * SIDE + column_after(m));
    s->piece[player - 1] = (s->piece[player - 1] & ~bit(from_of(m))) | to;
    s->piece[side_other(player) - 1] &= ~to;
    s->turn = (uint16_t)side_other(player);
    settle(s);
}

static struct outcome outcome(const void *state) {
    const struct breakthrough *s = state;
    return (struct outcome){.ending = s->ending, .winner = s->winner};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_pair(&t, from_of(m) / SIDE, from_of(m) % SIDE);
    text_put_char(&t, ' ');
    text_put_pair(&t, row_after(m), column_after(m));
}

static const char *read_move(const void *state, const char *text, move *m) {
    (void)state;
    int row, column, to_row, to_column;
    text_take_blanks(&text);
    if (!text_take_pair(&text, &row, &column) || !text_take_blanks(&text) ||
        !text_take_pair(&text, &to_row, &to_column) || !text_at_end(text))
        return "a move is written \"r,c r,c\", from and to";
    if (row >= SIDE || column >= SIDE || to_row >= SIDE || to_column >= SIDE)
        return "the cell is outside the board";
    const int down = to_row - row, right = to_column - column;
    if ((down != 1 && down != -1) || right < -1 || right > 1)
        return "a piece goes to the next row, straight or diagonally";
    *m = (move)((row * SIDE + column) * KINDS + (down > 0 ? WAYS : 0) + right + 1);
    return NULL;
}

static void fill_grid(const struct breakthrough *s, char grid[static SQUARES]) {
    for (int i = 0; i < SQUARES; i++)
        grid[i] = s->piece[0] & bit(i) ? 'X' : s->piece[1] & bit(i) ? 'O' : '.';
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct breakthrough *s = state;
    char grid[SQUARES];
    fill_grid(s, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, SIDE, SIDE, grid);
    text_put_char(&t, ' ');
    text_put_char(&t, "-XO"[s->turn]);
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    char grid[SQUARES];
    fill_grid(state, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    grid_draw(&t, colour, SIDE, SIDE, grid);
}

static const char *read_position(struct breakthrough *s, const char *at) {
    char grid[SQUARES];
    const char *wrong = grid_read(&at, SIDE, SIDE, grid);
    if (wrong)
        return wrong;
    const bool parted = text_take_blanks(&at);
    const char mark = *at;
    if (!parted || (mark != 'X' && mark != 'O' && mark != '-') || !text_at_end(at + 1))
        return "after the board stands who moves: X, O, or - when the game is over";
    for (int i = 0; i < SQUARES; i++) {
        if (grid[i] == '#')
            return "no cell is blocked";
        if (grid[i] != '.')
            s->piece[grid[i] == 'O'] |= bit(i);
    }
    if (bits_count(s->piece[0]) > 2 * SIDE || bits_count(s->piece[1]) > 2 * SIDE)
        return "a player has at most 16 pieces";
    const uint64_t arrived = (s->piece[0] & far_row[0]) | (s->piece[1] & far_row[1]);
    if (bits_count(arrived) > 1 || !(s->piece[0] | s->piece[1]))
        return "the game was over before the last move";
    s->turn = mark == 'O' ? WHITE : BLACK;
    settle(s);
    return (mark == '-') == (s->turn == 0)
               ? NULL
               : "- stands for a game that is over, and only for such a game";
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    (void)set;
    struct breakthrough *s = state;
    *s = (struct breakthrough){.turn = BLACK};
    const char *wrong =
        read_position(s, position ? position : "OOOOOOOO/OOOOOOOO/8/8/8/8/XXXXXXXX/XXXXXXXX X");
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

const struct game game_breakthrough = {
    .name = "breakthrough",
    .title = "Breakthrough",
    .width = SIDE,
    .height = SIDE,
    .distinct_moves = SQUARES * KINDS,
    .moves_max = 2 * SIDE * WAYS,
    .plies_max = 2 * 2 * SIDE * (SIDE - 2) + 1, // every move brings a piece a row further
    .state_size = sizeof(struct breakthrough),
    .start = start,
    .due = game_due_one,
    .outcome = outcome,
    .scores = game_scores_none,
    GAME_BY_NAME,
};
