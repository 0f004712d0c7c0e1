// SPDX-License-Identifier: MIT
// Connections by TCP, plain or by TLS, on the loop: bytes, and nothing of what they mean. A line is
// read and written by its owner when he is stirred; what he does not read waits in the kernel, and
// nothing is queued here. Lines are made by the carrier and freed by line_close.
#pragma once

#include "base/err.h"
#include "link/loop.h"

#include <stddef.h>
#include <stdint.h>

enum { PEER_TEXT_MAX = 64 };

struct carrier;
struct line;

struct carrier_config {
    const char *address;           // to listen on
    int port;                      // 0: any that is free
    const char *certificate, *key; // files of TLS; NULL: none
};

struct carrier_events {
    // Somebody has come from an address. Returns who owns the line from now on; NULL: nobody does,
    // and it is closed.
    void *(*came)(void *owner, struct line *line, const char *peer);
    // Whether the line may have work done that costs so much in this turn, in which all are asked
    // for whom there is something to do; if not, it is asked again in the next.
    bool (*may)(void *line_owner, int64_t turn, int cost);
    // What line_want asked for can be done, or the line is at its end.
    void (*stir)(void *line_owner);
};

struct carrier *carrier_new(struct loop *loop, const struct carrier_config *config,
                            const struct carrier_events *events, void *owner, struct err *err);
int carrier_port(const struct carrier *carrier);
// Where there were no descriptors left, tries again. To be called now and then.
void carrier_tick(struct carrier *carrier);
// All lines are closed by then.
void carrier_free(struct carrier *carrier);

// Reads what has arrived; 0: nothing yet; -1: it is at its end, or broken. The room must be
// LINE_READ_MIN, so that nothing that was decrypted is left behind.
enum { LINE_READ_MIN = 1 << 15 };
long line_read(struct line *line, char *bytes, size_t room);
// Writes as much as is taken; 0: nothing now; -1: it is broken. What was not taken must be the
// first that is written next.
long line_write(struct line *line, const char *bytes, size_t length);
// What to be stirred for.
void line_want(struct line *line, bool input, bool room);
// No more will be written; the other side is told.
void line_finish(struct line *line);
// Ends it from wherever, and what was not sent is lost: its owner is stirred, and reads the end.
void line_break(struct line *line);
// Also from within stir.
void line_close(struct line *line);
