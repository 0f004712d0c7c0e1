// SPDX-License-Identifier: MIT
// The only way out before the player runs: a line on standard error, and the code that a shell
// gives for what it cannot start.
#pragma once

enum { EXIT_NOT_STARTED = 126 };

// "arbiter-box: WHAT NAME: the reason in errno", if that is not 0.
_Noreturn void fail(const char *what, const char *name);
