// SPDX-License-Identifier: MIT
// The frames of a WebSocket (src/web/frame.h).
#include "web/frame.h"
#include "check.h"
#include "web/libssl.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

// Reads from memory of just that size.
static long read_bytes(const char *bytes, size_t length, struct frame *frame, char *payload) {
    char *copy = malloc(length + !length);
    memcpy(copy, bytes, length);
    const long size = frame_read(copy, length, MOST, frame);
    if (size > 0 && payload)
        memcpy(payload, frame->payload, frame->length);
    free(copy);
    return size;
}

static void a_masked_message_is_read(void **unused) {
    (void)unused;
    // "Hello", as in RFC 6455, 5.7
    static const char bytes[] = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58more";
    struct frame frame;
    char payload[8] = "";
    for (size_t i = 0; i < 11; i++)
        assert_int_equal(read_bytes(bytes, i, &frame, NULL), 0);
    assert_int_equal(read_bytes(bytes, 15, &frame, payload), 11);
    assert_int_equal(frame.kind, FRAME_TEXT);
    assert_int_equal(frame.length, 5);
    assert_string_equal(payload, "Hello");
}

static const struct forbidden {
    const char *bytes;
    size_t length;
} forbidden[] = {
    {"\x81\x05Hello", 7},                             // no mask
    {"\x89\x00", 2},                                  // no mask
    {"\x01\x85", 2},                                  // the first part of more
    {"\x80\x85", 2},                                  // the last part of more
    {"\x82\x85", 2},                                  // bytes
    {"\xc1\x85", 2},                                  // an extension's
    {"\x83\x80", 2},                                  // no kind that there is
    {"\x89\xfe\x00\x7e", 4},                          // a ping of 126 bytes
    {"\x81\xfe\x00\x05", 4},                          // a length in more bytes than it needs
    {"\x81\xff\x00\x00\x00\x00\x00\x00\x10\x00", 10}, // so, too
    {"\x81\xfe\x10\x01", 4},                          // 4097 bytes
    {"\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00", 10}, // 2^63
    {"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10}, // more than there can be
};

static void what_is_forbidden_is_refused(void **unused) {
    (void)unused;
    struct frame frame;
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        if (read_bytes(forbidden[i].bytes, forbidden[i].length, &frame, NULL) != -1)
            fail_msg("case %zu is taken", i);
}

static void heads_are_written(void **unused) {
    (void)unused;
    static const size_t lengths[] = {0, 125, 126, 65535, 65536};
    static const size_t sizes[] = {2, 2, 4, 4, 10};
    for (size_t i = 0; i < 5; i++) {
        char room[FRAME_HEAD_MAX + 1];
        const size_t size = frame_put_head(room + FRAME_HEAD_MAX, FRAME_TEXT, lengths[i]);
        assert_int_equal(size, sizes[i]);
        const unsigned char *head = (unsigned char *)room + FRAME_HEAD_MAX - size;
        assert_int_equal(head[0], 0x81);
        size_t told = head[1];
        for (size_t j = 2; j < size; j++)
            told = (j == 2 ? 0 : told << 8) | head[j];
        assert_int_equal(told, lengths[i]);
    }
}

static void keys_are_answered(void **unused) {
    (void)unused;
    char accept[FRAME_ACCEPT_MAX];
    struct err err = {.set = false};
    assert_true(libssl_load(&err));
    assert_true(frame_accept("dGhlIHNhbXBsZSBub25jZQ==", accept));
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_false(frame_accept("", accept));
    assert_false(frame_accept("dGhlIHNhbXBsZSBub25jZQ=", accept));
    assert_false(frame_accept("dGhlIHNhbXBsZSBub25jZQ==x", accept));
    assert_false(frame_accept("dGhlIHNhbXBsZSBub25j\r\n==", accept));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_masked_message_is_read),
        cmocka_unit_test(what_is_forbidden_is_refused),
        cmocka_unit_test(heads_are_written),
        cmocka_unit_test(keys_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
