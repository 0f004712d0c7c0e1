// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <unistd.h>

const char *program_path(char path[static PROGRAM_PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", path, PROGRAM_PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}
