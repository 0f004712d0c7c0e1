// SPDX-License-Identifier: MIT
// Built where there is one search alone.
#include "engine/reversi/isa.h"

search_kernel *isa_search(void) { return search_run; }
