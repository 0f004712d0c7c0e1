// SPDX-License-Identifier: MIT
#include "engine/connect6/worth.h"

#include "engine/bout.h"
#include "engine/connect6/draw.h"
#include "engine/connect6/mind.h"
#include "engine/registry.h"

#include <inttypes.h>
#include <stdio.h>

enum { GAMES = 200, NODES = 5000, MEMO_BYTES = 1 << 22, NAME_BYTES = 32 };

static const char *const words[] = {
#define WORD(id, word, sentence) word,
    SEARCH_SKILLS(WORD)
#undef WORD
};

struct sides {
    const struct training *training;
    unsigned without[2];
};

// Returns the points of the first player, who has black if `swapped` is 0.
static char play(const struct ruleset *rules, void *const minds[2], const void *opening,
                 int swapped) {
    const struct game *game = rules->game;
    union game_state state = *(const union game_state *)opening;
    while (!game_is_over(game, &state)) {
        struct thought t = {.length = 0};
        const int player = game->turn(&state);
        engine_connect6.think(minds[(player - 1) ^ swapped], &state,
                              &(struct limits){.nodes = NODES}, MOVE_PASS, &t);
        for (int i = 0; i < t.length && game->turn(&state) == player; i++)
            game_play(game, &state, t.pv[i]);
    }
    const int winner = game->outcome(&state).winner;
    return winner == 0 ? 1 : (winner == 1) == (swapped == 0) ? 2 : 0;
}

static void play_pairs(const void *players, int first, char points[static BOUT_POINTS]) {
    const struct sides *sides = players;
    for (int pair = 0; pair < BOUT_PAIRS; pair++) {
        struct rng rng = {sides->training->seed * UINT64_C(1000003) + (uint64_t)(first + pair)};
        struct ruleset rules = sides->training->rules;
        union game_state opening;
        void *minds[2];
        draw_blocks(&rules, &rng, &opening);
        draw_opening(&rules, &rng, &opening);
        for (int i = 0; i < 2; i++)
            minds[i] = connect6_mind(&rules, 1, MEMO_BYTES, sides->without[i]);
        for (int swapped = 0; swapped < 2; swapped++)
            points[2 * pair + swapped] = play(&rules, minds, &opening, swapped);
        for (int i = 0; i < 2; i++)
            engine_connect6.free(minds[i]);
    }
}

static bool try_skill(const struct training *t, int skill, struct err *err) {
    const unsigned bit = 1u << skill;
    const struct sides sides = {.training = t,
                                .without = {SEARCH_UNUSED & ~bit, SEARCH_UNUSED | bit}};
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "without-%s", words[skill]);
    const struct bout bout = {
        .training = t, .name = name, .games = GAMES, .play = play_pairs, .players = &sides};
    return bout_play(&bout, err);
}

bool connect6_worth(const struct training *t, struct err *err) {
    char plan[128];
    snprintf(plan, sizeof plan, "connect6 worth, seed %" PRIu64 ", nodes %d\n", t->seed, NODES);
    bool good = train_begin(t, plan, err);
    for (int i = 0; good && i < SEARCH_SKILL_COUNT; i++)
        good = try_skill(t, i, err);
    return good;
}
