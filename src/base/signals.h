// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM, which ask a process to end: held back, let come, or read.
#pragma once

#include "base/err.h"

#include <stdbool.h>

void signals_hold(bool hold);
// Holds them from now on. A descriptor that can be read (signalfd) when one has come; -1 with an
// error.
int signals_open(struct err *err);
bool signals_came(int fd); // one is to be read there
