// SPDX-License-Identifier: MIT
// Games of the evaluation against itself, as positions with what they are worth.
#pragma once

#include "base/buf.h"
#include "engine/reversi/eval.h"
#include "train/reversi/exact.h"

enum sample_how {
    SAMPLE_WHITE = 1,   // who moves, so that it can be told from the next sample of the game
    SAMPLE_SWERVED = 2, // the next sample does not follow by good play, or is of another game
};

struct reversi_sample {
    struct board board;
    int16_t score; // of the player to move, in units of the evaluation
    uint8_t exact; // the score is the true one
    uint8_t how;   // of enum sample_how
    uint32_t game;
};

struct reversi_selfplay {
    const struct variant *variant;
    const struct eval *eval;
    uint64_t seed;
    int depth; // of the search for a move; 0: any move
    int solve; // empty squares from which on the scores are exact
};

// Appends the samples of one game, which depends on its number.
void selfplay_game(const struct reversi_selfplay *play, struct exact *exact, uint32_t number,
                   struct buf *out);
