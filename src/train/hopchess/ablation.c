// SPDX-License-Identifier: MIT
// A game whose end is proven is not played on, nor one in which a position comes up for the third
// time: it ends as it stands.
#include "train/trainers.h"

#include "base/rng.h"
#include "engine/hopchess/mind.h"
#include "engine/hopchess/net.h"
#include "engine/hopchess/search.h"
#include "engine/simple.h"
#include "games/registry.h"
#include "train/bout.h"
#include "train/hopchess/learn.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    GAMES = 200,
    NODES = 2000, // a move, if nothing is said
    OPENING = 10, // random moves: most games are drawn that begin with fewer
    TURNS_MAX = 1000,
    TT_BYTES = 1 << 22,
    NAME_BYTES = 48,
};

struct duel_side {
    const struct hopnet *net;
    unsigned without;
};

struct hop_duel {
    const struct training *training;
    char name[NAME_BYTES];
    struct duel_side sides[2];
};

static void open_game(const struct hop_duel *d, int pair, struct hopchess *state) {
    struct rng rng = {d->training->seed + (uint64_t)pair * UINT64_C(0x9e3779b97f4a7c15)};
    char why[WHY_TEXT_MAX];
    game_hopchess.start(state, &d->training->rules, NULL, why);
    for (int i = 0; i < OPENING; i++)
        game_hopchess.apply(state, simple_random(&game_hopchess, state, &rng));
}

static bool is_third(const uint64_t *keys, int count) {
    int times = 0;
    for (int i = 0; i < count; i++)
        times += keys[i] == keys[count - 1];
    return times >= 3;
}

// Black's margin in the end.
static int play_out(const struct hop_duel *d, struct hop_mind *const minds[2], int swapped,
                    struct hopchess *state) {
    const struct limits limits = {.nodes = train_nodes(d->training, NODES)};
    uint64_t keys[TURNS_MAX];
    int count = 0;
    while (state->ending == ENDING_RUNNING && count < TURNS_MAX) {
        struct thought t = {.length = 0};
        const int player = game_hopchess.turn(state) - 1;
        const struct hop_field f = field_of_state(state);
        keys[count++] = field_key(f.own, f.other);
        if (is_third(keys, count))
            break;
        hop_mind_think(minds[player ^ swapped], state, &limits, MOVE_PASS, &t);
        if (t.exact)
            return player == 0 ? hop_margin(t.value) : -hop_margin(t.value);
        game_hopchess.apply(state, t.pv[0]);
    }
    return field_black_margin(state);
}

static int hop_bout(const void *players, int pair, bool swapped) {
    const struct hop_duel *d = players;
    struct hop_mind *minds[2];
    struct hopchess state;
    for (int i = 0; i < 2; i++)
        minds[i] = hop_mind_new(d->sides[i].net, d->sides[i].without, 1, TT_BYTES);
    open_game(d, pair, &state);
    const int margin = play_out(d, minds, swapped, &state);
    for (int i = 0; i < 2; i++)
        hop_mind_free(minds[i]);
    return margin;
}

static bool run_duel(const struct hop_duel *d, struct err *err) {
    const struct bout bout = {
        .training = d->training, .name = d->name, .games = GAMES, .play = hop_bout, .players = d};
    return bout_play(&bout, err);
}

static bool compare_techniques(const struct training *t, struct err *err) {
    static const char *const words[] = {
#define WORD(id, word, sentence) word,
        HOP_TECHNIQUES(WORD)
#undef WORD
    };
    for (int i = HOP_TECHNIQUES_COUNT - 1; i >= 0; i--) {
        struct hop_duel d = {.training = t,
                             .sides = {{hopnet_find(), 0}, {hopnet_find(), 1u << i}}};
        snprintf(d.name, sizeof d.name, "without-%s-%" PRIu64, words[i], train_nodes(t, NODES));
        if (!run_duel(&d, err))
            return false;
    }
    return true;
}

static bool hop_meet(const struct training *t, int number, const void *next, const void *before,
                     struct err *err) {
    struct hop_duel d = {.training = t, .sides = {{next, 0}, {before, 0}}};
    snprintf(d.name, sizeof d.name, "generation-%d-%" PRIu64, number, train_nodes(t, NODES));
    return run_duel(&d, err);
}

bool hopchess_ablation(const struct training *t, struct err *err) {
    // In the folder of a training, or a new one. The first generation meets pieces and columns.
    return train_note(t, "worth.txt", "worth", err) &&
           generations_compare(&hop_generations, t, 0, hop_meet, err) && compare_techniques(t, err);
}
