// SPDX-License-Identifier: MIT
// The same search for several CPUs: search.c, end.c and stable.c are compiled for the one that the
// program is built for, and where that is an old one, again with ISA_V3 for those with AVX2 and
// BMI2. What they share with each other has another name there.
#pragma once

#ifdef ISA_V3
#define search_run search_run_v3
#define end_solve end_solve_v3
#define stable_discs stable_discs_v3
#endif

#include "engine/reversi/search.h"

// The search for the CPU that this runs on.
search_kernel *isa_search(void);
