// SPDX-License-Identifier: MIT
// A game begins with blocks, stones near the centre and stones on cells that look good, all drawn
// at random; later turns are thrown in now and then, so that the games come to positions of many
// kinds.
#include "train/connect6/selfplay.h"

#include "base/mem.h"
#include "engine/connect6/search.h"
#include "engine/registry.h"
#include "train/connect6/draw.h"
#include "train/connect6/learn.h"

#include <stdlib.h>

enum {
    TT_BYTES = 1 << 21,
    LOOSE_FIRST = 5,    // stones after the opening on good cells, fewer than this
    LOOSE_PERCENT = 10, // of later turns
    LOOSE_CELLS = 10,
    PLAIN_SHARE = 4, // one game in so many has no blocks, besides those that drew none
    STRAY_SHARE = 2, // of the nodes, for a turn that was not played
    TURNS_MAX = 90,
};

struct play6 {
    struct ruleset rules;
    struct board6 board;
    union game_state state;
    struct rng rng;
    const struct net6 *net;
    void *mind;
    struct sample6 samples[2 * TURNS_MAX];
    int count;
};

static bool is_running(const struct play6 *p) { return !game_is_over(p->rules.game, &p->state); }

// A stone on one of the best cells.
static void play_loosely(struct play6 *p) {
    int16_t cells[BOARD_CELLS];
    struct choices best = {.count = 0};
    board_read(&p->board, &p->rules, &p->state);
    const int n = cells_list(&p->board.empties, cells);
    for (int i = 0; i < n; i++)
        choices_add(&best, LOOSE_CELLS, cells[i], board_urgency(&p->board, cells[i]));
    const int chosen = best.cell[rng_below(&p->rng, (uint32_t)best.count)];
    game_play(p->rules.game, &p->state, (move)chosen);
}

static void keep(struct play6 *p, const struct thought *t, float won) {
    struct sample6 *s = &p->samples[p->count++];
    char text[STATE_TEXT_MAX];
    const char *at = text;
    *s = (struct sample6){.mover = (uint8_t)board_turn(&p->board),
                          .exact = t->exact,
                          .value = (int16_t)t->value,
                          .won = won,
                          .stones = {(int16_t)t->pv[0], t->length > 1 ? (int16_t)t->pv[1] : -1}};
    p->rules.game->write_state(&p->state, text);
    grid_read(&at, p->board.size, p->board.size, s->grid);
}

static bool is_quiet(const struct board6 *b) {
    return !(b->threatened[0][0] | b->threatened[0][1] | b->threatened[1][0] | b->threatened[1][1]);
}

// A turn that could have been played, and what it leads to.
static void stray(struct play6 *p, uint64_t nodes) {
    const union game_state here = p->state;
    const struct limits limits = {.nodes = nodes / STRAY_SHARE};
    struct thought thought = {.length = 0};
    for (int i = 0; i < 2 && is_running(p); i++)
        play_loosely(p);
    if (is_running(p)) {
        board_read(&p->board, &p->rules, &p->state);
        if (is_quiet(&p->board)) {
            engine_connect6.think(p->mind, &p->state, &limits, MOVE_PASS, &thought);
            keep(p, &thought, -1);
        }
    }
    p->state = here;
}

static void play_turn(struct play6 *p, uint64_t nodes) {
    const struct limits limits = {.nodes = nodes};
    struct thought thought = {.length = 0};
    board_read(&p->board, &p->rules, &p->state);
    const int due = board_due(&p->board);
    engine_connect6.think(p->mind, &p->state, &limits, MOVE_PASS, &thought);
    if (due == 2 && is_quiet(&p->board))
        keep(p, &thought, 0);
    if (due == 2 && !thought.exact)
        stray(p, nodes);
    const bool loose = !thought.exact && rng_below(&p->rng, 100) < LOOSE_PERCENT;
    for (int i = 0; i < due && is_running(p); i++)
        if (loose || i >= thought.length)
            play_loosely(p);
        else
            game_play(p->rules.game, &p->state, thought.pv[i]);
}

static void begin_game(struct play6 *p) {
    char why[WHY_TEXT_MAX];
    if (rng_below(&p->rng, PLAIN_SHARE) == 0) {
        ruleset_set(&p->rules, "blocks", "none", why);
        p->rules.game->start(&p->state, &p->rules, NULL, why);
    } else {
        draw_blocks(&p->rules, &p->rng, &p->state);
    }
    draw_opening(&p->rules, &p->rng, &p->state);
    for (int n = (int)rng_below(&p->rng, LOOSE_FIRST); n > 0 && is_running(p); n--)
        play_loosely(p);
}

static void play_game(struct play6 *p, uint64_t nodes, struct buf *out) {
    p->count = 0;
    begin_game(p);
    p->mind = connect6_mind(&p->rules, 1, TT_BYTES, p->net, 0);
    for (int turns = 0; turns < TURNS_MAX && is_running(p); turns++)
        play_turn(p, nodes);
    const int winner = p->rules.game->outcome(&p->state).winner;
    for (int i = 0; i < p->count; i++)
        if (p->samples[i].won >= 0)
            p->samples[i].won = winner == 0 ? 0.5f : winner == p->samples[i].mover + 1 ? 1 : 0;
    buf_put(out, p->samples, (size_t)p->count * sizeof *p->samples);
    engine_connect6.free(p->mind);
}

void connect6_selfplay(const struct generation *g, int64_t first, int64_t end, struct buf *out) {
    const uint64_t seed = g->training->seed * 100 + (uint64_t)g->number;
    struct play6 *p = mem_new(1, sizeof *p);
    p->rules = g->training->rules;
    p->net = &((const struct connect6_player *)g->player)->net;
    board_init(&p->board, &p->rules, &lines_carried[true]);
    for (int64_t i = first; i < end; i++) {
        p->rng.state = seed * UINT64_C(1000003) + (uint64_t)i;
        play_game(p, g->recipe.nodes, out);
    }
    free(p);
}
