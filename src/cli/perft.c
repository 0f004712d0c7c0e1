// SPDX-License-Identifier: MIT
// `arbiter perft`: how many games of each length there are.
#include "cli/perft.h"

#include "base/mem.h"
#include "cli/setup.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

// Leaves below a state. A finished game is one leaf. `lists` has room for the moves of every level.
static uint64_t count_leaves(const struct game *game, const union game_state *state, int depth,
                             move *lists) {
    const int count = depth == 1 ? game->count(state) : game->moves(state, lists);
    if (count == 0)
        return 1;
    if (depth == 1)
        return (uint64_t)count;
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, lists[i]);
        leaves += count_leaves(game, &next, depth - 1, lists + game->moves_max);
    }
    return leaves;
}

uint64_t perft_count(const struct game *game, const union game_state *state, int depth) {
    assert(depth >= 1);
    move *lists = mem_new((size_t)depth * (size_t)game->moves_max, sizeof *lists);
    const uint64_t leaves = count_leaves(game, state, depth, lists);
    free(lists);
    return leaves;
}

static int perft_run(const struct args *args, struct err *err) {
    struct setup setup;
    int64_t depth;
    if (!setup_read(&setup, args, err) ||
        !read_number(args->word[1], "DEPTH", 1, DEPTH_MAX, &depth, err))
        return -1;
    for (int d = 1; d <= depth; d++) {
        const uint64_t leaves = perft_count(setup.game, &setup.start, d);
        printf(args_value(args, "--json") ? "{\"depth\":%d,\"count\":%" PRIu64 "}\n"
                                          : "%d %" PRIu64 "\n",
               d, leaves);
        fflush(stdout);
    }
    return 0;
}

static const struct option options[] = {OPTION_SET, OPTION_FROM, OPTION_JSON};

const struct command command_perft = {
    .name = "perft",
    .arguments = "GAME DEPTH",
    .words_min = 2,
    .words_max = 2,
    .summary = "count the positions at each depth, to compare rules with others",
    .help =
        "Prints \"depth count\" for every depth from 1. A finished game counts as one; a player\n"
        "who is skipped costs no depth.\n"
        "Example: arbiter perft reversi 8 --set board=othello\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .run = perft_run,
};
