// SPDX-License-Identifier: MIT
// Clocks, in microseconds.
#pragma once

#include <stdint.h>

int64_t clock_now_us(void); // monotonic
int64_t clock_cpu_us(void); // used by this process, all threads
