// SPDX-License-Identifier: MIT
// TCP connections, against clients on plain sockets.
#include "base/clock.h"
#include "link/tcp.h"
#include "unit/link_ear.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// A judge with one player at most.
struct judge {
    struct ear ear; // its link is that of the connection
    struct tcp *tcp;
    int opened;
    bool refuse, stop_listening; // what it does with a connection
};

static void on_opened(void *owner, struct link *link, int64_t now_us) {
    struct judge *judge = owner;
    assert_true(now_us <= clock_now_us());
    judge->opened++;
    judge->ear.link = link;
    link_watch(link, &ear_events, &judge->ear);
    if (judge->refuse)
        ear_free_link(&judge->ear);
    if (judge->stop_listening)
        tcp_free(judge->tcp);
    loop_stop(judge->ear.loop);
}

static void judge_start(struct judge *judge) {
    struct err err = {.set = false};
    *judge = (struct judge){.ear.loop = ear_loop()};
    judge->tcp = tcp_new(judge->ear.loop, "127.0.0.1", 0, on_opened, judge, &err);
    assert_non_null(judge->tcp);
    assert_in_range(tcp_port(judge->tcp), 1, 65535);
}

static int client_connect(const struct judge *judge) {
    const struct sockaddr_in place = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)tcp_port(judge->tcp)),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&place, sizeof place), 0);
    return fd;
}

static int judge_meet(struct judge *judge) {
    judge_start(judge);
    const int client = client_connect(judge);
    loop_run(judge->ear.loop);
    assert_int_equal(judge->opened, 1);
    return client;
}

static void client_send(int fd, const char *words) {
    const ssize_t length = (ssize_t)strlen(words);
    assert_int_equal(send(fd, words, (size_t)length, MSG_NOSIGNAL), length);
}

static void client_expect(int fd, const char *words) {
    char bytes[100] = "";
    assert_int_equal(recv(fd, bytes, sizeof bytes - 1, 0), strlen(words));
    assert_string_equal(bytes, words);
}

static void client_reset(int fd) {
    const struct linger now = {.l_onoff = 1};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}

static void test_echo(void **state) {
    (void)state;
    struct judge judge;
    const int client = judge_meet(&judge);
    assert_int_equal(link_pid(judge.ear.link), -1);
    assert_int_equal(link_cpu_us(judge.ear.link), -1);
    client_send(client, "hello");
    ear_wait_bytes(&judge.ear, "hello");
    link_send(judge.ear.link, judge.ear.bytes.data, judge.ear.bytes.length);
    client_expect(client, "hello");
    close(client);
    ear_done(&judge.ear);
}

// Each link_send is one segment, at once: a client that reads with single calls sees it whole.
static void test_messages_arrive_whole(void **state) {
    (void)state;
    struct judge judge;
    char board[876] = "", got[2000];
    const int client = judge_meet(&judge);
    for (int i = 0; i < 100; i++) {
        link_send(judge.ear.link, board, sizeof board);
        assert_int_equal(recv(client, got, sizeof got, 0), sizeof board);
    }
    close(client);
    ear_done(&judge.ear);
}

static void test_split_messages(void **state) {
    (void)state;
    struct judge judge;
    const int client = judge_meet(&judge);
    client_send(client, "ab");
    ear_wait_bytes(&judge.ear, "ab");
    client_send(client, "c");
    ear_wait_bytes(&judge.ear, "abc");
    client_send(client, "d");
    client_send(client, "e");
    ear_wait_bytes(&judge.ear, "abcde");
    close(client);
    ear_done(&judge.ear);
}

static void test_client_leaves(void **state) {
    (void)state;
    struct judge judge;
    const int client = judge_meet(&judge);
    client_send(client, "bye");
    close(client);
    ear_wait_gone(&judge.ear);
    assert_string_equal(judge.ear.bytes.data, "bye");
    assert_true(judge.ear.how.closed && !judge.ear.how.exited);
    link_send(judge.ear.link, "hello?", 6);
    tcp_free(judge.tcp);
    loop_run(judge.ear.loop); // nothing more to wait for
    link_free(judge.ear.link, 1000);
    ear_done(&judge.ear);
}

static void test_connection_reset(void **state) {
    (void)state;
    struct judge judge;
    const int client = judge_meet(&judge);
    client_send(client, "last words");
    client_reset(client);
    link_send(judge.ear.link, "hello?", 6); // fails, and is no more than that
    link_send(judge.ear.link, "hello?", 6);
    ear_wait_gone(&judge.ear);
    assert_true(judge.ear.how.closed && !judge.ear.how.exited);
    ear_done(&judge.ear);
}

static void test_freed_in_its_callbacks(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        struct judge judge;
        const int client = judge_meet(&judge);
        tcp_free(judge.tcp);
        judge.ear.free_at_bytes = i & 1;
        judge.ear.free_at_gone = true;
        judge.ear.patience_us = i & 2 ? 60000000 : 0;
        client_send(client, "bye");
        if (i & 4)
            client_reset(client);
        else
            close(client);
        loop_run(judge.ear.loop);
        assert_int_equal(judge.ear.gone, !(i & 1));
        ear_done(&judge.ear);
    }
}

static void test_refused_at_once(void **state) {
    (void)state;
    struct judge judge;
    char byte;
    judge_start(&judge);
    judge.refuse = judge.stop_listening = true;
    const int client = client_connect(&judge);
    loop_run(judge.ear.loop);
    assert_int_equal(recv(client, &byte, 1, 0), 0);
    close(client);
    ear_done(&judge.ear);
}

// A last message arrives although the client has sent what nobody read, and sends more.
static void test_last_message_is_not_lost(void **state) {
    (void)state;
    struct judge judge;
    char byte;
    const int client = judge_meet(&judge);
    tcp_free(judge.tcp);
    client_send(client, "chatter");
    link_send(judge.ear.link, "stop", 4);
    link_free(judge.ear.link, 60000000);
    client_send(client, "more chatter");
    client_expect(client, "stop");
    assert_int_equal(recv(client, &byte, 1, 0), 0);
    client_send(client, "even more");
    close(client);
    loop_run(judge.ear.loop); // until the client has closed its side
    assert_int_equal(judge.ear.heard, 0);
    ear_done(&judge.ear);
}

// Nor without patience, if the client is silent by then.
static void test_last_message_before_the_close(void **state) {
    (void)state;
    struct judge judge;
    char byte;
    const int client = judge_meet(&judge);
    client_send(client, "chatter");
    link_send(judge.ear.link, "stop", 4);
    link_free(judge.ear.link, 0);
    client_expect(client, "stop");
    assert_int_equal(recv(client, &byte, 1, 0), 0); // closed, not reset
    close(client);
    ear_done(&judge.ear);
}

static void test_patience_ends(void **state) {
    (void)state;
    struct judge judge;
    const int client = judge_meet(&judge);
    tcp_free(judge.tcp);
    link_free(judge.ear.link, 2000);
    loop_run(judge.ear.loop); // though the client stays
    close(client);
    ear_done(&judge.ear);
}

// More than the kernel takes: it follows when the client reads.
static void test_slow_reader(void **state) {
    (void)state;
    enum { MESSAGE = 1000 };
    struct judge judge;
    char message[MESSAGE] = "", got[1 << 16];
    size_t sent = 0, read = 0;
    const int client = judge_meet(&judge);
    while (sent < (size_t)20 << 20) {
        link_send(judge.ear.link, message, MESSAGE);
        sent += MESSAGE;
    }
    link_free(judge.ear.link, 0);
    for (ssize_t n; (n = recv(client, got, sizeof got, 0)) > 0;)
        read += (size_t)n;
    assert_true(read > 0 && read < sent); // the rest was dropped, and nothing grew without bound
    close(client);
    ear_done(&judge.ear);
}

static void test_queue_is_sent_later(void **state) {
    (void)state;
    struct judge judge;
    static char message[1 << 19], got[1 << 16];
    const int client = judge_meet(&judge);
    const int small = 1 << 14;
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    size_t sent = 0, read = 0;
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (char)i;
    for (int i = 0; i < 2; i++, sent += sizeof message)
        link_send(judge.ear.link, message, sizeof message);
    const pid_t reader = fork();
    if (reader == 0) {
        ssize_t n;
        while (read < sent && (n = recv(client, got, sizeof got, 0)) > 0)
            for (ssize_t i = 0; i < n; i++)
                if (got[i] != (char)read++)
                    _exit(2);
        _exit(read != sent || send(client, "all", 3, 0) != 3);
    }
    ear_wait_bytes(&judge.ear, "all");
    int status = 0;
    assert_int_equal(waitpid(reader, &status, 0), reader);
    assert_int_equal(status, 0);
    close(client);
    ear_done(&judge.ear);
}

static void test_port_taken(void **state) {
    (void)state;
    struct judge judge;
    struct err err = {.set = false};
    char expected[200];
    judge_start(&judge);
    const int port = tcp_port(judge.tcp);
    snprintf(expected, sizeof expected,
             "cannot listen on 127.0.0.1 port %d: address already in use; another judge may be "
             "running",
             port);
    assert_null(tcp_new(judge.ear.loop, "127.0.0.1", port, on_opened, &judge, &err));
    assert_string_equal(err.text, expected);
    ear_done(&judge.ear);
}

static void test_bad_places(void **state) {
    (void)state;
    struct loop *loop = ear_loop();
    static const struct {
        const char *address;
        int port;
        const char *text;
    } cases[] = {
        {"::1", 8888, "cannot listen on ::1 port 8888: not an IPv4 address"},
        {"judge.local", 8888, "cannot listen on judge.local port 8888: not an IPv4 address"},
        {"127.0.0.1", 70000, "cannot listen on 127.0.0.1 port 70000: a port is at most 65535"},
        {"127.0.0.1", -1, "cannot listen on 127.0.0.1 port -1: a port is at most 65535"},
        {"192.0.2.1", 0, "cannot listen on 192.0.2.1 port 0: address not available"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {.set = false};
        assert_null(tcp_new(loop, cases[i].address, cases[i].port, on_opened, NULL, &err));
        assert_string_equal(err.text, cases[i].text);
    }
    loop_free(loop);
}

struct relief {
    struct loop *loop;
    struct rlimit limit;
};

static void relieve(void *owner, int64_t now_us) {
    (void)now_us;
    struct relief *relief = owner;
    setrlimit(RLIMIT_NOFILE, &relief->limit);
}

// While no descriptor is left we wait without spinning, and the client's connection is kept.
static void test_no_descriptor_left(void **state) {
    (void)state;
    struct judge judge;
    judge_start(&judge);
    struct relief relief = {.loop = judge.ear.loop};
    struct timer *timer = timer_new(judge.ear.loop, relieve, &relief);
    const int client = client_connect(&judge), next = dup(client);
    close(next);
    getrlimit(RLIMIT_NOFILE, &relief.limit);
    struct rlimit low = relief.limit;
    low.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &low);
    const int64_t cpu_us = clock_cpu_us();
    timer_set(timer, clock_now_us() + 400000);
    loop_run(judge.ear.loop);
    assert_int_equal(judge.opened, 1);
    assert_true(clock_cpu_us() - cpu_us < 100000);
    client_send(client, "hello");
    ear_wait_bytes(&judge.ear, "hello");
    close(client);
    ear_done(&judge.ear);
}

static void test_new_owner(void **state) {
    (void)state;
    struct judge judge;
    const int client = judge_meet(&judge);
    struct ear second = {.loop = judge.ear.loop, .link = judge.ear.link};
    client_send(client, "to the first");
    ear_wait_bytes(&judge.ear, "to the first");
    link_watch(judge.ear.link, &ear_events, &second);
    client_send(client, "to the second");
    ear_wait_bytes(&second, "to the second");
    buf_done(&second.bytes);
    close(client);
    ear_done(&judge.ear);
}

// A machine without a network at all may have loopback switched off.
static bool has_loopback(void) {
    const struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool there = connect(fd, (const struct sockaddr *)&place, sizeof place) == 0;
    close(fd);
    return there;
}

int main(void) {
    if (!has_loopback()) {
        printf("1..1\nok 1 - link_tcp # SKIP loopback is down on this machine\n");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_echo),
        cmocka_unit_test(test_messages_arrive_whole),
        cmocka_unit_test(test_split_messages),
        cmocka_unit_test(test_client_leaves),
        cmocka_unit_test(test_connection_reset),
        cmocka_unit_test(test_freed_in_its_callbacks),
        cmocka_unit_test(test_refused_at_once),
        cmocka_unit_test(test_last_message_is_not_lost),
        cmocka_unit_test(test_last_message_before_the_close),
        cmocka_unit_test(test_patience_ends),
        cmocka_unit_test(test_slow_reader),
        cmocka_unit_test(test_queue_is_sent_later),
        cmocka_unit_test(test_port_taken),
        cmocka_unit_test(test_bad_places),
        cmocka_unit_test(test_no_descriptor_left),
        cmocka_unit_test(test_new_owner),
    };
    return cmocka_run_group_tests_name("link_tcp", tests, NULL, NULL);
}
