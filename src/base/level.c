// SPDX-License-Identifier: MIT
#include "base/level.h"

#include "base/whole.h"

#include <assert.h>
#include <string.h>

static const char *const numbers[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};

static const struct named_level {
    const char *word;
    enum level level;
} named[] = {
#define LEVEL_NAMED(id, word, rung, words) {word, LEVEL_##id},
    LEVELS(LEVEL_NAMED)
#undef LEVEL_NAMED
};

enum { NAMED = sizeof named / sizeof *named };

const char *level_word(enum level level) {
    assert(level <= LEVEL_MOST);
    for (int i = 0; i < NAMED; i++)
        if (named[i].level == level)
            return named[i].word;
    return numbers[level];
}

enum level level_find(const char *word) {
    for (int i = 0; i < NAMED; i++)
        if (strcmp(named[i].word, word) == 0)
            return named[i].level;
    const int rung = text_among(word, numbers, LEVEL_MOST + 1);
    return rung >= 1 && rung <= LEVEL_MOST ? (enum level)rung : LEVEL_NONE;
}
