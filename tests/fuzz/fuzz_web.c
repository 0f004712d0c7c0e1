// SPDX-License-Identifier: MIT
// Input: what a stranger sends to the server, read as the head of a request and as frames of a
// WebSocket; and whatever it is, it is read the same when it comes in two parts.
#include "fuzz.h"
#include "web/frame.h"
#include "web/http.h"

enum { MESSAGE_MAX = 300 };

static char *copy_of(const uint8_t *data, size_t size) {
    return size ? memcpy(mem_new(size, 1), data, size) : NULL;
}

static void check_head(const uint8_t *data, size_t size) {
    const long end = http_find_end((const char *)data, size);
    assert(end >= -1 && end <= (long)size);
    for (size_t part = 0; part < size && part < 64; part++) { // no part says more than the whole
        const long early = http_find_end((const char *)data, part);
        assert(early == 0 || early == end);
    }
    if (end <= 0)
        return;
    char *head = copy_of(data, (size_t)end);
    struct http_request r;
    const char *why = NULL;
    const int status = http_read(head, (size_t)end, &r, &why);
    assert(status == 0 || (status >= 400 && status < 500 && why && *why));
    if (status == 0) {
        assert(r.host && r.path[0] == '/' && strlen(r.path) < HTTP_PATH_MAX);
        assert(!r.transfer && (r.length == 0 || (r.has_length && r.method == HTTP_POST)));
        assert(!r.cookie || strlen(r.cookie) < (size_t)end);
    }
    free(head);
}

static void check_frames(const uint8_t *data, size_t size) {
    char *bytes = copy_of(data, size);
    for (size_t used = 0; used < size;) {
        struct frame frame = {0};
        const long taken = frame_read(bytes + used, size - used, MESSAGE_MAX, &frame);
        if (taken <= 0) {
            assert(taken >= -1);
            break;
        }
        assert((size_t)taken <= size - used && frame.length <= MESSAGE_MAX);
        assert(frame.payload + frame.length == bytes + used + taken);
        assert(frame.kind == FRAME_TEXT || frame.length <= FRAME_CONTROL_MAX);
        used += (size_t)taken;
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_head(data, size);
    check_frames(data, size);
    return 0;
}
