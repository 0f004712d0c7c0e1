// SPDX-License-Identifier: MIT
// Games of the hopchess engine against itself, as positions with what they are worth.
#pragma once

#include "base/buf.h"
#include "engine/hopchess/net.h"

struct hop_sample {
    uint64_t own, other;
    uint32_t game;
    int16_t value;  // as the search saw it
    uint8_t points; // of the mover, twice: 2 won, 1 drawn, 0 lost
    int8_t margin;  // his pieces home at the end, less the other's
};

struct hop_games {
    const struct ruleset *rules;
    uint64_t seed;
    uint64_t nodes; // for a move
};

struct hop_mind;

// Appends the samples of one game, which depends on its number.
void hop_games_play(const struct hop_games *how, struct hop_mind *mind, uint32_t number,
                    struct buf *out);
