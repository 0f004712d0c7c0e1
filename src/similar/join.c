// SPDX-License-Identifier: MIT
// Code is scanned in the joined text, and its tokens are told their places in the text as it was
// afterwards: for each join it is known where it stood and how many bytes went.
#include "similar/join.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t joined_gap(const char *at, const char *end) {
    const char *c = at + 1;
    if (*at != '\\')
        return 0;
    while (c < end && *c != '\n' && isspace((unsigned char)*c))
        c++;
    return c < end && *c == '\n' ? (size_t)(c + 1 - at) : 0;
}

bool joined_is_needed(const char *text, size_t size) {
    const char *end = text + size;
    for (const char *at = text; at < end && (at = memchr(at, '\\', (size_t)(end - at))); at++)
        if (joined_gap(at, end) > 0)
            return true;
    return false;
}

void joined_make(struct joined *j, const char *text, size_t size) {
    const char *end = text + size;
    j->text = mem_new(size + 1, 1);
    for (const char *at = text; at < end;) {
        const size_t gone = joined_gap(at, end);
        if (gone == 0) {
            j->text[j->size++] = *at++;
            continue;
        }
        if (j->count % 1024 == 0)
            j->joins = mem_resize(j->joins, (size_t)(j->count + 1024) * sizeof *j->joins);
        j->joins[j->count++] = (struct join){(uint32_t)j->size, (uint32_t)gone};
        at += gone;
    }
}

void joined_restore(const struct joined *j, struct token *tokens, int count) {
    uint32_t gone = 0;
    int k = 0;
    for (int i = 0; i < count; i++) {
        struct token *token = &tokens[i];
        for (; k < j->count && j->joins[k].at <= token->begin; k++)
            gone += j->joins[k].gone;
        uint32_t inner = gone;
        for (int m = k; m < j->count && j->joins[m].at < token->end; m++)
            inner += j->joins[m].gone;
        token->begin += gone;
        token->end += inner;
        token->line += (uint32_t)k;
    }
}

void joined_done(struct joined *j) {
    free(j->text);
    free(j->joins);
}
