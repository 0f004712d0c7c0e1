// SPDX-License-Identifier: MIT
// Where this program is, which plays the built-in players too.
#pragma once

enum { PROGRAM_PATH_MAX = 4096 };

// Fills in the path and returns it; "" if it cannot be found out.
const char *program_path(char path[static PROGRAM_PATH_MAX]);
