// SPDX-License-Identifier: MIT
#include "base/level.h"

#include <string.h>

static const char *const words[] = {
#define LEVEL_WORD(id, word, words) word,
    LEVELS(LEVEL_WORD)
#undef LEVEL_WORD
};

const char *level_word(enum level level) { return words[level]; }

enum level level_find(const char *word) {
    enum level level = 0;
    while (level < LEVEL_COUNT && strcmp(words[level], word) != 0)
        level++;
    return level;
}
