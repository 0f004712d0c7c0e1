// SPDX-License-Identifier: MIT
// The engines, one constant a game.
#pragma once

#include "engine/engine.h"

extern const struct engine engine_connect6;
extern const struct engine engine_cuptactoe;
extern const struct engine engine_reversi;
extern const struct engine engine_tower4;
extern const struct engine engine_hopchess;
