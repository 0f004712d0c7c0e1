// SPDX-License-Identifier: MIT
#include "web/team_tokens.h"

#include "base/json.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_FILE_MAX = 1 << 20 };

static bool write_all(const struct team_tokens *tokens, struct err *err) {
    json_t *list = json_array();
    for (int i = 0; i < tokens->count; i++)
        json_array_append_new(list, json_string(tokens->at[i]));
    char *text = json_dumps(list, JSON_LINE);
    const bool good = secret_write(tokens->path, text, strlen(text), err);
    free(text);
    json_decref(list);
    return good;
}

static void take_all(struct team_tokens *tokens, const struct buf *text) {
    json_t *list = text->data ? json_loadb(text->data, text->length, 0, NULL) : NULL;
    for (int i = 0; i < tokens->count; i++) {
        const char *token = json_string_value(json_array_get(list, (size_t)i));
        if (token && strlen(token) == SECRET_TEXT_MAX - 1)
            strcpy(tokens->at[i], token);
    }
    json_decref(list);
}

bool team_tokens_load(struct team_tokens *tokens, const char *path, int count, bool *replaced,
                      struct err *err) {
    struct buf text = {.data = NULL};
    bool fresh = false;
    *tokens = (struct team_tokens){.path = mem_text(path), .count = count};
    tokens->at = mem_new((size_t)count, sizeof *tokens->at);
    *replaced = secret_read(path, TOKENS_FILE_MAX, &text, err) == SECRET_SEEN;
    take_all(tokens, &text);
    buf_done(&text);
    for (int i = 0; i < count && !err->set; i++)
        if (!*tokens->at[i])
            fresh = secret_draw(tokens->at[i], err);
    return !err->set && (!fresh || write_all(tokens, err));
}

int team_tokens_find(const struct team_tokens *tokens, const char *token) {
    int found = -1;
    for (int i = 0; i < tokens->count; i++)
        if (secret_same(tokens->at[i], token))
            found = i;
    return found;
}

bool team_tokens_renew(struct team_tokens *tokens, int player, struct err *err) {
    return secret_draw(tokens->at[player], err) && write_all(tokens, err);
}

void team_tokens_done(struct team_tokens *tokens) {
    free(tokens->path);
    free(tokens->at);
    *tokens = (struct team_tokens){.path = NULL};
}
