// SPDX-License-Identifier: MIT
// Games times how long one takes, by so many at once. How long one takes is known from the test
// games of what was handed in, which are played on this machine under the contest's limits. Where
// there are none it is said what it can take: so many turns as random moves make a game, each with
// its whole limit. That is too much for most games, and is told as such.
#include "contest/estimate.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

enum { PLAYOUTS = 5 };

// The games of a stage with so many players.
static int stage_games(const struct plan *plan, int number, int count) {
    const struct plan_stage *stage = &plan->stages[number];
    const struct schedule *schedule = stage->format.schedule;
    struct entrant *entrants = mem_new((size_t)count + 1, sizeof *entrants);
    for (int i = 0; i < count; i++)
        entrants[i].group = number == 0 && plan->players[i].group > 0 ? plan->players[i].group : 0;
    const struct field field = {entrants, count};
    const int meetings =
        schedule->total(&stage->format, &field) - schedule->byes(&stage->format, &field);
    free(entrants);
    return meetings * (stage->best_of ? stage->games / 2 + 1 : stage->games);
}

static int count_games(const struct plan *plan) {
    int games = 0, count = plan->player_count;
    for (int i = 0; i < plan->stage_count; i++) {
        const struct plan_stage *stage = &plan->stages[i];
        const int on = stage->advance * stage->format.groups;
        games += stage_games(plan, i, count);
        count = on > 0 && on < count ? on : count;
    }
    return games;
}

static int play_turns(const struct ruleset *rules, struct rng *rng) {
    const struct game *game = rules->game;
    union game_state state;
    char why[WHY_TEXT_MAX];
    int turns = 0;
    if (!game->start(&state, rules, NULL, why))
        return 0;
    for (int left = 0, plies = 0; game->count(&state) > 0 && plies < game->plies_max; plies++) {
        if (left == 0) {
            left = game->due(&state);
            turns++;
        }
        game->apply(&state, game->nth(&state, (int)rng_below(rng, (uint32_t)game->count(&state))));
        left--;
    }
    return turns;
}

void estimate_init(struct contest_estimate *e, const struct plan *plan) {
    struct rng rng = {.state = 1};
    const struct conditions *c = &plan->conditions;
    *e = (struct contest_estimate){.games = count_games(plan),
                                   .jobs = plan->jobs > 0 ? plan->jobs : 1};
    e->turn_s = (double)(c->time_low_us + c->time_high_us) / 2e6;
    for (int i = 0; i < PLAYOUTS; i++)
        e->turns += play_turns(&plan->rules, &rng);
    e->turns /= PLAYOUTS;
}

void estimate_take(struct contest_estimate *e, const json_t *record) {
    const json_t *ms = json_object_get(record, "ms");
    double sum = 0;
    for (size_t i = 0; i < json_array_size(ms); i++)
        sum += json_number_value(json_array_get(ms, i));
    if (json_array_size(ms) == 0)
        return;
    e->tried_s = (e->tried_s * e->tried + sum / 1000) / (e->tried + 1);
    e->tried++;
}

json_t *estimate_json(struct contest_estimate *e) {
    const double one = e->tried > 0 ? e->tried_s : e->turns * e->turn_s;
    e->seconds = one * e->games / e->jobs;
    return json_pack("{s:i, s:i, s:i, s:f, s:i, s:f, s:f}", "games", e->games, "jobs", e->jobs,
                     "turns", e->turns, "turn_s", e->turn_s, "tried", e->tried, "tried_s",
                     e->tried_s, "seconds", e->seconds);
}
