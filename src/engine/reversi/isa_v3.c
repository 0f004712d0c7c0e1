// SPDX-License-Identifier: MIT
// Built where there are two.
#include "engine/reversi/isa.h"

search_kernel search_run_v3;

search_kernel *isa_search(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? search_run_v3
                                                                            : search_run;
}
