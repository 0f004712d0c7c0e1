// SPDX-License-Identifier: MIT
// A move is the best of a few that are drawn: so the legal ones need not be listed, and what is
// unlikely stays possible. Where there are few moves, one that wins at once is always found.
//
// The result of a game with scores is a win or a loss, and a little more for a greater margin.
#include "engine/general/playout.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HABITS_MAX = 1 << 16,
    DRAWN = 2, // moves of which the better is played
    LOOK = 8,  // so few moves are looked at for a win
};

static const double by_margin = 0.2; // of a result; the rest is won or lost
static const float kept = 0.25F;     // of what was learned, from one thought to the next

void playout_init(struct playout *p, const struct game *game) {
    *p = (struct playout){.game = game, .length_max = 2 * game->plies_max + 64, .habit_count = 64};
    while (p->habit_count < game->distinct_moves && p->habit_count < HABITS_MAX)
        p->habit_count *= 2;
    p->habits_direct = p->habit_count >= game->distinct_moves;
    p->habits = mem_new(p->habit_count, sizeof *p->habits);
    p->moves = mem_new((size_t)p->length_max, sizeof *p->moves);
    p->players = mem_new((size_t)p->length_max, sizeof *p->players);
}

void playout_done(struct playout *p) {
    free(p->habits);
    free(p->moves);
    free(p->players);
}

void playout_forget(struct playout *p, uint64_t seed) {
    memset(p->habits, 0, p->habit_count * sizeof *p->habits);
    p->rng.state = seed;
    p->margin = 0;
    p->ended = 0;
}

void playout_fade(struct playout *p) {
    for (uint32_t i = 0; i < p->habit_count; i++)
        for (int k = 0; k < 2; k++) {
            p->habits[i].sum[k] *= kept;
            p->habits[i].count[k] *= kept;
        }
}

float playout_result(struct playout *p, const void *state) {
    const int winner = p->game->outcome(state).winner;
    const float result = winner == 0 ? 0 : winner == BLACK ? 1 : -1;
    int scores[2];
    if (!p->game->has_scores)
        return result;
    p->game->scores(state, scores);
    const double by = (double)scores[0] - scores[1];
    p->margin += (fabs(by) - p->margin) / (double)++p->ended;
    const double share = by / (2 * p->margin + 1);
    return (float)((1 - by_margin) * result + by_margin * (share > 1    ? 1
                                                           : share < -1 ? -1
                                                                        : share));
}

void playout_learn(struct playout *p, float result) {
    for (int i = 0; i < p->length; i++) {
        const int of = p->players[i] - 1;
        struct habit *habit = playout_habit(p, p->moves[i]);
        habit->sum[of] += of == 0 ? result : -result;
        habit->count[of]++;
    }
}

// The best of some that are drawn.
static move draw(struct playout *p, const void *state, int count, int player) {
    move best = 0;
    float most = 0;
    for (int i = 0; i < DRAWN; i++) {
        const move m = p->game->nth(state, (int)rng_below(&p->rng, (uint32_t)count));
        const struct habit *habit = playout_habit(p, m);
        const float mean = habit->sum[player - 1] / (habit->count[player - 1] + 1);
        if (i == 0 || mean > most) {
            best = m;
            most = mean;
        }
    }
    return best;
}

// Plays a move that wins at once, if there is one.
static bool take_win(struct playout *p, void *state, int count, int player) {
    const struct game *game = p->game;
    for (int i = 0; i < count; i++) {
        const move m = game->nth(state, i);
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, m);
        if (game->turn(&next) == 0 && game->outcome(&next).winner == player) {
            memcpy(state, &next, game->state_size);
            playout_add(p, m, player);
            return true;
        }
    }
    return false;
}

float playout_run(struct playout *p, void *state) {
    const struct game *game = p->game;
    for (int plies = 0; plies <= game->plies_max; plies++) {
        const int player = game->turn(state);
        if (player == 0)
            return playout_result(p, state);
        const int count = game->count(state);
        if (count <= LOOK && take_win(p, state, count, player))
            return playout_result(p, state);
        const move m = draw(p, state, count, player);
        game->apply(state, m);
        playout_add(p, m, player);
    }
    return 0;
}
