// SPDX-License-Identifier: MIT
// Games in pairs: the same random opening twice, colours swapped. The files of a duel hold the
// points of the first player in each game, twice: 2 won, 1 drawn, 0 lost. A game whose end is
// proven is not played on, nor one in which a position comes up for the third time: it ends as it
// stands.
#include "engine/hopchess/hopduel.h"

#include "base/mem.h"
#include "base/rng.h"
#include "engine/hopchess/hopnet.h"
#include "engine/hopchess/hunt.h"
#include "engine/hopchess/mind.h"
#include "games/registry.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAMES = 200,
    CHUNK_PAIRS = 5, // a file
    NODES = 2000,    // a move, if nothing is said
    OPENING = 10,    // random moves: most games are drawn that begin with fewer
    TURNS_MAX = 1000,
    MEMO_BYTES = 1 << 22,
    NAME_BYTES = 48,
    GENERATIONS_MAX = 100,
};

struct side {
    const struct hopnet *net;
    unsigned without;
};

struct duel {
    const struct training *training;
    char name[NAME_BYTES];
    struct side sides[2];
};

static void open_game(const struct duel *d, int pair, struct hopchess *state) {
    struct rng rng = {d->training->seed + (uint64_t)pair * UINT64_C(0x9e3779b97f4a7c15)};
    char why[WHY_TEXT_MAX];
    game_hopchess.start(state, &d->training->rules, NULL, why);
    for (int i = 0; i < OPENING; i++) {
        const int count = game_hopchess.count(state);
        game_hopchess.apply(state, game_hopchess.nth(state, (int)rng_below(&rng, (uint32_t)count)));
    }
}

static uint64_t nodes_of(const struct duel *d) {
    return (uint64_t)(d->training->nodes ? d->training->nodes : NODES);
}

static bool is_third(const uint64_t *keys, int count) {
    int times = 0;
    for (int i = 0; i < count; i++)
        times += keys[i] == keys[count - 1];
    return times >= 3;
}

// Black's margin in the end.
static int play_out(const struct duel *d, struct hop_mind *const minds[2], int swapped,
                    struct hopchess *state) {
    uint64_t keys[TURNS_MAX];
    int count = 0;
    while (state->ending == ENDING_RUNNING && count < TURNS_MAX) {
        struct thought t = {.length = 0};
        const int player = game_hopchess.turn(state) - 1;
        const struct field f = field_of_state(state);
        keys[count++] = field_key(f.own, f.other);
        if (is_third(keys, count))
            break;
        hop_mind_think(minds[player ^ swapped], state, &(struct limits){.nodes = nodes_of(d)},
                       MOVE_PASS, &t);
        if (t.exact)
            return player == 0 ? hunt_margin(t.value) : -hunt_margin(t.value);
        game_hopchess.apply(state, t.pv[0]);
    }
    return field_black_margin(state);
}

// The points of the first player, who has black if `swapped` is 0.
static char play(const struct duel *d, struct hop_mind *const minds[2], int pair, int swapped) {
    struct hopchess state;
    open_game(d, pair, &state);
    const int margin = play_out(d, minds, swapped, &state);
    return margin == 0 ? 1 : (margin > 0) == (swapped == 0) ? 2 : 0;
}

static void make_chunk(const void *maker, int number, struct buf *out) {
    const struct duel *d = maker;
    struct hop_mind *minds[2];
    for (int i = 0; i < 2; i++)
        minds[i] = hop_mind_new(d->sides[i].net, d->sides[i].without, 1, MEMO_BYTES);
    for (int i = 0; i < 2 * CHUNK_PAIRS; i++) {
        const char points = play(d, minds, number * CHUNK_PAIRS + i / 2, i % 2);
        buf_put(out, &points, 1);
    }
    for (int i = 0; i < 2; i++)
        hop_mind_free(minds[i]);
}

// Points of pairs in percent, with their 95 % interval.
static void report(const struct duel *d, const char *points, size_t count) {
    const double pairs = (double)count / 2;
    double sum = 0, squares = 0;
    int tally[3] = {0};
    for (size_t i = 0; i + 1 < count; i += 2) {
        const double pair = (points[i] + points[i + 1]) / 4.0;
        sum += pair;
        squares += pair * pair;
        tally[(int)points[i]]++;
        tally[(int)points[i + 1]]++;
    }
    const double mean = sum / pairs;
    const double wide = 1.96 * sqrt((squares / pairs - mean * mean) / (pairs - 1));
    train_say(d->training,
              "%s: %zu games, %d won, %d drawn, %d lost, %.1f %% of the points (%.1f to %.1f)",
              d->name, count, tally[2], tally[1], tally[0], 100 * mean, 100 * (mean - wide),
              100 * (mean + wide));
}

static bool run_duel(const struct duel *d, struct err *err) {
    const int64_t wanted = d->training->games ? d->training->games : GAMES;
    const struct chunks chunks = {.name = d->name,
                                  .count =
                                      (int)((wanted + 2 * CHUNK_PAIRS - 1) / (2 * CHUNK_PAIRS)),
                                  .make = make_chunk,
                                  .maker = d};
    struct buf points = {.data = NULL};
    const bool done =
        train_make(d->training, &chunks, err) && train_gather(d->training, &chunks, &points, err);
    if (done)
        report(d, points.data, points.length);
    buf_done(&points);
    return done;
}

static bool compare_skills(const struct training *t, struct err *err) {
    static const char *const words[] = {
#define WORD(id, word, sentence) word,
        HUNT_SKILLS(WORD)
#undef WORD
    };
    for (int i = HUNT_SKILL_COUNT - 1; i >= 0; i--) {
        struct duel d = {.training = t, .sides = {{hopnet_find(), 0}, {hopnet_find(), 1u << i}}};
        snprintf(d.name, sizeof d.name, "without-%s-%" PRIu64, words[i], nodes_of(&d));
        if (!run_duel(&d, err))
            return false;
    }
    return true;
}

static bool load(const struct training *t, const char *name, struct hopnet *net, struct err *err) {
    struct buf packed = {.data = NULL};
    const bool read =
        train_load(t, name, &packed, err) && hopnet_read(packed.data, packed.length, net, err);
    buf_done(&packed);
    return read;
}

// Each generation against the one before it; the first against pieces and columns.
static bool compare_generations(const struct training *t, struct err *err) {
    struct hopnet *nets = mem_new(2, sizeof *nets);
    bool good = true;
    hopnet_begin(&nets[1]);
    for (int i = 0; good && i < GENERATIONS_MAX; i++) {
        struct duel d = {.training = t, .sides = {{&nets[i % 2], 0}, {&nets[1 - i % 2], 0}}};
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "weights-%d.bin", i);
        if (!train_has(t, name))
            break;
        snprintf(d.name, sizeof d.name, "generation-%d-%" PRIu64, i, nodes_of(&d));
        good = load(t, name, &nets[i % 2], err) && run_duel(&d, err);
    }
    free(nets);
    return good;
}

bool hopchess_worth(const struct training *t, struct err *err) {
    // The folder of a training, or a new one.
    return (train_has(t, "plan.txt") || train_begin(t, "hopchess worth\n", err)) &&
           compare_generations(t, err) && compare_skills(t, err);
}
