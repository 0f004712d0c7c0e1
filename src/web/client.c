// SPDX-License-Identifier: MIT
// A client is read only when something is to be done with what comes: not while it is answered. So
// what is sent after an open request waits in the kernel, and of what came with it in one packet no
// more than was read at once. After every answer the loop goes on: no client does two things in one
// turn.
// A WebSocket is sent one message at a time, the next one when the last has left (live.h). What is
// new is written at once, by whoever made it new: to be called back when that can be done costs
// more than doing it. What the kernel does not take is kept here and goes first.
// The kernel is given little more than it can send (listener.c): what is not read waits here, where
// it is counted by address. A client that takes nothing of it for too long goes, and before that if
// too much waits for its address; also if it watches: a page comes back by itself.
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
static void get_on(struct client *c) {
    c->deadline_us = clock_now_us() + SILENCE_US;
    c->step = 0;
    admission_touch(&c->all->admission, c->member);
}

static void drop_exchange(struct client *c) {
    if (c->x)
        exchange_done(c->x);
    free(c->x);
    c->x = NULL;
}

void client_drop(void *client) {
    struct client *c = client;
    *(c->last ? &c->last->next : &c->all->first) = c->next;
    if (c->next)
        c->next->last = c->last;
    watcher_free(c->watcher);
    drop_exchange(c);
    buf_done(&c->in);
    buf_done(&c->out);
    admission_leave(&c->all->admission, c->member);
    stream_close(c->stream);
    free(c);
}

// The one of the same address that has got on least, of those for whom bytes wait; NULL: no other.
static struct client *find_slowest(const struct client *than) {
    struct client *slowest = NULL;
    for (struct client *c = than->all->first; c; c = c->next)
        if (c != than && c->member->address == than->member->address && c->member->waiting > 0 &&
            (!slowest || c->deadline_us < slowest->deadline_us))
            slowest = c;
    return slowest;
}

// Counts what waits, and makes room for it. Whoever goes is closed later: others may be being told
// something at this moment.
static void count_waiting(struct client *c) {
    const size_t answer = c->stage == ANSWER ? c->x->answer.room : 0;
    admission_hold(c->member, c->given_up ? 0 : c->out.room + answer);
    for (struct client *slowest; c->member->address->waiting > CLIENTS_WAITING_MAX;) {
        if (!(slowest = find_slowest(c)))
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
    struct client *c = mem_new(1, sizeof *c);
    *c = (struct client){.all = all, .stream = stream, .stage = HEAD};
    c->member = admission_join(&all->admission, c, peer);
    if (!c->member) {
        free(c);
        return NULL;
    }
    memcpy(c->peer, peer, strnlen(peer, sizeof c->peer - 1));
    c->next = all->first;
    if (c->next)
        c->next->last = c;
    all->first = c;
    get_on(c);
    return c;
}

bool client_may(void *client, int64_t turn, int cost) {
    const struct client *c = client;
    return admission_may(c->member, turn, cost);
}

// Answers.

static void put_head(struct client *c, size_t length) {
    static const char *const always[] = {
        "x-content-type-options: nosniff", "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin", "cache-control: no-cache"};
    const struct exchange *x = c->x;
    buf_format(&c->out, "HTTP/1.1 %d %s\r\n", x->status, http_phrase(x->status));
    buf_format(&c->out, "content-type: %s\r\ncontent-length: %zu\r\n", x->type, length);
    buf_format(&c->out, "content-security-policy: %s\r\n", policy);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        buf_format(&c->out, "%s\r\n", always[i]);
    for (size_t i = 0; i < sizeof x->header / sizeof *x->header; i++)
        if (*x->header[i])
            buf_format(&c->out, "%s\r\n", x->header[i]);
    buf_text(&c->out, c->last_of_all ? "connection: close\r\n\r\n" : "\r\n");
}

static const char *answer_of(const struct exchange *x, size_t *length) {
    *length = x->fixed ? x->fixed_length : x->answer.length;
    return x->fixed ? x->fixed : x->answer.data;
}

static void begin_answer(struct client *c) {
    size_t length;
    const char *bytes = answer_of(c->x, &length);
    assert(c->x->status != 0);
    c->stage = ANSWER;
    put_head(c, length);
    c->sent = c->head_only ? length : 0;
    if (!c->head_only && length > 0 && length <= JOINED_MAX) {
        buf_put(&c->out, bytes, length);
        c->sent = length;
    }
    get_on(c);
    count_waiting(c);
}

static void refuse(struct client *c, int status, const char *words) {
    answer_error(c->x, status, words);
    c->last_of_all = true;
    begin_answer(c);
}

// So much has been taken.
static void count_taken(struct client *c, size_t bytes) {
    c->step += bytes;
    if (c->step >= PIECE)
        get_on(c);
}

// Writes what waits; false: it is broken.
static bool write_out(struct client *c) {
    if (c->out.length == 0)
        return true;
    while (c->out.length > 0) {
        const long taken = stream_write(c->stream, c->out.data, c->out.length);
        if (taken <= 0)
            return taken == 0;
        buf_drop(&c->out, (size_t)taken);
        count_taken(c, (size_t)taken);
    }
    buf_done(&c->out);
    count_waiting(c);
    return true;
}

// Writes some of the answer; false: it is broken. `left` is what remains.
static bool write_answer(struct client *c, size_t *left) {
    size_t length;
    const char *bytes = answer_of(c->x, &length);
    if (!write_out(c))
        return false;
    *left = c->out.length + length - c->sent;
    for (size_t done = 0; c->out.length == 0 && *left > 0 && done < TURN_BYTES;) {
        const size_t piece = *left < PIECE ? *left : PIECE;
        const long taken = stream_write(c->stream, bytes + c->sent, piece);
        if (taken <= 0)
            return taken == 0;
        c->sent += (size_t)taken;
        *left -= (size_t)taken;
        done += (size_t)taken;
        count_taken(c, (size_t)taken);
    }
    return true;
}

// The answer has left. False: the client is over.
static bool finish_answer(struct client *c) {
    const bool leave = c->x->leave;
    drop_exchange(c);
    if (leave)
        c->all->leave(c->all->owner);
    c->stage = c->last_of_all ? FAREWELL : HEAD;
    count_waiting(c);
    get_on(c);
    if (c->stage == HEAD) {
        c->ahead = c->in.length > 0;
        stream_want(c->stream, !c->ahead, c->ahead);
        return true;
    }
    c->deadline_us = clock_now_us() + FAREWELL_US;
    buf_done(&c->in);
    stream_finish(c->stream);
    stream_want(c->stream, true, false);
    return true;
}

// Requests.

// Who asks, by the keys that come along.
static void read_keys(const struct client *c, const char *cookie) {
    const struct guard *guard = &c->all->web->guard;
    char key[KEY_TEXT_MAX];
    struct exchange *x = c->x;
    x->organiser =
        cookie && guard_cookie(cookie, guard->key_cookie, key) && guard_knows_key(guard, key);
    if (!cookie || !guard_cookie(cookie, guard->team_cookie, x->team_key))
        x->team_key[0] = '\0';
    if (!cookie || !guard_cookie(cookie, guard->visitor_cookie, x->visitor))
        x->visitor[0] = '\0';
    memcpy(x->peer, c->peer, sizeof c->peer);
}

// Why a request is turned away before it is looked at, with a status; 0: it is not. What changes
// something, or listens, must come from our own page.
static int turn_away(struct client *c, const struct http_request *r, bool own_page,
                     const char **why) {
    const struct guard *guard = &c->all->web->guard;
    struct rate *rate = r->method == HTTP_POST ? &c->all->changes : &c->all->requests;
    *why = "this server does not go by that name";
    if (!guard_knows_host(guard, r->host))
        return 403;
    *why = "this comes from another page";
    if (own_page && !guard_knows_origin(guard, r->origin ? r->origin : "", r->host))
        return 403;
    *why = "too many requests; wait a little";
    return rate_take(rate, c->peer, clock_now_us()) ? 0 : 429;
}

static void begin_watching(struct client *c, const char *accept) {
    buf_format(&c->out,
               "HTTP/1.1 101 %s\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
               "sec-websocket-accept: %s\r\nsec-websocket-protocol: arbiter.1\r\n\r\n",
               http_phrase(101), accept);
    drop_exchange(c);
    c->stage = WATCH;
    c->watcher = watcher_new(&c->all->web->platform->live, c);
}

static void open_socket(struct client *c, const struct http_request *r) {
    char accept[FRAME_ACCEPT_MAX];
    const char *why;
    const int status = turn_away(c, r, true, &why);
    if (status)
        refuse(c, status, why);
    else if (!r->socket_version || strcmp(r->socket_version, "13") != 0 || !r->socket_key ||
             !frame_accept(r->socket_key, accept) || !r->socket_protocols ||
             !http_lists(r->socket_protocols, "arbiter.1"))
        refuse(c, 400, "a WebSocket speaks arbiter.1 here, in version 13");
    else if (!admission_watch(&c->all->admission, c->member))
        refuse(c, 429, "too many watch from that address");
    else
        begin_watching(c, accept);
}

static void answer(struct client *c) {
    exchange_answer(c->all->web, c->x);
    begin_answer(c);
}

static void begin_post(struct client *c, const struct http_request *r) {
    c->last_of_all |= !exchange_may_post(c->all->web, c->x);
    if (c->x->status != 0) {
        begin_answer(c);
        return;
    }
    if (!r->has_length) {
        refuse(c, 411, "the length of the body is not told");
        return;
    }
    if (r->length > c->x->most) {
        refuse(c, 413, "the body is too large");
        return;
    }
    c->stage = BODY;
    c->body_left = r->length;
    if (r->hesitates)
        buf_text(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
    get_on(c);
}

static void begin_request(struct client *c, const struct http_request *r) {
    struct exchange *x = c->x;
    const char *why;
    c->head_only = r->method == HTTP_HEAD;
    c->last_of_all = r->last;
    x->post = r->method == HTTP_POST;
    const int status = turn_away(c, r, x->post, &why);
    if (status) {
        refuse(c, status, why);
        return;
    }
    if (r->method == HTTP_OTHER) {
        refuse(c, 405, "only GET, HEAD and POST are answered");
        return;
    }
    memcpy(x->path, r->path, sizeof r->path);
    snprintf(x->query, sizeof x->query, "%s", r->query ? r->query : "");
    read_keys(c, r->cookie);
    x->takes_gzip = r->encodings && http_lists(r->encodings, "gzip");
    if (x->post)
        begin_post(c, r);
    else
        answer(c);
}

static bool is_socket(const struct http_request *r) {
    return r->method == HTTP_GET && r->upgrades && r->upgrade &&
           strcasecmp(r->upgrade, "websocket") == 0 && strcmp(r->path, "/live") == 0;
}

// Reads a head if it is there; false: there is more to come. Any other upgrade than ours is not
// done, and the request answered as it stands.
static bool take_head(struct client *c) {
    struct http_request r;
    const char *why = "this is no request of HTTP/1.1";
    const size_t seen = c->in.length < HTTP_HEAD_MAX ? c->in.length : HTTP_HEAD_MAX;
    const long end = seen > 0 ? http_find_end(c->in.data, seen) : 0;
    if (end == 0 && seen < HTTP_HEAD_MAX)
        return false;
    c->x = mem_new(1, sizeof *c->x);
    c->head_only = false;
    const int status = end > 0 ? http_read(c->in.data, (size_t)end, &r, &why) : end < 0 ? 400 : 431;
    if (end == 0)
        why = "the headers are too long";
    if (status)
        refuse(c, status, why);
    else if (is_socket(&r))
        open_socket(c, &r);
    else
        begin_request(c, &r);
    if (end > 0)
        buf_drop(&c->in, (size_t)end);
    return true;
}

// Takes what is there of the body.
static void take_body(struct client *c) {
    const size_t piece = c->in.length < c->body_left ? c->in.length : (size_t)c->body_left;
    if (piece > 0 && !exchange_take(c->x, c->in.data, piece)) {
        c->last_of_all = true;
        begin_answer(c);
        return;
    }
    buf_drop(&c->in, piece);
    c->body_left -= piece;
    c->step += piece;
    if (c->step >= BODY_STEP)
        get_on(c);
    if (c->body_left == 0)
        answer(c);
}

// WebSockets.

// Writes a frame that has room for its head before it, and keeps what is not taken.
static bool write_frame(struct client *c, int kind, char *payload, size_t length) {
    const size_t head = frame_put_head(payload, kind, length);
    const char *bytes = payload - head;
    size_t left = head + length;
    if (c->out.length == 0) {
        const long taken = stream_write(c->stream, bytes, left);
        if (taken < 0)
            return false;
        bytes += taken;
        left -= (size_t)taken;
    }
    if (left == 0)
        return true;
    if (c->out.length == 0)
        get_on(c);
    buf_put(&c->out, bytes, left);
    count_waiting(c);
    return true;
}

// Sends what is new, a message at a time, as long as it is taken; false: it is broken.
static bool write_news(struct client *c) {
    size_t length;
    for (char *message; c->out.length == 0 && (message = watcher_next(c->watcher, &length));)
        if (!write_frame(c, FRAME_TEXT, message, length))
            return false;
    if (c->out.length > 0)
        stream_want(c->stream, true, true);
    return true;
}

void client_wake(void *client) {
    struct client *c = client;
    if (!c->given_up && !write_news(c))
        stream_break(c->stream); // others are being told at this moment
}

// A ping is answered unless what was sent before has not left yet: nothing is queued.
static bool hear_frame(struct client *c, const struct frame *frame) {
    char room[FRAME_HEAD_MAX + FRAME_CONTROL_MAX];
    switch (frame->kind) {
    case FRAME_TEXT:
        return watcher_hear(c->watcher, frame->payload, frame->length);
    case FRAME_PING:
        if (c->out.length > 0)
            return true;
        memcpy(room + FRAME_HEAD_MAX, frame->payload, frame->length);
        return write_frame(c, FRAME_PONG, room + FRAME_HEAD_MAX, frame->length);
    case FRAME_PONG:
        return true;
    default: // a close is answered by one
        if (c->out.length == 0)
            write_frame(c, FRAME_CLOSE, room + FRAME_HEAD_MAX, 0);
        return false;
    }
}

// Uses some of the frames that are there, each of which counts as a request; false: the client is
// over.
static bool take_frames(struct client *c) {
    size_t used = 0;
    long size = 1;
    int count = 0;
    struct frame frame;
    for (; used < c->in.length && count < FRAMES_AT_ONCE; count++) {
        size = frame_read(c->in.data + used, c->in.length - used, MESSAGE_MAX, &frame);
        if (size <= 0)
            break;
        used += (size_t)size;
        if (!rate_take(&c->all->requests, c->peer, clock_now_us()) || !hear_frame(c, &frame))
            return false;
    }
    admission_spend(c->member, count);
    buf_drop(&c->in, used);
    if (c->in.length == 0)
        buf_done(&c->in);
    c->ahead = c->in.length > 0 && size > 0;
    return size >= 0;
}

static bool watch(struct client *c) {
    if (!write_out(c) || !take_frames(c) || !write_out(c) || !write_news(c))
        return false;
    stream_want(c->stream, !c->ahead, c->ahead || c->out.length > 0);
    return true;
}

// What is to be done now. False: the client is over.

static bool read_on(struct client *c) {
    stream_want(c->stream, true, c->out.length > 0);
    return write_out(c);
}

static bool give_answer(struct client *c) {
    size_t left;
    if (!write_answer(c, &left))
        return false;
    if (left == 0)
        return finish_answer(c);
    stream_want(c->stream, false, true);
    return true;
}

static bool go_on(struct client *c) {
    if (c->stage == HEAD && !take_head(c))
        return read_on(c);
    if (c->stage == BODY)
        take_body(c);
    switch (c->stage) {
    case ANSWER:
        return give_answer(c);
    case WATCH:
        return watch(c);
    case HEAD:
    case BODY:
    case FAREWELL:
        return read_on(c);
    }
    return false;
}

// Reads what has come; false: it is at its end.
static bool read_some(struct client *c) {
    char *bytes = c->all->bytes;
    const long count = stream_read(c->stream, bytes, sizeof c->all->bytes);
    if (count <= 0)
        return count == 0;
    if (c->stage == FAREWELL)
        return true;
    if (c->stage == HEAD && c->in.length == 0)
        get_on(c);
    buf_put(&c->in, bytes, (size_t)count);
    return true;
}

// Some answers cost a thousand times what others do: it is known when they are made.
void client_stir(void *client) {
    struct client *c = client;
    const int64_t begun_us = clock_now_us();
    const bool reads = c->stage != ANSWER && !c->ahead;
    c->ahead = false;
    if (c->given_up || (reads && !read_some(c)) || !go_on(c))
        client_drop(c);
    else
        admission_spend(c->member, (int)((clock_now_us() - begun_us) / COST_US));
}

void clients_sweep(struct clients *all, int64_t now_us) {
    for (struct client *c = all->first, *next; c; c = next) {
        next = c->next;
        if ((c->stage == WATCH && c->out.length == 0) || c->deadline_us >= now_us)
            continue;
        if (c->stage == WATCH || c->stage == ANSWER)
            stream_break(c->stream); // or the kernel would keep what was not read
        client_drop(c);
    }
}

void clients_done(struct clients *all) {
    while (all->first)
        client_drop(all->first);
}
