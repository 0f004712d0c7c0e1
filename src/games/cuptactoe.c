// SPDX-License-Identifier: MIT
// Cup-Tac-Toe. The simplest game, and the template for new ones.
//
// A move that loses by lifting leaves the cup in the air, on no cell: so the opponent's line is
// seen on the board, and the position tells by itself who has won and how.
#include "games/cuptactoe.h"

#include "games/bits.h"
#include "games/registry.h"
#include "games/text.h"

enum {
    CELLS = CUPS_CELLS,
    SIZES = CUPS_SIZES,
    HAND_SOURCES = SIZES,
    SOURCES = CUPS_SOURCES,
};

static const struct rule rules[] = {
    {.key = "max_turns",
     .standard = "30",
     .help = "turns of both players together, after which the second player wins",
     .min = 1,
     .max = 99},
};

static int mover(const struct cups *s) { return s->turns % 2 + 1; }

// Cells with a cup of this size or larger, of either player: where such a cup cannot go.
static unsigned closed_to(const struct cups *s, int size) {
    unsigned cells = 0;
    for (int i = size; i < SIZES; i++)
        cells |= s->cup[0][i] | s->cup[1][i];
    return cells;
}

static unsigned open_to(const struct cups *s, int size) { return CUPS_BOARD & ~closed_to(s, size); }

// Cells whose top cup is the player's and of this size.
static unsigned tops(const struct cups *s, int player, int size) {
    return s->cup[player - 1][size] & ~closed_to(s, size + 1);
}

static unsigned visible(const struct cups *s, int player) {
    return tops(s, player, 0) | tops(s, player, 1) | tops(s, player, 2);
}

static bool in_hand(const struct cups *s, int player, int size) {
    return bits_count(s->cup[player - 1][size]) < CUPS_EACH;
}

// The size of the cup that a source offers to the mover, or -1.
static int source_size(const struct cups *s, int source) {
    if (source < HAND_SOURCES)
        return in_hand(s, mover(s), source) ? source : -1;
    for (int size = 0; size < SIZES; size++)
        if (tops(s, mover(s), size) >> (source - HAND_SOURCES) & 1)
            return size;
    return -1;
}

// Writes down who has won, if anybody; `last` made the last turn.
static void settle(struct cups *s, int last) {
    const int other = side_other(last);
    if (cups_has_line(visible(s, last))) {
        s->ending = ENDING_LINE;
        s->winner = (uint8_t)last;
    } else if (cups_has_line(visible(s, other))) {
        s->ending = ENDING_LIFT;
        s->winner = (uint8_t)other;
    } else if (s->turns >= s->max_turns) {
        s->ending = ENDING_TURNS;
        s->winner = 2;
    }
}

static int turn(const void *state) {
    const struct cups *s = state;
    return s->ending == ENDING_RUNNING ? mover(s) : 0;
}

static int count(const void *state) {
    const struct cups *s = state;
    if (s->ending != ENDING_RUNNING)
        return 0;
    int n = 0;
    for (int size = 0; size < SIZES; size++) {
        const int sources = in_hand(s, mover(s), size) + bits_count(tops(s, mover(s), size));
        n += sources * bits_count(open_to(s, size));
    }
    return n;
}

static move nth(const void *state, int n) {
    const struct cups *s = state;
    for (int source = 0; source < SOURCES; source++) {
        const int size = source_size(s, source);
        if (size < 0)
            continue;
        const unsigned targets = open_to(s, size);
        const int here = bits_count(targets);
        if (n < here)
            return (move)(source * CELLS + bits_nth(targets, n));
        n -= here;
    }
    return MOVE_PASS; // not reached: n is below the count
}

static int moves(const void *state, move *list) {
    const int n = count(state);
    for (int i = 0; i < n; i++)
        list[i] = nth(state, i);
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct cups *s = state;
    if (s->ending != ENDING_RUNNING)
        return "the game is over";
    if (m >= SOURCES * CELLS)
        return "no such move";
    const int source = (int)m / CELLS, size = source_size(s, source);
    if (size < 0)
        return source < HAND_SOURCES ? "no cup of that size is left in hand"
                                     : "no cup of the mover is on top of that cell";
    if (!(open_to(s, size) >> m % CELLS & 1))
        return "the cell holds a cup that is not smaller";
    return NULL;
}

static void apply(void *state, move m) {
    struct cups *s = state;
    const int source = (int)m / CELLS, size = source_size(s, source), player = mover(s);
    uint16_t *cells = &s->cup[player - 1][size];
    s->turns++;
    if (source >= HAND_SOURCES) {
        *cells &= (uint16_t)~bit(source - HAND_SOURCES);
        if (cups_has_line(visible(s, side_other(player)))) {
            settle(s, player);
            return;
        }
    }
    *cells |= (uint16_t)bit((int)m % CELLS);
    settle(s, player);
}

static struct outcome outcome(const void *state) {
    const struct cups *s = state;
    return (struct outcome){.ending = s->ending, .winner = s->winner};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    const int source = (int)m / CELLS;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_number(&t, source < HAND_SOURCES ? source + 1 : 90 + source - HAND_SOURCES);
    text_put_char(&t, ' ');
    text_put_number(&t, (int)m % CELLS);
}

static const char *read_move(const void *state, const char *text, move *m) {
    (void)state;
    int a, b;
    text_take_blanks(&text);
    if (!text_take_number(&text, &a) || !text_take_blanks(&text) || !text_take_number(&text, &b) ||
        !text_at_end(text))
        return "a move is written \"A B\", two numbers";
    int source;
    if (a >= 1 && a <= SIZES)
        source = a - 1;
    else if (a >= 90 && a < 90 + CELLS)
        source = a - 90 + HAND_SOURCES;
    else
        return "A is 1..3 for a new cup or 90..98 for the cup on cell 0..8";
    if (b >= CELLS)
        return "B is a cell 0..8";
    *m = (move)(source * CELLS + b);
    return NULL;
}

// The cups on a cell from the top down, "O3X2O1".
static void put_stack(struct text *t, const struct cups *s, int cell, bool colour) {
    for (int size = SIZES - 1; size >= 0; size--)
        for (int player = 1; player <= 2; player++)
            if (s->cup[player - 1][size] >> cell & 1) {
                const char mark[] = {" XO"[player], (char)('1' + size), '\0'};
                text_put_player(t, colour, player, mark);
            }
}

static int stack_height(const struct cups *s, int cell) {
    int height = 0;
    for (int size = 0; size < SIZES; size++)
        height += (s->cup[0][size] | s->cup[1][size]) >> cell & 1;
    return height;
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct cups *s = state;
    struct text t = text_begin(text, STATE_TEXT_MAX);
    for (int cell = 0; cell < CELLS; cell++) {
        text_put(&t, cell == 0 ? "" : cell % 3 ? " " : "/");
        if (stack_height(s, cell))
            put_stack(&t, s, cell, false);
        else
            text_put_char(&t, '.');
    }
    text_put_char(&t, ' ');
    text_put_number(&t, s->turns);
}

// Reads one cell of a position: "." or cups from the top down.
static bool read_cell(const char **at, struct cups *s, int cell) {
    if (text_take(at, '.'))
        return true;
    int above = SIZES;
    while (**at == 'X' || **at == 'O') {
        const int player = **at == 'X' ? 1 : 2, size = (*at)[1] - '1';
        if (size < 0 || size >= above)
            return false;
        s->cup[player - 1][size] |= (uint16_t)bit(cell);
        above = size;
        *at += 2;
    }
    return above < SIZES;
}

// Why play cannot lead to this position, as far as counting tells, or NULL.
static const char *impossible(const struct cups *s) {
    if (s->turns > s->max_turns)
        return "more turns than max_turns allows";
    if (cups_has_line(visible(s, 1)) && cups_has_line(visible(s, 2)))
        return "both players have a line";
    for (int player = 1; player <= 2; player++) {
        const bool lifted = cups_has_line(visible(s, side_other(player))) && player != mover(s);
        int used = lifted; // turns that placed a cup, or lifted one and lost
        for (int size = 0; size < SIZES; size++) {
            if (bits_count(s->cup[player - 1][size]) > CUPS_EACH)
                return "more than two cups of a player and size";
            used += bits_count(s->cup[player - 1][size]);
        }
        if (used > (s->turns + 2 - player) / 2)
            return "more cups on the board than turns to place them";
    }
    return NULL;
}

static const char *read_position(struct cups *s, const char *at) {
    text_take_blanks(&at);
    for (int cell = 0; cell < CELLS; cell++) {
        if (cell > 0 && !(cell % 3 ? text_take_blanks(&at) : text_take(&at, '/')))
            return "rows are separated by / and hold three cells separated by blanks";
        if (!read_cell(&at, s, cell))
            return "a cell is . or cups from the top down, as in O3X2O1";
    }
    int turns;
    if (!text_take_blanks(&at) || !text_take_number(&at, &turns) || !text_at_end(at))
        return "the number of turns taken stands after the board";
    s->turns = (uint8_t)(turns < 255 ? turns : 255);
    const char *why = impossible(s);
    if (!why)
        settle(s, side_other(mover(s)));
    return why;
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct cups *s = state;
    *s = (struct cups){.max_turns = (uint8_t)set->number[0]};
    const char *wrong = position ? read_position(s, position) : NULL;
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

static void put_hand(struct text *t, const struct cups *s, int player, bool colour) {
    text_put_player(t, colour, player, player == 1 ? "X" : "O");
    text_put(t, " in hand:");
    for (int size = SIZES - 1; size >= 0; size--)
        for (int i = bits_count(s->cup[player - 1][size]); i < CUPS_EACH; i++) {
            text_put_char(t, ' ');
            text_put_number(t, size + 1);
        }
    text_put_char(t, '\n');
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    const struct cups *s = state;
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    put_hand(&t, s, 2, colour);
    for (int cell = 0; cell < CELLS; cell++) {
        const int height = stack_height(s, cell);
        text_put(&t, cell % 3 ? "| " : " ");
        put_stack(&t, s, cell, colour);
        if (height == 0)
            text_put_number(&t, cell);
        for (int width = height ? 2 * height : 1; width < 7; width++)
            text_put_char(&t, ' ');
        if (cell % 3 == 2)
            text_put(&t, cell == 8 ? "\n" : "\n---------+---------+---------\n");
        else
            text_put_char(&t, ' ');
    }
    put_hand(&t, s, 1, colour);
    if (s->ending == ENDING_LIFT)
        text_put(&t, "the lifted cup is counted in hand\n");
}

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_LINE] = {"line", "three cups in a line"},
    [ENDING_LIFT] = {"lift", "lifting a cup uncovered a line of the opponent"},
    [ENDING_TURNS] = {"turns", "the turns are used up"},
};

const struct game game_cuptactoe = {
    .name = "cuptactoe",
    .title = "Cup-Tac-Toe",
    .width = 3,
    .height = 3,
    .distinct_moves = SOURCES * CELLS,
    .moves_max = 2 * SIZES * CELLS,
    .plies_max = 99,
    .state_size = sizeof(struct cups),
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
    .scores = game_scores_none,
    .write_move = write_move,
    .read_move = read_move,
    .write_state = write_state,
    .draw = draw,
};
