// SPDX-License-Identifier: MIT
// The words that stand in records and on command lines, from the lists in verdict.h and spec.h,
// and back. What a fault costs is the game's row, changed by what was set; only costs that the row
// accepts can be set. An invalid transfer may cost what an illegal move costs: that is looked up
// when it happens, not when it is set.
#include "referee/verdict.h"

#include "base/whole.h"

#include <assert.h>
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

enum {
    VERDICT_COUNT = sizeof verdict_words / sizeof *verdict_words,
    FINISH_COUNT = sizeof finish_words / sizeof *finish_words,
    COST_COUNT = sizeof cost_words / sizeof *cost_words,
};

static const char *const keys[FAULT_KEYS] = {
#define FAULT_WORD(id, key) key,
    FAULTS(FAULT_WORD)
#undef FAULT_WORD
};

enum finish finish_find(const char *reason) {
    const int found = text_among(reason, finish_words, FINISH_COUNT);
    return found < FINISH_COUNT ? (enum finish)found : FINISH_RULES;
}

const char *finish_word(enum finish finish) { return finish_words[finish]; }

bool finish_can_draw(enum finish finish) {
    return finish == FINISH_RULES || finish == FINISH_AGREED;
}

const char *verdict_word(enum verdict verdict) { return verdict_words[verdict]; }

enum verdict verdict_find(const char *word) {
    const int found = text_among(word, verdict_words, VERDICT_COUNT);
    return found < VERDICT_COUNT ? (enum verdict)found : VERDICT_NONE;
}

const char *cost_word(enum cost cost) { return cost_words[cost]; }

const char *fault_key_name(enum fault_key key) { return keys[key]; }

void penalties_init(struct penalties *penalties, const struct game *game) {
    memcpy(penalties->cost, spec_of(game)->cost, sizeof penalties->cost);
}

bool penalties_has(const char *key) { return text_among(key, keys, FAULT_KEYS) < FAULT_KEYS; }

enum cost penalties_cost(const struct penalties *penalties, enum verdict verdict) {
    assert(verdict != VERDICT_NONE);
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
    const int which = text_among(key, keys, FAULT_KEYS);
    if (which == FAULT_KEYS)
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
