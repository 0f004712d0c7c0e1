// SPDX-License-Identifier: MIT
// libwebsockets carries requests and messages; what they mean is decided in routes.c and live.c.
// Every answer is made whole and then sent in pieces as the connection takes them. A WebSocket is
// sent one message at a time, the next one when the last has left (live.h). What thousands watch is
// framed here and handed to the kernel at once, which is a quarter cheaper than by way of the
// library; whatever the kernel does not take goes through the library, which keeps it.
#include "web/server.h"

#include "base/clock.h"
#include "base/fds.h"
#include "base/mem.h"
#include "web/crowd.h"
#include "web/exchange.h"

#include <errno.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    CONNECTIONS_MAX = 4096,
    OTHER_FILES = 256,     // of the server: games, players, what is being built
    HEADERS_MAX = 8192,    // bytes of a request's headers
    MESSAGE_MAX = 4096,    // bytes of a message from a watcher
    PIECE = 1 << 15,       // bytes of an answer sent at once
    SILENCE_S = 20,        // a request that is not finished
    REQUESTS_BURST = 4000, // of one address, then so many a second:
    REQUESTS_PER_S = 1000,
    CHANGES_BURST = 60,
    CHANGES_PER_S = 20,
    GUESSES_BURST = 20, // wrong keys and tokens
    GUESSES_PER_S = 1,
    CLOSING_TURNS = 20,
};

static const char policy[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' "
    "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct server {
    const struct server_config *config;
    struct loop *loop;
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct web web;
    struct rate requests, changes;
    struct crowd crowd;
    bool stopped;
};

// Of one connection, made and freed by libwebsockets.
struct session {
    struct exchange x;
    size_t sent;
    bool headers_sent, close_after;
    bool waiting; // the last message has not left yet
    struct lws *wsi;
    int fd; // of a WebSocket, to write to without the library; -1: by TLS
    struct watcher *watcher;
};

static struct server *server_of(struct lws *wsi) { return lws_context_user(lws_get_context(wsi)); }

// Connections that come and go. What the library has of its own, as the socket that listens, is no
// member.
static int join_crowd(struct server *s, struct lws *wsi) {
    char peer[64] = "";
    lws_get_peer_simple(wsi, peer, sizeof peer);
    struct member *member = crowd_join(&s->crowd, wsi, peer);
    lws_set_opaque_user_data(wsi, member);
    return member ? 0 : -1;
}

static int leave_crowd(struct server *s, struct lws *wsi) {
    struct member *member = lws_get_opaque_user_data(wsi);
    lws_set_opaque_user_data(wsi, NULL);
    if (member)
        crowd_leave(&s->crowd, member);
    return 0;
}

static void drop(void *connection) {
    lws_set_timeout(connection, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

static void touch(struct lws *wsi) {
    crowd_touch(&server_of(wsi)->crowd, lws_get_opaque_user_data(wsi));
}

static bool header_of(struct lws *wsi, enum lws_token_indexes token, char *text, size_t size) {
    text[0] = '\0';
    return lws_hdr_total_length(wsi, token) > 0 && lws_hdr_copy(wsi, text, (int)size, token) > 0;
}

// Who asks, by what he brings.
static void read_keys(const struct server *s, struct lws *wsi, struct exchange *x) {
    char cookie[4096], key[KEY_TEXT_MAX];
    const bool any = header_of(wsi, WSI_TOKEN_HTTP_COOKIE, cookie, sizeof cookie);
    x->organiser = any && guard_cookie(cookie, s->web.guard.key_cookie, key) &&
                   guard_knows_key(&s->web.guard, key);
    if (!any || !guard_cookie(cookie, s->web.guard.team_cookie, x->team_key))
        x->team_key[0] = '\0';
    lws_get_peer_simple(wsi, x->peer, sizeof x->peer);
}

// Why a request is turned away before it is looked at, or NULL. What changes something, or listens,
// must come from our own page.
static const char *turn_away(struct server *s, struct lws *wsi, bool own_page, struct rate *rate) {
    char host[GUARD_NAME_MAX + 8], origin[GUARD_NAME_MAX + 16], peer[64] = "";
    header_of(wsi, WSI_TOKEN_HOST, host, sizeof host);
    header_of(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    if (!guard_knows_host(&s->web.guard, host))
        return "this server does not go by that name";
    if (own_page && !guard_knows_origin(&s->web.guard, origin, host))
        return "this comes from another page";
    lws_get_peer_simple(wsi, peer, sizeof peer);
    return rate_take(rate, peer, clock_now_us()) ? NULL : "too many requests; wait a little";
}

static int add_header(struct lws *wsi, const char *line, unsigned char **at, unsigned char *end) {
    char name[64];
    const char *colon = strchr(line, ':');
    if (!colon)
        return 0;
    snprintf(name, sizeof name, "%.*s:", (int)(colon - line), line);
    const char *value = colon + 2;
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at, end);
}

static int send_headers(struct lws *wsi, struct session *session, size_t length) {
    static const char *const always[] = {
        "x-content-type-options: nosniff", "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin", "cache-control: no-cache"};
    unsigned char buffer[LWS_PRE + 4096], *start = buffer + LWS_PRE, *at = start;
    unsigned char *end = buffer + sizeof buffer - 1;
    const struct exchange *x = &session->x;
    if (lws_add_http_common_headers(wsi, (unsigned)x->status, x->type, length, &at, end) ||
        lws_add_http_header_by_name(wsi, (const unsigned char *)"content-security-policy:",
                                    (const unsigned char *)policy, sizeof policy - 1, &at, end))
        return -1;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (add_header(wsi, always[i], &at, end))
            return -1;
    for (int i = 0; i < 2; i++)
        if (add_header(wsi, x->header[i], &at, end))
            return -1;
    session->headers_sent = true;
    return lws_finalize_write_http_header(wsi, start, &at, end);
}

static void stop(struct server *s) {
    s->stopped = true;
    loop_stop(s->loop);
}

// The answer has left.
static int finish(struct lws *wsi, struct session *session) {
    struct server *s = server_of(wsi);
    const bool leave = session->x.leave, close = session->close_after;
    exchange_done(&session->x);
    session->sent = 0;
    session->headers_sent = session->close_after = false;
    if (leave)
        stop(s);
    return close || lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int send_piece(struct lws *wsi, struct session *session) {
    const struct exchange *x = &session->x;
    const char *bytes = x->fixed ? x->fixed : x->answer.data;
    const size_t length = x->fixed ? x->fixed_length : x->answer.length;
    if (x->status == 0)
        return 0;
    if (!session->headers_sent) {
        if (send_headers(wsi, session, length) < 0)
            return -1;
        if (length > 0)
            lws_callback_on_writable(wsi);
        return length > 0 ? 0 : finish(wsi, session);
    }
    unsigned char buffer[LWS_PRE + PIECE];
    const size_t left = length - session->sent, piece = left < PIECE ? left : PIECE;
    const bool last = piece == left;
    memcpy(buffer + LWS_PRE, bytes + session->sent, piece);
    if (lws_write(wsi, buffer + LWS_PRE, piece, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    session->sent += piece;
    touch(wsi);
    if (last)
        return finish(wsi, session);
    lws_callback_on_writable(wsi);
    return 0;
}

// Answers without waiting for a body that is on its way.
static int refuse(struct lws *wsi, struct session *session, int status, const char *words) {
    if (words)
        answer_error(&session->x, status, words);
    session->close_after = true;
    lws_callback_on_writable(wsi);
    return 0;
}

static int answer(struct lws *wsi, struct session *session) {
    exchange_answer(&server_of(wsi)->web, &session->x);
    lws_callback_on_writable(wsi);
    return 0;
}

static int begin_post(struct lws *wsi, struct session *session) {
    char length[24];
    if (!exchange_may_post(&server_of(wsi)->web, &session->x))
        return refuse(wsi, session, 0, NULL);
    if (!header_of(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length))
        return refuse(wsi, session, 411, "the length of the body is not told");
    if (strtoul(length, NULL, 10) > session->x.most)
        return refuse(wsi, session, 413, "the body is too large");
    return strtoul(length, NULL, 10) == 0 ? answer(wsi, session) : 0;
}

static int begin_request(struct lws *wsi, struct session *session, const char *path) {
    struct server *s = server_of(wsi);
    struct exchange *x = &session->x;
    char encodings[128];
    touch(wsi);
    exchange_done(x);
    x->post = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0;
    const char *why = turn_away(s, wsi, x->post, x->post ? &s->changes : &s->requests);
    if (why)
        return refuse(wsi, session, strstr(why, "too many") ? 429 : 403, why);
    if (!x->post && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return refuse(wsi, session, 405, "only GET and POST are answered");
    if (strlen(path) >= PATH_TEXT_MAX)
        return refuse(wsi, session, 414, "the path is too long");
    snprintf(x->path, PATH_TEXT_MAX, "%s", path);
    read_keys(s, wsi, x);
    x->takes_gzip = header_of(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, encodings, sizeof encodings) &&
                    strstr(encodings, "gzip");
    return x->post ? begin_post(wsi, session) : answer(wsi, session);
}

static int take_body(struct lws *wsi, struct session *session, const void *bytes, size_t length) {
    if (session->x.status != 0) // it is answered already
        return 0;
    if (session->x.body.length + length > session->x.most)
        return refuse(wsi, session, 413, "the body is too large");
    buf_put(&session->x.body, bytes, length);
    return 0;
}

static int handle_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                       size_t length) {
    struct session *session = user;
    switch ((int)reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        return join_crowd(server_of(wsi), wsi);
    case LWS_CALLBACK_WSI_DESTROY:
        return leave_crowd(server_of(wsi), wsi);
    case LWS_CALLBACK_HTTP:
        return begin_request(wsi, session, in);
    case LWS_CALLBACK_HTTP_BODY:
        return take_body(wsi, session, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return session->x.status ? 0 : answer(wsi, session);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_piece(wsi, session);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (session)
            exchange_done(&session->x);
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1; // a WebSocket speaks arbiter.1 here
    default:
        return 0;
    }
}

// Writes the head of a text frame before a message; returns its size.
static size_t put_head(unsigned char *message, size_t length) {
    const size_t size = length < 126 ? 2 : length < 65536 ? 4 : 10;
    unsigned char *head = message - size;
    head[0] = 0x81;
    head[1] = (unsigned char)(size == 2 ? length : size == 4 ? 126 : 127);
    for (size_t i = 2; i < size; i++)
        head[i] = (unsigned char)(length >> 8 * (size - 1 - i));
    return size;
}

// Sends one message, with LIVE_PRE bytes free before it; false when the connection is broken. What
// the kernel does not take now waits.
static bool send_message(struct session *session, char *message, size_t length) {
    const size_t head = put_head((unsigned char *)message, length);
    char *frame = message - head;
    size_t left = head + length;
    if (session->fd >= 0 && !lws_partial_buffered(session->wsi)) {
        const ssize_t sent = send(session->fd, frame, left, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent == (ssize_t)left)
            return true;
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        frame += sent > 0 ? sent : 0;
        left -= sent > 0 ? (size_t)sent : 0;
    }
    const bool good = lws_write(session->wsi, (unsigned char *)frame, left, LWS_WRITE_RAW) >= 0;
    session->waiting = lws_partial_buffered(session->wsi);
    return good;
}

// Sends what is new, a message at a time, as long as the kernel takes it; false when it is broken.
static bool send_news(struct session *session) {
    size_t length;
    for (char *message; !session->waiting && (message = watcher_next(session->watcher, &length));)
        if (!send_message(session, message, length))
            return false;
    if (session->waiting)
        lws_callback_on_writable(session->wsi);
    return true;
}

// Something is new. It is written at once: to be called back when that can be done costs more than
// doing it. Whoever is still sent the last message gets the latest state after it.
static void wake(void *connection) {
    struct session *session = connection;
    if (!send_news(session))
        lws_set_timeout(session->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

static int handle_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                         size_t length) {
    struct session *session = user;
    switch ((int)reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return turn_away(server_of(wsi), wsi, true, &server_of(wsi)->requests) ||
               !crowd_watch(&server_of(wsi)->crowd, lws_get_opaque_user_data(wsi));
    case LWS_CALLBACK_ESTABLISHED:
        session->watcher = watcher_new(&server_of(wsi)->web.venue->live, session);
        session->wsi = wsi;
        session->fd = server_of(wsi)->web.guard.tls ? -1 : lws_get_socket_fd(wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE: // one that does not fit is none of ours
        return lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0 &&
                       watcher_hear(session->watcher, in, length)
                   ? 0
                   : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        session->waiting = false;
        return send_news(session) ? 0 : -1;
    case LWS_CALLBACK_CLOSED:
        watcher_free(session->watcher);
        session->watcher = NULL;
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = handle_http, .per_session_data_size = sizeof(struct session)},
    {.name = "arbiter.1",
     .callback = handle_socket,
     .per_session_data_size = sizeof(struct session),
     .rx_buffer_size = MESSAGE_MAX},
    {.name = NULL},
};

// There is room for the headers of every connection: a request that is never finished keeps none
// but its own.
static bool listen_on(struct server *s, struct err *err) {
    const struct server_config *c = s->config;
    void *loops[1] = {loop_uv(s->loop)};
    struct lws_context_creation_info info = {
        .port = c->port,
        .iface = c->address,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_DISABLE_IPV6 |
                   (c->certificate ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .foreign_loops = loops,
        .user = s,
        .max_http_header_data = HEADERS_MAX,
        .max_http_header_pool = CONNECTIONS_MAX,
        .fd_limit_per_thread = CONNECTIONS_MAX + 64,
        .timeout_secs = SILENCE_S,
        .keepalive_timeout = SILENCE_S,
        .ssl_cert_filepath = c->certificate,
        .ssl_private_key_filepath = c->key,
        .alpn = "http/1.1",
        .gid = -1,
        .uid = -1,
    };
    lws_set_log_level(0, NULL);
    s->context = lws_create_context(&info);
    if (!s->context)
        return err_set(err, "cannot make a web server: is libwebsockets-evlib-uv installed?");
    s->vhost = lws_create_vhost(s->context, &info);
    return s->vhost ||
           err_set(err, "cannot listen on %s, port %d: %s", c->address, c->port,
                   c->certificate ? "is it taken, or the certificate wrong?" : "is it taken?");
}

static bool load_key(struct server *s, const char *path, struct err *err) {
    bool replaced;
    const bool good = guard_load_key(&s->web.guard, path, &replaced, err);
    if (good && replaced)
        s->config->note(s->config->owner, "the file of the organiser's key could be read by other "
                                          "users: there is a new key, and old links are void");
    return good;
}

static bool open_venue(struct server *s, struct err *err) {
    const struct server_config *c = s->config;
    const struct venue_config config = {.data = c->data,
                                        .program = c->program,
                                        .kits = c->kits,
                                        .address = c->address,
                                        .judge_port = c->judge_port,
                                        .demo = c->demo,
                                        .wake = wake,
                                        .note = c->note,
                                        .owner = c->owner};
    char path[4096];
    s->web.venue = venue_new(s->loop, &config, err);
    snprintf(path, sizeof path, "%.4000s/key", c->data);
    return s->web.venue && load_key(s, path, err);
}

static bool set_names(struct server *s, struct err *err) {
    const struct server_config *c = s->config;
    guard_init(&s->web.guard, lws_get_vhost_listen_port(s->vhost), c->certificate != NULL);
    if (!guard_add_name(&s->web.guard, c->address, err))
        return false;
    for (int i = 0; i < 5 && c->names[i]; i++)
        if (!guard_add_name(&s->web.guard, c->names[i], err))
            return false;
    return true;
}

static void interrupted(void *owner) { stop(owner); }

static void tell_ready(const struct server *s) {
    char url[256];
    const char *name = s->config->names[0] ? s->config->names[0] : "localhost";
    snprintf(url, sizeof url, "%s://%s:%d/key/%s", s->web.guard.tls ? "https" : "http", name,
             s->web.guard.port, s->web.guard.key);
    s->config->ready(s->config->owner, url);
}

// Fewer where the system does not allow as many open files, of which the server needs others, too.
static int connections_allowed(void) {
    const int files = fds_allow(CONNECTIONS_MAX + OTHER_FILES);
    return files > 2 * OTHER_FILES ? files - OTHER_FILES : files / 2;
}

bool server_run(const struct server_config *config, struct err *err) {
    struct server *s = mem_new(1, sizeof *s);
    *s = (struct server){.config = config, .web = {.personal = config->personal}};
    s->requests = (struct rate){.burst = REQUESTS_BURST, .per_second = REQUESTS_PER_S};
    s->changes = (struct rate){.burst = CHANGES_BURST, .per_second = CHANGES_PER_S};
    s->web.guesses = (struct rate){.burst = GUESSES_BURST, .per_second = GUESSES_PER_S};
    s->crowd = (struct crowd){.most = connections_allowed(), .drop = drop};
    s->loop = loop_new(err);
    const bool good = s->loop && listen_on(s, err) && set_names(s, err) && open_venue(s, err);
    if (good) {
        loop_on_interrupt(s->loop, interrupted, s);
        tell_ready(s);
        loop_run(s->loop);
    }
    if (s->context)
        lws_context_destroy(s->context);
    for (int i = 0; s->loop && i < CLOSING_TURNS; i++) // its handles close in the loop
        loop_turn(s->loop);
    if (s->context) // on a loop that is not its own, the second call ends it
        lws_context_destroy(s->context);
    venue_free(s->web.venue);
    loop_free(s->loop);
    free(s);
    return good;
}
