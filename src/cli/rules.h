// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "cli/setup.h"

// The answer to one game, which is cut to pieces; `scratch` holds the game's moves_max. The caller
// frees the answer.
json_t *rules_answer(const struct setup *setup, char *line, move *scratch);
