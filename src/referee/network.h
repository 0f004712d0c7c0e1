// SPDX-License-Identifier: MIT
// Networks for TCP games that are played at once: players know only one port.
#pragma once

#include "base/err.h"

// Puts this process into a network of its own, with nothing but loopback.
bool network_enter(struct err *err);
