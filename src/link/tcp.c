// SPDX-License-Identifier: MIT
// TCP. A connection is one port, both to read and to write. When it is freed, our side is shut but
// what still comes is read and forgotten while patience lasts: closing over unread bytes would
// reset the connection, and with it could go a last message that the player has not read yet.
#include "link/tcp.h"

#include "base/clock.h"
#include "base/mem.h"
#include "link/kind.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BACKLOG = 128,
    PAUSE_MS = 100, // before we try again to accept, when there was no descriptor left
};

struct tcp {
    struct loop_member member;
    struct loop *loop;
    void (*opened)(void *owner, struct link *link, int64_t now_us);
    void *owner;
    int port, fd;
    uv_poll_t poll;
    uv_timer_t pause;
    bool freed;
};

struct connection {
    struct link link;
    struct sockaddr_in peer;
};

static void connection_end(struct link *link) {
    link_drain(link, &link->in);
    link_close(link);
}

static void connection_ended(struct link *link) {
    if (link->freed)
        link_close(link);
    else
        link_leave(link, &(struct parting){.closed = true});
}

static void connection_leave(struct link *link) {
    buf_done(&link->queue);
    if (link->in.fd < 0 || shutdown(link->in.fd, SHUT_WR) < 0)
        link_close(link);
    else
        link_listen(link);
}

static const struct kind kind = {
    .send = stream_send,
    .ended = connection_ended,
    .leave = connection_leave,
    .end = connection_end,
};

static struct link *connection_new(struct loop *loop, int fd, const struct sockaddr_in *peer) {
    struct connection *connection = mem_new(1, sizeof *connection);
    struct link *link = &connection->link;
    connection->peer = *peer;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    link_init(link, &kind, loop, &(struct link_events){.bytes = NULL}, NULL);
    if (link_open(link, &link->in, fd) != 0) {
        close(fd);
        link_close(link);
        return NULL;
    }
    link->to = &link->in;
    link_listen(link);
    return link;
}

uint32_t tcp_address(const struct link *link) {
    return link->kind == &kind ? ntohl(((const struct connection *)link)->peer.sin_addr.s_addr) : 0;
}

void tcp_look(struct link *link) { link_drain(link, &link->in); }

static void on_connection(uv_poll_t *poll, int status, int events);

static void on_pause_over(uv_timer_t *pause) {
    struct tcp *tcp = pause->data;
    uv_poll_start(&tcp->poll, UV_READABLE, on_connection);
}

// Who left before we came to it is no error. Without a free descriptor the connection stays in the
// kernel's queue: we look again later instead of being woken for it forever.
static void on_connection(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    struct tcp *tcp = poll->data;
    struct sockaddr_in peer = {.sin_family = AF_INET};
    socklen_t size = sizeof peer;
    const int fd = accept4(tcp->fd, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
        struct link *link = connection_new(tcp->loop, fd, &peer);
        if (link)
            tcp->opened(tcp->owner, link, clock_now_us());
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        uv_poll_stop(&tcp->poll);
        uv_timer_start(&tcp->pause, on_pause_over, PAUSE_MS, 0);
    }
}

// Why there is no listening at this place, in words.
static int refuse(const char *address, int port, const char *why, struct err *err) {
    err_set(err, "cannot listen on %s port %d: %s", address, port, why);
    return -1;
}

static int listen_at(const char *address, int port, struct err *err) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (port < 0 || port > UINT16_MAX)
        return refuse(address, port, "a port is at most 65535", err);
    if (inet_pton(AF_INET, address, &place.sin_addr) != 1)
        return refuse(address, port, "not an IPv4 address", err);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&place, sizeof place) == 0 &&
        listen(fd, BACKLOG) == 0)
        return fd;
    const int error = errno;
    if (fd >= 0)
        close(fd);
    refuse(address, port,
           error == EADDRINUSE ? "address already in use; another judge may be running"
                               : uv_strerror(uv_translate_sys_error(error)),
           err);
    errno = error;
    return -1;
}

bool tcp_is_free(const char *address, int port) {
    struct err err = {.set = false};
    const int fd = listen_at(address, port, &err);
    const bool taken = fd < 0 && errno == EADDRINUSE;
    if (fd >= 0)
        close(fd);
    return !taken;
}

// On this machine the kernel connects at once, or refuses.
struct link *tcp_connect(struct loop *loop, int port, const struct link_events *events, void *owner,
                         struct err *err) {
    const struct sockaddr_in place = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&place, sizeof place) != 0 ||
        fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
        err_set(err, "cannot connect to port %d: %s", port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    struct link *link = connection_new(loop, fd, &place);
    if (link)
        link_watch(link, events, owner);
    else
        err_set(err, "cannot watch the connection to port %d", port);
    return link;
}

static int port_of(int fd) {
    struct sockaddr_in place = {.sin_port = 0};
    socklen_t size = sizeof place;
    getsockname(fd, (struct sockaddr *)&place, &size);
    return ntohs(place.sin_port);
}

static void tcp_end(struct loop_member *member) { tcp_free((struct tcp *)member); }

struct tcp *tcp_new(struct loop *loop, const char *address, int port,
                    void (*opened)(void *owner, struct link *link, int64_t now_us), void *owner,
                    struct err *err) {
    const int fd = listen_at(address, port, err);
    return fd < 0 ? NULL : tcp_adopt(loop, fd, opened, owner);
}

struct tcp *tcp_adopt(struct loop *loop, int fd,
                      void (*opened)(void *owner, struct link *link, int64_t now_us), void *owner) {
    assert(fd >= 0 && opened);
    struct tcp *tcp = mem_new(1, sizeof *tcp);
    tcp->member = (struct loop_member){.end = tcp_end};
    tcp->loop = loop;
    tcp->opened = opened;
    tcp->owner = owner;
    tcp->fd = fd;
    tcp->port = port_of(fd);
    uv_poll_init(&loop->uv, &tcp->poll, fd);
    uv_timer_init(&loop->uv, &tcp->pause);
    member_add(&tcp->member, &tcp->poll);
    member_add(&tcp->member, &tcp->pause);
    uv_poll_start(&tcp->poll, UV_READABLE, on_connection);
    return tcp;
}

int tcp_port(const struct tcp *tcp) { return tcp->port; }

void tcp_free(struct tcp *tcp) {
    if (!tcp || tcp->freed)
        return;
    tcp->freed = true;
    member_close(&tcp->poll);
    member_close(&tcp->pause);
    close(tcp->fd);
}
