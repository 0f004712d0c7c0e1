// SPDX-License-Identifier: MIT
// A client is read only when something is to be done with what comes: not while it is answered. So
// what is sent after an open request waits in the kernel, and of what came with it in one packet no
// more than was read at once. After every answer the loop goes on: no client does two things in one
// turn.
// A WebSocket is sent one message at a time, the next one when the last has left (live.h). What is
// new is written at once, by whoever made it new: to be called back when that can be done costs
// more than doing it. What the kernel does not take is kept here and goes first.
// The kernel is given little more than it can send (listener.c): what is not read waits here, where
// it is counted by address. Who takes nothing of it for too long goes, and before that if too much
// waits for his address; also if he watches: he comes back by himself.
#include "web/client.h"

#include "base/clock.h"
#include "base/mem.h"
#include "web/frame.h"
#include "web/http.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SILENCE_US = 20000000, // a head, some of a body, some of an answer take no longer
    FAREWELL_US = 3000000, // reading what was on its way when it was refused
    BODY_STEP = 1 << 14,   // so much of a body is some of it
    PIECE = 1 << 15,       // so much of an answer
    TURN_BYTES = 1 << 16,  // of an answer, sent in a turn
    JOINED_MAX = 1 << 14,  // an answer so short goes out with its head
    COST_US = 20,          // what takes so long costs as much as a small request
    MESSAGE_MAX = 4096,    // bytes of a message from a watcher
    FRAMES_AT_ONCE = 16,   // of a watcher, heard in a turn
};
static_assert((int)LIVE_PRE >= (int)FRAME_HEAD_MAX, "a frame's head fits before a message");

static const char policy[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' "
    "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

enum stage { HEAD, BODY, ANSWER, FAREWELL, WATCH };

struct client {
    struct clients *all;
    struct client *next, *last;
    struct stream *stream;
    struct member *member;
    char peer[PEER_TEXT_MAX];
    enum stage stage;
    int64_t deadline_us;
    struct buf in;      // what was read and not yet used
    struct buf out;     // what is to be written before all else
    struct exchange *x; // of a request; NULL between them
    bool head_only, last_of_all;
    bool ahead; // more had come than was looked at: it is, before more is read
    uint64_t body_left;
    size_t step; // of body or answer, since it last got on
    size_t sent; // of the answer, behind `out`
    struct watcher *watcher;
    bool given_up; // to be closed as soon as it is stirred
};

// The client has got on.
static void get_on(struct client *v) {
    v->deadline_us = clock_now_us() + SILENCE_US;
    v->step = 0;
    admission_touch(&v->all->admission, v->member);
}

static void close_visit(struct client *v) {
    *(v->last ? &v->last->next : &v->all->first) = v->next;
    if (v->next)
        v->next->last = v->last;
    watcher_free(v->watcher);
    if (v->x)
        exchange_done(v->x);
    free(v->x);
    buf_done(&v->in);
    buf_done(&v->out);
    admission_leave(&v->all->admission, v->member);
    stream_close(v->stream);
    free(v);
}

void client_drop(void *client) { close_visit(client); }

// The one of the same address that has got on least, of those for whom bytes wait; NULL: no other.
static struct client *find_slowest(const struct client *than) {
    struct client *slowest = NULL;
    for (struct client *v = than->all->first; v; v = v->next)
        if (v != than && v->member->address == than->member->address && v->member->waiting > 0 &&
            (!slowest || v->deadline_us < slowest->deadline_us))
            slowest = v;
    return slowest;
}

// Counts what waits, and makes room for it. Whoever goes is closed later: others may be being told
// something at this moment.
static void count_waiting(struct client *v) {
    const size_t answer = v->stage == ANSWER ? v->x->answer.room : 0;
    admission_hold(v->member, v->given_up ? 0 : v->out.room + answer);
    for (struct client *slowest; v->member->address->waiting > CLIENTS_WAITING_MAX;) {
        if (!(slowest = find_slowest(v)))
            return;
        slowest->given_up = true;
        buf_done(&slowest->out);
        if (slowest->stage == ANSWER)
            buf_done(&slowest->x->answer);
        admission_hold(slowest->member, 0);
        stream_break(slowest->stream);
    }
}

void *client_new(void *clients, struct stream *stream, const char *peer) {
    struct clients *all = clients;
    struct client *v = mem_new(1, sizeof *v);
    *v = (struct client){.all = all, .stream = stream, .stage = HEAD};
    v->member = admission_join(&all->admission, v, peer);
    if (!v->member) {
        free(v);
        return NULL;
    }
    memcpy(v->peer, peer, strnlen(peer, sizeof v->peer - 1));
    v->next = all->first;
    if (v->next)
        v->next->last = v;
    all->first = v;
    get_on(v);
    return v;
}

bool client_may(void *client, int64_t turn, int cost) {
    const struct client *v = client;
    return admission_may(v->member, turn, cost);
}

// Answers.

static void put_head(struct client *v, size_t length) {
    static const char *const always[] = {
        "x-content-type-options: nosniff", "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin", "cache-control: no-cache"};
    const struct exchange *x = v->x;
    buf_format(&v->out, "HTTP/1.1 %d %s\r\n", x->status, http_phrase(x->status));
    buf_format(&v->out, "content-type: %s\r\ncontent-length: %zu\r\n", x->type, length);
    buf_format(&v->out, "content-security-policy: %s\r\n", policy);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        buf_format(&v->out, "%s\r\n", always[i]);
    for (size_t i = 0; i < sizeof x->header / sizeof *x->header; i++)
        if (*x->header[i])
            buf_format(&v->out, "%s\r\n", x->header[i]);
    buf_text(&v->out, v->last_of_all ? "connection: close\r\n\r\n" : "\r\n");
}

static const char *answer_of(const struct exchange *x, size_t *length) {
    *length = x->fixed ? x->fixed_length : x->answer.length;
    return x->fixed ? x->fixed : x->answer.data;
}

static void begin_answer(struct client *v) {
    size_t length;
    const char *bytes = answer_of(v->x, &length);
    assert(v->x->status != 0);
    v->stage = ANSWER;
    put_head(v, length);
    v->sent = v->head_only ? length : 0;
    if (!v->head_only && length > 0 && length <= JOINED_MAX) {
        buf_put(&v->out, bytes, length);
        v->sent = length;
    }
    get_on(v);
    count_waiting(v);
}

static void refuse(struct client *v, int status, const char *words) {
    answer_error(v->x, status, words);
    v->last_of_all = true;
    begin_answer(v);
}

// So much has been taken.
static void count_taken(struct client *v, size_t bytes) {
    v->step += bytes;
    if (v->step >= PIECE)
        get_on(v);
}

// Writes what waits; false: it is broken.
static bool write_out(struct client *v) {
    if (v->out.length == 0)
        return true;
    while (v->out.length > 0) {
        const long taken = stream_write(v->stream, v->out.data, v->out.length);
        if (taken <= 0)
            return taken == 0;
        buf_drop(&v->out, (size_t)taken);
        count_taken(v, (size_t)taken);
    }
    buf_done(&v->out);
    count_waiting(v);
    return true;
}

// Writes some of the answer; false: it is broken. `left` is what remains.
static bool write_answer(struct client *v, size_t *left) {
    size_t length;
    const char *bytes = answer_of(v->x, &length);
    if (!write_out(v))
        return false;
    *left = v->out.length + length - v->sent;
    for (size_t done = 0; v->out.length == 0 && *left > 0 && done < TURN_BYTES;) {
        const size_t piece = *left < PIECE ? *left : PIECE;
        const long taken = stream_write(v->stream, bytes + v->sent, piece);
        if (taken <= 0)
            return taken == 0;
        v->sent += (size_t)taken;
        *left -= (size_t)taken;
        done += (size_t)taken;
        count_taken(v, (size_t)taken);
    }
    return true;
}

// The answer has left. False: the client is over.
static bool finish_answer(struct client *v) {
    const bool leave = v->x->leave;
    exchange_done(v->x);
    free(v->x);
    v->x = NULL;
    if (leave)
        v->all->leave(v->all->owner);
    v->stage = v->last_of_all ? FAREWELL : HEAD;
    count_waiting(v);
    get_on(v);
    if (v->stage == HEAD) {
        v->ahead = v->in.length > 0;
        stream_want(v->stream, !v->ahead, v->ahead);
        return true;
    }
    v->deadline_us = clock_now_us() + FAREWELL_US;
    buf_done(&v->in);
    stream_finish(v->stream);
    stream_want(v->stream, true, false);
    return true;
}

// Requests.

// Who asks, by what he brings.
static void read_keys(const struct client *v, const char *cookie) {
    const struct guard *guard = &v->all->web->guard;
    char key[KEY_TEXT_MAX];
    struct exchange *x = v->x;
    x->organiser =
        cookie && guard_cookie(cookie, guard->key_cookie, key) && guard_knows_key(guard, key);
    if (!cookie || !guard_cookie(cookie, guard->team_cookie, x->team_key))
        x->team_key[0] = '\0';
    memcpy(x->peer, v->peer, sizeof v->peer);
}

// Why a request is turned away before it is looked at, with a status; 0: it is not. What changes
// something, or listens, must come from our own page.
static int turn_away(struct client *v, const struct http_request *r, bool own_page,
                     const char **why) {
    const struct guard *guard = &v->all->web->guard;
    struct rate *rate = r->method == HTTP_POST ? &v->all->changes : &v->all->requests;
    *why = "this server does not go by that name";
    if (!guard_knows_host(guard, r->host))
        return 403;
    *why = "this comes from another page";
    if (own_page && !guard_knows_origin(guard, r->origin ? r->origin : "", r->host))
        return 403;
    *why = "too many requests; wait a little";
    return rate_take(rate, v->peer, clock_now_us()) ? 0 : 429;
}

static void begin_watching(struct client *v, const char *accept) {
    buf_format(&v->out,
               "HTTP/1.1 101 %s\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
               "sec-websocket-accept: %s\r\nsec-websocket-protocol: arbiter.1\r\n\r\n",
               http_phrase(101), accept);
    exchange_done(v->x);
    free(v->x);
    v->x = NULL;
    v->stage = WATCH;
    v->watcher = watcher_new(&v->all->web->platform->live, v);
}

static void open_socket(struct client *v, const struct http_request *r) {
    char accept[FRAME_ACCEPT_MAX];
    const char *why;
    const int status = turn_away(v, r, true, &why);
    if (status)
        refuse(v, status, why);
    else if (!r->socket_version || strcmp(r->socket_version, "13") != 0 || !r->socket_key ||
             !frame_accept(r->socket_key, accept) || !r->socket_protocols ||
             !http_lists(r->socket_protocols, "arbiter.1"))
        refuse(v, 400, "a WebSocket speaks arbiter.1 here, in version 13");
    else if (!admission_watch(&v->all->admission, v->member))
        refuse(v, 429, "too many watch from that address");
    else
        begin_watching(v, accept);
}

static void answer(struct client *v) {
    exchange_answer(v->all->web, v->x);
    begin_answer(v);
}

static void begin_post(struct client *v, const struct http_request *r) {
    v->last_of_all |= !exchange_may_post(v->all->web, v->x);
    if (v->x->status != 0) {
        begin_answer(v);
        return;
    }
    if (!r->has_length) {
        refuse(v, 411, "the length of the body is not told");
        return;
    }
    if (r->length > v->x->most) {
        refuse(v, 413, "the body is too large");
        return;
    }
    v->stage = BODY;
    v->body_left = r->length;
    if (r->hesitates)
        buf_text(&v->out, "HTTP/1.1 100 Continue\r\n\r\n");
    get_on(v);
}

static void begin_request(struct client *v, const struct http_request *r) {
    struct exchange *x = v->x;
    const char *why;
    v->head_only = r->method == HTTP_HEAD;
    v->last_of_all = r->last;
    x->post = r->method == HTTP_POST;
    const int status = turn_away(v, r, x->post, &why);
    if (status) {
        refuse(v, status, why);
        return;
    }
    if (r->method == HTTP_OTHER) {
        refuse(v, 405, "only GET, HEAD and POST are answered");
        return;
    }
    memcpy(x->path, r->path, sizeof r->path);
    read_keys(v, r->cookie);
    x->takes_gzip = r->encodings && http_lists(r->encodings, "gzip");
    if (x->post)
        begin_post(v, r);
    else
        answer(v);
}

static bool is_socket(const struct http_request *r) {
    return r->method == HTTP_GET && r->upgrades && r->upgrade &&
           strcasecmp(r->upgrade, "websocket") == 0 && strcmp(r->path, "/live") == 0;
}

// Reads a head if it is there; false: there is more to come. Any other upgrade than ours is not
// done, and the request answered as it stands.
static bool take_head(struct client *v) {
    struct http_request r;
    const char *why = "this is no request of HTTP/1.1";
    const size_t seen = v->in.length < HTTP_HEAD_MAX ? v->in.length : HTTP_HEAD_MAX;
    const long end = seen > 0 ? http_find_end(v->in.data, seen) : 0;
    if (end == 0 && seen < HTTP_HEAD_MAX)
        return false;
    v->x = mem_new(1, sizeof *v->x);
    v->head_only = false;
    const int status = end > 0 ? http_read(v->in.data, (size_t)end, &r, &why) : end < 0 ? 400 : 431;
    if (end == 0)
        why = "the headers are too long";
    if (status)
        refuse(v, status, why);
    else if (is_socket(&r))
        open_socket(v, &r);
    else
        begin_request(v, &r);
    if (end > 0)
        buf_drop(&v->in, (size_t)end);
    return true;
}

// Takes what is there of the body.
static void take_body(struct client *v) {
    const size_t piece = v->in.length < v->body_left ? v->in.length : (size_t)v->body_left;
    if (piece > 0 && !exchange_take(v->x, v->in.data, piece)) {
        v->last_of_all = true;
        begin_answer(v);
        return;
    }
    buf_drop(&v->in, piece);
    v->body_left -= piece;
    v->step += piece;
    if (v->step >= BODY_STEP)
        get_on(v);
    if (v->body_left == 0)
        answer(v);
}

// WebSockets.

// Writes a frame that has room for its head before it, and keeps what is not taken.
static bool write_frame(struct client *v, int kind, char *payload, size_t length) {
    const size_t head = frame_put_head(payload, kind, length);
    const char *bytes = payload - head;
    size_t left = head + length;
    if (v->out.length == 0) {
        const long taken = stream_write(v->stream, bytes, left);
        if (taken < 0)
            return false;
        bytes += taken;
        left -= (size_t)taken;
    }
    if (left == 0)
        return true;
    if (v->out.length == 0)
        get_on(v);
    buf_put(&v->out, bytes, left);
    count_waiting(v);
    return true;
}

// Sends what is new, a message at a time, as long as it is taken; false: it is broken.
static bool write_news(struct client *v) {
    size_t length;
    for (char *message; v->out.length == 0 && (message = watcher_next(v->watcher, &length));)
        if (!write_frame(v, FRAME_TEXT, message, length))
            return false;
    if (v->out.length > 0)
        stream_want(v->stream, true, true);
    return true;
}

void client_wake(void *client) {
    struct client *v = client;
    if (!v->given_up && !write_news(v))
        stream_break(v->stream); // others are being told at this moment
}

// A ping is answered unless what was sent before has not left yet: nothing is queued.
static bool hear_frame(struct client *v, const struct frame *frame) {
    char room[FRAME_HEAD_MAX + FRAME_CONTROL_MAX];
    switch (frame->kind) {
    case FRAME_TEXT:
        return watcher_hear(v->watcher, frame->payload, frame->length);
    case FRAME_PING:
        if (v->out.length > 0)
            return true;
        memcpy(room + FRAME_HEAD_MAX, frame->payload, frame->length);
        return write_frame(v, FRAME_PONG, room + FRAME_HEAD_MAX, frame->length);
    case FRAME_PONG:
        return true;
    default: // a close is answered by one
        if (v->out.length == 0)
            write_frame(v, FRAME_CLOSE, room + FRAME_HEAD_MAX, 0);
        return false;
    }
}

// Uses some of the frames that are there, each of which counts as a request; false: the client is
// over.
static bool take_frames(struct client *v) {
    size_t used = 0;
    long size = 1;
    int count = 0;
    struct frame frame;
    for (; used < v->in.length && count < FRAMES_AT_ONCE; count++) {
        size = frame_read(v->in.data + used, v->in.length - used, MESSAGE_MAX, &frame);
        if (size <= 0)
            break;
        used += (size_t)size;
        if (!rate_take(&v->all->requests, v->peer, clock_now_us()) || !hear_frame(v, &frame))
            return false;
    }
    admission_spend(v->member, count);
    buf_drop(&v->in, used);
    if (v->in.length == 0)
        buf_done(&v->in);
    v->ahead = v->in.length > 0 && size > 0;
    return size >= 0;
}

static bool watch(struct client *v) {
    if (!write_out(v) || !take_frames(v) || !write_out(v) || !write_news(v))
        return false;
    stream_want(v->stream, !v->ahead, v->ahead || v->out.length > 0);
    return true;
}

// What is to be done now. False: the client is over.

static bool read_on(struct client *v) {
    stream_want(v->stream, true, v->out.length > 0);
    return write_out(v);
}

static bool give_answer(struct client *v) {
    size_t left;
    if (!write_answer(v, &left))
        return false;
    if (left == 0)
        return finish_answer(v);
    stream_want(v->stream, false, true);
    return true;
}

static bool go_on(struct client *v) {
    if (v->stage == HEAD && !take_head(v))
        return read_on(v);
    if (v->stage == BODY)
        take_body(v);
    switch (v->stage) {
    case ANSWER:
        return give_answer(v);
    case WATCH:
        return watch(v);
    case HEAD:
    case BODY:
    case FAREWELL:
        return read_on(v);
    }
    return false;
}

// Reads what has come; false: it is at its end.
static bool read_some(struct client *v) {
    char *bytes = v->all->bytes;
    const long count = stream_read(v->stream, bytes, sizeof v->all->bytes);
    if (count <= 0)
        return count == 0;
    if (v->stage == FAREWELL)
        return true;
    if (v->stage == HEAD && v->in.length == 0)
        get_on(v);
    buf_put(&v->in, bytes, (size_t)count);
    return true;
}

// Some answers cost a thousand times what others do: it is known when they are made.
void client_stir(void *client) {
    struct client *v = client;
    const int64_t begun_us = clock_now_us();
    const bool reads = v->stage != ANSWER && !v->ahead;
    v->ahead = false;
    if (v->given_up || (reads && !read_some(v)) || !go_on(v))
        close_visit(v);
    else
        admission_spend(v->member, (int)((clock_now_us() - begun_us) / COST_US));
}

void clients_sweep(struct clients *clients, int64_t now_us) {
    for (struct client *v = clients->first, *next; v; v = next) {
        next = v->next;
        if ((v->stage == WATCH && v->out.length == 0) || v->deadline_us >= now_us)
            continue;
        if (v->stage == WATCH || v->stage == ANSWER)
            stream_break(v->stream); // or the kernel would keep what was not read
        close_visit(v);
    }
}

void clients_done(struct clients *clients) {
    while (clients->first)
        close_visit(clients->first);
}
