// SPDX-License-Identifier: MIT
// A second reading of the rules, written from the rules page alone and as simply as possible, to
// compare the product with. It shares no code and no idea with src/games: arrays, loops, strings.
#pragma once

#include <stdbool.h>

enum { NAIVE_MOVE_MAX = 640, NAIVE_WORD_MAX = 16 };

struct naive; // a game with its rules and position, on the heap

// settings: "key=value" strings, ended by NULL. Aborts on a key or value it does not know.
struct naive *naive_new(const char *game, const char *const *settings);
struct naive *naive_copy(const struct naive *n);
void naive_free(struct naive *n);

int naive_turn(const struct naive *n); // 1, 2, or 0 when the game is over

// All legal moves as texts, in no particular order; hopchess: one per resulting board, its shortest
// path, then its smallest. The array belongs to n and lasts until the next call on n.
int naive_legal(struct naive *n, char (**moves)[NAIVE_MOVE_MAX]);

// Plays a move, returns false (and leaves n as it was) if it is illegal. Takes any valid hopchess
// path, and "pass" there.
bool naive_play(struct naive *n, const char *text);

int naive_winner(const struct naive *n);                 // 1, 2, 0 for a draw, -1 while running
const char *naive_reason(const struct naive *n);         // "" while running
bool naive_scores(const struct naive *n, int scores[2]); // false where the game has none
