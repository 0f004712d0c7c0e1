// SPDX-License-Identifier: MIT
// A file is two lines of text, the name and "count period size checksum", a NUL, and the coded
// weights.
//
// The weights are coded bit by bit with an adaptive range coder: every bit has a context, which
// learns how often it is set. A weight is its neighbour one period back plus a difference, and what
// is coded is the difference: whether it is zero, its sign, the number of its binary digits, and
// the digits below the first. The contexts are chosen by how large the differences nearby were and
// whether the neighbour is zero: weights never trained are zeros beside zeros and cost next to
// nothing.
#include "engine/pack.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    SURE = 1 << 16, // probabilities are of this whole
    RATE = 5,       // how slowly a context learns: by 2^-RATE of the way
    SIZES = 18,     // binary digits of a difference: 0..17
    NEAR = 12,      // classes of what is nearby
    FLAGS = 4,      // zero neighbour, zero before
    MODELLED = 3,   // digits below the first that have contexts
    FLUSH = 4,      // bytes that end the code
};

struct pack_model {
    uint16_t zero[NEAR][FLAGS];
    uint16_t sign[3];
    uint16_t size[NEAR][SIZES];
    uint16_t digit[SIZES][1 << MODELLED];
};

// One end of the coder; both run through the same steps.
struct coder {
    struct buf *out; // when writing
    const unsigned char *in, *end;
    uint64_t low;
    uint32_t range, code;
    uint8_t held;    // a byte that a carry may still change
    uint64_t behind; // and bytes of 255 after it
    bool begun;      // something is held
    struct pack_model model;
    size_t period;
    int nearby; // how large the last differences were
};

static void model_init(struct pack_model *model) {
    uint16_t *context = (uint16_t *)model;
    for (size_t i = 0; i < sizeof *model / sizeof *context; i++)
        context[i] = SURE / 2;
}

static void put_byte(struct coder *c, unsigned byte) {
    const unsigned char b = (unsigned char)byte;
    buf_put(c->out, &b, 1);
}

// Moves the highest byte of `low` out, once no carry can change it.
static void shift_out(struct coder *c) {
    if (c->low < UINT64_C(0xff000000) || c->low >> 32) {
        const unsigned carry = (unsigned)(c->low >> 32);
        if (c->begun)
            put_byte(c, c->held + carry);
        for (; c->behind; c->behind--)
            put_byte(c, 0xff + carry);
        c->held = (uint8_t)(c->low >> 24);
        c->begun = true;
    } else {
        c->behind++;
    }
    c->low = (c->low & 0xffffff) << 8;
}

static uint32_t next_byte(struct coder *c) { return c->in < c->end ? *c->in++ : 0; }

static void learn(uint16_t *context, int bit) {
    if (bit)
        *context = (uint16_t)(*context - (*context >> RATE));
    else
        *context = (uint16_t)(*context + ((SURE - *context) >> RATE));
}

// Codes a bit, or decodes one. A context is the probability that the bit is not set.
static int code_bit(struct coder *c, uint16_t *context, int bit) {
    const uint32_t bound = (uint32_t)(((uint64_t)c->range * *context) >> 16);
    if (!c->out)
        bit = c->code >= bound;
    if (bit) {
        c->low += bound;
        c->code -= bound;
        c->range -= bound;
    } else {
        c->range = bound;
    }
    learn(context, bit);
    while (c->range < 1u << 24) {
        c->range <<= 8;
        if (c->out)
            shift_out(c);
        else
            c->code = c->code << 8 | next_byte(c);
    }
    return bit;
}

static int code_plain_bit(struct coder *c, int bit) {
    uint16_t even = SURE / 2;
    return code_bit(c, &even, bit);
}

static int digits_of(unsigned n) { return n ? 32 - __builtin_clz(n) : 0; }

// The magnitude of a difference that is not zero.
static unsigned code_magnitude(struct coder *c, int near, unsigned magnitude) {
    const int true_size = digits_of(magnitude);
    int size = 1;
    while (size < SIZES - 1 && code_bit(c, &c->model.size[near][size], true_size > size))
        size++;
    unsigned value = 1, node = 1;
    for (int i = size - 2; i >= 0; i--) {
        const int bit = (int)(magnitude >> i & 1);
        const int coded = node < 1 << MODELLED ? code_bit(c, &c->model.digit[size][node], bit)
                                               : code_plain_bit(c, bit);
        node = node << 1 | (unsigned)coded;
        value = value << 1 | (unsigned)coded;
    }
    return value;
}

static int code_difference(struct coder *c, int flags, int alike, int difference) {
    const int digits = digits_of((unsigned)c->nearby), near = digits < NEAR ? digits : NEAR - 1;
    int result = 0;
    if (code_bit(c, &c->model.zero[near][flags], difference != 0)) {
        uint16_t *sign = &c->model.sign[alike < 0 ? 0 : alike > 0 ? 2 : 1];
        const int negative = code_bit(c, sign, difference < 0);
        const unsigned magnitude =
            code_magnitude(c, near, (unsigned)(difference < 0 ? -difference : difference));
        result = negative ? -(int)magnitude : (int)magnitude;
    }
    const int size = result < 0 ? -result : result;
    c->nearby += ((size << 4) - c->nearby) / 4;
    return result;
}

// All weights: of those given, or into `decoded`, where differences out of range wrap.
static void code_weights(struct coder *c, const int16_t *weights, size_t count, int16_t *decoded) {
    for (size_t i = 0; i < count; i++) {
        const int alike = c->period && i >= c->period ? weights[i - c->period] : 0;
        const int flags = (alike == 0) | (i == 0 || weights[i - 1] == 0) << 1;
        const int difference = code_difference(c, flags, alike, decoded ? 0 : weights[i] - alike);
        if (decoded)
            decoded[i] = (int16_t)(alike + difference);
    }
}

// 64-bit FNV-1a, continued from `sum`.
static uint64_t add_byte(uint64_t sum, unsigned byte) {
    return (sum ^ (byte & 0xff)) * UINT64_C(0x100000001b3);
}

// Of the weights as they are, and of their code.
static uint64_t checksum(const int16_t *weights, size_t count, const void *code, size_t size) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        sum = add_byte(add_byte(sum, (uint16_t)weights[i]), (uint16_t)weights[i] >> 8);
    for (size_t i = 0; i < size; i++)
        sum = add_byte(sum, ((const unsigned char *)code)[i]);
    return sum;
}

void pack_write(struct buf *out, const char *name, const int16_t *weights, size_t count,
                size_t period) {
    struct buf code = {.data = NULL};
    struct coder c = {.out = &code, .range = UINT32_MAX, .period = period};
    assert(strlen(name) < PACK_NAME_MAX && !strchr(name, '\n'));
    model_init(&c.model);
    code_weights(&c, weights, count, NULL);
    for (int i = 0; i <= FLUSH; i++)
        shift_out(&c);
    buf_format(out, "%s\n%zu %zu %zu %016" PRIx64, name, count, period, code.length,
               checksum(weights, count, code.data, code.length));
    buf_put(out, "", 1);
    buf_put(out, code.data, code.length);
    buf_done(&code);
}

struct head {
    size_t count, period, size; // of weights, and bytes of code
    uint64_t sum;
    const char *code;
};

static bool read_head(const char *bytes, size_t size, const char *name, struct head *head,
                      struct err *err) {
    const size_t length = strlen(name);
    const char *end = memchr(bytes, '\0', size);
    if (!end)
        return err_set(err, "weights of %s: this is no file of weights", name);
    if (strncmp(bytes, name, length) != 0 || bytes[length] != '\n')
        return err_set(err, "weights of %s: the file holds those of something else", name);
    if (sscanf(bytes + length + 1, "%zu %zu %zu %" SCNx64, &head->count, &head->period, &head->size,
               &head->sum) != 4)
        return err_set(err, "weights of %s: the head of the file is damaged", name);
    head->code = end + 1;
    return bytes + size - head->code == (ptrdiff_t)head->size ||
           err_set(err, "weights of %s: the file is cut or too long", name);
}

bool pack_read(const void *bytes, size_t size, const char *name, int16_t *weights, size_t count,
               struct err *err) {
    struct coder c = {.range = UINT32_MAX};
    struct head head;
    if (!read_head(bytes, size, name, &head, err))
        return false;
    if (head.count != count)
        return err_set(err, "weights of %s: the file holds %zu, not %zu", name, head.count, count);
    c.in = (const unsigned char *)head.code;
    c.end = c.in + head.size;
    c.period = head.period;
    for (int i = 0; i < FLUSH; i++)
        c.code = c.code << 8 | next_byte(&c);
    model_init(&c.model);
    code_weights(&c, weights, count, weights);
    return checksum(weights, count, head.code, head.size) == head.sum ||
           err_set(err, "weights of %s: the file is damaged", name);
}
