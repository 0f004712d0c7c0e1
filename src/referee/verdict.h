// SPDX-License-Identifier: MIT
// What a player can do wrong, and what it costs. docs/protocol.md, sections E and F.
#pragma once

#include "base/err.h"
#include "games/game.h"

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

#define COSTS(X)                                                                                   \
    X(LOSE, "lose") X(FIRST, "first") X(SKIP, "skip") X(WAIT, "wait") X(ILLEGAL, "illegal")

enum cost {
#define COST_CONSTANT(id, word) COST_##id,
    COSTS(COST_CONSTANT)
#undef COST_CONSTANT
};

// The faults whose cost can be set, in the order of the key table.
enum fault_key { FAULT_ILLEGAL, FAULT_LATE, FAULT_GONE, FAULT_INVALID_TRANSFER, FAULT_KEYS };

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
