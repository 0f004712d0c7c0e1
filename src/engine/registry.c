// SPDX-License-Identifier: MIT
#include "engine/engine.h"

extern const struct engine engine_reversi;
extern const struct engine engine_tower4;

const struct engine *const engines[] = {
    &engine_reversi,
    &engine_tower4,
    NULL,
};
