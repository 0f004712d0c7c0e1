// SPDX-License-Identifier: MIT
// Reversi on the open board of 2020, and standard Othello.
//
// Squares are bits, row by row from the top left. On the open board the corners are in no set at
// all: they are never empty, never owned, and so never bracket anything. The mover's legal squares
// are part of the state, because finding who moves next has to compute them anyway.
#include "games/bits.h"
#include "games/grid.h"
#include "games/registry.h"

enum { ENDING_NO_MOVES = 1 };

enum { SIDE = 8, SQUARES = SIDE * SIDE, OPEN = 0 };

static const uint64_t corners = UINT64_C(0x8100000000000081);
static const uint64_t centre = UINT64_C(0x007e7e7e7e7e7e00);
static const uint64_t inner_columns = UINT64_C(0x7e7e7e7e7e7e7e7e);

struct reversi {
    uint64_t disc[2]; // [player - 1]
    uint64_t legal;   // of the mover; empty exactly when the game is over
    uint32_t turn;    // 1 or 2; 0 when the game is over
    uint32_t board;   // OPEN, or the standard game
};

static const struct rule rules[] = {
    {.key = "board",
     .standard = "open",
     .help = "open: empty start, cut corners, free centre; othello: the standard game",
     .words = "open|othello"},
};

static uint64_t empty_squares(const struct reversi *s) {
    const uint64_t empty = ~(s->disc[0] | s->disc[1]);
    return s->board == OPEN ? empty & ~corners : empty;
}

// The runs of `over` that begin next to `from` and lead towards higher squares, or lower ones.
static uint64_t runs_up(uint64_t from, uint64_t over, int shift) {
    uint64_t runs = from << shift & over;
    for (int i = 0; i < SIDE - 3; i++)
        runs |= runs << shift & over;
    return runs;
}

static uint64_t runs_down(uint64_t from, uint64_t over, int shift) {
    uint64_t runs = from >> shift & over;
    for (int i = 0; i < SIDE - 3; i++)
        runs |= runs >> shift & over;
    return runs;
}

// Squares just behind a run of `over` that begins next to `own`, both ways along one direction.
static uint64_t behind_runs(uint64_t own, uint64_t over, int shift) {
    return runs_up(own, over, shift) << shift | runs_down(own, over, shift) >> shift;
}

// Empty squares where a disc would turn at least one.
static uint64_t turning_squares(uint64_t own, uint64_t other, uint64_t empty) {
    // A run never passes through an outer column sideways: leaving those out stops it at the edge.
    const uint64_t inner = other & inner_columns;
    return empty & (behind_runs(own, inner, 1) | behind_runs(own, other, 8) |
                    behind_runs(own, inner, 7) | behind_runs(own, inner, 9));
}

static uint64_t legal_squares(const struct reversi *s, int player) {
    const uint64_t empty = empty_squares(s);
    const uint64_t turning = turning_squares(s->disc[player - 1], s->disc[2 - player], empty);
    return s->board == OPEN ? turning | (empty & centre) : turning;
}

// The runs of `over` between the new disc and one of `own`, both ways along one direction.
static uint64_t bracketed(uint64_t disc, uint64_t own, uint64_t over, int shift) {
    const uint64_t up = runs_up(disc, over, shift), down = runs_down(disc, over, shift);
    return (up << shift & own ? up : 0) | (down >> shift & own ? down : 0);
}

static uint64_t turned_by(uint64_t disc, uint64_t own, uint64_t other) {
    const uint64_t inner = other & inner_columns;
    return bracketed(disc, own, inner, 1) | bracketed(disc, own, other, 8) |
           bracketed(disc, own, inner, 7) | bracketed(disc, own, inner, 9);
}

// Gives the turn to `player`, to the other if he cannot move, or to nobody.
static void settle(struct reversi *s, int player) {
    for (int i = 0; i < 2; i++, player = side_other(player)) {
        s->legal = legal_squares(s, player);
        if (s->legal) {
            s->turn = (uint32_t)player;
            return;
        }
    }
    s->turn = 0;
}

static int turn(const void *state) { return (int)((const struct reversi *)state)->turn; }

static int count(const void *state) { return bits_count(((const struct reversi *)state)->legal); }

static move nth(const void *state, int n) {
    return (move)bits_nth(((const struct reversi *)state)->legal, n);
}

static int moves(const void *state, move *list) {
    int n = 0;
    for (uint64_t rest = ((const struct reversi *)state)->legal; rest; rest &= rest - 1)
        list[n++] = (move)bits_first(rest);
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct reversi *s = state;
    if (s->turn == 0)
        return "the game is over";
    if (m >= SQUARES)
        return "no such square";
    if (s->legal & bit((int)m))
        return NULL;
    if ((s->disc[0] | s->disc[1]) & bit((int)m))
        return "the square is taken";
    return empty_squares(s) & bit((int)m) ? "the disc would turn nothing there"
                                          : "the corners are not part of the board";
}

static void apply(void *state, move m) {
    struct reversi *s = state;
    const int player = (int)s->turn;
    uint64_t *own = &s->disc[player - 1], *other = &s->disc[2 - player];
    const uint64_t disc = bit((int)m), turned = turned_by(disc, *own, *other);
    *own |= disc | turned;
    *other &= ~turned;
    settle(s, side_other(player));
}

static void scores(const void *state, int out[static 2]) {
    const struct reversi *s = state;
    out[0] = bits_count(s->disc[0]) - bits_count(s->disc[1]);
    out[1] = -out[0];
}

static struct outcome outcome(const void *state) {
    const struct reversi *s = state;
    if (s->turn != 0)
        return (struct outcome){.ending = ENDING_RUNNING};
    int score[2];
    scores(state, score);
    return (struct outcome){.ending = ENDING_NO_MOVES,
                            .winner = score[0] > 0   ? 1
                                      : score[0] < 0 ? 2
                                                     : 0};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_pair(&t, (int)m / SIDE, (int)m % SIDE);
}

static const char *read_move(const void *state, const char *text, move *m) {
    (void)state;
    int row, col;
    text_take_blanks(&text);
    if (!text_take_pair(&text, &row, &col) || !text_at_end(text))
        return "a move is written \"r,c\", as in 2,3";
    if (row >= SIDE || col >= SIDE)
        return "row and column are 0..7";
    *m = (move)(row * SIDE + col);
    return NULL;
}

static void fill_grid(const struct reversi *s, char grid[static SQUARES]) {
    for (int i = 0; i < SQUARES; i++)
        grid[i] = s->disc[0] & bit(i)                           ? 'X'
                  : s->disc[1] & bit(i)                         ? 'O'
                  : s->board == OPEN && (corners & bit(i)) != 0 ? '#'
                                                                : '.';
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct reversi *s = state;
    char grid[SQUARES];
    fill_grid(s, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, SIDE, SIDE, grid);
    text_put_char(&t, ' ');
    text_put_char(&t, "-XO"[s->turn]);
}

static const char *read_position(struct reversi *s, const char *at) {
    char grid[SQUARES];
    const char *why = grid_read(&at, SIDE, SIDE, grid);
    if (why)
        return why;
    for (int i = 0; i < SQUARES; i++) {
        const bool cut = s->board == OPEN && (corners & bit(i)) != 0;
        if ((grid[i] == '#') != cut)
            return s->board == OPEN ? "the four corners, and only they, are written #"
                                    : "the othello board has no cut squares";
        if (grid[i] == 'X' || grid[i] == 'O')
            s->disc[grid[i] == 'O'] |= bit(i);
    }
    const bool parted = text_take_blanks(&at);
    const char mark = *at;
    if (!parted || (mark != 'X' && mark != 'O' && mark != '-') || !text_at_end(at + 1))
        return "after the board stands who moves: X, O, or - when the game is over";
    settle(s, mark == 'O' ? 2 : 1);
    if (mark == '-' && s->turn != 0)
        return "- stands for a game that is over, but here is a legal move";
    return NULL;
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct reversi *s = state;
    *s = (struct reversi){.board = (uint32_t)set->number[0]};
    if (!position)
        position = s->board == OPEN ? "#6#/8/8/8/8/8/8/#6# X" : "8/8/8/3OX3/3XO3/8/8/8 X";
    const char *wrong = read_position(s, position);
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    const struct reversi *s = state;
    char grid[SQUARES];
    fill_grid(s, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    grid_draw(&t, colour, SIDE, SIDE, grid);
    for (int player = 1; player <= 2; player++) {
        text_put_player(&t, colour, player, player == 1 ? "   X " : "   O ");
        text_put_number(&t, bits_count(s->disc[player - 1]));
    }
    text_put_char(&t, '\n');
}

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_NO_MOVES] = {"no-moves", "neither player can move"},
};

const struct game game_reversi = {
    .name = "reversi",
    .title = "Reversi, open board",
    .width = SIDE,
    .height = SIDE,
    .distinct_moves = SQUARES,
    .moves_max = SQUARES,
    .plies_max = SQUARES,
    .state_size = sizeof(struct reversi),
    .has_scores = true,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .endings = endings,
    .ending_count = sizeof endings / sizeof *endings,
    .start = start,
    .turn = turn,
    .due = game_due_one,
    .count = count,
    .nth = nth,
    .moves = moves,
    .illegal = illegal,
    .apply = apply,
    .outcome = outcome,
    .scores = scores,
    .write_move = write_move,
    .read_move = read_move,
    .write_state = write_state,
    .draw = draw,
};
