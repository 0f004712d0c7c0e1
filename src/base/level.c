// SPDX-License-Identifier: MIT
#include "base/level.h"

#include "base/whole.h"

#include <assert.h>

static const char *const words[] = {
#define LEVEL_WORD(id, word, words) word,
    LEVELS(LEVEL_WORD)
#undef LEVEL_WORD
};

const char *level_word(enum level level) {
    assert(level < LEVEL_COUNT);
    return words[level];
}

enum level level_find(const char *word) { return (enum level)text_among(word, words, LEVEL_COUNT); }
