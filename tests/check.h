// SPDX-License-Identifier: MIT
// cmocka with its includes, and a test per element of an array.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
