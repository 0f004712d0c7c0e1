// SPDX-License-Identifier: MIT
// What is the same for all protocols: bytes are collected until a message is whole, one request
// waits for its answer at most, and whatever answers an older one is skipped by its id. A protocol
// itself is four or five functions that write a request and take one event off the bytes.
//
// Bytes are bounded by WIRE_IN_MAX: a line that does not fit is skipped to its end. What was read
// is only counted (`taken`), and moved away when new bytes come or all is read, because moving for
// each of many messages would be slow.
#include "wire/wire.h"

#include "base/plain.h"
#include "base/readable.h"
#include "spec/spec.h"
#include "wire/lines.h"

#include <assert.h>
#include <string.h>

void wire_init(struct wire *w, const struct wire_protocol *protocol) {
    *w = (struct wire){.protocol = protocol, .trail = 2};
}

bool wire_plays(const struct wire_protocol *protocol, const struct game *game) {
    return !protocol->own || strcmp(spec_of(game)->protocol, protocol->name) == 0;
}

void wire_done(struct wire *w) {
    buf_done(&w->in);
    buf_done(&w->words);
}

void wire_begin(struct wire *w, const struct ruleset *rules, int seat, int64_t time_us,
                struct buf *out) {
    assert(seat == 1 || seat == 2);
    w->rules = rules;
    w->seat = seat;
    w->time_us = time_us;
    w->asked = false;
    w->used_us = -1;
    if (!w->greeted && w->protocol->greet)
        w->protocol->greet(w, out);
}

void wire_ask(struct wire *w, const struct wire_request *request, struct buf *out) {
    assert(w->rules && request->due >= 1);
    w->id++;
    w->due = request->due;
    w->asked = true;
    w->protocol->ask(w, request, out);
    w->used_us = -1;
}

// What was read goes away at once for many messages, not one by one: that would be slow.
static void forget_read(struct wire *w) {
    buf_drop(&w->in, w->taken);
    w->taken = 0;
}

size_t wire_feed(struct wire *w, const char *bytes, size_t length) {
    forget_read(w);
    const size_t room = WIRE_IN_MAX - w->in.length;
    const size_t part = length < room ? length : room;
    buf_put(&w->in, bytes, part);
    return part;
}

enum wire_event wire_take(struct wire *w, struct buf *out) {
    const enum wire_event event = w->protocol->take(w, out);
    if (event == WIRE_NOTHING)
        forget_read(w);
    if (event == WIRE_READY)
        w->greeted = true;
    if (event == WIRE_ANSWER || event == WIRE_NO_MOVE)
        w->asked = false;
    return event;
}

void wire_used(struct wire *w, int64_t us) {
    assert(us >= 0);
    w->used_us = us;
}

void wire_over(struct wire *w, int winner, const char *reason, struct buf *out) {
    if (w->protocol->over)
        w->protocol->over(w, winner, reason, out);
}

void wire_quit(struct wire *w, struct buf *out) { w->protocol->quit(w, out); }

void wire_forget(struct wire *w) { w->asked = false; }

void wire_reset(struct wire *w) {
    wire_read_all(w);
    w->skipping = false;
}

const char *wire_unread(const struct wire *w, size_t *length) {
    *length = w->in.length - w->taken;
    return *length ? w->in.data + w->taken : "";
}

void wire_read(struct wire *w, size_t length) {
    assert(length <= w->in.length - w->taken);
    w->taken += length;
}

void wire_read_all(struct wire *w) { w->taken = w->in.length; }

void wire_set_text(char name[static WIRE_NAME_MAX], const char *bytes, size_t length) {
    struct buf text = {.data = NULL};
    size_t n = 0;
    if (readable_convert(&text, bytes, length)) {
        n = readable_cut(text.data, text.length, WIRE_NAME_MAX - 1);
        memcpy(name, n ? text.data : "", n);
    } else {
        for (; n < length && n < WIRE_NAME_MAX - 1; n++)
            name[n] = bytes[n] > '~' || bytes[n] < ' ' ? '?' : bytes[n];
    }
    name[n] = '\0';
    buf_done(&text);
    plain_clean(name);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool wire_take_line(struct wire *w) {
    for (;;) {
        size_t length;
        const char *from = wire_unread(w, &length);
        const char *end = memchr(from, '\n', length), *to = end;
        if (!end) {
            if (length < WIRE_IN_MAX)
                return false;
            w->skipping = true; // forget what came; the line's end is still to come
            wire_read_all(w);
            return false;
        }
        const bool skip = w->skipping;
        w->skipping = false;
        wire_read(w, (size_t)(end - from) + 1);
        if (skip)
            continue;
        while (from < to && is_blank(*from))
            from++;
        while (from < to && is_blank(to[-1]))
            to--;
        buf_clear(&w->words);
        buf_put(&w->words, from, (size_t)(to - from));
        for (char *c = w->words.data;
             (c = memchr(c, '\0', w->words.length - (size_t)(c - w->words.data)));)
            *c = '?';
        return true;
    }
}

const char *wire_after(const char *line, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' '))
        return NULL;
    return line + length + strspn(line + length, " ");
}
