// SPDX-License-Identifier: MIT
#include "web/team_tokens.h"

#include "base/json.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_FILE_MAX = 1 << 20 };

static bool write_all(const struct team_tokens *t, struct err *err) {
    json_t *list = json_array();
    for (int i = 0; i < t->count; i++)
        json_array_append_new(list, json_string(t->at[i]));
    struct buf text = {.data = NULL};
    json_put(&text, list);
    const bool good = secret_write(t->path, text.data, text.length, err);
    buf_done(&text);
    return good;
}

static void take_all(struct team_tokens *t, const struct buf *text) {
    json_t *list = text->data ? json_loadb(text->data, text->length, 0, NULL) : NULL;
    for (int i = 0; i < t->count; i++) {
        const char *token = json_string_value(json_array_get(list, (size_t)i));
        if (token && strlen(token) == SECRET_TEXT_MAX - 1)
            strcpy(t->at[i], token);
    }
    json_decref(list);
}

bool team_tokens_load(struct team_tokens *t, const char *path, int count, bool *replaced,
                      struct err *err) {
    struct buf text = {.data = NULL};
    bool fresh = false;
    *t = (struct team_tokens){.path = mem_text(path), .count = count};
    t->at = mem_new((size_t)count, sizeof *t->at);
    *replaced = secret_read(path, TOKENS_FILE_MAX, &text, err) == SECRET_SEEN;
    take_all(t, &text);
    buf_done(&text);
    for (int i = 0; i < count && !err->set; i++)
        if (!*t->at[i])
            fresh = secret_draw(t->at[i], err);
    return !err->set && (!fresh || write_all(t, err));
}

int team_tokens_find(const struct team_tokens *t, const char *token) {
    int found = -1;
    for (int i = 0; i < t->count; i++)
        if (secret_same(t->at[i], token))
            found = i;
    return found;
}

bool team_tokens_renew(struct team_tokens *t, int player, struct err *err) {
    return secret_draw(t->at[player], err) && write_all(t, err);
}

void team_tokens_done(struct team_tokens *t) {
    free(t->path);
    free(t->at);
    *t = (struct team_tokens){.path = NULL};
}
