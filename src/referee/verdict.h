// SPDX-License-Identifier: MIT
// What a player can do wrong, and what it costs. docs/protocol.md, sections E and F.
#pragma once

#include "base/err.h"
#include "games/game.h"
#include "spec/spec.h"

#define VERDICTS(X)                                                                                \
    X(NONE, "none")                                                                                \
    X(ILLEGAL, "illegal")                                                                          \
    X(LATE, "late")                                                                                \
    X(GONE, "gone")                                                                                \
    X(FLOOD, "flood")                                                                              \
    X(MEMORY, "memory")                                                                            \
    X(INVALID_TRANSFER, "invalid-transfer")                                                        \
    X(NOT_READY, "not-ready")                                                                      \
    X(REFUSED, "refused")

enum verdict {
#define VERDICT_CONSTANT(id, word) VERDICT_##id,
    VERDICTS(VERDICT_CONSTANT)
#undef VERDICT_CONSTANT
};

struct penalties {
    enum cost cost[FAULT_KEYS];
};

const char *verdict_word(enum verdict verdict);
enum verdict verdict_find(const char *word); // VERDICT_NONE for any other word
const char *cost_word(enum cost cost);
const char *fault_key_name(enum fault_key key);

// The costs of the game's contest.
void penalties_init(struct penalties *penalties, const struct game *game);
// Whether a key is one of these.
bool penalties_has(const char *key);
// What a fault costs the player whose turn it is: COST_LOSE, COST_FIRST or COST_SKIP.
enum cost penalties_cost(const struct penalties *penalties, enum verdict verdict);
// Changes one, or says what is accepted.
bool penalties_set(struct penalties *penalties, const struct game *game, const char *key,
                   const char *value, struct err *err);
