// SPDX-License-Identifier: MIT
// The words of a report for people, in the languages of the page.
#pragma once

#include "base/buf.h"

#define REPORT_LANGUAGES(X) X(EN, "en") X(KO, "ko") X(ZH_TW, "zh-TW")

enum report_language {
#define REPORT_LANGUAGE_CONSTANT(id, word) REPORT_##id,
    REPORT_LANGUAGES(REPORT_LANGUAGE_CONSTANT)
#undef REPORT_LANGUAGE_CONSTANT
        REPORT_LANGUAGE_COUNT
};

// The language of a word such as "ko", or REPORT_LANGUAGE_COUNT.
enum report_language report_language_find(const char *word);
const char *report_language_word(enum report_language language);
// Words with gaps, `%`, filled in turn by values that are ended by NULL; `%1`, `%2` name theirs.
void report_fill(struct buf *out, const char *words, const char *const *values);
// What is said for a key, by which it stands in words.c; the key itself if there is nothing.
const char *report_word(enum report_language language, const char *key);
