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
static void set_watch(struct stream *stream) {
    bool input = stream->input || stream->shaking, room = stream->room && !stream->shaking;
    room |= (stream->input || stream->shaking) && stream->read_needs_room;
    input |= stream->room && stream->write_needs_input;
    const uint32_t wanted = (input ? EPOLLIN : 0U) | (room ? EPOLLOUT : 0U);
    struct epoll_event event = {.events = wanted, .data.ptr = stream};
    if (wanted != stream->polled)
        epoll_ctl(stream->listener->poller, EPOLL_CTL_MOD, stream->fd, &event);
    stream->polled = wanted;
}

// What TLS says of a step that did not get on: 0, it must wait; -1, it is over.
static long why_not(struct stream *stream, int result, bool *other_way, int natural) {
    const int error = libssl()->SSL_get_error(stream->ssl, result);
    *other_way =
        (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) && error != natural;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        set_watch(stream);
        return 0;
    }
    return -1;
}

static long plain_result(ssize_t result) {
    if (result > 0)
        return (long)result;
    return result < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

long stream_read(struct stream *stream, char *bytes, size_t room) {
    assert(room >= STREAM_READ_MIN && room <= INT_MAX);
    if (!stream->listener->tls)
        return plain_result(recv(stream->fd, bytes, room, MSG_DONTWAIT));
    if (!stream->ssl)
        return -1;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_read(stream->ssl, bytes, (int)room);
    stream->read_needs_room = false;
    return result > 0 ? result
                      : why_not(stream, result, &stream->read_needs_room, SSL_ERROR_WANT_READ);
}

long stream_write(struct stream *stream, const char *bytes, size_t length) {
    assert(length > 0 && length <= INT_MAX);
    if (!stream->listener->tls)
        return plain_result(send(stream->fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL));
    if (!stream->ssl || stream->shaking)
        return -1;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_write(stream->ssl, bytes, (int)length);
    stream->write_needs_input = false;
    return result > 0 ? result
                      : why_not(stream, result, &stream->write_needs_input, SSL_ERROR_WANT_WRITE);
}

void stream_want(struct stream *stream, bool input, bool room) {
    stream->input = input;
    stream->room = room;
    set_watch(stream);
}

void stream_finish(struct stream *stream) {
    if (stream->ssl && !stream->shaking) {
        libssl()->ERR_clear_error();
        libssl()->SSL_shutdown(stream->ssl);
    }
    shutdown(stream->fd, SHUT_WR);
}

void stream_break(struct stream *stream) {
    const struct linger none = {.l_onoff = 1};
    setsockopt(stream->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    shutdown(stream->fd, SHUT_RDWR);
}

static void free_closed(struct listener *listener) {
    for (struct stream *stream; (stream = listener->closed);) {
        listener->closed = stream->next;
        free(stream);
    }
}

void stream_close(struct stream *stream) {
    if (stream->ssl)
        libssl()->SSL_free(stream->ssl);
    // A process that is being forked elsewhere may have it for a moment longer.
    epoll_ctl(stream->listener->poller, EPOLL_CTL_DEL, stream->fd, NULL);
    close(stream->fd);
    stream->closed = true;
    stream->next = stream->listener->closed;
    stream->listener->closed = stream;
    if (!stream->listener->turning) // or it may be among those that are ready
        free_closed(stream->listener);
}

static SSL *tls_of(const struct stream *stream) {
    SSL *ssl = libssl()->SSL_new(stream->listener->tls);
    if (ssl && libssl()->SSL_set_fd(ssl, stream->fd) == 1)
        return ssl;
    libssl()->SSL_free(ssl);
    return NULL;
}

// One step of the handshake; false: it must wait, or the stream is at its end, which its owner
// reads.
static bool shake(struct stream *stream) {
    if (!stream->ssl)
        stream->ssl = tls_of(stream);
    if (!stream->ssl)
        return true;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_accept(stream->ssl);
    if (result == 1) {
        stream->shaking = stream->read_needs_room = false;
        set_watch(stream);
        return true;
    }
    if (why_not(stream, result, &stream->read_needs_room, SSL_ERROR_WANT_READ) == 0)
        return false;
    libssl()->SSL_free(stream->ssl); // so that reading it says that it is over
    stream->ssl = NULL;
    return true;
}

static void stir(const struct listener *listener, struct stream *stream) {
    const int cost = stream->shaking ? COST_HANDSHAKE : COST_STIR;
    if (stream->closed || !listener->events.may(stream->owner, listener->turn, cost))
        return;
    if (!stream->shaking || shake(stream))
        listener->events.stir(stream->owner);
}

static void listener_take_turn(void *owner) {
    struct listener *listener = owner;
    const int count = epoll_wait(listener->poller, listener->ready, READY_MAX, 0);
    listener->turn++;
    listener->turning = true;
    for (int i = 0; i < count; i++)
        stir(listener, listener->ready[i].data.ptr);
    listener->turning = false;
    free_closed(listener);
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

static void take_in(struct listener *listener, int fd, const struct sockaddr_in *from) {
    char peer[PEER_TEXT_MAX] = "";
    struct stream *stream = mem_new(1, sizeof *stream);
    *stream =
        (struct stream){.listener = listener, .fd = fd, .shaking = listener->tls, .input = true};
    set_options(fd);
    inet_ntop(AF_INET, &from->sin_addr, peer, sizeof peer);
    struct epoll_event event = {.data.ptr = stream};
    const bool polled = epoll_ctl(listener->poller, EPOLL_CTL_ADD, fd, &event) == 0;
    stream->owner = polled ? listener->events.came(listener->owner, stream, peer) : NULL;
    if (stream->owner)
        set_watch(stream);
    else
        stream_close(stream);
}

static void listener_take_all(void *owner) {
    struct listener *listener = owner;
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        struct sockaddr_in from = {.sin_family = AF_INET};
        socklen_t size = sizeof from;
        const int fd =
            accept4(listener->fd, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            take_in(listener, fd, &from);
            continue;
        }
        listener->full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (listener->full)
            watch_set(listener->watch, false); // or it would be polled for all the time
        if (errno != ECONNABORTED && errno != EINTR)
            return;
    }
}

void listener_tick(struct listener *listener) {
    if (listener->full)
        watch_set(listener->watch, true);
    listener->full = false;
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

static bool load_tls(struct listener *listener, const struct listener_config *c, struct err *err) {
    listener->tls = libssl()->SSL_CTX_new(libssl()->TLS_server_method());
    if (!listener->tls || !libssl()->SSL_CTX_ctrl(listener->tls, SSL_CTRL_SET_MIN_PROTO_VERSION,
                                                  TLS1_2_VERSION, NULL))
        return err_set(err, "TLS cannot be used here");
    libssl()->SSL_CTX_set_options(listener->tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    libssl()->SSL_CTX_ctrl(listener->tls, SSL_CTRL_MODE,
                           SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                               SSL_MODE_RELEASE_BUFFERS,
                           NULL);
    libssl()->SSL_CTX_ctrl(listener->tls, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
    libssl()->SSL_CTX_set_alpn_select_cb(listener->tls, choose_protocol, NULL);
    if (libssl()->SSL_CTX_use_certificate_chain_file(listener->tls, c->certificate) != 1)
        return err_set(err, "%.200s is no certificate, or cannot be read", c->certificate);
    if (libssl()->SSL_CTX_use_PrivateKey_file(listener->tls, c->key, SSL_FILETYPE_PEM) != 1 ||
        libssl()->SSL_CTX_check_private_key(listener->tls) != 1)
        return err_set(err, "%.200s is not the key of %.200s, or cannot be read", c->key,
                       c->certificate);
    return true;
}

static bool listen_on(struct listener *listener, const struct listener_config *c, struct err *err) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)};
    socklen_t size = sizeof at;
    const int yes = 1;
    if (inet_pton(AF_INET, c->address, &at.sin_addr) != 1)
        return err_set(err, "cannot listen on %.100s: it is no IPv4 address", c->address);
    listener->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener->fd < 0 ||
        setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(listener->fd, (struct sockaddr *)&at, size) != 0 ||
        listen(listener->fd, SOMAXCONN) != 0 ||
        getsockname(listener->fd, (struct sockaddr *)&at, &size) != 0)
        return err_set(err, "cannot listen on %.100s, port %d: %s%s", c->address, c->port,
                       strerror(errno), errno == EADDRINUSE ? "; --port names another" : "");
    listener->port = ntohs(at.sin_port);
    listener->poller = epoll_create1(EPOLL_CLOEXEC);
    listener->watch = watch_new(listener->loop, listener->fd, listener_take_all, listener);
    listener->streams = watch_new(listener->loop, listener->poller, listener_take_turn, listener);
    if (!listener->watch || !listener->streams)
        return err_set(err, "cannot watch port %d", listener->port);
    watch_set(listener->watch, true);
    watch_set(listener->streams, true);
    return true;
}

struct listener *listener_new(struct loop *loop, const struct listener_config *config,
                              const struct listener_events *events, void *owner, struct err *err) {
    struct listener *listener = mem_new(1, sizeof *listener);
    *listener =
        (struct listener){.loop = loop, .events = *events, .owner = owner, .fd = -1, .poller = -1};
    if (libssl_load(err) && (!config->certificate || load_tls(listener, config, err)) &&
        listen_on(listener, config, err))
        return listener;
    listener_free(listener);
    return NULL;
}

int listener_port(const struct listener *listener) { return listener->port; }

void listener_free(struct listener *listener) {
    if (!listener)
        return;
    watch_free(listener->watch);
    watch_free(listener->streams);
    if (listener->fd >= 0)
        close(listener->fd);
    if (listener->poller >= 0)
        close(listener->poller);
    if (listener->tls)
        libssl()->SSL_CTX_free(listener->tls);
    free(listener);
}
