// SPDX-License-Identifier: MIT
// Every message between the referee and the players, with its time, as a contestant needs it to
// find his bug. Times count from the opening of the log, and every line says the number of its
// game, so that several processes may write into one log: a fork takes it along.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "referee/match.h"

struct log; // NULL is a log that keeps nothing

struct log *log_open(const char *path, struct err *err);
// One that is kept in memory, and read by one player where the other is nobody he may look into: it
// calls them black and white. NULL if there is none.
struct log *log_new(void);
// Where it is written; NULL: nowhere, or in memory.
const char *log_path(const struct log *log);
// Adds what is in it: all, or the beginning and the end, with a line between them that says so,
// whole lines of at most `most` bytes.
void log_put(struct log *log, size_t most, struct buf *out);
// Adds the lines of a log that a player (1 or 2) may read: his own, and the referee's.
void log_put_own(const char *text, int player, struct buf *out);
// Frees it; false with an error if something could not be written, here or in a process forked
// since. It then ends where that began: a log with holes would mislead.
bool log_close(struct log *log, struct err *err);

// A game begins, between these players as typed, black first. What follows belongs to it. Whatever
// bytes these and remarks are of, an entry is UTF-8 and a line.
void log_begin(struct log *log, const struct match_config *config, const char *const players[2]);
void log_end(struct log *log, const struct match *match);
void log_note(struct log *log, const char *words);
// A turn begins. One in memory says so, after how many moves: it is read beside the board.
void log_turn(struct log *log, const struct match *match);
// A message to (`sent`) or from player 1 or 2. What it says is kept until its line ends, however
// many writes it came in; what has no end is logged, with the time when it came, before anything
// more is sent to it and before the next remark, such as that it is gone.
void log_bytes(struct log *log, int player, const struct wire_protocol *protocol, bool sent,
               const char *bytes, size_t length);
// What it writes to standard error: of each player the first 64 KiB of a game are kept, and of what
// comes after that the last 24 KiB, which are logged at the end of the game.
void log_noise(struct log *log, int player, const char *bytes, size_t length);
