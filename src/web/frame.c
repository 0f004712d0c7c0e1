// SPDX-License-Identifier: MIT
#include "web/frame.h"

#include "web/libssl.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FINAL = 0x80, KIND = 0x0f, MASKED = 0x80, LENGTH = 0x7f, SHORT_MAX = 125, MASK_BYTES = 4 };

// Whole messages alone, and nothing that an extension would have to explain.
static bool is_allowed(unsigned char first) {
    const int kind = first & KIND;
    return first == (FINAL | kind) &&
           (kind == FRAME_TEXT || (kind >= FRAME_CLOSE && kind <= FRAME_PONG));
}

static uint64_t number_of(const unsigned char *bytes, size_t count) {
    uint64_t n = 0;
    for (size_t i = 0; i < count; i++)
        n = n << 8 | bytes[i];
    return n;
}

long frame_read(char *bytes, size_t length, size_t most, struct frame *frame) {
    const unsigned char *head = (const unsigned char *)bytes;
    if (length >= 1 && !is_allowed(head[0]))
        return -1;
    if (length < 2)
        return 0;
    if (!(head[1] & MASKED))
        return -1;
    const unsigned told = head[1] & LENGTH;
    const size_t more = told <= SHORT_MAX ? 0 : told == 126 ? 2 : 8;
    if (length < 2 + more)
        return 0;
    const uint64_t size = more ? number_of(head + 2, more) : told;
    if ((more == 2 && size <= SHORT_MAX) || (more == 8 && size <= UINT16_MAX) || size > most ||
        ((head[0] & KIND) >= FRAME_CLOSE && size > FRAME_CONTROL_MAX))
        return -1;
    const size_t begin = 2 + more + MASK_BYTES;
    if (length < begin + size)
        return 0;
    *frame = (struct frame){head[0] & KIND, bytes + begin, (size_t)size};
    for (size_t i = 0; i < size; i++)
        frame->payload[i] = (char)(frame->payload[i] ^ bytes[begin - MASK_BYTES + i % MASK_BYTES]);
    return (long)(begin + size);
}

size_t frame_put_head(char *payload, int kind, size_t length) {
    const size_t size = length <= SHORT_MAX ? 2 : length <= UINT16_MAX ? 4 : 10;
    assert(size <= FRAME_HEAD_MAX);
    unsigned char *head = (unsigned char *)payload - size;
    head[0] = (unsigned char)(FINAL | kind);
    head[1] = (unsigned char)(size == 2 ? length : size == 4 ? 126 : 127);
    for (size_t i = 2; i < size; i++)
        head[i] = (unsigned char)(length >> 8 * (size - 1 - i));
    return size;
}

// Sixteen bytes in base64.
static bool is_key(const char *key) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return strlen(key) == 24 && strspn(key, digits) == 22 && strcmp(key + 22, "==") == 0;
}

bool frame_accept(const char *key, char accept[static FRAME_ACCEPT_MAX]) {
    char text[64];
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned length;
    if (!is_key(key))
        return false;
    snprintf(text, sizeof text, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    return libssl()->EVP_Digest(text, strlen(text), sum, &length, libssl()->EVP_sha1(), NULL) &&
           libssl()->EVP_EncodeBlock((unsigned char *)accept, sum, (int)length) > 0;
}
