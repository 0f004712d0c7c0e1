// SPDX-License-Identifier: MIT
// Prose has few brackets and equals signs, tables and settings have few words of a language; code
// has both.
#include "similar/suspect.h"

#include "similar/token.h"

#include <string.h>

enum {
    TOKENS_LEAST = 60,
    MARKS_LEAST = 6, // percent of the tokens: code has 7 to 24, prose below 4
    WORDS_LEAST = 1,
};

// How programs, archives and packed files begin.
static const char *const heads[] = {"\177ELF", "MZ",       "PK\3\4",  "\37\213",
                                    "BZh",     "\3757zXZ", "!<arch>", "(\265/\375"};

static bool is_built(const char *bytes, size_t size) {
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (size >= strlen(heads[i]) && memcmp(bytes, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

struct suspect_tally {
    int all, marks, words; // tokens; brackets and "="; words of the language
};

static void count_kinds(struct suspect_tally *tally, const struct token *tokens, int count) {
    for (int i = 0; i < count; i++) {
        const int kind = tokens[i].kind;
        tally->marks += kind == '(' || kind == '[' || kind == '=';
        tally->words += kind >= KIND_WORDS && kind < KIND_PARAMETER;
    }
    tally->all += count;
}

static bool is_code(const char *bytes, size_t size) {
    struct tokens t = {.at = NULL};
    struct suspect_tally tally = {.all = 0};
    tokens_scan(&t, bytes, size, LANGUAGE_C, 0);
    count_kinds(&tally, t.at, t.count);
    count_kinds(&tally, t.bodies, t.body_count);
    tokens_done(&t);
    return tally.all >= TOKENS_LEAST && 100 * tally.marks >= MARKS_LEAST * tally.all &&
           100 * tally.words >= WORDS_LEAST * tally.all;
}

const char *suspect_reason(const char *bytes, size_t size) {
    if (is_built(bytes, size))
        return "is built already, or packed";
    if (memchr(bytes, 0, size))
        return NULL; // data
    return is_code(bytes, size) ? "looks like code, but is no source by its name" : NULL;
}
