// SPDX-License-Identifier: MIT
#include "engine/engine.h"

const struct engine *const engines[] = {
    NULL,
};
