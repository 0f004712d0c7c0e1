// SPDX-License-Identifier: MIT
// Pairs of games from the same opening, colours swapped, between the player and itself without one
// technique, or with more nodes for the first turn alone, which is the most that a book could give.
// Both have minds of their own, which forget before every turn, as a limit of nodes makes them do.
#include "train/trainers.h"

#include "engine/connect6/search.h"
#include "engine/registry.h"
#include "train/bout.h"
#include "train/connect6/draw.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    GAMES = 200,
    NODES = 5000,    // a turn
    BOOK_TIMES = 20, // as many for the first turn of one who has a book
    TT_BYTES = 1 << 22,
    NAME_BYTES = 32,
};

static const char *const words[] = {
#define WORD(id, word, sentence) word,
    SEARCH_TECHNIQUES(WORD)
#undef WORD
};

struct sides {
    const struct training *training;
    unsigned without[2];
    uint64_t nodes, first_nodes[2]; // a turn; of the first turn of each
    bool blocks;                    // and up to five stones; else one stone
};

// Black's margin in the end.
static int play_out(const struct sides *sides, const struct game *game, void *const minds[2],
                    int swapped, void *state) {
    for (int turns = 0; !game_is_over(game, state); turns++) {
        struct thought t = {.length = 0};
        const int player = game->turn(state), side = (player - 1) ^ swapped;
        const struct limits limits = {.nodes = turns < 1 ? sides->first_nodes[side] : sides->nodes};
        engine_connect6.think(minds[side], state, &limits, MOVE_PASS, &t);
        for (int i = 0; i < t.length && game->turn(state) == player; i++)
            game_play(game, state, t.pv[i]);
    }
    const int winner = game->outcome(state).winner;
    return (winner == 1) - (winner == 2);
}

static int connect6_bout(const void *players, int pair, bool swapped) {
    const struct sides *sides = players;
    struct rng rng = {sides->training->seed * UINT64_C(1000003) + (uint64_t)pair};
    struct ruleset rules = sides->training->rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    void *minds[2];
    if (sides->blocks) {
        draw_blocks(&rules, &rng, &state);
        draw_opening(&rules, &rng, &state);
    } else {
        rules.game->start(&state, &rules, NULL, why);
        draw_stone(&rules, &rng, &state);
    }
    for (int i = 0; i < 2; i++)
        minds[i] = connect6_mind(&rules, 1, TT_BYTES, &net6_carried, sides->without[i]);
    const int margin = play_out(sides, rules.game, minds, swapped, &state);
    for (int i = 0; i < 2; i++)
        engine_connect6.free(minds[i]);
    return margin;
}

static bool run_bout(const struct sides *sides, const char *name, struct err *err) {
    const struct bout bout = {.training = sides->training,
                              .name = name,
                              .games = GAMES,
                              .play = connect6_bout,
                              .players = sides};
    return bout_play(&bout, err);
}

static bool try_technique(const struct training *t, int technique, struct err *err) {
    const uint64_t nodes = train_nodes(t, NODES);
    const struct sides sides = {.training = t,
                                .without = {0, 1u << technique},
                                .nodes = nodes,
                                .first_nodes = {nodes, nodes},
                                .blocks = true};
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "without-%s", words[technique]);
    return run_bout(&sides, name, err);
}

static bool begin(const struct training *t, const char *part, struct err *err) {
    char plan[128];
    snprintf(plan, sizeof plan, "%s, %" PRIu64 " nodes", part, train_nodes(t, NODES));
    return train_begin(t, plan, err);
}

bool connect6_ablation(const struct training *t, struct err *err) {
    bool good = begin(t, "worth", err);
    for (int i = 0; good && i < SEARCH_TECHNIQUES_COUNT; i++)
        good = try_technique(t, i, err);
    return good;
}

bool connect6_book(const struct training *t, struct err *err) {
    const uint64_t nodes = train_nodes(t, NODES);
    const struct sides sides = {
        .training = t, .nodes = nodes, .first_nodes = {BOOK_TIMES * nodes, nodes}};
    return begin(t, "book", err) && run_bout(&sides, "without-book", err);
}
