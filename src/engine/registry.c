// SPDX-License-Identifier: MIT
#include "engine/connect6/connect6.h"
#include "engine/engine.h"

const struct engine *const engines[] = {
    &engine_connect6,
    NULL,
};
