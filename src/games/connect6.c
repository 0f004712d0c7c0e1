// SPDX-License-Identifier: MIT
// Connect6 with blocked cells. A move is one stone.
//
// Cells are bits of a plane of several words, rows 20 apart, so that the 20th column and the rows
// around the board are always clear and end every run. There is a plane for each colour's lines and
// one for the empty cells. Blocked cells that count as stones are in both line planes, those that
// do not are in none: so what a cell holds can be told from the three.
#include "games/connect6.h"

#include "games/bits.h"
#include "games/grid.h"
#include "games/registry.h"

enum {
    STRIDE = GRID_SIDE_MAX + 1,
    RIM = STRIDE + 1, // bits before the first cell
    WORDS = 7,
    BLOCKS_MAX = 10,
    SIX = 6,
};

enum { RULE_SIZE, RULE_BLOCKS, RULE_OVERLINE, RULE_BLOCKS_COUNT };
enum { OVERLINE_LOSE, OVERLINE_IGNORE, OVERLINE_WIN };
enum { BLOCKS_COUNT_BOTH, BLOCKS_COUNT_NEITHER };

static const struct rule rules[] = {
    [RULE_SIZE] = {.key = "size",
                   .standard = "19",
                   .help = "cells in a row",
                   .min = SIX,
                   .max = GRID_SIDE_MAX},
    [RULE_BLOCKS] = {.key = "blocks",
                     .standard = "none",
                     .help = "cells where nobody may play",
                     .form = "none, or an even number of different cells, 10 at most: x,y x,y"},
    [RULE_OVERLINE] = {.key = "overline",
                       .standard = "lose",
                       .help = "what seven or more in a line do to the one who makes them",
                       .words = "lose|ignore|win"},
    [RULE_BLOCKS_COUNT] = {.key = "blocks_count",
                           .standard = "both",
                           .help = "whose stone a blocked cell is in a line",
                           .words = "both|neither"},
};

struct connect6 {
    uint64_t line[2][WORDS]; // [player - 1]: stones, and blocked cells that count as such
    uint64_t empty[WORDS];
    uint16_t placed;        // stones so far
    uint16_t left;          // empty cells
    uint8_t size, overline; // as in the ruleset
    uint8_t ending, winner; // as in struct outcome
};

static int plane_at(int x, int y) { return y * STRIDE + x + RIM; }

// Black places one stone, then each player two.
static int placer(int placed) { return (placed + 1) / 2 % 2 + 1; }

static int run(const uint64_t *line, int at, int step) {
    int n = 0;
    while (plane_has(line, at += step))
        n++;
    return n;
}

// Whether a stone's runs make a six or an overline.
struct runs {
    bool six, over;
};

static struct runs runs_through(const uint64_t *line, int at) {
    static const int steps[] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    struct runs found = {false, false};
    for (int i = 0; i < 4; i++) {
        const int length = 1 + run(line, at, steps[i]) + run(line, at, -steps[i]);
        found.six |= length == SIX;
        found.over |= length > SIX;
    }
    return found;
}

// Ends the game if a player's runs decide it.
static void settle_runs(struct connect6 *s, int player, struct runs found) {
    if (found.over && s->overline == OVERLINE_LOSE) {
        s->ending = ENDING_OVERLINE;
        s->winner = (uint8_t)side_other(player);
    } else if (found.six || (found.over && s->overline == OVERLINE_WIN)) {
        s->ending = ENDING_SIX;
        s->winner = (uint8_t)player;
    }
}

static void settle_full(struct connect6 *s) {
    if (s->left == 0 && s->ending == ENDING_RUNNING)
        s->ending = ENDING_FULL;
}

static int turn(const void *state) {
    const struct connect6 *s = state;
    return s->ending == ENDING_RUNNING ? placer(s->placed) : 0;
}

// After the first stone of the game the players place pairs, so an odd number begins one; the last
// cell of the board is no pair.
static int due(const void *state) {
    const struct connect6 *s = state;
    return s->ending == ENDING_RUNNING && s->placed % 2 == 1 && s->left > 1 ? 2 : 1;
}

static int count(const void *state) {
    const struct connect6 *s = state;
    return s->ending == ENDING_RUNNING ? s->left : 0;
}

static move nth(const void *state, int n) {
    return (move)(plane_nth(((const struct connect6 *)state)->empty, n) - RIM);
}

static int moves(const void *state, move *list) {
    const struct connect6 *s = state;
    if (s->ending != ENDING_RUNNING)
        return 0;
    int n = 0;
    for (int word = 0; word < WORDS; word++)
        for (uint64_t rest = s->empty[word]; rest; rest &= rest - 1)
            list[n++] = (move)(word * 64 + bits_first(rest) - RIM);
    return n;
}

static bool is_on_board(const struct connect6 *s, move m) {
    return m % STRIDE < s->size && m / STRIDE < s->size;
}

static char cell_mark(const struct connect6 *s, int at) {
    if (plane_has(s->empty, at))
        return '.';
    if (plane_has(s->line[0], at) == plane_has(s->line[1], at))
        return '#';
    return plane_has(s->line[0], at) ? 'X' : 'O';
}

static const char *illegal(const void *state, move m) {
    const struct connect6 *s = state;
    if (s->ending != ENDING_RUNNING)
        return "the game is over";
    if (!is_on_board(s, m))
        return "the cell is outside the board";
    if (plane_has(s->empty, (int)m + RIM))
        return NULL;
    return cell_mark(s, (int)m + RIM) == '#' ? "the cell is blocked" : "the cell is taken";
}

static void apply(void *state, move m) {
    struct connect6 *s = state;
    const int player = placer(s->placed), at = (int)m + RIM;
    plane_add(s->line[player - 1], at);
    plane_drop(s->empty, at);
    s->placed++;
    s->left--;
    settle_runs(s, player, runs_through(s->line[player - 1], at));
    settle_full(s);
}

static struct outcome outcome(const void *state) {
    const struct connect6 *s = state;
    return (struct outcome){.ending = s->ending, .winner = s->winner};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_pair(&t, (int)m % STRIDE, (int)m / STRIDE);
}

static const char *read_move(const void *state, const char *text, move *m) {
    const struct connect6 *s = state;
    int x, y;
    text_take_blanks(&text);
    if (!text_take_pair(&text, &x, &y) || !text_at_end(text))
        return "a move is written \"x,y\", one stone";
    if (x >= s->size || y >= s->size)
        return "the cell is outside the board";
    *m = (move)(y * STRIDE + x);
    return NULL;
}

static void fill_grid(const struct connect6 *s, char grid[static GRID_CELLS_MAX]) {
    for (int i = 0; i < s->size * s->size; i++)
        grid[i] = cell_mark(s, plane_at(i % s->size, i / s->size));
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct connect6 *s = state;
    char grid[GRID_CELLS_MAX];
    fill_grid(s, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, s->size, s->size, grid);
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    const struct connect6 *s = state;
    char grid[GRID_CELLS_MAX];
    fill_grid(s, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    grid_draw(&t, colour, s->size, s->size, grid);
}

// Puts a block on an empty cell, in the line planes if blocks count.
static void block(struct connect6 *s, const struct ruleset *set, int at) {
    plane_drop(s->empty, at);
    s->left--;
    if (set->number[RULE_BLOCKS_COUNT] == BLOCKS_COUNT_BOTH) {
        plane_add(s->line[0], at);
        plane_add(s->line[1], at);
    }
}

const char *connect6_block(void *state, const struct ruleset *set, int x, int y) {
    struct connect6 *s = state;
    if (s->placed > 0)
        return "cells are blocked before the first stone";
    if (x < 0 || y < 0 || x >= s->size || y >= s->size)
        return "the cell is outside the board";
    if (!plane_has(s->empty, plane_at(x, y)))
        return "the cell is blocked twice";
    block(s, set, plane_at(x, y));
    settle_full(s);
    return NULL;
}

static const char *read_blocks(struct connect6 *s, const struct ruleset *set) {
    const char *at = set->text[RULE_BLOCKS];
    if (text_equal(at, "none"))
        return NULL;
    int n = 0;
    for (text_take_blanks(&at); *at; text_take_blanks(&at)) {
        int x, y;
        if (!text_take_pair(&at, &x, &y) || (*at && *at != ' ' && *at != '\t'))
            return "blocks is written \"x,y x,y ...\", or none";
        if (x >= s->size || y >= s->size)
            return "a blocked cell is outside the board; accepted: 0 to size - 1 for x and y";
        if (!plane_has(s->empty, plane_at(x, y)))
            return "a cell is blocked twice; accepted: different cells";
        if (++n > BLOCKS_MAX)
            return "too many blocked cells; accepted: an even number, 10 at most";
        block(s, set, plane_at(x, y));
    }
    return n % 2 ? "an odd number of blocked cells; accepted: an even number, 10 at most" : NULL;
}

// Takes the blocked cells of a position, which must be those of the ruleset if it has any.
static const char *place_blocks(struct connect6 *s, const struct ruleset *set, const char *grid) {
    const bool given = s->left < s->size * s->size;
    int n = 0;
    for (int i = 0; i < s->size * s->size; i++) {
        const int at = plane_at(i % s->size, i / s->size);
        n += grid[i] == '#';
        if (given && (grid[i] == '#') != !plane_has(s->empty, at))
            return "the blocked cells of the position are not those of the ruleset";
        if (!given && grid[i] == '#')
            block(s, set, at);
    }
    return n % 2 || n > BLOCKS_MAX ? "the blocked cells are an even number, 10 at most" : NULL;
}

// Finds out whether the lines on the board have ended the game.
static const char *settle_board(struct connect6 *s, const char *grid) {
    struct runs found[2] = {{false, false}, {false, false}};
    for (int i = 0; i < s->size * s->size; i++) {
        if (grid[i] != 'X' && grid[i] != 'O')
            continue;
        const int player = grid[i] == 'X' ? 1 : 2;
        const struct runs here =
            runs_through(s->line[player - 1], plane_at(i % s->size, i / s->size));
        found[player - 1].six |= here.six;
        found[player - 1].over |= here.over;
    }
    settle_runs(s, 1, found[0]);
    const bool decided = s->ending != ENDING_RUNNING;
    if (!decided)
        settle_runs(s, 2, found[1]);
    else if (found[1].six || (found[1].over && s->overline != OVERLINE_IGNORE))
        return "both players have a line that ends the game";
    settle_full(s);
    return NULL;
}

// Takes the stones of a position.
static const char *place_stones(struct connect6 *s, const char *grid) {
    int stones[2] = {0, 0}, due[2] = {0, 0};
    for (int i = 0; i < s->size * s->size; i++) {
        if (grid[i] != 'X' && grid[i] != 'O')
            continue;
        const int cell = plane_at(i % s->size, i / s->size), player = grid[i] == 'X' ? 1 : 2;
        plane_add(s->line[player - 1], cell);
        plane_drop(s->empty, cell);
        stones[player - 1]++;
        due[placer(s->placed++) - 1]++;
        s->left--;
    }
    if (stones[0] != due[0])
        return "X places one stone, then each player two: the numbers of stones do not fit";
    return settle_board(s, grid);
}

static const char *read_position(struct connect6 *s, const struct ruleset *set, const char *at) {
    char grid[GRID_CELLS_MAX];
    const char *why = grid_read(&at, s->size, s->size, grid);
    if (!why && !text_at_end(at))
        why = "nothing stands after the board";
    if (!why)
        why = place_blocks(s, set, grid);
    return why ? why : place_stones(s, grid);
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct connect6 *s = state;
    *s = (struct connect6){.size = (uint8_t)set->number[RULE_SIZE],
                           .overline = (uint8_t)set->number[RULE_OVERLINE]};
    s->left = (uint16_t)(s->size * s->size);
    for (int i = 0; i < s->left; i++)
        plane_add(s->empty, plane_at(i % s->size, i / s->size));
    const char *wrong = read_blocks(s, set);
    if (!wrong && position)
        wrong = read_position(s, set, position);
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_SIX] = {"six", "six in a line"},
    [ENDING_OVERLINE] = {"overline", "seven or more in a line"},
    [ENDING_FULL] = {"full", "the board is full"},
};

const struct game game_connect6 = {
    .name = "connect6",
    .title = "Connect6 with blocked cells",
    .width = GRID_SIDE_MAX,
    .height = GRID_SIDE_MAX,
    .distinct_moves = (GRID_SIDE_MAX - 1) * STRIDE + GRID_SIDE_MAX,
    .moves_max = GRID_CELLS_MAX,
    .plies_max = GRID_CELLS_MAX,
    .state_size = sizeof(struct connect6),
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .endings = endings,
    .ending_count = sizeof endings / sizeof *endings,
    .start = start,
    .turn = turn,
    .due = due,
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
