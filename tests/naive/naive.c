// SPDX-License-Identifier: MIT
#include "naive.h"
#include "naive_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct naive_game *const games[] = {
    &naive_cuptactoe, &naive_reversi, &naive_tower4, &naive_hopchess, &naive_connect6,
};

static void *must(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "naive: out of memory\n");
        abort();
    }
    return memory;
}

// The value if setting is "key=value" for this key, else NULL.
static const char *value_of(const char *setting, const char *key) {
    const size_t length = strlen(key);
    if (strncmp(setting, key, length) == 0 && setting[length] == '=') {
        return setting + length + 1;
    }
    return NULL;
}

static void check_keys(const struct naive_game *game, const char *const *settings) {
    for (int i = 0; settings[i] != NULL; i++) {
        bool known = false;
        for (int k = 0; game->keys[k] != NULL; k++) {
            known = known || value_of(settings[i], game->keys[k]) != NULL;
        }
        if (!known) {
            naive_refuse(game->name, settings[i]);
        }
    }
}

static const struct naive_game *find_game(const char *name) {
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        if (strcmp(games[i]->name, name) == 0) {
            return games[i];
        }
    }
    naive_refuse("game", name);
}

_Noreturn void naive_refuse(const char *what, const char *value) {
    fprintf(stderr, "naive: %s: cannot take \"%s\"\n", what, value);
    abort();
}

const char *naive_setting(const char *const *settings, const char *key, const char *fallback) {
    const char *found = fallback;
    for (int i = 0; settings[i] != NULL; i++) {
        const char *value = value_of(settings[i], key);
        if (value != NULL) {
            found = value;
        }
    }
    return found;
}

int naive_number(const char *const *settings, const char *key, int fallback, int min, int max) {
    const char *text = naive_setting(settings, key, NULL);
    if (text == NULL) {
        return fallback;
    }
    char *end;
    const long value = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < min || value > max) {
        naive_refuse(key, text);
    }
    return (int)value;
}

// The index of the word given; words[0] is the default.
int naive_choice(const char *const *settings, const char *key, const char *const *words) {
    const char *text = naive_setting(settings, key, words[0]);
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0) {
            return i;
        }
    }
    naive_refuse(key, text);
}

void naive_end(struct naive *n, int winner, const char *reason) {
    n->turn = 0;
    n->winner = winner;
    n->reason = reason;
}

bool naive_no_scores(const struct naive *n, int scores[2]) {
    (void)n;
    (void)scores;
    return false;
}

void naive_list_add(struct naive_list *list, const char *text) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->moves = must(realloc(list->moves, (size_t)list->capacity * sizeof list->moves[0]));
    }
    if (strlen(text) >= NAIVE_MOVE_MAX) {
        naive_refuse("move too long", text);
    }
    strcpy(list->moves[list->count], text);
    list->count++;
}

// Digits by hand: a game of connect6 lists some fifty thousand of these, and printf is felt.
static char *put_number(char *out, int value) {
    if (value >= 10) {
        *out++ = (char)('0' + value / 10);
    }
    *out++ = (char)('0' + value % 10);
    return out;
}

void naive_list_pair(struct naive_list *list, int a, int b) {
    char text[8];
    char *out = put_number(text, a);
    *out++ = ',';
    out = put_number(out, b);
    *out = '\0';
    naive_list_add(list, text);
}

bool naive_read_number(const char **text, int *value) {
    const char *s = *text;
    if (*s < '0' || *s > '9') {
        return false;
    }
    int sum = *s++ - '0';
    if (sum != 0 && *s >= '0' && *s <= '9') {
        sum = sum * 10 + (*s++ - '0');
    }
    if (*s >= '0' && *s <= '9') {
        return false;
    }
    *value = sum;
    *text = s;
    return true;
}

bool naive_read_pair(const char **text, int *a, int *b) {
    const char *s = *text;
    if (!naive_read_number(&s, a) || *s++ != ',' || !naive_read_number(&s, b)) {
        return false;
    }
    *text = s;
    return true;
}

struct naive *naive_new(const char *game, const char *const *settings) {
    static const char *const none[] = {NULL};
    if (settings == NULL) {
        settings = none;
    }
    struct naive *n = must(calloc(1, sizeof *n));
    n->game = find_game(game);
    check_keys(n->game, settings);
    n->state = must(calloc(1, n->game->state_size));
    n->turn = 1;
    n->winner = -1;
    n->reason = "";
    n->game->start(n, settings);
    return n;
}

struct naive *naive_copy(const struct naive *n) {
    struct naive *copy = must(malloc(sizeof *copy));
    *copy = *n;
    copy->state = must(malloc(n->game->state_size));
    memcpy(copy->state, n->state, n->game->state_size);
    copy->legal = (struct naive_list){0};
    return copy;
}

void naive_free(struct naive *n) {
    if (n == NULL) {
        return;
    }
    free(n->legal.moves);
    free(n->state);
    free(n);
}

int naive_turn(const struct naive *n) { return n->turn; }

int naive_legal(struct naive *n, char (**moves)[NAIVE_MOVE_MAX]) {
    n->legal.count = 0;
    if (n->turn != 0) {
        n->game->legal(n, &n->legal);
    }
    *moves = n->legal.moves;
    return n->legal.count;
}

bool naive_play(struct naive *n, const char *text) {
    return n->turn != 0 && n->game->play(n, text);
}

int naive_winner(const struct naive *n) { return n->winner; }

const char *naive_reason(const struct naive *n) { return n->reason; }

bool naive_scores(const struct naive *n, int scores[2]) { return n->game->scores(n, scores); }
