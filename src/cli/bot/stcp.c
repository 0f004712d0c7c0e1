// SPDX-License-Identifier: MIT
// docs/protocol.md, A.
#include "base/clock.h"
#include "cli/bot/bot.h"
#include "cli/bot/follow.h"
#include "spec/spec.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PAUSE_US = 50000 };

struct contestant {
    struct bot *bot;
    struct bot_follower follower;
    int64_t time_us;  // of the contest
    bool played;      // a board has been answered
    int64_t until_us; // when it gives up to reach the judge
    struct buf in;
};

// An answer to a board; a pass where it makes no sense to us.
static void answer(struct contestant *c, const struct stcp_board *board, struct buf *out) {
    union game_state state;
    struct buf path = {.data = NULL};
    c->bot->asked_us = clock_now_us();
    const bool known = bot_follow_board(&c->follower, board, &state);
    bot_prepare(c->bot, &c->follower.rules);
    if (known) {
        bot_play(c->bot, &state, 1, c->time_us, "", &path);
        bot_follow_answer(&c->follower, &state);
    }
    stcp_write_step(out, board->id, path.data ? path.data : "");
    buf_done(&path);
}

// A socket can be connected to itself if nobody listens there.
static bool is_mirror(int fd) {
    struct sockaddr_storage near = {0}, far = {0};
    socklen_t near_size = sizeof near, far_size = sizeof far;
    return getsockname(fd, (struct sockaddr *)&near, &near_size) == 0 &&
           getpeername(fd, (struct sockaddr *)&far, &far_size) == 0 && near_size == far_size &&
           memcmp(&near, &far, near_size) == 0;
}

// Tries every address once; a descriptor, or -1 with errno.
static int dial(const struct addrinfo *address) {
    int fd = -1;
    errno = EHOSTUNREACH;
    for (; address && fd < 0; address = address->ai_next) {
        fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, address->ai_addr, address->ai_addrlen) == 0 && !is_mirror(fd))
            return fd;
        const int error = errno ? errno : ECONNREFUSED;
        if (fd >= 0)
            close(fd);
        errno = error;
        fd = -1;
    }
    return -1;
}

// A.1 and A.2: connects, trying for a while, and gives the team id.
static int reach_judge(const struct contestant *c, struct err *err) {
    const struct bot *bot = c->bot;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char port[16];
    snprintf(port, sizeof port, "%d", bot->port);
    const int unknown = getaddrinfo(bot->host, port, &hints, &found);
    if (unknown) {
        err_set(err,
                "cannot find the host '%.100s' of the judge: %s; --host takes a name or an "
                "address",
                bot->host, gai_strerror(unknown));
        return -1;
    }
    int fd;
    while ((fd = dial(found)) < 0 && clock_now_us() < c->until_us)
        usleep(PAUSE_US);
    const int error = errno;
    freeaddrinfo(found);
    if (fd < 0) {
        err_set(err,
                "%sthe judge at %.100s port %d cannot be reached: %s; start it first, or say "
                "where it is by --host and --port",
                c->played ? "the connection was closed, and now " : "", bot->host, bot->port,
                strerror(error));
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct buf team = {.data = NULL};
    stcp_write_team(&team, bot->team);
    send(fd, team.data, team.length, MSG_NOSIGNAL); // if it fails, so will reading
    buf_done(&team);
    return fd;
}

// Answers boards until the judge says stop (true) or the connection is lost. If it has sent one
// there is time again to reach it.
static bool play(struct contestant *c, int fd) {
    struct stcp_board board;
    struct buf out = {.data = NULL};
    char bytes[4096];
    bool stop = false, open = true, heard = false;
    buf_clear(&c->in);
    while (open && !stop) {
        const size_t length = stcp_read_board(c->bot->game, c->in.data, c->in.length, &board);
        if (length == 0) {
            const ssize_t n = recv(fd, bytes, sizeof bytes, 0);
            open = n > 0 || (n < 0 && errno == EINTR);
            buf_put(&c->in, bytes, n > 0 ? (size_t)n : 0);
            continue;
        }
        buf_drop(&c->in, length);
        heard = true;
        stop = board.is_stop;
        buf_clear(&out);
        if (stop)
            continue;
        answer(c, &board, &out);
        c->played = true;
        open = send(fd, out.data, out.length, MSG_NOSIGNAL) == (ssize_t)out.length;
    }
    buf_done(&out);
    if (heard)
        c->until_us = clock_now_us() + c->bot->wait_us;
    return stop;
}

bool bot_stcp(struct bot *bot, struct err *err) {
    struct contestant c = {.bot = bot, .until_us = clock_now_us() + bot->wait_us};
    bool stop = false;
    bot_follow_init(&c.follower, bot->game);
    c.time_us = spec_of(bot->game)->time_low_s * INT64_C(1000000); // the judge does not say
    while (!stop && !err->set) {
        const int fd = reach_judge(&c, err);
        if (fd < 0)
            break;
        stop = play(&c, fd);
        close(fd);
        if (!stop && clock_now_us() > c.until_us)
            err_set(err,
                    "the judge at %.100s port %d closes the connection without a word; is it one?",
                    bot->host, bot->port);
        else if (!stop)
            usleep(PAUSE_US);
    }
    buf_done(&c.in);
    if (stop && !c.played)
        fprintf(stderr, "arbiter: the judge sent team %d away before a game\n", bot->team);
    return !err->set;
}
