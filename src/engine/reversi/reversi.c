// SPDX-License-Identifier: MIT
// The engine of reversi, on both boards.
#include "base/mem.h"
#include "engine/reversi/think.h"

#include <stdlib.h>

struct reversi_player {
    struct ruleset rules;
    struct reversi_mind *mind;
};

static void *player_new(const struct ruleset *rules, int threads) {
    struct reversi_player *p = mem_new(1, sizeof *p);
    p->rules = *rules;
    p->mind = reversi_new(board_variant(rules), false, threads);
    return p;
}

static void player_free(void *player) {
    struct reversi_player *p = player;
    if (!p)
        return;
    reversi_free(p->mind);
    free(p);
}

static void player_think(void *player, const void *state, const struct limits *limits, move only,
                         struct thought *thought) {
    const struct reversi_player *p = player;
    const struct board b = board_of_state(&p->rules, state);
    const uint64_t among = only == MOVE_PASS ? UINT64_MAX : bit((int)only);
    reversi_think(p->mind, &b, among, limits, thought);
}

const struct engine engine_reversi = {
    .game = "reversi",
    .unit = "discs",
    .easy = {.nodes = 10, .random_percent = 60},
    .normal = {.nodes = 4000, .random_percent = 30},
    .new = player_new,
    .free = player_free,
    .think = player_think,
};
