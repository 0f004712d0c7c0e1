// SPDX-License-Identifier: MIT
// Sockets are polled for as long as something is left to do, so that a stream whose turn it is not
// comes again by itself. They are polled by one descriptor of their own, all that are ready in a
// turn: the loop would look at those that are ready up to 48 times before it looks at a new one, at
// a timer or at a player. TLS begins with the first bytes: a connection that says nothing costs a
// descriptor and little else. A record of TLS holds 16 KiB at most and is read whole: whatever is
// left lies in the kernel, where it is polled for.
#include "web/listener.h"

#include "base/mem.h"
#include "link/watch.h"
#include "web/libssl.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ACCEPT_AT_ONCE = 256,
    READY_MAX = 4096, // streams of a turn
    COST_STIR = 1,
    COST_HANDSHAKE = 8, // some hundred times that of a small answer, but that is one of three steps
    ROOM_BYTES = 1 << 17,   // that the kernel keeps until they have arrived
    UNSENT_BYTES = 1 << 15, // and those that it may not send yet: of one who does not read
    KEEP_IDLE_S = 60,       // a computer that has vanished is found out
    KEEP_EVERY_S = 15,
    KEEP_TRIES = 4,
};

struct listener {
    struct loop *loop;
    struct listener_events events;
    void *owner;
    SSL_CTX *tls; // NULL: plain
    int fd, port;
    struct watch *watch;
    bool full;  // there were no descriptors left
    int poller; // of the streams
    struct watch *streams;
    int64_t turn;
    bool turning;
    struct stream *closed; // in this turn
    struct epoll_event ready[READY_MAX];
};

struct stream {
    struct listener *listener;
    void *owner;
    int fd;
    SSL *ssl;                                // NULL: plain, or nothing has come yet
    bool shaking;                            // hands, by TLS
    struct stream *next;                     // of those closed
    uint32_t polled;                         // what the poll is for
    bool input, room;                        // what the owner wants
    bool read_needs_room, write_needs_input; // TLS wants it the other way round
    bool closed;
};

// What the poll is for.
static void set_watch(struct stream *s) {
    bool input = s->input || s->shaking, room = s->room && !s->shaking;
    room |= (s->input || s->shaking) && s->read_needs_room;
    input |= s->room && s->write_needs_input;
    const uint32_t wanted = (input ? EPOLLIN : 0U) | (room ? EPOLLOUT : 0U);
    struct epoll_event event = {.events = wanted, .data.ptr = s};
    if (wanted != s->polled)
        epoll_ctl(s->listener->poller, EPOLL_CTL_MOD, s->fd, &event);
    s->polled = wanted;
}

// What TLS says of a step that did not get on: 0, it must wait; -1, it is over.
static long why_not(struct stream *s, int result, bool *other_way, int natural) {
    const int error = libssl()->SSL_get_error(s->ssl, result);
    *other_way =
        (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) && error != natural;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        set_watch(s);
        return 0;
    }
    return -1;
}

static long plain_result(ssize_t result) {
    if (result > 0)
        return (long)result;
    return result < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

long stream_read(struct stream *s, char *bytes, size_t room) {
    assert(room >= STREAM_READ_MIN && room <= INT_MAX);
    if (!s->listener->tls)
        return plain_result(recv(s->fd, bytes, room, MSG_DONTWAIT));
    if (!s->ssl)
        return -1;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_read(s->ssl, bytes, (int)room);
    s->read_needs_room = false;
    return result > 0 ? result : why_not(s, result, &s->read_needs_room, SSL_ERROR_WANT_READ);
}

long stream_write(struct stream *s, const char *bytes, size_t length) {
    assert(length > 0 && length <= INT_MAX);
    if (!s->listener->tls)
        return plain_result(send(s->fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL));
    if (!s->ssl || s->shaking)
        return -1;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_write(s->ssl, bytes, (int)length);
    s->write_needs_input = false;
    return result > 0 ? result : why_not(s, result, &s->write_needs_input, SSL_ERROR_WANT_WRITE);
}

void stream_want(struct stream *s, bool input, bool room) {
    s->input = input;
    s->room = room;
    set_watch(s);
}

void stream_finish(struct stream *s) {
    if (s->ssl && !s->shaking) {
        libssl()->ERR_clear_error();
        libssl()->SSL_shutdown(s->ssl);
    }
    shutdown(s->fd, SHUT_WR);
}

void stream_break(struct stream *s) {
    const struct linger none = {.l_onoff = 1};
    setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    shutdown(s->fd, SHUT_RDWR);
}

static void free_closed(struct listener *l) {
    for (struct stream *s; (s = l->closed);) {
        l->closed = s->next;
        free(s);
    }
}

void stream_close(struct stream *s) {
    if (s->ssl)
        libssl()->SSL_free(s->ssl);
    // A process that is being forked elsewhere may have it for a moment longer.
    epoll_ctl(s->listener->poller, EPOLL_CTL_DEL, s->fd, NULL);
    close(s->fd);
    s->closed = true;
    s->next = s->listener->closed;
    s->listener->closed = s;
    if (!s->listener->turning) // or it may be among those that are ready
        free_closed(s->listener);
}

static SSL *tls_of(const struct stream *s) {
    SSL *ssl = libssl()->SSL_new(s->listener->tls);
    if (ssl && libssl()->SSL_set_fd(ssl, s->fd) == 1)
        return ssl;
    libssl()->SSL_free(ssl);
    return NULL;
}

// One step of the handshake; false: it must wait, or the stream is at its end, which its owner
// reads.
static bool shake(struct stream *s) {
    if (!s->ssl)
        s->ssl = tls_of(s);
    if (!s->ssl)
        return true;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_accept(s->ssl);
    if (result == 1) {
        s->shaking = s->read_needs_room = false;
        set_watch(s);
        return true;
    }
    if (why_not(s, result, &s->read_needs_room, SSL_ERROR_WANT_READ) == 0)
        return false;
    libssl()->SSL_free(s->ssl); // so that reading it says that it is over
    s->ssl = NULL;
    return true;
}

static void stir(const struct listener *l, struct stream *s) {
    const int cost = s->shaking ? COST_HANDSHAKE : COST_STIR;
    if (s->closed || !l->events.may(s->owner, l->turn, cost))
        return;
    if (!s->shaking || shake(s))
        l->events.stir(s->owner);
}

static void listener_take_turn(void *owner) {
    struct listener *l = owner;
    const int count = epoll_wait(l->poller, l->ready, READY_MAX, 0);
    l->turn++;
    l->turning = true;
    for (int i = 0; i < count; i++)
        stir(l, l->ready[i].data.ptr);
    l->turning = false;
    free_closed(l);
}

static void set_options(int fd) {
    static const struct socket_option {
        int level, name, value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},
        {SOL_SOCKET, SO_SNDBUF, ROOM_BYTES},
        {IPPROTO_TCP, TCP_NOTSENT_LOWAT, UNSENT_BYTES},
        {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, KEEP_IDLE_S},
        {IPPROTO_TCP, TCP_KEEPINTVL, KEEP_EVERY_S},
        {IPPROTO_TCP, TCP_KEEPCNT, KEEP_TRIES},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(int));
}

static void take_in(struct listener *l, int fd, const struct sockaddr_in *from) {
    char peer[PEER_TEXT_MAX] = "";
    struct stream *s = mem_new(1, sizeof *s);
    *s = (struct stream){.listener = l, .fd = fd, .shaking = l->tls, .input = true};
    set_options(fd);
    inet_ntop(AF_INET, &from->sin_addr, peer, sizeof peer);
    struct epoll_event event = {.data.ptr = s};
    const bool polled = epoll_ctl(l->poller, EPOLL_CTL_ADD, fd, &event) == 0;
    s->owner = polled ? l->events.came(l->owner, s, peer) : NULL;
    if (s->owner)
        set_watch(s);
    else
        stream_close(s);
}

static void listener_take_all(void *owner) {
    struct listener *l = owner;
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        struct sockaddr_in from = {.sin_family = AF_INET};
        socklen_t size = sizeof from;
        const int fd =
            accept4(l->fd, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            take_in(l, fd, &from);
            continue;
        }
        l->full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (l->full)
            watch_set(l->watch, false); // or it would be polled for all the time
        if (errno != ECONNABORTED && errno != EINTR)
            return;
    }
}

void listener_tick(struct listener *l) {
    if (l->full)
        watch_set(l->watch, true);
    l->full = false;
}

// Nothing but HTTP/1.1 is spoken.
static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *length,
                           const unsigned char *in, unsigned in_length, void *unused) {
    static const unsigned char ours[] = "\x08http/1.1";
    unsigned char *chosen;
    (void)ssl, (void)unused;
    if (libssl()->SSL_select_next_proto(&chosen, length, ours, sizeof ours - 1, in, in_length) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static bool load_tls(struct listener *l, const struct listener_config *c, struct err *err) {
    l->tls = libssl()->SSL_CTX_new(libssl()->TLS_server_method());
    if (!l->tls ||
        !libssl()->SSL_CTX_ctrl(l->tls, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL))
        return err_set(err, "TLS cannot be used here");
    libssl()->SSL_CTX_set_options(l->tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    libssl()->SSL_CTX_ctrl(l->tls, SSL_CTRL_MODE,
                           SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                               SSL_MODE_RELEASE_BUFFERS,
                           NULL);
    libssl()->SSL_CTX_ctrl(l->tls, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
    libssl()->SSL_CTX_set_alpn_select_cb(l->tls, choose_protocol, NULL);
    if (libssl()->SSL_CTX_use_certificate_chain_file(l->tls, c->certificate) != 1)
        return err_set(err, "%.200s is no certificate, or cannot be read", c->certificate);
    if (libssl()->SSL_CTX_use_PrivateKey_file(l->tls, c->key, SSL_FILETYPE_PEM) != 1 ||
        libssl()->SSL_CTX_check_private_key(l->tls) != 1)
        return err_set(err, "%.200s is not the key of %.200s, or cannot be read", c->key,
                       c->certificate);
    return true;
}

static bool listen_on(struct listener *l, const struct listener_config *c, struct err *err) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)};
    socklen_t size = sizeof at;
    const int yes = 1;
    if (inet_pton(AF_INET, c->address, &at.sin_addr) != 1)
        return err_set(err, "cannot listen on %.100s: it is no IPv4 address", c->address);
    l->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (l->fd < 0 || setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(l->fd, (struct sockaddr *)&at, size) != 0 || listen(l->fd, SOMAXCONN) != 0 ||
        getsockname(l->fd, (struct sockaddr *)&at, &size) != 0)
        return err_set(err, "cannot listen on %.100s, port %d: %s%s", c->address, c->port,
                       strerror(errno), errno == EADDRINUSE ? "; --port names another" : "");
    l->port = ntohs(at.sin_port);
    l->poller = epoll_create1(EPOLL_CLOEXEC);
    l->watch = watch_new(l->loop, l->fd, listener_take_all, l);
    l->streams = watch_new(l->loop, l->poller, listener_take_turn, l);
    if (!l->watch || !l->streams)
        return err_set(err, "cannot watch port %d", l->port);
    watch_set(l->watch, true);
    watch_set(l->streams, true);
    return true;
}

struct listener *listener_new(struct loop *loop, const struct listener_config *config,
                              const struct listener_events *events, void *owner, struct err *err) {
    struct listener *l = mem_new(1, sizeof *l);
    *l = (struct listener){.loop = loop, .events = *events, .owner = owner, .fd = -1, .poller = -1};
    if (libssl_load(err) && (!config->certificate || load_tls(l, config, err)) &&
        listen_on(l, config, err))
        return l;
    listener_free(l);
    return NULL;
}

int listener_port(const struct listener *l) { return l->port; }

void listener_free(struct listener *l) {
    if (!l)
        return;
    watch_free(l->watch);
    watch_free(l->streams);
    if (l->fd >= 0)
        close(l->fd);
    if (l->poller >= 0)
        close(l->poller);
    if (l->tls)
        libssl()->SSL_CTX_free(l->tls);
    free(l);
}
