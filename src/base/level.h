// SPDX-License-Identifier: MIT
// How strong a built-in player plays. Whoever starts one and the player itself share this list.
#pragma once

// constant, word, what it is for people
#define LEVELS(X)                                                                                  \
    X(EASY, "easy", "a beginner can win")                                                          \
    X(NORMAL, "normal", "a good amateur can win")                                                  \
    X(STRONG, "strong", "as well as it can")                                                       \
    X(RANDOM, "random", "any legal move")

enum level {
#define LEVEL_CONSTANT(id, word, words) LEVEL_##id,
    LEVELS(LEVEL_CONSTANT)
#undef LEVEL_CONSTANT
        LEVEL_COUNT
};

// The list for help texts, a line each.
#define LEVEL_LINE(id, word, words) "      " word ": " words "\n"
#define LEVEL_LINES LEVELS(LEVEL_LINE)

const char *level_word(enum level level);
// The level of that name, or LEVEL_COUNT.
enum level level_find(const char *word);
