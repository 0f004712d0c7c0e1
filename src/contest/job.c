// SPDX-License-Identifier: MIT
// The seed of a game is that of the contest, mixed with what names the game, one number after the
// other: whoever knows the contest's file can draw all of it again.
#include "contest/job.h"

#include <stdlib.h>
#include <string.h>

uint64_t job_seed(const struct plan *plan, const struct stored_game *game) {
    // A drawn game that is repeated has more blocks; one that the organiser sets back is the same
    // again, and so shares what was drawn for the other game of its pair.
    const int name[] = {game->stage, game->round, game->table, game->blocks + 1};
    struct rng rng = {plan->seed};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        rng.state = rng_next(&rng) ^ (uint64_t)(unsigned)name[i];
    return rng_next(&rng) >> 1; // JSON has no unsigned numbers
}

bool job_is_paired(const struct plan *plan, const struct stored_game *game) {
    return plan->same_conditions || game->leg >= HOUSE_LEG;
}

struct conditions job_conditions(const struct plan *plan, const struct stored_game *game) {
    struct conditions c = plan->conditions;
    if (game->blocks >= 0) {
        c.random_blocks = true;
        c.blocks = game->blocks;
    }
    return c;
}

static int count_blocks(const struct ruleset *rules) {
    int commas = 0;
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, "blocks") == 0)
            for (const char *c = rules->text[i]; *c; c++)
                commas += *c == ',';
    return commas;
}

bool job_deal(const struct plan *plan, const struct stored_game *game, struct deal *deal,
              struct err *err) {
    const struct conditions c = job_conditions(plan, game);
    const int unit = game->leg / (job_is_paired(plan, game) ? 2 : 1);
    *deal = (struct deal){.rules = plan->rules};
    return conditions_deal(&c, job_seed(plan, game), unit, deal, err);
}

int job_blocks(const struct plan *plan, const struct stored_game *game) {
    const struct conditions c = job_conditions(plan, game);
    struct deal deal;
    struct err err = {.set = false};
    if (c.random_blocks && c.blocks >= 0)
        return c.blocks;
    job_deal(plan, game, &deal, &err);
    free(deal.opening);
    return count_blocks(&deal.rules);
}
