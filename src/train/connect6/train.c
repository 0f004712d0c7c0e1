// SPDX-License-Identifier: MIT
// The engine plays itself with few nodes a turn, from random openings, with blocks and without.
// Every position where a turn begins quietly, with no threat on the board and no win by force
// found, is kept with who won. A logistic fit gives the weights of the kinds and crosses of cells
// for the player to move and for the one who waits.
#include "train/trainers.h"

#include "base/mem.h"
#include "engine/connect6/board.h"
#include "engine/registry.h"
#include "train/connect6/draw.h"
#include "train/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GAMES = 6000,
    CHUNK_GAMES = 100, // a file
    TURN_NODES = 2000,
    LOOSE_TURNS = 1, // turns after the opening that are chosen among the best cells at random
    LOOSE_CELLS = 10,
    PLIES_MAX = 160,
    // Weights: the kinds and crosses of the player to move, of the other, and one always there.
    SIDE = LINE_KINDS + CROSSES,
    TEMPO = 2 * SIDE,
    WEIGHTS,
};

static const double points_of_odds = 150; // hundredths of a stone for odds of e to 1

struct sample6 {
    char grid[GRID_CELLS_MAX];
    uint32_t game;
    float won; // by the player to move: 0, 1/2, 1
};

// How often a weight counts in a position.
struct counts {
    uint8_t count[TEMPO];
    uint32_t game;
    float won;
};

struct play6 {
    struct ruleset rules;
    struct board6 board;
    union game_state state;
    struct rng rng;
    void *mind;
    struct sample6 samples[PLIES_MAX];
    int movers[PLIES_MAX], count;
};

static bool is_running(const struct play6 *p) { return !game_is_over(p->rules.game, &p->state); }

// A stone on one of the best cells.
static void play_loosely(struct play6 *p) {
    int16_t cells[BOARD_CELLS], best[LOOSE_CELLS];
    int count = 0;
    board_read(&p->board, &p->rules, &p->state);
    const int n = cells_list(&p->board.empties, cells);
    for (int i = 0; i < n; i++) {
        const int value = board_urgency(&p->board, cells[i]);
        int at = count < LOOSE_CELLS ? count++ : LOOSE_CELLS - 1;
        for (; at > 0 && board_urgency(&p->board, best[at - 1]) < value; at--)
            best[at] = best[at - 1];
        best[at] = cells[i];
    }
    game_play(p->rules.game, &p->state, (move)best[rng_below(&p->rng, (uint32_t)count)]);
}

static void keep(struct play6 *p, uint32_t game) {
    struct sample6 *s = &p->samples[p->count];
    char text[STATE_TEXT_MAX];
    const char *at = text;
    *s = (struct sample6){.game = game};
    p->rules.game->write_state(&p->state, text);
    grid_read(&at, p->board.size, p->board.size, s->grid);
    p->movers[p->count++] = board_turn(&p->board) + 1;
}

static bool is_quiet(const struct board6 *b) {
    return !(b->threatened[0][0] | b->threatened[0][1] | b->threatened[1][0] | b->threatened[1][1]);
}

static void play_turn(struct play6 *p, uint32_t game) {
    const struct limits limits = {.nodes = TURN_NODES};
    struct thought thought = {.length = 0};
    board_read(&p->board, &p->rules, &p->state);
    engine_connect6.think(p->mind, &p->state, &limits, MOVE_PASS, &thought);
    const int due = board_due(&p->board);
    if (due == 2 && !thought.exact && is_quiet(&p->board))
        keep(p, game);
    for (int i = 0; i < due && i < thought.length && is_running(p); i++)
        game_play(p->rules.game, &p->state, thought.pv[i]);
}

static void play_game(struct play6 *p, uint32_t game, struct buf *out) {
    p->count = 0;
    draw_blocks(&p->rules, &p->rng, &p->state);
    p->mind = engine_connect6.new(&p->rules, 1);
    draw_opening(&p->rules, &p->rng, &p->state);
    for (int i = 0; i < 2 * LOOSE_TURNS && is_running(p); i++)
        play_loosely(p);
    for (int turns = 0; turns < PLIES_MAX / 2 && is_running(p); turns++)
        play_turn(p, game);
    const int winner = p->rules.game->outcome(&p->state).winner;
    for (int i = 0; i < p->count; i++)
        p->samples[i].won = winner == 0 ? 0.5f : winner == p->movers[i] ? 1 : 0;
    buf_put(out, p->samples, (size_t)p->count * sizeof *p->samples);
    engine_connect6.free(p->mind);
}

static void connect6_chunk(const void *maker, int number, struct buf *out) {
    const struct training *t = maker;
    struct play6 *p = mem_new(1, sizeof *p);
    p->rules = t->rules;
    p->rng.state = t->seed * UINT64_C(1000003) + (uint64_t)number;
    board_init(&p->board, &p->rules, &lines_carried[true], &connect6_weights);
    for (int i = 0; i < CHUNK_GAMES; i++)
        play_game(p, (uint32_t)(number * CHUNK_GAMES + i), out);
    free(p);
}

static void add_count(struct counts *c, int weight) {
    if (c->count[weight] < UINT8_MAX)
        c->count[weight]++;
}

static void count_cells(const struct board6 *b, const struct sample6 *s, struct counts *c) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&b->empties, cells);
    *c = (struct counts){.game = s->game, .won = s->won};
    for (int i = 0; i < 2 * n; i++) {
        const int side = i % 2 * SIDE, cell = cells[i / 2];
        const int player = i % 2 ? 1 - board_turn(b) : board_turn(b);
        for (int d = 0; d < DIRECTIONS; d++)
            add_count(c, side + b->kind[player][d][cell]);
        add_count(c, side + LINE_KINDS + shapes_cross(board_shapes(b, player, cell)));
    }
}

// What counts in every sample.
static void count_samples(const struct training *t, const struct buf *samples, struct buf *out) {
    struct play6 *p = mem_new(1, sizeof *p);
    const struct sample6 *s = (const struct sample6 *)samples->data;
    board_init(&p->board, &t->rules, &lines_carried[true], &connect6_weights);
    for (size_t i = 0; i < samples->length / sizeof *s; i++) {
        struct counts counts;
        board_fill(&p->board, &t->rules, s[i].grid);
        count_cells(&p->board, &s[i], &counts);
        buf_put(out, &counts, sizeof counts);
    }
    free(p);
}

static void connect6_row(const void *data, size_t number, struct fit_row *row) {
    const struct counts *c = (const struct counts *)data + number;
    row->target = c->won;
    row->group = c->game;
    row->count = 0;
    for (int i = 0; i < TEMPO; i++)
        if (c->count[i] && i % SIDE >= KIND_WAYS && i % SIDE != LINE_KINDS)
            row->terms[row->count++] = (struct fit_term){(uint32_t)i, (float)c->count[i]};
    row->terms[row->count++] = (struct fit_term){TEMPO, 1};
}

static void connect6_tell(void *listener, const struct fit_progress *p) {
    train_say(listener, "round %d: loss %.4f, of held out games %.4f", p->round, p->trained,
              p->held);
}

static void put_weights(struct buf *out, const char *name, const float *weights, int count, int row,
                        int sign) {
    buf_format(out, "    .%s =\n        {\n", name);
    for (int i = 0; i < count; i++)
        buf_format(out, "%s%ld,%s", i % row ? " " : "            ",
                   sign * lrint(weights[i] * points_of_odds), i % row == row - 1 ? "\n" : "");
    buf_text(out, "        },\n");
}

static bool save(const struct training *t, const float *weights, size_t rows, struct err *err) {
    struct buf out = {.data = NULL};
    buf_format(&out,
               "// Written by: arbiter train connect6 --seed %" PRIu64 " --games %" PRId64
               ", from %zu positions.\n",
               t->seed, t->games ? t->games : GAMES, rows);
    put_weights(&out, "turn", weights, LINE_KINDS, KIND_WAYS, 1);
    put_weights(&out, "wait", weights + SIDE, LINE_KINDS, KIND_WAYS, -1);
    put_weights(&out, "turn_cross", weights + LINE_KINDS, CROSSES, CROSS_SHAPES, 1);
    put_weights(&out, "wait_cross", weights + SIDE + LINE_KINDS, CROSSES, CROSS_SHAPES, -1);
    buf_format(&out, "    .tempo = %ld,\n", lrint(weights[TEMPO] * points_of_odds));
    const bool saved = train_save(t, "fitted.inc", out.data, out.length, err);
    if (saved)
        train_say(t, "%s/fitted.inc: from %zu positions", t->folder, rows);
    buf_done(&out);
    return saved;
}

static bool learn(const struct training *t, const struct buf *samples, struct err *err) {
    struct buf counts = {.data = NULL};
    count_samples(t, samples, &counts);
    const struct fit_data data = {.rows = counts.length / sizeof(struct counts),
                                  .weights = WEIGHTS,
                                  .row = connect6_row,
                                  .data = counts.data};
    const struct fit_options options = {.loss = FIT_LOGISTIC,
                                        .l2 = 4,
                                        .rounds = 20,
                                        .steps = 10,
                                        .held_percent = 10,
                                        .seed = t->seed,
                                        .threads = 1,
                                        .tell = connect6_tell,
                                        .listener = (void *)t};
    float weights[WEIGHTS] = {0};
    struct fit_progress best;
    fit(&data, &options, weights, &best);
    buf_done(&counts);
    return save(t, weights, data.rows, err);
}

bool connect6_train(const struct training *t, struct err *err) {
    const struct chunks chunks = {.name = "games",
                                  .count = chunks_for(t->games ? t->games : GAMES, CHUNK_GAMES),
                                  .make = connect6_chunk,
                                  .maker = t};
    struct buf samples = {.data = NULL};
    const bool done = train_begin(t, "weights", err) && train_collect(t, &chunks, &samples, err) &&
                      learn(t, &samples, err);
    buf_done(&samples);
    return done;
}
