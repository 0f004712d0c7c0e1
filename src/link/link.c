// SPDX-License-Identifier: MIT
// What all kinds of links share: reading, sending, and the two steps of an end. Reading is one
// read(2) of an event into the loop's buffer; sending is one write(2), and only what the kernel
// refuses is copied. A link that its owner has freed lives on in silence until its kind has nothing
// more to wait for (a process to reap, the other side of a connection), or patience is over.
#include "link/link.h"

#include "base/clock.h"
#include "link/kind.h"
#include "link/tcp.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    MUCH_BYTES = 1 << 14, // of standard error at once
    REST_MS = 1,
};

static void hand_over(struct link *link, const struct port *port, size_t length) {
    const struct link_events *events = &link->events;
    if (link->freed)
        return;
    if (port == &link->noise) {
        if (events->noise)
            events->noise(link->owner, link->loop->bytes, length);
    } else if (!link->gone && events->bytes) {
        events->bytes(link->owner, link->loop->bytes, length, clock_now_us());
    }
}

// Reads once and hands it over: how many bytes, 0 at the end (broken is as good as closed), or -1
// if there is nothing yet. The owner may have freed the link when this returns.
static ssize_t take(struct link *link, const struct port *port) {
    const ssize_t n = read(port->fd, link->loop->bytes, LOOP_BYTES);
    if (n > 0)
        hand_over(link, port, (size_t)n);
    else if (n < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    return n;
}

static void on_input(uv_poll_t *poll, int status, int events);
static void on_output(uv_poll_t *poll, int status, int events);

// Waits for the kernel to take more, if something is queued; and on a pipe for its reader to leave.
static void watch_output(struct link *link) {
    const int events = link->queue.length > 0 ? UV_WRITABLE : 0;
    if (link->to->fd < 0)
        return;
    if (link->to == &link->in)
        uv_poll_start(&link->in.poll, UV_READABLE | events, on_input);
    else
        uv_poll_start(&link->out.poll, UV_DISCONNECT | events, on_output);
}

// Nobody can read it: what was sent would be lost.
static void stop_sending(struct link *link) {
    link->deaf = true;
    buf_done(&link->queue);
    if (link->to == &link->out)
        port_close(&link->out);
    else
        watch_output(link);
    if (link->kind->deafened && !link->freed && !link->gone)
        link->kind->deafened(link);
}

// Beyond the limit there would be a hole in what the player reads, so nothing follows it either.
static void enqueue(struct link *link, const char *bytes, size_t length) {
    const bool was_empty = link->queue.length == 0;
    if (link->queue.length + length > LINK_QUEUE_MAX) {
        link->deaf = true;
        return;
    }
    buf_put(&link->queue, bytes, length);
    if (was_empty)
        watch_output(link);
}

static void flush(struct link *link) {
    if (link->to->fd < 0 || link->queue.length == 0)
        return;
    const ssize_t n = write(link->to->fd, link->queue.data, link->queue.length);
    if (n < 0) {
        if (errno != EAGAIN)
            stop_sending(link);
        return;
    }
    buf_drop(&link->queue, (size_t)n);
    if (link->queue.length > 0)
        return;
    buf_done(&link->queue);
    watch_output(link);
    if (!link->deaf && !link->freed && link->events.sent)
        link->events.sent(link->owner, clock_now_us());
}

// libuv stops watching a descriptor that reports an error; all that can come is there then.
static void on_input(uv_poll_t *poll, int status, int events) {
    struct link *link = poll->data;
    if (events & UV_WRITABLE)
        flush(link);
    if (link->in.fd < 0 || (status == 0 && !(events & UV_READABLE)))
        return;
    ssize_t n = take(link, &link->in);
    while (status < 0 && n > 0 && link->in.fd >= 0)
        n = take(link, &link->in);
    if (link->in.fd >= 0 && (n == 0 || (n < 0 && status < 0)))
        link->kind->ended(link);
}

// An error here is that nobody has the other end any more.
static void on_output(uv_poll_t *poll, int status, int events) {
    struct link *link = poll->data;
    if (status < 0 || (events & UV_DISCONNECT))
        stop_sending(link);
    else
        flush(link);
}

static void on_noise(uv_poll_t *poll, int status, int events);

static void on_rested(uv_timer_t *timer) {
    struct link *link = timer->data;
    if (link->noise.fd >= 0)
        uv_poll_start(&link->noise.poll, UV_READABLE, on_noise);
}

// To read costs us as much as it costs a player to write, in its opponent's turn too: who writes
// very much has to wait now and then.
static void on_noise(uv_poll_t *poll, int status, int events) {
    (void)events;
    struct link *link = poll->data;
    const ssize_t n = take(link, &link->noise);
    if (n == 0 || status < 0) {
        port_close(&link->noise);
    } else if (n >= MUCH_BYTES && link->noise.fd >= 0) {
        uv_poll_stop(poll);
        uv_timer_start(&link->rest, on_rested, REST_MS, 0);
    }
}

static void on_patience(uv_timer_t *timer) {
    struct link *link = timer->data;
    link->kind->end(link);
}

static void link_end(struct loop_member *member) {
    struct link *link = (struct link *)member;
    link->freed = true;
    link->kind->end(link);
}

static void release(struct loop_member *member) {
    struct link *link = (struct link *)member;
    if (link->kind->release)
        link->kind->release(link);
    buf_done(&link->queue);
    free(link);
}

void link_init(struct link *link, const struct kind *kind, struct loop *loop,
               const struct link_events *events, void *owner) {
    assert(kind->send && kind->leave && kind->end);
    link->member = (struct loop_member){.end = link_end, .release = release};
    link->kind = kind;
    link->loop = loop;
    link->events = *events;
    link->owner = owner;
    link->in.fd = link->out.fd = link->noise.fd = link->pid = -1;
    link->to = &link->out;
    uv_timer_init(&loop->uv, &link->timer);
    member_add(&link->member, &link->timer);
    uv_timer_init(&loop->uv, &link->rest);
    member_add(&link->member, &link->rest);
}

int link_open(struct link *link, struct port *port, int fd) {
    const int error = uv_poll_init(&link->loop->uv, &port->poll, fd); // makes it non-blocking too
    if (error)
        return error;
    port->fd = fd;
    member_add(&link->member, &port->poll);
    return 0;
}

void port_close(struct port *port) {
    if (port->fd < 0)
        return;
    member_close(&port->poll);
    close(port->fd);
    port->fd = -1;
}

void link_close(struct link *link) {
    port_close(&link->in);
    port_close(&link->out);
    port_close(&link->noise);
    if (!uv_is_closing((uv_handle_t *)&link->timer))
        member_close(&link->timer);
    if (!uv_is_closing((uv_handle_t *)&link->rest))
        member_close(&link->rest);
}

void link_listen(struct link *link) {
    if (link->in.fd >= 0)
        uv_poll_start(&link->in.poll, UV_READABLE, on_input);
    if (link->noise.fd >= 0)
        uv_poll_start(&link->noise.poll, UV_READABLE, on_noise);
    if (link->out.fd >= 0)
        watch_output(link);
}

bool link_drain(struct link *link, struct port *port) {
    int left = 0;
    if (port->fd >= 0 && ioctl(port->fd, FIONREAD, &left) < 0)
        left = 0;
    while (port->fd >= 0 && left >= 0) {
        const ssize_t n = take(link, port);
        if (n <= 0)
            return n == 0;
        left -= (int)n;
    }
    return false;
}

void link_leave(struct link *link, const struct parting *how) {
    if (link->gone || link->freed)
        return;
    link->gone = true;
    port_close(&link->in);
    port_close(&link->out);
    buf_done(&link->queue);
    if (link->events.gone)
        link->events.gone(link->owner, how, clock_now_us());
}

void stream_send(struct link *link, const char *bytes, size_t length) {
    size_t taken = 0;
    if (link->to->fd < 0 || link->deaf)
        return;
    if (link->queue.length == 0) {
        const ssize_t n = write(link->to->fd, bytes, length);
        if (n < 0 && errno != EAGAIN) {
            stop_sending(link);
            return;
        }
        taken = n < 0 ? 0 : (size_t)n;
    }
    if (taken < length)
        enqueue(link, bytes + taken, length - taken);
}

void link_watch(struct link *link, const struct link_events *events, void *owner) {
    link->events = *events;
    link->owner = owner;
}

int64_t link_send(struct link *link, const void *bytes, size_t length) {
    assert(bytes || length == 0);
    const int64_t now_us = clock_now_us();
    if (!link->gone && length > 0)
        link->kind->send(link, bytes, length);
    return now_us;
}

bool link_has_input(const struct link *link) {
    struct pollfd in = {.fd = link->gone ? -1 : link->in.fd, .events = POLLIN};
    return poll(&in, 1, 0) == 1;
}

void link_hear_noise(struct link *link) { link_drain(link, &link->noise); }

void link_favour(struct link *link, bool favoured) {
    if (link->pid > 0 && link->kind->favour)
        link->kind->favour(link, favoured);
}

static void hold(struct link *link, bool held) {
    if (link->pid > 0 && link->kind->hold)
        link->kind->hold(link, held);
}

void link_hold(struct link *link) { hold(link, true); }

void link_settle(struct link *link) {
    if (link->pid > 0 && link->kind->settle)
        link->kind->settle(link);
}

void link_release(struct link *link) { hold(link, false); }

int64_t link_cpu_us(struct link *link) {
    return link->pid > 0 && link->kind->cpu_us ? link->kind->cpu_us(link) : -1;
}

void link_usage(struct link *link, struct usage *usage) {
    *usage = (struct usage){.peak = -1, .frozen_us = -1};
    if (link->kind->usage)
        link->kind->usage(link, usage);
}

void link_run_times(struct link *link, struct run_times *times) {
    times->at_us = clock_now_us();
    times->cpu_us = times->cpu_wait_us = -1;
    times->hidden = false;
    times->begun = true;
    times->count = 0;
    if (link->pid > 0 && link->kind->run_times)
        link->kind->run_times(link, times);
}

int link_pid(const struct link *link) {
    return link->pid > 0 && link->kind->first ? link->kind->first(link) : link->pid;
}

void link_free(struct link *link, int64_t patience_us) {
    if (!link || link->freed)
        return;
    link->freed = true;
    if (patience_us > 0) {
        const uint64_t ms = (uint64_t)patience_us / 1000 + 1;
        uv_update_time(&link->loop->uv);
        uv_timer_start(&link->timer, on_patience, ms, 0);
        link->kind->leave(link);
    } else {
        link->kind->end(link);
    }
}
