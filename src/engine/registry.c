// SPDX-License-Identifier: MIT
#include "engine/registry.h"

const struct engine *const engines[] = {
    &engine_cuptactoe, &engine_reversi, &engine_tower4, &engine_hopchess, &engine_connect6, NULL,
};
