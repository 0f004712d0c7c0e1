// SPDX-License-Identifier: MIT
#include "web/passes.h"

#include "base/json.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_FILE_MAX = 1 << 20 };

static bool write_all(const struct passes *passes, struct err *err) {
    json_t *list = json_array();
    for (int i = 0; i < passes->count; i++)
        json_array_append_new(list, json_string(passes->at[i]));
    char *text = json_dumps(list, JSON_LINE);
    const bool good = secret_write(passes->path, text, strlen(text), err);
    free(text);
    json_decref(list);
    return good;
}

static void take_all(struct passes *passes, const struct buf *text) {
    json_t *list = text->data ? json_loadb(text->data, text->length, 0, NULL) : NULL;
    for (int i = 0; i < passes->count; i++) {
        const char *token = json_string_value(json_array_get(list, (size_t)i));
        if (token && strlen(token) == SECRET_TEXT_MAX - 1)
            strcpy(passes->at[i], token);
    }
    json_decref(list);
}

bool passes_load(struct passes *passes, const char *path, int count, bool *replaced,
                 struct err *err) {
    struct buf text = {.data = NULL};
    bool fresh = false;
    *passes = (struct passes){.path = mem_text(path), .count = count};
    passes->at = mem_new((size_t)count, sizeof *passes->at);
    *replaced = secret_read(path, TOKENS_FILE_MAX, &text, err) == SECRET_SEEN;
    take_all(passes, &text);
    buf_done(&text);
    for (int i = 0; i < count && !err->set; i++)
        if (!*passes->at[i])
            fresh = secret_draw(passes->at[i], err);
    return !err->set && (!fresh || write_all(passes, err));
}

int passes_find(const struct passes *passes, const char *token) {
    int found = -1;
    for (int i = 0; i < passes->count; i++)
        if (secret_same(passes->at[i], token))
            found = i;
    return found;
}

bool passes_renew(struct passes *passes, int player, struct err *err) {
    return secret_draw(passes->at[player], err) && write_all(passes, err);
}

void passes_done(struct passes *passes) {
    free(passes->path);
    free(passes->at);
    *passes = (struct passes){.path = NULL};
}
