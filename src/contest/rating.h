// SPDX-License-Identifier: MIT
// How strong the players of a contest are, from all of its games: the Bradley-Terry model, on the
// scale of Elo. The expected share of points of a against b is 1 / (1 + 10^((b - a) / 400)); a draw
// is half a win. A weak pull towards the mean (one drawn game against somebody in the middle)
// keeps those finite who won or lost everything.
// The caller owns every array.
#pragma once

#include "contest/standings.h"

struct ratings {
    int players;
    double *elo;        // mean 0
    double *covariance; // players * players, of the elos
};

struct ratings *ratings_new(const struct result *results, int count, int players);
void ratings_free(struct ratings *ratings);
// Half of the 95 % interval of a player's rating.
double ratings_error(const struct ratings *ratings, int player);
// How likely it is that a is stronger than b.
double ratings_superiority(const struct ratings *ratings, int a, int b);
