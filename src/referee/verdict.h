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

// How a game came to its end: by the rules, which have words of their own for it, or by one of
// these. docs/protocol.md, section E.
#define FINISHES(X)                                                                                \
    X(RULES, "")            /* or the game goes on */                                              \
    X(FORFEIT, "forfeit")   /* a player, or both, did something wrong */                           \
    X(ABORTED, "aborted")   /* broken off from outside */                                          \
    X(PLATFORM, "platform") /* broken off for a fault of the platform */                           \
    X(WALKOVER, "walkover") /* not played: one had left the contest */                             \
    X(RESIGNED, "resigned") /* a person has given it up */                                         \
    X(AGREED, "agreed")     /* two persons have agreed to a draw */

enum finish {
#define FINISH_CONSTANT(id, word) FINISH_##id,
    FINISHES(FINISH_CONSTANT)
#undef FINISH_CONSTANT
};

struct penalties {
    enum cost cost[FAULT_KEYS];
};

// The reason that a record gives, as a value; words of the rules are FINISH_RULES.
enum finish finish_find(const char *reason);
const char *finish_word(enum finish finish);
// Whether a game that ended so without a winner is a draw: nobody has won the others.
bool finish_can_draw(enum finish finish);
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
