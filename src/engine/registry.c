// SPDX-License-Identifier: MIT
#include "engine/engine.h"

extern const struct engine engine_reversi;

const struct engine *const engines[] = {
    &engine_reversi,
    NULL,
};
