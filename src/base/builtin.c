// SPDX-License-Identifier: MIT
#include "base/builtin.h"

#include "base/whole.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct number {
    const char *key;
    int64_t max;
    size_t field;
} numbers[] = {
    {"nodes", INT64_MAX, offsetof(struct builtin, nodes)},
    {"threads", 64, offsetof(struct builtin, threads)},
    {"misses", 100, offsetof(struct builtin, misses)},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

// What is said without a value.
static const struct builtin_word {
    const char *key;
    size_t field;
} words[] = {
    {"general", offsetof(struct builtin, general)},
    {"untaught", offsetof(struct builtin, untaught)},
};

enum { WORDS = sizeof words / sizeof *words };

void builtin_init(struct builtin *builtin) { *builtin = (struct builtin){.level = LEVEL_STRONG}; }

static bool set_level(struct builtin *builtin, const char *value, struct err *err) {
    const enum level found = level_find(value);
    if (found == LEVEL_NONE)
        return err_set(err, "there is no level '%.40s'; accepted: %s", value, LEVELS_ACCEPTED);
    builtin->level = found;
    return true;
}

static bool set_number(struct builtin *builtin, const struct number *number, const char *value,
                       struct err *err) {
    int64_t n;
    if (!text_whole(value, 1, number->max, &n))
        return err_set(err, "%s cannot be '%.40s'; accepted: 1..%" PRId64, number->key, value,
                       number->max);
    memcpy((char *)builtin + number->field, &n, sizeof(int64_t));
    return true;
}

static const struct builtin_word *find_word(const char *key) {
    for (int i = 0; i < WORDS; i++)
        if (strcmp(key, words[i].key) == 0)
            return &words[i];
    return NULL;
}

bool builtin_is_word(const char *key) { return find_word(key); }

bool builtin_has(const char *key) {
    bool found = strcmp(key, "level") == 0 || builtin_is_word(key);
    for (int i = 0; i < NUMBERS; i++)
        found |= strcmp(key, numbers[i].key) == 0;
    return found;
}

static bool set_word(struct builtin *builtin, const struct builtin_word *word, const char *value,
                     struct err *err) {
    if (value)
        return err_set(err, "%s has no value", word->key);
    *(bool *)((char *)builtin + word->field) = true;
    return true;
}

bool builtin_set(struct builtin *builtin, const char *key, const char *value, struct err *err) {
    char accepted[ERR_TEXT_MAX / 2] = "level";
    if (strcmp(key, "level") == 0)
        return set_level(builtin, value, err);
    if (builtin_is_word(key))
        return set_word(builtin, find_word(key), value, err);
    for (int i = 0; i < NUMBERS; i++) {
        if (strcmp(key, numbers[i].key) == 0)
            return set_number(builtin, &numbers[i], value, err);
        err_list(accepted, sizeof accepted, numbers[i].key);
    }
    for (int i = 0; i < WORDS; i++)
        err_list(accepted, sizeof accepted, words[i].key);
    return err_set(err, "a built-in player has no setting '%.40s'; accepted: %s", key, accepted);
}

bool builtin_is_name(const char *text) {
    static const char before[] = "builtin:";
    if (strcmp(text, "random") == 0 || strcmp(text, "builtin") == 0)
        return true;
    return strncmp(text, before, sizeof before - 1) == 0 &&
           level_find(text + sizeof before - 1) != LEVEL_NONE;
}
