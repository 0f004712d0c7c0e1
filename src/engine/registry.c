// SPDX-License-Identifier: MIT
#include "engine/registry.h"

const struct engine *const engines[] = {
    &engine_connect6,
    &engine_cuptactoe,
    &engine_reversi,
    NULL,
};
