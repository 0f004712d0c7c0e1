// SPDX-License-Identifier: MIT
#include "referee/verdict.h"

#include <string.h>

static const char *const verdict_words[] = {
#define VERDICT_WORD(id, word) word,
    VERDICTS(VERDICT_WORD)
#undef VERDICT_WORD
};

static const char *const finish_words[] = {
#define FINISH_WORD(id, word) word,
    FINISHES(FINISH_WORD)
#undef FINISH_WORD
};

static const char *const cost_words[] = {
#define COST_WORD(id, word) word,
    COSTS(COST_WORD)
#undef COST_WORD
};

enum { COST_COUNT = sizeof cost_words / sizeof *cost_words };

static const char *const keys[FAULT_KEYS] = {
#define FAULT_WORD(id, key) key,
    FAULTS(FAULT_WORD)
#undef FAULT_WORD
};

enum finish finish_find(const char *reason) {
    for (size_t i = 0; i < sizeof finish_words / sizeof *finish_words; i++)
        if (strcmp(finish_words[i], reason) == 0)
            return (enum finish)i;
    return FINISH_RULES;
}

const char *finish_word(enum finish finish) { return finish_words[finish]; }

const char *verdict_word(enum verdict verdict) { return verdict_words[verdict]; }

enum verdict verdict_find(const char *word) {
    for (size_t i = 0; i < sizeof verdict_words / sizeof *verdict_words; i++)
        if (strcmp(verdict_words[i], word) == 0)
            return (enum verdict)i;
    return VERDICT_NONE;
}

const char *cost_word(enum cost cost) { return cost_words[cost]; }

const char *fault_key_name(enum fault_key key) { return keys[key]; }

void penalties_init(struct penalties *penalties, const struct game *game) {
    memcpy(penalties->cost, spec_of(game)->cost, sizeof penalties->cost);
}

static int find_key(const char *key) {
    for (int i = 0; i < FAULT_KEYS; i++)
        if (strcmp(keys[i], key) == 0)
            return i;
    return -1;
}

bool penalties_has(const char *key) { return find_key(key) >= 0; }

enum cost penalties_cost(const struct penalties *penalties, enum verdict verdict) {
    const enum cost transfer = penalties->cost[FAULT_INVALID_TRANSFER];
    if (verdict == VERDICT_LATE)
        return penalties->cost[FAULT_LATE];
    if (verdict == VERDICT_ILLEGAL ||
        (verdict == VERDICT_INVALID_TRANSFER && transfer == COST_ILLEGAL))
        return penalties->cost[FAULT_ILLEGAL];
    return verdict == VERDICT_INVALID_TRANSFER ? transfer : COST_LOSE;
}

bool penalties_set(struct penalties *penalties, const struct game *game, const char *key,
                   const char *value, struct err *err) {
    const int which = find_key(key);
    if (which < 0)
        return err_set(err, "there is no penalty '%.60s'", key);
    const unsigned accepted = spec_of(game)->accepted[which];
    char list[80] = "";
    for (int i = 0; i < COST_COUNT; i++) {
        if (!(accepted >> i & 1))
            continue;
        if (strcmp(cost_words[i], value) == 0) {
            penalties->cost[which] = (enum cost)i;
            return true;
        }
        err_list(list, sizeof list, cost_words[i]);
    }
    return err_set(err, "%s cannot be '%.60s' in %s; accepted: %s", key, value, game->name, list);
}
