// SPDX-License-Identifier: MIT
// A brain is given what was learned of its game, where the game came as a folder that has some.
#pragma once

#include "engine/engine.h"

// False with an error if what lies there cannot be used: it is no regular file, is damaged, or is
// of other rules, settings or another board. The brain plays without then, and who asked for it
// says so.
bool teach_brain(struct brain *brain, const struct game *game, struct err *err);
