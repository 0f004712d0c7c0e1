// SPDX-License-Identifier: MIT
// Connections of people who do not read what they are sent (src/web/client.h), over real sockets.
// The time of the sweep is given; the loop is turned until what is awaited has happened.
#include "web/client.h"
#include "base/clock.h"
#include "base/fds.h"
#include "check.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND_US = 1000000, LARGE = 1 << 20, GAMES = 8 };

struct fixture {
    struct loop *loop;
    struct listener *listener;
    struct platform platform;
    struct web web;
    struct clients clients;
    struct topic large, small;
    int written; // how often a topic was
    char folder[40], path[64];
};

static void write_large(void *owner, struct buf *out) {
    ((struct fixture *)owner)->written++;
    buf_text(out, "\"");
    for (int i = 0; i < LARGE / 64; i++)
        buf_text(out, "0123456789012345678901234567890123456789012345678901234567890123");
    buf_text(out, "\"");
}

static void write_small(void *owner, struct buf *out) {
    ((struct fixture *)owner)->written++;
    buf_text(out, "1");
}

// Games with names so long that their list is large.
static void fill_shelf(struct fixture *f, struct err *err) {
    static char name[LARGE / GAMES];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    json_t *record = json_pack("{s:s, s:[s]}", "game", "reversi", "names", name);
    for (int i = 0; i < GAMES; i++) {
        char id[16];
        snprintf(id, sizeof id, "g%d", i);
        assert_true(game_archive_put(f->platform.services.archive, id, record, err));
    }
    json_decref(record);
}

static int set_up(void **state) {
    static const struct listener_events events = {
        .came = client_new, .may = client_may, .stir = client_stir};
    static const struct listener_config config = {.address = "127.0.0.1"};
    struct fixture *f = *state = calloc(1, sizeof *f);
    struct err err = {.set = false};
    strcpy(f->folder, "/tmp/arbiter-visit-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/games.db", f->folder);
    f->platform.services.archive = game_archive_open(f->path, &err);
    f->platform.live = (struct live){.wake = client_wake};
    topic_init(&f->large, &f->platform.live, "large", write_large, f);
    topic_init(&f->small, &f->platform.live, "small", write_small, f);
    f->loop = loop_new(&err);
    f->listener = listener_new(f->loop, &config, &events, &f->clients, &err);
    assert_non_null(f->listener);
    f->web.platform = &f->platform;
    guard_init(&f->web.guard, listener_port(f->listener), false);
    f->clients.web = &f->web;
    f->clients.requests = f->clients.changes = (struct rate){.burst = 100, .per_second = 0};
    f->clients.admission = (struct admission){.most = 100, .drop = client_drop};
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    clients_done(&f->clients);
    topic_done(&f->large);
    topic_done(&f->small);
    listener_free(f->listener);
    loop_free(f->loop);
    game_archive_close(f->platform.services.archive);
    unlink(f->path);
    rmdir(f->folder);
    free(f);
    return 0;
}

// Connects from an address and asks; what comes is left unread.
static int ask(const struct fixture *f, const char *from, const char *path, const char *more) {
    struct sockaddr_in at = {.sin_family = AF_INET};
    const int fd = socket(AF_INET, SOCK_STREAM, 0), few = 2048;
    char request[800];
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    inet_pton(AF_INET, from, &at.sin_addr);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
    at.sin_port = htons((uint16_t)listener_port(f->listener));
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\n", path,
             listener_port(f->listener), more);
    assert_int_equal(send(fd, request, strlen(request), 0), strlen(request));
    return fd;
}

// Turns the loop and reads until that has come; its last byte is the last that is read.
static void await(const struct fixture *f, int fd, const char *words) {
    struct buf heard = {.data = NULL};
    char piece;
    while (!heard.data || !strstr(heard.data, words)) {
        loop_turn(f->loop);
        ssize_t count;
        while ((count = recv(fd, &piece, 1, MSG_DONTWAIT)) > 0) {
            buf_put(&heard, &piece, 1);
            if (strstr(heard.length > 100 ? heard.data + heard.length - 100 : heard.data, words))
                break;
        }
        if (count == 0 || (count < 0 && errno != EAGAIN))
            fail_msg("closed instead of '%s'", words);
    }
    buf_done(&heard);
}

static void say(int fd, int kind, const char *words) {
    char bytes[140];
    const size_t length = strlen(words);
    assert_true(length < 126);
    const int head = snprintf(bytes, sizeof bytes, "%c%c%c%c%c%c", 0x80 | kind,
                              (int)(0x80 | length), 0, 0, 0, 0); // a mask that changes nothing
    memcpy(bytes + head, words, length);
    assert_int_equal(send(fd, bytes, (size_t)head + length, MSG_NOSIGNAL), (size_t)head + length);
}

static int watch(const struct fixture *f, const char *from) {
    char more[400];
    snprintf(more, sizeof more,
             "Origin: http://localhost:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
             "Sec-WebSocket-Protocol: arbiter.1\r\n",
             listener_port(f->listener));
    const int fd = ask(f, from, "/live", more);
    await(f, fd, "\r\n\r\n");
    return fd;
}

// What waits for whoever is there, all of one address.
static size_t waiting(const struct fixture *f) {
    size_t sum = 0;
    for (int i = 0; i < ADMISSION_LISTS; i++)
        for (const struct address *a = f->clients.admission.addresses[i]; a; a = a->next)
            sum += a->waiting;
    return sum;
}

// Spectators are closed if they take nothing, and not if nothing waits for them.
static void who_watches_must_read(void **state) {
    struct fixture *f = *state;
    const int reads = watch(f, "127.0.0.2"), sleeps = watch(f, "127.0.0.3");
    say(reads, 1, "{\"watch\":[\"small\"]}");
    await(f, reads, "\"whole\":1}");
    say(sleeps, 1, "{\"watch\":[\"large\"]}");
    while (waiting(f) == 0)
        loop_turn(f->loop);
    clients_sweep(&f->clients, clock_now_us() + SECOND_US);
    assert_int_equal(f->clients.admission.watchers, 2);
    clients_sweep(&f->clients, clock_now_us() + 60 * (int64_t)SECOND_US);
    assert_int_equal(f->clients.admission.watchers, 1);
    assert_int_equal(waiting(f), 0);
    topic_publish(&f->small, NULL);
    await(f, reads, "\"whole\":1}");
    close(reads);
    close(sleeps);
}

// However many of one address ask and do not read, little waits for them, and others are answered.
static void who_does_not_read_fills_nothing(void **state) {
    enum { MANY = 40 };
    struct fixture *f = *state;
    struct err err = {.set = false};
    int fds[MANY];
    fill_shelf(f, &err);
    for (int i = 0; i < MANY; i++) {
        char byte;
        fds[i] = ask(f, i % 2 ? "127.0.0.2" : "127.0.0.3", "/api/games", "");
        while (recv(fds[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0) // until it is answered
            loop_turn(f->loop);
        assert_true(waiting(f) <= 2 * CLIENTS_WAITING_MAX);
    }
    assert_true(waiting(f) > CLIENTS_WAITING_MAX); // or there was nothing to see
    while (f->clients.admission.count > 2 * CLIENTS_WAITING_MAX / LARGE)
        loop_turn(f->loop);
    const int other = ask(f, "127.0.0.4", "/api/games", "");
    await(f, other, "\"id\":\"g0\"");
    close(other);
    for (int i = 0; i < MANY; i++)
        close(fds[i]);
}

// Whether it is closed before that comes.
static bool is_closed_before(const struct fixture *f, int fd, const char *words) {
    struct buf heard = {.data = NULL};
    ssize_t count;
    do {
        char piece[100];
        loop_turn(f->loop);
        count = recv(fd, piece, sizeof piece, MSG_DONTWAIT);
        if (count > 0)
            buf_put(&heard, piece, (size_t)count);
    } while ((count > 0 || (count < 0 && errno == EAGAIN)) &&
             !(heard.data && strstr(heard.data, words)));
    const bool came = heard.data && strstr(heard.data, words);
    buf_done(&heard);
    return !came;
}

// Messages count as requests of their address do.
static void messages_are_counted(void **state) {
    struct fixture *f = *state;
    const int fd = watch(f, "127.0.0.2"), other = watch(f, "127.0.0.3"); // each the first of 100
    for (int i = 2; i <= 100; i++)
        say(fd, 9, i == 100 ? "the last" : "one more");
    assert_false(is_closed_before(f, fd, "the last"));
    say(fd, 9, "too many");
    assert_true(is_closed_before(f, fd, "too many"));
    say(other, 9, "still there");
    assert_false(is_closed_before(f, other, "still there"));
    close(fd);
    close(other);
}

// However many come at once.
static void a_turn_hears_few_messages(void **state) {
    enum { PINGS = 90 };
    struct fixture *f = *state;
    const int fd = watch(f, "127.0.0.2");
    const double *left = &f->clients.requests.place[0].left, before = *left;
    struct buf pings = {.data = NULL};
    char pongs[4 * PINGS];
    for (int i = 0; i < PINGS; i++)
        buf_put(&pings, "\x89\x82\0\0\0\0hi", 8);
    assert_int_equal(send(fd, pings.data, pings.length, 0), pings.length);
    buf_done(&pings);
    while (recv(fd, pongs, sizeof pongs, MSG_PEEK | MSG_DONTWAIT) < (ssize_t)sizeof pongs) {
        const double had = *left;
        loop_turn(f->loop);
        assert_true(had - *left < ADMISSION_SHARE);
    }
    assert_true(before - *left == PINGS);
    close(fd);
}

// However many are ready, and however long each takes, another address waits for a few of them.
static void a_newcomer_waits_for_few(void **state) {
    enum { MANY = 1200, FEW = 24 }; // some for the turns in which all are let in
    struct fixture *f = *state;
    struct err err = {.set = false};
    int fds[MANY];
    if (fds_allow(3 * MANY) < 3 * MANY)
        skip();
    f->clients.admission.most = 2 * MANY;
    f->clients.requests = (struct rate){.burst = MANY};
    fill_shelf(f, &err);
    for (int i = 0; i < MANY; i++)
        fds[i] = ask(f, "127.0.0.2", "/api/games", "");
    const int other = ask(f, "127.0.0.3", "/api/none", "");
    await(f, other, "no such page");
    assert_true(f->clients.requests.place[0].left >= MANY - FEW);
    close(other);
    for (int i = 0; i < MANY; i++)
        close(fds[i]);
}

// A process that was forked meanwhile has its connection too: nobody is asked about it any more.
static void who_has_gone_is_gone(void **state) {
    struct fixture *f = *state;
    const int fd = ask(f, "127.0.0.2", "/api/none", "");
    await(f, fd, "no such page");
    const pid_t other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    shutdown(fd, SHUT_RDWR);
    while (f->clients.admission.count > 0)
        loop_turn(f->loop);
    const int next = ask(f, "127.0.0.3", "/api/none", "");
    await(f, next, "no such page");
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    close(fd);
    close(next);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_watches_must_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_does_not_read_fills_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(messages_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_turn_hears_few_messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_newcomer_waits_for_few, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_has_gone_is_gone, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
