// SPDX-License-Identifier: MIT
// A player in this process. What it feeds is handed over by the loop, never inside link_feed or
// link_send: to its owner it looks like any other link.
#include "base/clock.h"
#include "base/mem.h"
#include "link/kind.h"

#include <assert.h>

struct local {
    struct link link;
    void (*answer)(void *context, struct link *link, const char *bytes, size_t length);
    void *context;
    uv_idle_t soon;
    struct buf fed, given; // waiting, and being handed over
};

static void on_soon(uv_idle_t *soon) {
    struct local *local = soon->data;
    struct link *link = &local->link;
    const struct buf next = local->fed;
    uv_idle_stop(soon);
    buf_clear(&local->given);
    local->fed = local->given;
    local->given = next;
    if (link->events.bytes)
        link->events.bytes(link->owner, next.data, next.length, clock_now_us());
}

static void local_send(struct link *link, const char *bytes, size_t length) {
    struct local *local = (struct local *)link;
    local->answer(local->context, link, bytes, length);
}

static void local_end(struct link *link) {
    struct local *local = (struct local *)link;
    if (!uv_is_closing((uv_handle_t *)&local->soon))
        member_close(&local->soon);
    link_close(link);
}

static void local_release(struct link *link) {
    struct local *local = (struct local *)link;
    buf_done(&local->fed);
    buf_done(&local->given);
}

static const struct kind kind = {
    .send = local_send,
    .leave = local_end,
    .end = local_end,
    .release = local_release,
};

struct link *link_new_local(struct loop *loop,
                            void (*answer)(void *context, struct link *link, const char *bytes,
                                           size_t length),
                            void *context, const struct link_events *events, void *owner) {
    struct local *local = mem_new(1, sizeof *local);
    link_init(&local->link, &kind, loop, events, owner);
    local->answer = answer;
    local->context = context;
    uv_idle_init(&loop->uv, &local->soon);
    member_add(&local->link.member, &local->soon);
    return &local->link;
}

void link_feed(struct link *link, const char *bytes, size_t length) {
    struct local *local = (struct local *)link;
    assert(link->kind == &kind);
    if (link->freed || length == 0)
        return;
    buf_put(&local->fed, bytes, length);
    uv_idle_start(&local->soon, on_soon);
}
