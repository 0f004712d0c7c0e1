// SPDX-License-Identifier: MIT
// A watch begins silent and says `ready` as long as there is something to read, until it is told
// to be silent again: who is not asked for input leaves it in the kernel.
#include "link/watch.h"

#include "base/mem.h"
#include "link/kind.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>

struct watch {
    struct loop_member member;
    void (*ready)(void *owner);
    void *owner;
    uv_poll_t poll;
    bool on; // it is polled for
    bool freed;
};

// The end of the input, and an error, show to whoever reads.
static void on_event(uv_poll_t *poll, int status, int events) {
    (void)events;
    struct watch *watch = poll->data;
    if (status < 0) // libuv polls for it no more
        watch->on = false;
    watch->ready(watch->owner);
}

static void watch_end(struct loop_member *member) { watch_free((struct watch *)member); }

// libuv makes what it polls non-blocking, for all who share it: the shell's terminal, perhaps. It
// need not be, so it is made again what it was.
struct watch *watch_new(struct loop *loop, int fd, void (*ready)(void *owner), void *owner) {
    struct watch *watch = mem_new(1, sizeof *watch);
    *watch = (struct watch){.member = {.end = watch_end}, .ready = ready, .owner = owner};
    const int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || uv_poll_init(&loop->uv, &watch->poll, fd) != 0) {
        free(watch);
        return NULL;
    }
    fcntl(fd, F_SETFL, flags);
    member_add(&watch->member, &watch->poll);
    return watch;
}

void watch_set(struct watch *watch, bool on) {
    assert(!watch->freed);
    if (on == watch->on) // to say it again costs two calls of the system
        return;
    watch->on = on;
    if (on)
        uv_poll_start(&watch->poll, UV_READABLE, on_event);
    else
        uv_poll_stop(&watch->poll);
}

void watch_free(struct watch *watch) {
    if (!watch || watch->freed)
        return;
    watch->freed = true;
    member_close(&watch->poll);
}
