// SPDX-License-Identifier: MIT
// The engines, one constant a game.
#pragma once

#include "engine/engine.h"

extern const struct engine engine_connect6;
extern const struct engine engine_cuptactoe;
extern const struct engine engine_reversi;
