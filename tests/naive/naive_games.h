// SPDX-License-Identifier: MIT
// What the five naive games share: how a game is described, and the few helpers they all call.
// A game's state belongs to its struct naive, holds no pointers, and is copied byte by byte.
#pragma once

#include "naive.h"

#include <stddef.h>

struct naive_list {
    char (*moves)[NAIVE_MOVE_MAX];
    int count;
    int capacity;
};

struct naive {
    const struct naive_game *game;
    void *state;             // game->state_size bytes
    int turn;                // 1, 2, or 0 when the game is over
    int winner;              // 1, 2, 0 for a draw, -1 while running
    const char *reason;      // "" while running, else static text
    struct naive_list legal; // what naive_legal handed out last
};

struct naive_game {
    const char *name;
    const char *const *keys; // the settings it knows, ended by NULL
    size_t state_size;
    void (*start)(struct naive *n, const char *const *settings);   // the state comes zeroed
    void (*legal)(const struct naive *n, struct naive_list *list); // asked only while running
    bool (*play)(struct naive *n, const char *text);               // asked only while running
    bool (*scores)(const struct naive *n, int scores[2]);
};

extern const struct naive_game naive_cuptactoe;
extern const struct naive_game naive_reversi;
extern const struct naive_game naive_tower4;
extern const struct naive_game naive_hopchess;
extern const struct naive_game naive_connect6;

// Settings: where a key is given twice the last one holds; a value that is none aborts.
const char *naive_setting(const char *const *settings, const char *key, const char *fallback);
int naive_number(const char *const *settings, const char *key, int fallback, int min, int max);
int naive_choice(const char *const *settings, const char *key, const char *const *words);
_Noreturn void naive_refuse(const char *what, const char *value);

void naive_end(struct naive *n, int winner, const char *reason);
bool naive_no_scores(const struct naive *n, int scores[2]);

void naive_list_add(struct naive_list *list, const char *text);
void naive_list_pair(struct naive_list *list, int a, int b); // adds "a,b"

// Reads a number of one or two digits without a leading zero, or "a,b", and moves *text behind it.
bool naive_read_number(const char **text, int *value);
bool naive_read_pair(const char **text, int *a, int *b);
