// SPDX-License-Identifier: MIT
// Most games begin with any moves that lead to an even position, as those of contests do; others
// with moves drawn through a haze, so that positions of many kinds occur. From there on both sides
// play as well as they can, but for a lesser move now and then, so that what follows a position by
// good play tells what it is worth; and beside some of them stands one after any move, which only a
// search can score. What came in the opening is left out: a random move would be blamed on
// the position. In the last moves the scores are exact, so random moves do no harm there and make
// for variety.
#include "train/reversi/selfplay.h"

#include "base/rng.h"
#include "train/reversi/scout.h"

#include <stdlib.h>

enum {
    SQUARES = 64,
    NO_MOVE = -1,
    SURPRISES = 6, // plies before the end of the opening that are often random
    MANY_MOVES = 16,
    RANDOM_END = 3,    // one in so many of the exactly known moves is any move
    EVEN_PERCENT = 60, // of the games begin with any moves that lead to an even position:
    EVEN_LEAST = 5,    // so many plies,
    EVEN_MORE = 9,     // or more, by less than that,
    EVEN_DEPTH = 3,    // even by a search so deep,
    EVEN_DISCS = 6,    // which says no more than that,
    EVEN_TRIES = 40,   // if that many draws have one
    SWERVE = 12,       // one in so many of the later moves is a lesser one,
    SWERVE_DISCS = 6,  // seen through a haze of at most so many discs
    ASIDE = 4,         // one in so many positions has an odd one beside it
};

struct reversi_match {
    const struct reversi_selfplay *play;
    struct exact *exact;
    struct rng rng;
    uint32_t number;
    struct board board;
    int side; // 1 or -1
};

static uint64_t moves_of(const struct reversi_selfplay *p, const struct board *b) {
    return board_moves(b, p->variant);
}

static int random_square(struct reversi_match *g, uint64_t moves) {
    return bits_nth(moves, (int)rng_below(&g->rng, (uint32_t)bits_count(moves)));
}

// The move that looks best through a haze of so many discs either way.
static int hazy_square(struct reversi_match *g, uint32_t discs) {
    int squares[SQUARES], scores[SQUARES], best = 0;
    const int count = scout_moves(g->play->eval, g->play->variant, &g->board, squares, scores);
    const uint32_t width = 2 * discs * EVAL_DISC + 1;
    for (int i = 0; i < count; i++) {
        scores[i] += (int)rng_below(&g->rng, width) - (int)rng_below(&g->rng, width);
        best = scores[i] > scores[best] ? i : best;
    }
    return squares[best];
}

// The move by a search, less deep where there are many moves.
static int best_square(const struct reversi_match *g, uint64_t moves) {
    const int depth = g->play->depth - (g->play->depth > 2 && bits_count(moves) > MANY_MOVES);
    int square = NO_MOVE;
    scout(g->play->eval, g->play->variant, &g->board, depth, &square);
    return square;
}

static void play_square(struct reversi_match *g, int square) {
    g->board = board_play(&g->board, square, board_flips(&g->board, square));
    g->side = -g->side;
}

// Gives the turn to who has a move; false when the game is over.
static bool settle(struct reversi_match *g, uint64_t *moves) {
    *moves = moves_of(g->play, &g->board);
    if (*moves)
        return true;
    g->board = board_pass(&g->board);
    g->side = -g->side;
    return (*moves = moves_of(g->play, &g->board)) != 0;
}

static int empties(const struct reversi_match *g) {
    return board_empties(&g->board, g->play->variant);
}

static uint8_t how_of(const struct reversi_match *g) {
    return (uint8_t)(g->side < 0 ? SAMPLE_WHITE : 0);
}

static int solved(struct reversi_match *g, int *square) {
    return exact_score(g->exact, &g->board, eval_score(g->play->eval, &g->board) / EVAL_DISC,
                       square);
}

// The plies of an opening: most end early, so that all stages get their share of positions.
static int opening_length(struct rng *rng) {
    const uint32_t kind = rng_below(rng, 10);
    return kind < 5   ? 2 + (int)rng_below(rng, 16)
           : kind < 8 ? 10 + (int)rng_below(rng, 20)
                      : 20 + (int)rng_below(rng, 26);
}

// Moves drawn through a haze, the first and some of the last at random. False if the game is over.
static bool play_hazy_opening(struct reversi_match *g) {
    const int length = opening_length(&g->rng);
    const uint32_t haze = 1 + rng_below(&g->rng, 6);
    uint64_t moves;
    for (int i = 0; i < length; i++) {
        if (!settle(g, &moves))
            return false;
        const bool wild =
            g->play->depth == 0 || i < 4 || (i >= length - SURPRISES && rng_below(&g->rng, 4) == 0);
        play_square(g, wild ? random_square(g, moves) : hazy_square(g, haze));
    }
    return true;
}

// Any moves, drawn again until they lead to a position that looks even.
static bool play_even_opening(struct reversi_match *g) {
    const int length = EVEN_LEAST + (int)rng_below(&g->rng, EVEN_MORE);
    const struct reversi_match start = *g;
    for (int tries = 0; tries < EVEN_TRIES; tries++) {
        const struct rng rng = g->rng;
        uint64_t moves;
        *g = start;
        g->rng = rng;
        for (int i = 0; i < length && settle(g, &moves); i++)
            play_square(g, random_square(g, moves));
        if (settle(g, &moves) && abs(scout(g->play->eval, g->play->variant, &g->board, EVEN_DEPTH,
                                           NULL)) <= EVEN_DISCS * EVAL_DISC)
            return true;
    }
    return false;
}

// Notes a position that a player who errs would come to: a search looks at such ones most of all.
static void note_aside(struct reversi_match *g, uint64_t moves, struct buf *out) {
    const int square = random_square(g, moves);
    const struct board next = board_play(&g->board, square, board_flips(&g->board, square));
    if (moves_of(g->play, &next) && board_empties(&next, g->play->variant) > g->play->solve) {
        const struct reversi_sample sample = {
            .board = next, .game = g->number, .how = SAMPLE_SWERVED};
        buf_put(out, &sample, sizeof sample);
    }
}

// The positions of a game and who moved there.
struct match_record {
    struct reversi_sample samples[SQUARES];
    int sides[SQUARES];
    int count;
};

static void note(struct match_record *record, const struct reversi_match *g) {
    record->sides[record->count] = g->side;
    record->samples[record->count++] =
        (struct reversi_sample){.board = g->board, .game = g->number, .how = how_of(g)};
}

// The move of the middle game, now and then a lesser one.
static int middle_square(struct reversi_match *g, uint64_t moves, struct reversi_sample *sample) {
    if (g->play->depth == 0)
        return random_square(g, moves);
    if (rng_below(&g->rng, SWERVE) != 0)
        return best_square(g, moves);
    sample->how |= SAMPLE_SWERVED;
    return hazy_square(g, 1 + rng_below(&g->rng, SWERVE_DISCS));
}

// Plays on to the end, or until the score is known, and notes the positions. Returns the score of
// the last position, for the first side.
static int play_middle(struct reversi_match *g, struct match_record *record, struct buf *out) {
    uint64_t moves;
    while (settle(g, &moves)) {
        if (empties(g) <= g->play->solve)
            return g->side * solved(g, NULL) * EVAL_DISC;
        if (g->play->depth > 0 && rng_below(&g->rng, ASIDE) == 0)
            note_aside(g, moves, out);
        note(record, g);
        play_square(g, middle_square(g, moves, &record->samples[record->count - 1]));
    }
    return g->side * board_margin(&g->board) * EVAL_DISC;
}

static void play_end(struct reversi_match *g, struct buf *out) {
    uint64_t moves;
    while (settle(g, &moves)) {
        int square;
        const int score = solved(g, &square);
        const struct reversi_sample sample = {.board = g->board,
                                              .score = (int16_t)(score * EVAL_DISC),
                                              .exact = true,
                                              .how = how_of(g),
                                              .game = g->number};
        buf_put(out, &sample, sizeof sample);
        play_square(g, rng_below(&g->rng, RANDOM_END) == 0 ? random_square(g, moves) : square);
    }
}

void selfplay_game(const struct reversi_selfplay *play, struct exact *exact, uint32_t number,
                   struct buf *out) {
    struct reversi_match g = {.play = play, .exact = exact, .number = number, .side = 1};
    struct match_record record = {.count = 0};
    g.board = play->variant->start;
    g.rng.state = play->seed + number * UINT64_C(0x9e3779b97f4a7c15);
    g.rng.state = rng_next(&g.rng);
    const bool even = play->depth > 0 && rng_below(&g.rng, 100) < EVEN_PERCENT;
    if (!(even ? play_even_opening(&g) : play_hazy_opening(&g)))
        return;
    const int score = play_middle(&g, &record, out);
    for (int i = 0; i < record.count; i++) {
        record.samples[i].score = (int16_t)(record.sides[i] * score);
        buf_put(out, &record.samples[i], sizeof record.samples[i]);
    }
    play_end(&g, out);
}
