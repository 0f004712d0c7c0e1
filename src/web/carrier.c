// SPDX-License-Identifier: MIT
// Sockets are polled for as long as something is left to do, so that a line whose turn it is not
// comes again by itself. They are polled by one descriptor of their own, all that are ready in a
// turn: the loop would look at those that are ready up to 48 times before it looks at a new one, at
// a timer or at a player. TLS begins with the first bytes: a connection that says nothing costs a
// descriptor and little else. A record of TLS holds 16 KiB at most and is read whole: whatever is
// left lies in the kernel, where it is polled for.
#include "web/carrier.h"

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
    READY_MAX = 4096, // lines of a turn
    COST_STIR = 1,
    COST_HANDSHAKE = 8, // some hundred times that of a small answer, but that is one of three steps
    ROOM_BYTES = 1 << 17,   // that the kernel keeps until they have arrived
    UNSENT_BYTES = 1 << 15, // and those that it may not send yet: of one who does not read
    KEEP_IDLE_S = 60,       // a computer that has vanished is found out
    KEEP_EVERY_S = 15,
    KEEP_TRIES = 4,
};

struct carrier {
    struct loop *loop;
    struct carrier_events events;
    void *owner;
    SSL_CTX *tls; // NULL: plain
    int fd, port;
    struct watch *watch;
    bool full;  // there were no descriptors left
    int poller; // of the lines
    struct watch *lines;
    int64_t turn;
    bool turning;
    struct line *closed; // in this turn
    struct epoll_event ready[READY_MAX];
};

struct line {
    struct carrier *carrier;
    void *owner;
    int fd;
    SSL *ssl;                                // NULL: plain, or nothing has come yet
    bool shaking;                            // hands, by TLS
    struct line *next;                       // of those closed
    uint32_t polled;                         // what the poll is for
    bool input, room;                        // what the owner wants
    bool read_needs_room, write_needs_input; // TLS wants it the other way round
    bool closed;
};

// What the poll is for.
static void set_watch(struct line *line) {
    bool input = line->input || line->shaking, room = line->room && !line->shaking;
    room |= (line->input || line->shaking) && line->read_needs_room;
    input |= line->room && line->write_needs_input;
    const uint32_t wanted = (input ? EPOLLIN : 0U) | (room ? EPOLLOUT : 0U);
    struct epoll_event event = {.events = wanted, .data.ptr = line};
    if (wanted != line->polled)
        epoll_ctl(line->carrier->poller, EPOLL_CTL_MOD, line->fd, &event);
    line->polled = wanted;
}

// What TLS says of a step that did not get on: 0, it must wait; -1, it is over.
static long why_not(struct line *line, int result, bool *other_way, int natural) {
    const int error = libssl()->SSL_get_error(line->ssl, result);
    *other_way =
        (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) && error != natural;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        set_watch(line);
        return 0;
    }
    return -1;
}

static long plain_result(ssize_t result) {
    if (result > 0)
        return (long)result;
    return result < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

long line_read(struct line *line, char *bytes, size_t room) {
    assert(room >= LINE_READ_MIN && room <= INT_MAX);
    if (!line->carrier->tls)
        return plain_result(recv(line->fd, bytes, room, MSG_DONTWAIT));
    if (!line->ssl)
        return -1;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_read(line->ssl, bytes, (int)room);
    line->read_needs_room = false;
    return result > 0 ? result : why_not(line, result, &line->read_needs_room, SSL_ERROR_WANT_READ);
}

long line_write(struct line *line, const char *bytes, size_t length) {
    assert(length > 0 && length <= INT_MAX);
    if (!line->carrier->tls)
        return plain_result(send(line->fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL));
    if (!line->ssl || line->shaking)
        return -1;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_write(line->ssl, bytes, (int)length);
    line->write_needs_input = false;
    return result > 0 ? result
                      : why_not(line, result, &line->write_needs_input, SSL_ERROR_WANT_WRITE);
}

void line_want(struct line *line, bool input, bool room) {
    line->input = input;
    line->room = room;
    set_watch(line);
}

void line_finish(struct line *line) {
    if (line->ssl && !line->shaking) {
        libssl()->ERR_clear_error();
        libssl()->SSL_shutdown(line->ssl);
    }
    shutdown(line->fd, SHUT_WR);
}

void line_break(struct line *line) {
    const struct linger none = {.l_onoff = 1};
    setsockopt(line->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    shutdown(line->fd, SHUT_RDWR);
}

static void free_closed(struct carrier *carrier) {
    for (struct line *line; (line = carrier->closed);) {
        carrier->closed = line->next;
        free(line);
    }
}

void line_close(struct line *line) {
    if (line->ssl)
        libssl()->SSL_free(line->ssl);
    // A process that is being forked elsewhere may have it for a moment longer.
    epoll_ctl(line->carrier->poller, EPOLL_CTL_DEL, line->fd, NULL);
    close(line->fd);
    line->closed = true;
    line->next = line->carrier->closed;
    line->carrier->closed = line;
    if (!line->carrier->turning) // or it may be among those that are ready
        free_closed(line->carrier);
}

static SSL *tls_of(const struct line *line) {
    SSL *ssl = libssl()->SSL_new(line->carrier->tls);
    if (ssl && libssl()->SSL_set_fd(ssl, line->fd) == 1)
        return ssl;
    libssl()->SSL_free(ssl);
    return NULL;
}

// One step of the handshake; false: it must wait, or the line is at its end, which its owner reads.
static bool shake(struct line *line) {
    if (!line->ssl)
        line->ssl = tls_of(line);
    if (!line->ssl)
        return true;
    libssl()->ERR_clear_error();
    const int result = libssl()->SSL_accept(line->ssl);
    if (result == 1) {
        line->shaking = line->read_needs_room = false;
        set_watch(line);
        return true;
    }
    if (why_not(line, result, &line->read_needs_room, SSL_ERROR_WANT_READ) == 0)
        return false;
    libssl()->SSL_free(line->ssl); // so that reading it says that it is over
    line->ssl = NULL;
    return true;
}

static void stir(const struct carrier *carrier, struct line *line) {
    const int cost = line->shaking ? COST_HANDSHAKE : COST_STIR;
    if (line->closed || !carrier->events.may(line->owner, carrier->turn, cost))
        return;
    if (!line->shaking || shake(line))
        carrier->events.stir(line->owner);
}

static void take_turn(void *owner) {
    struct carrier *carrier = owner;
    const int count = epoll_wait(carrier->poller, carrier->ready, READY_MAX, 0);
    carrier->turn++;
    carrier->turning = true;
    for (int i = 0; i < count; i++)
        stir(carrier, carrier->ready[i].data.ptr);
    carrier->turning = false;
    free_closed(carrier);
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

static void take_in(struct carrier *carrier, int fd, const struct sockaddr_in *from) {
    char peer[PEER_TEXT_MAX] = "";
    struct line *line = mem_new(1, sizeof *line);
    *line = (struct line){.carrier = carrier, .fd = fd, .shaking = carrier->tls, .input = true};
    set_options(fd);
    inet_ntop(AF_INET, &from->sin_addr, peer, sizeof peer);
    struct epoll_event event = {.data.ptr = line};
    const bool polled = epoll_ctl(carrier->poller, EPOLL_CTL_ADD, fd, &event) == 0;
    line->owner = polled ? carrier->events.came(carrier->owner, line, peer) : NULL;
    if (line->owner)
        set_watch(line);
    else
        line_close(line);
}

static void take_all(void *owner) {
    struct carrier *carrier = owner;
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        struct sockaddr_in from = {.sin_family = AF_INET};
        socklen_t size = sizeof from;
        const int fd =
            accept4(carrier->fd, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            take_in(carrier, fd, &from);
            continue;
        }
        carrier->full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (carrier->full)
            watch_set(carrier->watch, false); // or it would be polled for all the time
        if (errno != ECONNABORTED && errno != EINTR)
            return;
    }
}

void carrier_tick(struct carrier *carrier) {
    if (carrier->full)
        watch_set(carrier->watch, true);
    carrier->full = false;
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

static bool load_tls(struct carrier *carrier, const struct carrier_config *c, struct err *err) {
    carrier->tls = libssl()->SSL_CTX_new(libssl()->TLS_server_method());
    if (!carrier->tls ||
        !libssl()->SSL_CTX_ctrl(carrier->tls, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL))
        return err_set(err, "TLS cannot be used here");
    libssl()->SSL_CTX_set_options(carrier->tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    libssl()->SSL_CTX_ctrl(carrier->tls, SSL_CTRL_MODE,
                           SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                               SSL_MODE_RELEASE_BUFFERS,
                           NULL);
    libssl()->SSL_CTX_ctrl(carrier->tls, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
    libssl()->SSL_CTX_set_alpn_select_cb(carrier->tls, choose_protocol, NULL);
    if (libssl()->SSL_CTX_use_certificate_chain_file(carrier->tls, c->certificate) != 1)
        return err_set(err, "%.200s is no certificate, or cannot be read", c->certificate);
    if (libssl()->SSL_CTX_use_PrivateKey_file(carrier->tls, c->key, SSL_FILETYPE_PEM) != 1 ||
        libssl()->SSL_CTX_check_private_key(carrier->tls) != 1)
        return err_set(err, "%.200s is not the key of %.200s, or cannot be read", c->key,
                       c->certificate);
    return true;
}

static bool listen_on(struct carrier *carrier, const struct carrier_config *c, struct err *err) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)};
    socklen_t size = sizeof at;
    const int yes = 1;
    if (inet_pton(AF_INET, c->address, &at.sin_addr) != 1)
        return err_set(err, "cannot listen on %.100s: it is no IPv4 address", c->address);
    carrier->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (carrier->fd < 0 ||
        setsockopt(carrier->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(carrier->fd, (struct sockaddr *)&at, size) != 0 ||
        listen(carrier->fd, SOMAXCONN) != 0 ||
        getsockname(carrier->fd, (struct sockaddr *)&at, &size) != 0)
        return err_set(err, "cannot listen on %.100s, port %d: %s%s", c->address, c->port,
                       strerror(errno), errno == EADDRINUSE ? "; --port names another" : "");
    carrier->port = ntohs(at.sin_port);
    carrier->poller = epoll_create1(EPOLL_CLOEXEC);
    carrier->watch = watch_new(carrier->loop, carrier->fd, take_all, carrier);
    carrier->lines = watch_new(carrier->loop, carrier->poller, take_turn, carrier);
    if (!carrier->watch || !carrier->lines)
        return err_set(err, "cannot watch port %d", carrier->port);
    watch_set(carrier->watch, true);
    watch_set(carrier->lines, true);
    return true;
}

struct carrier *carrier_new(struct loop *loop, const struct carrier_config *config,
                            const struct carrier_events *events, void *owner, struct err *err) {
    struct carrier *carrier = mem_new(1, sizeof *carrier);
    *carrier =
        (struct carrier){.loop = loop, .events = *events, .owner = owner, .fd = -1, .poller = -1};
    if (libssl_load(err) && (!config->certificate || load_tls(carrier, config, err)) &&
        listen_on(carrier, config, err))
        return carrier;
    carrier_free(carrier);
    return NULL;
}

int carrier_port(const struct carrier *carrier) { return carrier->port; }

void carrier_free(struct carrier *carrier) {
    if (!carrier)
        return;
    watch_free(carrier->watch);
    watch_free(carrier->lines);
    if (carrier->fd >= 0)
        close(carrier->fd);
    if (carrier->poller >= 0)
        close(carrier->poller);
    if (carrier->tls)
        libssl()->SSL_CTX_free(carrier->tls);
    free(carrier);
}
