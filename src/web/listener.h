// SPDX-License-Identifier: MIT
// Connections by TCP, plain or by TLS, on the loop: bytes, and nothing of what they mean. A stream
// is read and written by its owner when that is stirred; what it does not read waits in the kernel,
// and nothing is queued here. Streams are made by the listener and freed by stream_close.
#pragma once

#include "base/err.h"
#include "link/loop.h"

#include <stddef.h>
#include <stdint.h>

enum { PEER_TEXT_MAX = 64 };

struct listener;
struct stream;

struct listener_config {
    const char *address;           // to listen on
    int port;                      // 0: any that is free
    const char *certificate, *key; // files of TLS; NULL: none
};

struct listener_events {
    // Somebody has come from an address. Returns who owns the stream from now on; NULL: nobody
    // does, and it is closed.
    void *(*came)(void *owner, struct stream *stream, const char *peer);
    // Whether the stream may have work done that costs so much in this turn, in which all are asked
    // for whom there is something to do; if not, it is asked again in the next.
    bool (*may)(void *stream_owner, int64_t turn, int cost);
    // What stream_want asked for can be done, or the stream is at its end.
    void (*stir)(void *stream_owner);
};

struct listener *listener_new(struct loop *loop, const struct listener_config *config,
                              const struct listener_events *events, void *owner, struct err *err);
int listener_port(const struct listener *listener);
// Where there were no descriptors left, tries again. To be called now and then.
void listener_tick(struct listener *listener);
// All streams are closed by then.
void listener_free(struct listener *listener);

// Reads what has arrived; 0: nothing yet; -1: it is at its end, or broken. The room must be
// STREAM_READ_MIN, so that nothing that was decrypted is left behind.
enum { STREAM_READ_MIN = 1 << 15 };
long stream_read(struct stream *stream, char *bytes, size_t room);
// Writes as much as is taken; 0: nothing now; -1: it is broken. What was not taken must be the
// first that is written next.
long stream_write(struct stream *stream, const char *bytes, size_t length);
// What to be stirred for.
void stream_want(struct stream *stream, bool input, bool room);
// No more will be written; the other side is told.
void stream_finish(struct stream *stream);
// Ends it from wherever, and what was not sent is lost: its owner is stirred, and reads the end.
void stream_break(struct stream *stream);
// Also from within stir.
void stream_close(struct stream *stream);
