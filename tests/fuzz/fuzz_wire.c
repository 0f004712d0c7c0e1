// SPDX-License-Identifier: MIT
// Input: protocol, game, rules, then steps: a byte says what, a byte how much. Bytes come in
// chunks, requests go out, connections are new. Two wires hear the same, one of them byte by byte
// (long runs in parts): they must tell the same.
#include "fuzz.h"
#include "wire/wire.h"

static const struct wire_protocol *const protocols[] = {&wire_stcp, &wire_sixline, &wire_pybot,
                                                        &wire_abp};

enum {
    LOG_MAX = 1 << 16,
    LONG = 997, // bytes: more come in parts of this
    // The words of the largest answer: 4,096 pairs of eleven characters each, and what parts them.
    WORDS_MAX = 4096 * 24,
};

// The games that a protocol is for.
static const char *game_for(const struct wire_protocol *protocol, unsigned which) {
    static const char *const boards[] = {"reversi", "tower4", "hopchess"};
    if (protocol == &wire_stcp)
        return boards[which % 3];
    if (protocol == &wire_sixline)
        return "connect6";
    return protocol == &wire_pybot ? "cuptactoe"
                                   : game_nth((int)(which % (unsigned)game_count()))->name;
}

static void check_name(const char *name) {
    const size_t length = strnlen(name, WIRE_NAME_MAX);
    assert(length < WIRE_NAME_MAX);
    for (size_t i = 0; i < length;) {
        const unsigned char c = (unsigned char)name[i];
        const size_t more = c < 0x80 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        assert(c >= ' ' && c != 127 && c < 0xf5 && (c < 0x80 || c >= 0xc2));
        for (size_t k = 1; k <= more; k++)
            assert((name[i + k] & 0xc0) == 0x80);
        i += 1 + more;
    }
}

static void check_wire(const struct wire *w) {
    assert(w->in.length <= WIRE_IN_MAX && w->taken <= w->in.length);
    assert(w->in.room <= 2 * (WIRE_IN_MAX + 1));
    assert(w->words.length <= WORDS_MAX && w->words.room <= 2 * WORDS_MAX);
    check_name(w->name);
}

// A key of all that a wire has told, so that two can be compared.
static void mix(uint64_t *key, const void *bytes, size_t length) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        *key = (*key ^ b[i]) * UINT64_C(0x100000001b3);
}

static void take(struct wire *w, struct buf *out, uint64_t *key) {
    for (size_t left = w->in.length + 2;; left--) {
        const bool greeted = w->greeted, asked = w->asked;
        const size_t from = out->length;
        const enum wire_event event = wire_take(w, out);
        check_wire(w);
        if (event == WIRE_NOTHING)
            return;
        assert(left > 0); // every event takes a byte, but for the first of stcp
        assert(event != WIRE_READY || (!greeted && w->greeted));
        assert(event != WIRE_REFUSED || !greeted);
        if (event == WIRE_ANSWER || event == WIRE_NO_MOVE)
            assert(greeted && asked && !w->asked);
        else
            assert(w->asked == asked);
        mix(key, &event, sizeof event);
        if (event != WIRE_READY && event != WIRE_SKIPPED && w->words.data) {
            assert(strlen(w->words.data) == w->words.length);
            mix(key, w->words.data, w->words.length);
        }
        if (out->length > from)
            mix(key, out->data + from, out->length - from);
    }
}

static void feed(struct wire *w, const uint8_t *bytes, size_t length, size_t chunk, struct buf *out,
                 uint64_t *key) {
    while (length > 0) {
        const size_t part = wire_feed(w, (const char *)bytes, length < chunk ? length : chunk);
        assert(part > 0);
        bytes += part;
        length -= part;
        take(w, out, key);
    }
}

struct end {
    struct wire wire;
    struct buf out;
    uint64_t key;
    size_t chunk;
};

// A request at a position that random play has reached.
static void ask(struct end *ends, const struct setup *setup, struct rng *rng, unsigned plies) {
    void *state = state_start(setup, NULL);
    for (unsigned i = 0; i < plies; i++) {
        const int count = setup->game->count(state);
        if (count > 0)
            setup->game->apply(state,
                               setup->game->nth(state, (int)rng_below(rng, (uint32_t)count)));
    }
    const struct wire_request request = {.state = state,
                                         .time_us = 1000 * (int64_t)plies,
                                         .due = 1 + (int)plies % 2,
                                         .moves = plies ? "1,1; 2,2" : "",
                                         .last = plies ? "2,2" : ""};
    for (int i = 0; i < 2; i++) {
        const int32_t id = ends[i].wire.id;
        wire_ask(&ends[i].wire, &request, &ends[i].out);
        assert(ends[i].wire.asked && ends[i].wire.id == id + 1);
        take(&ends[i].wire, &ends[i].out, &ends[i].key);
    }
    free(state);
}

// Bytes of the input itself, or so many of a kind that a short input reaches every limit.
static void hear(struct end *ends, struct input *in, unsigned what, unsigned length) {
    static uint8_t run[70000];
    const uint8_t *bytes = in->at;
    size_t size = length < in->left ? length : in->left;
    if (what == 2) {
        memset(run, length % 8 ? 'x' : 0, sizeof run);
        bytes = run;
        size = sizeof run - length;
    }
    for (int i = 0; i < 2; i++) {
        const size_t chunk = size > LONG && i == 1 ? LONG : ends[i].chunk;
        feed(&ends[i].wire, bytes, size, chunk, &ends[i].out, &ends[i].key);
    }
    if (what != 2) {
        in->at += size;
        in->left -= size;
    }
}

static void step(struct end *ends, const struct setup *setup, struct input *in, struct rng *rng) {
    const unsigned what = input_byte(in) % 8, much = input_byte(in);
    if (what <= 2) {
        hear(ends, in, what, much);
        return;
    }
    if (what == 3) {
        if (ends[0].wire.greeted)
            ask(ends, setup, rng, much);
        return;
    }
    for (int i = 0; i < 2; i++) {
        struct wire *w = &ends[i].wire;
        if (what == 4)
            wire_forget(w);
        else if (what == 5)
            wire_reset(w);
        else if (what == 6)
            wire_used(w, much);
        else
            wire_begin(w, &setup->rules, 1 + (int)much % 2, 1000 * (int64_t)much, &ends[i].out);
        take(w, &ends[i].out, &ends[i].key);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    struct setup setup;
    const struct wire_protocol *protocol = protocols[input_byte(&in) % 4];
    const char *game = game_for(protocol, input_byte(&in));
    int number = 0;
    while (strcmp(game_nth(number)->name, game) != 0)
        number++;
    fuzz_setup(&setup, (unsigned)number, input_byte(&in));
    struct rng rng = {size};
    struct end ends[2] = {{.chunk = SIZE_MAX}, {.chunk = 1}};
    for (int i = 0; i < 2; i++) {
        wire_init(&ends[i].wire, protocol);
        wire_begin(&ends[i].wire, &setup.rules, 1, 5000000, &ends[i].out);
        take(&ends[i].wire, &ends[i].out, &ends[i].key);
    }
    for (int i = 0; i < 64 && in.left > 0 && ends[0].out.length < LOG_MAX; i++)
        step(ends, &setup, &in, &rng);
    for (int i = 0; i < 2; i++) {
        wire_over(&ends[i].wire, 1, "six", &ends[i].out);
        wire_quit(&ends[i].wire, &ends[i].out);
    }
    assert(ends[0].key == ends[1].key);
    assert(ends[0].wire.greeted == ends[1].wire.greeted &&
           ends[0].wire.asked == ends[1].wire.asked);
    assert(strcmp(ends[0].wire.name, ends[1].wire.name) == 0);
    assert(ends[0].out.length == ends[1].out.length &&
           memcmp(ends[0].out.data, ends[1].out.data, ends[0].out.length) == 0);
    for (int i = 0; i < 2; i++) {
        buf_done(&ends[i].out);
        wire_done(&ends[i].wire);
    }
    return 0;
}
