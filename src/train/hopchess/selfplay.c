// SPDX-License-Identifier: MIT
// A game begins with some random moves, and now and then another is thrown in, so that it comes to
// positions of many kinds. Positions whose best move takes something are left out: the search looks
// through captures, and never asks what they are worth standing still. A game whose end is proven
// is not played on, nor one that goes round in circles: it ends as if both went on so until the
// moves are used up.
#include "train/hopchess/selfplay.h"

#include "base/rng.h"
#include "engine/hopchess/mind.h"
#include "engine/hopchess/search.h"
#include "engine/simple.h"
#include "games/registry.h"

enum {
    SAMPLES_MAX = 400,
    OPENING_MIN = 2,
    OPENING_MORE = 12,    // random moves at the beginning
    RANDOM_PERMILLE = 25, // of the moves thereafter
};

struct hop_game {
    struct hopchess state;
    struct rng rng;
    struct hop_sample samples[SAMPLES_MAX];
    int players[SAMPLES_MAX]; // who moved
    int count;
    bool proven;               // how it ends
    int margin;                // black's, then
    uint64_t met[SAMPLES_MAX]; // positions, by their keys
    int met_count;
};

static void play_random(struct hop_game *g) {
    game_hopchess.apply(&g->state, simple_random(&game_hopchess, &g->state, &g->rng));
}

static bool takes(move m) { return m % HOP_SETS != 0; }

static void note(struct hop_game *g, const struct thought *t, uint32_t number) {
    const struct hop_field f = field_of_state(&g->state);
    if (takes(t->pv[0]) || g->count == SAMPLES_MAX)
        return;
    g->players[g->count] = game_hopchess.turn(&g->state);
    g->samples[g->count++] = (struct hop_sample){
        .own = f.own, .other = f.other, .game = number, .value = (int16_t)t->value};
}

// A position met for the third time: both wait for the other.
static bool is_stuck(struct hop_game *g) {
    const struct hop_field f = field_of_state(&g->state);
    const uint64_t key = field_key(f.own, f.other);
    int times = 0;
    for (int i = 0; i < g->met_count; i++)
        times += g->met[i] == key;
    if (g->met_count < SAMPLES_MAX)
        g->met[g->met_count++] = key;
    return times >= 2;
}

static void play_move(struct hop_game *g, const struct hop_games *how, struct hop_mind *mind,
                      uint32_t number) {
    struct thought t = {.length = 0};
    hop_mind_think(mind, &g->state, &(struct limits){.nodes = how->nodes}, MOVE_PASS, &t);
    const int player = game_hopchess.turn(&g->state);
    note(g, &t, number);
    g->proven = t.exact;
    if (t.exact)
        g->margin = player == 1 ? hop_margin(t.value) : -hop_margin(t.value);
    else
        game_hopchess.apply(&g->state, t.pv[0]);
}

void hop_games_play(const struct hop_games *how, struct hop_mind *mind, uint32_t number,
                    struct buf *out) {
    struct hop_game g = {.count = 0};
    char why[WHY_TEXT_MAX];
    g.rng.state = how->seed + number * UINT64_C(0x9e3779b97f4a7c15);
    g.rng.state = rng_next(&g.rng);
    if (!game_hopchess.start(&g.state, how->rules, NULL, why))
        return;
    const int opening = OPENING_MIN + (int)rng_below(&g.rng, OPENING_MORE);
    for (int i = 0; i < opening && g.state.ending == ENDING_RUNNING; i++)
        play_random(&g);
    while (g.state.ending == ENDING_RUNNING && !g.proven && !is_stuck(&g))
        if (rng_below(&g.rng, 1000) < RANDOM_PERMILLE)
            play_random(&g);
        else
            play_move(&g, how, mind, number);
    if (!g.proven)
        g.margin = field_black_margin(&g.state);
    for (int i = 0; i < g.count; i++) {
        const int margin = g.players[i] == 1 ? g.margin : -g.margin;
        g.samples[i].margin = (int8_t)margin;
        g.samples[i].points = margin == 0 ? 1 : margin > 0 ? 2 : 0;
        buf_put(out, &g.samples[i], sizeof g.samples[i]);
    }
}
