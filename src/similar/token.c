// SPDX-License-Identifier: MIT
// Tokens are kept in one growing array for all files of a submission; each knows its file, and
// nothing is joined across a file's end. A literal beside a literal, or after one and a comma, is
// no token of its own: a table of numbers is one token however long it is, or tables would look
// alike. The bodies of macros are cut off the end of the array into another, to be put in where
// they are used (macro.c).
#include "similar/token.h"

#include "base/mem.h"
#include "similar/join.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum language token_language(const char *path) {
    static const struct {
        const char *end;
        enum language language;
    } ends[] = {{".c", LANGUAGE_C},      {".h", LANGUAGE_C},   {".cc", LANGUAGE_C},
                {".cpp", LANGUAGE_C},    {".cxx", LANGUAGE_C}, {".hh", LANGUAGE_C},
                {".hpp", LANGUAGE_C},    {".hxx", LANGUAGE_C}, {".inl", LANGUAGE_C},
                {".py", LANGUAGE_PYTHON}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(dot, ends[i].end) == 0)
            return ends[i].language;
    return LANGUAGE_NONE;
}

uint64_t token_name(const char *begin, const char *end) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (const char *c = begin; c < end;) {
        const size_t gap = joined_gap(c, end);
        if (gap == 0)
            sum = (sum ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        c += gap ? gap : 1;
    }
    return sum;
}

int tokens_before(const struct tokens *t, int back, int floor, int file) {
    const int i = t->count - 1 - back;
    return i >= floor && t->at[i].file == file ? t->at[i].kind : 0;
}

static void add_token(struct tokens *t, struct token token) {
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 1024;
        t->at = mem_resize(t->at, (size_t)t->room * sizeof *t->at);
    }
    t->at[t->count++] = token;
}

void tokens_add(struct tokens *t, struct token token, int floor) {
    const int last = tokens_before(t, 0, floor, token.file);
    if (token.kind != KIND_LITERAL)
        add_token(t, token);
    else if (last == ',' && tokens_before(t, 1, floor, token.file) == KIND_LITERAL)
        t->count--;                // both go
    else if (last != KIND_LITERAL) // texts side by side are one
        add_token(t, token);
}

// The place of a name among those of #include lines, or where it would stand.
static int named_place(const struct tokens *t, const char *file) {
    int low = 0, high = t->named_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (strcmp(t->named[middle], file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tokens_name(const struct tokens *tokens, const char *file) {
    const int i = named_place(tokens, file);
    return i < tokens->named_count && strcmp(tokens->named[i], file) == 0;
}

void tokens_add_named(struct tokens *t, const char *begin, size_t length) {
    char path[256];
    if (length == 0 || length >= sizeof path || t->named_count == NAMED_MOST)
        return;
    memcpy(path, begin, length);
    path[length] = '\0';
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const bool hidden = path[0] == '.' || strstr(path, "/.");
    if (tokens_name(t, file) || (token_language(path) == LANGUAGE_C && !hidden))
        return;
    const int i = named_place(t, file);
    t->named = mem_resize(t->named, (size_t)(t->named_count + 1) * sizeof *t->named);
    memmove(t->named + i + 1, t->named + i, (size_t)(t->named_count - i) * sizeof *t->named);
    t->named[i] = mem_text(file);
    t->named_count++;
}

static void take_body(struct tokens *t, int floor) {
    const int count = t->count - floor;
    if (t->body_count + count > t->body_room) {
        t->body_room = 2 * (t->body_count + count);
        t->bodies = mem_resize(t->bodies, (size_t)t->body_room * sizeof *t->bodies);
    }
    if (count > 0)
        memcpy(t->bodies + t->body_count, t->at + floor, (size_t)count * sizeof *t->bodies);
    t->body_count += count;
    t->count = floor;
}

void tokens_take_macro(struct tokens *t, struct macro macro, int floor) {
    assert(floor <= t->count);
    const int n = t->macro_count;
    macro.first = t->body_count;
    macro.count = t->count - floor;
    take_body(t, floor);
    if ((n & (n - 1)) == 0) // room for the next power of two
        t->macros = mem_resize(t->macros, (size_t)(n ? 2 * n : 1) * sizeof *t->macros);
    t->macros[t->macro_count++] = macro;
}

void tokens_done(struct tokens *tokens) {
    for (int i = 0; i < tokens->named_count; i++)
        free(tokens->named[i]);
    free(tokens->named);
    free(tokens->macros);
    free(tokens->bodies);
    free(tokens->at);
    *tokens = (struct tokens){.at = NULL};
}
