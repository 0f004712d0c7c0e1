// SPDX-License-Identifier: MIT
#include "contest/bracket.h"

int bracket_rounds(int players) {
    int rounds = 0;
    while (1 << rounds < players)
        rounds++;
    return rounds;
}

// From the final backwards: who has seed s in a bracket of k places meets 2k - 1 - s in one of 2k.
int bracket_entrant(int place, int rounds, int players) {
    int seed = 0;
    for (int size = 1; size < 1 << rounds; size *= 2)
        if ((place >> (rounds - bracket_rounds(2 * size)) & 1) != 0)
            seed = 2 * size - 1 - seed;
    return seed < players ? seed : NOBODY;
}

int bracket_winner(const struct meeting *m) {
    if (m->player[1] == NOBODY)
        return m->player[0];
    if (m->winner != NOBODY)
        return m->player[m->winner];
    return m->player[0] < m->player[1] ? m->player[0] : m->player[1];
}

int bracket_loser(const struct meeting *m) {
    if (m->player[1] == NOBODY)
        return NOBODY;
    return m->player[0] == bracket_winner(m) ? m->player[1] : m->player[0];
}
