// SPDX-License-Identifier: MIT
// The frames of a WebSocket (RFC 6455), as far as they are used here: clients send whole text
// messages, masked. Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    FRAME_TEXT = 1,
    FRAME_CLOSE = 8,
    FRAME_PING = 9,
    FRAME_PONG = 10,
    FRAME_HEAD_MAX = 10,     // bytes before what a server sends
    FRAME_CONTROL_MAX = 125, // bytes that a close, ping or pong may carry
    FRAME_ACCEPT_MAX = 32,
};

struct frame {
    int kind;
    char *payload;
    size_t length;
};

// Reads one frame of a client, which may carry `most` bytes, and takes its mask off in place.
// Returns the bytes it takes; 0: there is more to come; -1: it is forbidden.
long frame_read(char *bytes, size_t length, size_t most, struct frame *frame);
// Writes the head of a frame right before its payload; returns its bytes.
size_t frame_put_head(char *payload, int kind, size_t length);
// What answers a Sec-WebSocket-Key; false if that is none.
bool frame_accept(const char *key, char accept[static FRAME_ACCEPT_MAX]);
