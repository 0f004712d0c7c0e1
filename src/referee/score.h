// SPDX-License-Identifier: MIT
// What a number of games between two players says of their strength.
#pragma once

#include <stdbool.h>

struct score {
    int won, drawn, lost; // games of the first player
    int pairs[5];         // colour-swapped pairs that brought it 0, 1/2, 1, 3/2, 2 points
};

struct estimate {
    double points;         // of the first player, 0 to 1 a game
    double elo, low, high; // difference and its 95 % interval; infinite where nobody lost a point
    double points_low, points_high;
};

// Adds a game: 1 won, 0 drawn, -1 lost.
void score_add(struct score *score, int result);
// Adds a pair, which is also two games.
void score_add_pair(struct score *score, int first, int second);
int score_games(const struct score *score);

// From the pairs where there are only pairs, which is more exact, else from the single games.
struct estimate score_estimate(const struct score *score);

// A sequential test of "stronger by elo1" against "by elo0", both errors 5 %.
struct sprt {
    double elo0, elo1;
};

// Reads "E0,E1", E0 below E1; false for anything else.
bool sprt_read(struct sprt *sprt, const char *text);

enum sprt_result { SPRT_RUNNING, SPRT_ACCEPTED, SPRT_REJECTED };

double sprt_ratio(const struct sprt *sprt, const struct score *score); // log-likelihood ratio
enum sprt_result sprt_result(const struct sprt *sprt, const struct score *score);
double sprt_bound(void); // where the ratio decides, on either side
