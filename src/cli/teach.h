// SPDX-License-Identifier: MIT
// A brain is given what was learned of its game, where the game came as a folder that has some.
#pragma once

#include "engine/engine.h"

// False with an error if the file is there and cannot be opened. What is damaged, or of other rules
// or another board, is not used; standard error says so.
bool teach_brain(struct brain *brain, const struct game *game, struct err *err);
