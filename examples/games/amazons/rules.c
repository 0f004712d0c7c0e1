// SPDX-License-Identifier: MIT
// The game of the amazons on 10x10 or 6x6. A turn is two moves: a queen moves as in chess, then she
// shoots an arrow the same way, and the cell it hits is burnt. Who cannot move a queen loses.
//
// Places are bits of a plane of three words, rows 11 apart, with a rim around the board that is
// taken like a burnt cell: so every ray ends. An arrow is the place it hits; a queen move is the
// place she leaves times PLACES and the one she goes to.
#include "games/bits.h"
#include "games/game.h"
#include "games/grid.h"

enum { SIDE_MAX = 10, STRIDE = SIDE_MAX + 1, PLACES = (SIDE_MAX + 2) * STRIDE + 1, WORDS = 3 };
enum { QUEENS_MAX = 4, REACH_MAX = 35 }; // the most cells that a queen reaches
enum { ENDING_STUCK = 1 };

struct places {
    uint64_t at[WORDS];
};

struct amazons {
    struct places taken;    // queens, burnt cells, and the rim
    struct places queen[2]; // [player - 1]
    uint16_t side;          // cells in a row
    uint16_t mover;         // also when the game is over: then he has lost
    uint16_t shooter;       // the place of the queen whose arrow is due, or 0
    uint16_t ending;
};

static const struct rule rules[] = {
    {.key = "board",
     .standard = "10",
     .help = "10: 10x10 with four queens each; 6: 6x6 with two",
     .words = "10|6"},
};

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_STUCK] = {"stuck", "the player to move cannot move a queen"},
};

static const int steps[] = {-STRIDE - 1, -STRIDE,    1 - STRIDE, -1,
                            1,           STRIDE - 1, STRIDE,     STRIDE + 1};

static int place_of(int row, int column) { return (row + 1) * STRIDE + column + 1; }

static struct places reach_from(const struct amazons *s, int from) {
    struct places set = {{0}};
    for (int i = 0; i < 8; i++)
        for (int at = from + steps[i]; !plane_has(s->taken.at, at); at += steps[i])
            plane_add(set.at, at);
    return set;
}

static bool can_go(const struct amazons *s, int from) {
    for (int i = 0; i < 8; i++)
        if (!plane_has(s->taken.at, from + steps[i]))
            return true;
    return false;
}

// The places from which the mover may go now: his queens, or the one that shoots.
static struct places sources(const struct amazons *s) {
    struct places from = {{0}};
    if (s->ending != ENDING_RUNNING)
        return from;
    if (!s->shooter)
        return s->queen[s->mover - 1];
    plane_add(from.at, s->shooter);
    return from;
}

static move move_of(const struct amazons *s, int from, int to) {
    return (move)(s->shooter ? to : from * PLACES + to);
}

static int turn(const void *state) {
    const struct amazons *s = state;
    return s->ending == ENDING_RUNNING ? s->mover : 0;
}

static int due(const void *state) {
    const struct amazons *s = state;
    return s->ending == ENDING_RUNNING && !s->shooter ? 2 : 1;
}

static int count(const void *state) {
    const struct places from = sources(state);
    int n = 0;
    for (int i = plane_count(from.at, WORDS) - 1; i >= 0; i--)
        n += plane_count(reach_from(state, plane_nth(from.at, i)).at, WORDS);
    return n;
}

static move nth(const void *state, int n) {
    const struct places from = sources(state);
    for (int i = 0;; i++) {
        const int place = plane_nth(from.at, i);
        const struct places to = reach_from(state, place);
        const int here = plane_count(to.at, WORDS);
        if (n < here)
            return move_of(state, place, plane_nth(to.at, n));
        n -= here;
    }
}

static int moves(const void *state, move *list) {
    const struct places from = sources(state);
    const int all = plane_count(from.at, WORDS);
    int n = 0;
    for (int i = 0; i < all; i++) {
        const int place = plane_nth(from.at, i);
        const struct places to = reach_from(state, place);
        for (int word = 0; word < WORDS; word++)
            for (uint64_t rest = to.at[word]; rest; rest &= rest - 1)
                list[n++] = move_of(state, place, word * 64 + bits_first(rest));
    }
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct amazons *s = state;
    if (s->ending != ENDING_RUNNING)
        return "the game is over";
    if (m >= PLACES * PLACES)
        return "no such move";
    if (s->shooter && m >= PLACES)
        return "the arrow is due";
    if (!s->shooter && m < PLACES)
        return "a queen moves first";
    const int from = s->shooter ? s->shooter : (int)m / PLACES;
    if (!plane_has(sources(s).at, from))
        return "no queen of the mover is there";
    if (plane_has(reach_from(s, from).at, (int)m % PLACES))
        return NULL;
    return s->shooter ? "the arrow does not get there" : "the queen does not get there";
}

// Ends the game if the mover cannot move a queen.
static void settle(struct amazons *s) {
    const struct places from = sources(s);
    for (int i = plane_count(from.at, WORDS) - 1; i >= 0; i--)
        if (can_go(s, plane_nth(from.at, i)))
            return;
    s->ending = ENDING_STUCK;
}

static void apply(void *state, move m) {
    struct amazons *s = state;
    const int from = (int)m / PLACES, to = (int)m % PLACES;
    plane_add(s->taken.at, to);
    if (s->shooter) {
        s->shooter = 0;
        s->mover = (uint16_t)side_other(s->mover);
        settle(s);
    } else {
        plane_drop(s->taken.at, from);
        plane_drop(s->queen[s->mover - 1].at, from);
        plane_add(s->queen[s->mover - 1].at, to);
        s->shooter = (uint16_t)to;
    }
}

static struct outcome outcome(const void *state) {
    const struct amazons *s = state;
    return (struct outcome){.ending = s->ending, .winner = s->ending ? side_other(s->mover) : 0};
}

static void put_place(struct text *t, const char *before, int place) {
    text_put(t, before);
    text_put_pair(t, (place - 1) / STRIDE - 1, (place - 1) % STRIDE);
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    if (m >= PLACES)
        put_place(&t, "", (int)m / PLACES);
    put_place(&t, m >= PLACES ? " " : "", (int)m % PLACES);
}

static const char *read_move(const void *state, const char *text, move *m) {
    const struct amazons *s = state;
    int place[2] = {0, 0}, row, column;
    for (int i = 0; i < 2 && (i == 0 || !text_at_end(text)); i++) {
        if ((!text_take_blanks(&text) && i > 0) || !text_take_pair(&text, &row, &column))
            return "a queen move is written \"r,c r,c\", an arrow \"r,c\"";
        if (row >= s->side || column >= s->side)
            return "the cell is outside the board";
        place[i] = place_of(row, column);
    }
    *m = (move)(place[1] ? place[0] * PLACES + place[1] : place[0]);
    return text_at_end(text) ? NULL : "a queen move is written \"r,c r,c\", an arrow \"r,c\"";
}

static void fill_grid(const struct amazons *s, char grid[static SIDE_MAX * SIDE_MAX]) {
    for (int i = 0; i < s->side * s->side; i++) {
        const int place = place_of(i / s->side, i % s->side);
        grid[i] = !plane_has(s->taken.at, place)     ? '.'
                  : plane_has(s->queen[0].at, place) ? 'X'
                  : plane_has(s->queen[1].at, place) ? 'O'
                                                     : '#';
    }
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct amazons *s = state;
    char grid[SIDE_MAX * SIDE_MAX];
    fill_grid(s, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, s->side, s->side, grid);
    text_put(&t, s->mover == BLACK ? " X" : " O");
    if (s->shooter)
        put_place(&t, " ", s->shooter);
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    const struct amazons *s = state;
    char grid[SIDE_MAX * SIDE_MAX];
    fill_grid(s, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    grid_draw(&t, colour, s->side, s->side, grid);
    if (s->shooter) {
        put_place(&t, "   an arrow is due from ", s->shooter);
        text_put_char(&t, '\n');
    }
}

// Reads who moves, and where the queen stands whose arrow is due.
static const char *read_mover(struct amazons *s, const char *at) {
    if (!text_take_blanks(&at) || (*at != 'X' && *at != 'O'))
        return "after the board stands who moves, X or O";
    s->mover = *at++ == 'X' ? BLACK : WHITE;
    if (text_at_end(at)) {
        settle(s);
        return NULL;
    }
    move place;
    if (!text_take_blanks(&at) || read_move(s, at, &place) || place >= PLACES)
        return "after the mover stands the cell \"r,c\" of the queen whose arrow is due, or "
               "nothing";
    if (!plane_has(s->queen[s->mover - 1].at, (int)place) || !can_go(s, (int)place))
        return "the arrow is shot by a queen that has moved";
    s->shooter = (uint16_t)place;
    return NULL;
}

static const char *read_position(struct amazons *s, const char *at) {
    char grid[SIDE_MAX * SIDE_MAX];
    const char *wrong = grid_read(&at, s->side, s->side, grid);
    if (wrong)
        return wrong;
    for (int i = 0; i < s->side * s->side; i++) {
        const int place = place_of(i / s->side, i % s->side);
        if (grid[i] == '.')
            plane_drop(s->taken.at, place);
        else if (grid[i] != '#')
            plane_add(s->queen[grid[i] == 'O'].at, place);
    }
    const int queens = s->side == SIDE_MAX ? QUEENS_MAX : 2;
    if (plane_count(s->queen[0].at, WORDS) != queens ||
        plane_count(s->queen[1].at, WORDS) != queens)
        return "each player has four queens on 10x10, two on 6x6";
    return read_mover(s, at);
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    static const char *const first[] = {"3O2O3/10/10/O8O/10/10/X8X/10/10/3X2X3 X",
                                        "1O2O1/6/6/6/6/1X2X1 X"};
    struct amazons *s = state;
    *s = (struct amazons){.taken = {{UINT64_MAX, UINT64_MAX, UINT64_MAX}},
                          .side = set->number[0] == 0 ? SIDE_MAX : 6};
    const char *wrong = read_position(s, position ? position : first[set->number[0]]);
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

const struct game game_amazons = {
    .name = "amazons",
    .title = "Game of the Amazons",
    .width = SIDE_MAX,
    .height = SIDE_MAX,
    .distinct_moves = PLACES * PLACES,
    .moves_max = QUEENS_MAX * REACH_MAX,
    .plies_max = 2 * (SIDE_MAX * SIDE_MAX - 2 * QUEENS_MAX), // every turn burns a cell
    .state_size = sizeof(struct amazons),
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .start = start,
    .due = due,
    .outcome = outcome,
    .scores = game_scores_none,
    GAME_BY_NAME,
};
