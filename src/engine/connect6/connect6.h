// SPDX-License-Identifier: MIT
#pragma once

#include "engine/engine.h"

extern const struct engine engine_connect6;
