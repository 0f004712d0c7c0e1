// SPDX-License-Identifier: MIT
// What a value of the search means in pieces.
#pragma once

#include "engine/train.h"
#include "games/hopchess.h"

// The score to expect of the player to move less that of the other, in pieces, from a value of the
// search: of a game won for certain and of a race the margin, else what such values came to in
// games.
double hop_score(const void *state, int value);
// Plays games and prints the curve that fits them, as of a trainer.
bool hopchess_score(const struct training *training, struct err *err);
