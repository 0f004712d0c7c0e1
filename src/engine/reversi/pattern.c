// SPDX-License-Identifier: MIT
// A place is a pattern as the board shows it when turned by a symmetry; symmetries that show the
// same squares make one place. The digits of a state are added up from tables, four squares of the
// board at a time and all places at once: `digits` holds what each of the 16 sets of four squares
// in a row adds to each place. Weights are kept once for states that are images of each other, and
// that is found by turning every state by the symmetries that map the pattern to itself.
#include "engine/reversi/pattern.h"

#include "base/mem.h"
#include "engine/reversi/turns.h"
#include "engine/reversi/view.h"

#include <assert.h>

// Sets of squares, in the letters of the Othello world: column, row.
static const char *const sets_othello[] = {
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2", // edge and X squares
    "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", // corner, long
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",    // corner, square
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4", // corner, triangle
    "a1 h1 a2 b2 c2 d2 e2 f2 g2 h2", // lines, the first with corners
    "a3 b3 c3 d3 e3 f3 g3 h3",       "a4 b4 c4 d4 e4 f4 g4 h4",
    "a1 b2 c3 d4 e5 f6 g7 h8", // diagonals
    "b1 c2 d3 e4 f5 g6 h7",          "c1 d2 e3 f4 g5 h6",       "d1 e2 f3 g4 h5", NULL,
};

static const char *const sets_open[] = {
    "b1 c1 d1 e1 f1 g1",          // edge
    "b1 c1 d1 e1 a2 b2 c2 d2 e2", // cut corner, long
    "b1 c1 a2 b2 c2 a3 b3 c3",    // cut corner, square
    "a2 b2 c2 d2 e2 f2 g2 h2",    // lines
    "a3 b3 c3 d3 e3 f3 g3 h3",    //
    "a4 b4 c4 d4 e4 f4 g4 h4",    //
    "b2 c3 d4 e5 f6 g7",          // diagonals
    "b1 c2 d3 e4 f5 g6 h7",       //
    "c1 d2 e3 f4 g5 h6",          //
    "d1 e2 f3 g4 h5",             //
    "e1 f2 g3 h4",                //
    NULL,
};

static const char *const *const sets_of[BOARD_KINDS] = {
    [BOARD_OPEN] = sets_open,
    [BOARD_OTHELLO] = sets_othello,
};

// The plies of a stage of the game, which has its own weights.
static const int stage_plies[BOARD_KINDS] = {[BOARD_OPEN] = 4, [BOARD_OTHELLO] = 3};

enum { SYMMETRIES = 8 };

static uint64_t read_set(const char *squares) {
    uint64_t set = 0;
    for (; *squares; squares += squares[2] ? 3 : 2)
        set |= bit((squares[1] - '1') * 8 + squares[0] - 'a');
    return set;
}

static uint32_t power3(int n) {
    uint32_t power = 1;
    while (n-- > 0)
        power *= 3;
    return power;
}

// What a square adds to the state of a pattern, if it is own; 0 if it is not in it.
static uint32_t digit_of(uint64_t pattern, uint64_t square) {
    return pattern & square ? power3(bits_count(pattern & (square - 1))) : 0;
}

// The state after a symmetry that maps the pattern to itself.
static uint32_t image_of(uint64_t pattern, uint32_t state, int symmetry) {
    uint32_t image = 0;
    for (uint64_t rest = pattern; rest; rest &= rest - 1, state /= 3)
        image += state % 3 * digit_of(pattern, turn(rest & -rest, symmetry));
    return image;
}

// Gives kept weights to the states of a pattern whose weights begin at `begin`.
static void keep_states(struct patterns *p, uint64_t pattern, uint32_t begin) {
    const uint32_t size = power3(bits_count(pattern));
    int own[SYMMETRIES], count = 0;
    for (int i = 1; i < SYMMETRIES; i++)
        if (turn(pattern, i) == pattern)
            own[count++] = i;
    for (uint32_t state = 0; state < size; state++) {
        uint32_t least = state;
        for (int i = 0; i < count; i++) {
            const uint32_t image = image_of(pattern, state, own[i]);
            least = image < least ? image : least;
        }
        p->kept_of[begin + state] = least == state ? p->kept++ : p->kept_of[begin + least];
    }
}

// A place: the pattern as the board shows it when turned.
static void add_place(struct patterns *p, uint64_t pattern, uint32_t begin, int symmetry) {
    assert(p->places < PLACES_MAX);
    for (int i = 0; i < NIBBLES; i++)
        for (int set = 0; set < 16; set++)
            for (int k = 0; k < 4; k++)
                if (set >> k & 1)
                    p->digits[i][set][p->places] =
                        (uint16_t)(p->digits[i][set][p->places] +
                                   digit_of(pattern, turn(bit(4 * i + k), symmetry)));
    p->begins[p->places++] = begin;
}

// The squares of the board that a place looks at.
static uint64_t squares_of(uint64_t pattern, int symmetry) {
    uint64_t squares = 0;
    for (int i = 0; i < 64; i++)
        squares |= turn(bit(i), symmetry) & pattern ? bit(i) : 0;
    return squares;
}

// Adds the places of a pattern if they come in fours, or if they do not.
static void add_places(struct patterns *p, uint64_t pattern, uint32_t begin, bool fours) {
    uint64_t known[SYMMETRIES];
    int symmetries[SYMMETRIES], count = 0;
    for (int i = 0; i < SYMMETRIES; i++) {
        const uint64_t squares = squares_of(pattern, i);
        int k = 0;
        while (k < count && known[k] != squares)
            k++;
        if (k < count)
            continue;
        symmetries[count] = i;
        known[count++] = squares;
    }
    for (int i = 0; i < count && fours == (count % 4 == 0); i++)
        add_place(p, pattern, begin, symmetries[i]);
    p->fours = fours ? p->places : p->fours;
}

struct patterns *patterns_new_of(enum board_kind kind, const char *const *sets) {
    struct patterns *p = mem_lines(sizeof *p);
    p->variant = variants[kind];
    p->stage_plies = stage_plies[kind];
    p->stages = GAME_PLIES / p->stage_plies;
    for (int i = 0; sets[i]; i++)
        p->size += power3(bits_count(read_set(sets[i])));
    p->counts_begin = p->size;
    p->size += COUNTS_SIZE;
    p->kept_of = mem_new(p->size, sizeof *p->kept_of);
    uint32_t begin;
    for (int rest = 0; rest < 2; rest++) {
        begin = 0;
        for (int i = 0; sets[i]; i++) {
            const uint64_t pattern = read_set(sets[i]);
            assert(bits_count(pattern) <= PATTERN_SQUARES);
            if (!rest)
                keep_states(p, pattern, begin);
            add_places(p, pattern, begin, !rest);
            begin += power3(bits_count(pattern));
        }
    }
    while (begin < p->size)
        p->kept_of[begin++] = p->kept++;
    return p;
}

struct patterns *patterns_new(enum board_kind kind) {
    return patterns_new_of(kind, sets_of[kind]);
}

int patterns_find(const struct patterns *p, const struct pattern_view *view,
                  uint32_t weights[static FOUND_MAX]) {
    const struct board *b = &view->board, passed = board_pass(b);
    const uint64_t empty = board_empty(b, &p->variant);
    uint16_t states[PLACES_MAX];
    view_states(view, states);
    for (int i = 0; i < p->places; i++)
        weights[i] = p->begins[i] + states[i];
    view_counts(p, empty, board_turning(b, empty), board_turning(&passed, empty),
                weights + p->places);
    return p->places + COUNTS;
}
