// SPDX-License-Identifier: MIT
// How strong a built-in player plays: ten rungs, some of which have a name, and any legal move.
// Whoever starts one and the player itself share this list.
#pragma once

// constant, word, rung, what it is for people
#define LEVELS(X)                                                                                  \
    X(EASY, "easy", 2, "2, a beginner can win")                                                    \
    X(NORMAL, "normal", 5, "5, a good amateur can win")                                            \
    X(STRONG, "strong", 10, "10, as well as it can")                                               \
    X(RANDOM, "random", 0, "any legal move")

// A rung is its number, 1 the weakest.
enum level {
#define LEVEL_CONSTANT(id, word, rung, words) LEVEL_##id = rung,
    LEVELS(LEVEL_CONSTANT)
#undef LEVEL_CONSTANT
        LEVEL_MOST = LEVEL_STRONG,
    LEVEL_NONE
};

// The list for help texts, a line each.
#define LEVEL_LINE(id, word, rung, words) "      " word ": " words "\n"
#define LEVEL_LINES                                                                                \
    "      1 to 10: the rungs of the game, 150 Elo apart where it allows that\n" LEVELS(LEVEL_LINE)
// What level_find accepts, for messages.
#define LEVEL_WORD_LISTED(id, word, rung, words) ", " word
#define LEVELS_ACCEPTED "1..10" LEVELS(LEVEL_WORD_LISTED)

// The name of a level, or its number.
const char *level_word(enum level level);
// The level of that name or number, or LEVEL_NONE.
enum level level_find(const char *word);
