// SPDX-License-Identifier: MIT
// Every message between the referee and the players, with its time, as a contestant needs it to
// find his bug.
#pragma once

#include "wire/wire.h"

#include <stdio.h>

struct log; // NULL is a log that keeps nothing

// Writes to a file that stays the caller's. Times count from now.
struct log *log_new(FILE *file);
void log_free(struct log *log);

void log_note(struct log *log, const char *words);
// A message to (`sent`) or from a player, called by his PLAYER argument.
void log_bytes(struct log *log, const char *player, const struct wire_protocol *protocol, bool sent,
               const char *bytes, size_t length);
// What a player writes to standard error: 64 KiB of it are kept.
void log_noise(struct log *log, const char *player, const char *bytes, size_t length);
