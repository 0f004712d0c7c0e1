// SPDX-License-Identifier: MIT
// Included before the code that wasm2c has written: how deep its calls are is counted just before
// the instance, which every function has at hand, and so for each thread by itself.
#pragma once

#include <wasm-rt.h>

#define wasm_rt_call_stack_depth (((uint32_t *)instance)[-1])
