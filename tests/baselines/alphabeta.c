// SPDX-License-Identifier: MIT
// Plain alpha-beta with iterative deepening. A position is worth its score and its mobility; in
// games without a score, its mobility alone.
#include "baselines/baseline.h"

#include <stdlib.h>
#include <string.h>

enum { WIN = 1000000, SCORE = 4, MOVES_LOOKED_AT = 64, DEPTH_MAX = 60 };

struct search {
    const struct game *game;
    int64_t until_us;
    uint64_t nodes;
    bool late;
};

static int final_worth(const struct search *s, const void *state, int player) {
    const int winner = s->game->outcome(state).winner;
    int scores[2];
    s->game->scores(state, scores);
    const int more = scores[player - 1] - scores[2 - player];
    return winner == 0 ? 0 : winner == player ? WIN + more : -WIN + more;
}

static int worth(const struct search *s, const void *state, int player, int mobility_before) {
    int scores[2];
    s->game->scores(state, scores);
    return SCORE * (scores[player - 1] - scores[2 - player]) + s->game->count(state) -
           mobility_before;
}

static int value(struct search *s, const void *state, int depth, int alpha, int beta, int before) {
    const int player = s->game->turn(state);
    const int count = s->game->count(state);
    if (++s->nodes % 256 == 0 && baseline_now_us() > s->until_us)
        s->late = true;
    if (depth == 0 || s->late)
        return worth(s, state, player, before);
    const int looked_at = count < MOVES_LOOKED_AT ? count : MOVES_LOOKED_AT;
    for (int i = 0; i < looked_at && alpha < beta; i++) {
        union game_state next;
        memcpy(&next, state, s->game->state_size);
        s->game->apply(
            &next,
            s->game->nth(state, count < MOVES_LOOKED_AT ? i : i * (count / MOVES_LOOKED_AT)));
        const int turn = s->game->turn(&next);
        const int v = turn == 0        ? final_worth(s, &next, player)
                      : turn == player ? value(s, &next, depth - 1, alpha, beta, before)
                                       : -value(s, &next, depth - 1, -beta, -alpha, count);
        if (v > alpha)
            alpha = v;
    }
    return alpha;
}

static move best_at(struct search *s, const void *state, const move *moves, int count, int depth,
                    move best) {
    const int player = s->game->turn(state);
    int alpha = -2 * WIN;
    move found = best;
    for (int i = -1; i < count; i++) { // the best of the depth before comes first
        const move m = i < 0 ? best : moves[i];
        union game_state next;
        if (i >= 0 && m == best)
            continue;
        memcpy(&next, state, s->game->state_size);
        s->game->apply(&next, m);
        const int turn = s->game->turn(&next);
        const int v = turn == 0        ? final_worth(s, &next, player)
                      : turn == player ? value(s, &next, depth - 1, alpha, 2 * WIN, count)
                                       : -value(s, &next, depth - 1, -2 * WIN, -alpha, count);
        if (s->late)
            break;
        if (v > alpha) {
            alpha = v;
            found = m;
        }
    }
    return found;
}

move baseline_choose(const struct game *game, const void *state, int64_t until_us, uint64_t *seed) {
    struct search s = {.game = game, .until_us = until_us};
    move *moves = calloc((size_t)game->moves_max, sizeof *moves);
    const int count = game->moves(state, moves);
    move best = moves[baseline_random(seed) % (uint64_t)count];
    for (int depth = 1; depth <= DEPTH_MAX && !s.late && count > 1; depth++)
        best = best_at(&s, state, moves, count, depth, best);
    free(moves);
    return best;
}
