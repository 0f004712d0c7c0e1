// SPDX-License-Identifier: MIT
// Where TCP players arrive: who is seated, who is sent away and with what, and what is said of it.
#include "referee/lobby.h"

#include "base/clock.h"
#include "check.h"
#include "link/kind.h"
#include "link/loop.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CROWD = 100, DIALS = 800, STEP_US = 20000, PATIENCE_US = 2000000000, NOTES = 60 };

// A lobby, what it notes, and the connections it seats.
struct hall {
    struct loop *loop;
    struct lobby *lobby;
    struct timer *timer;
    char notes[NOTES][220];
    int noted;
    struct link *seated[4];
    int seatings;
    int fds[DIALS]; // of those who have come
    int dials;
};

static void note(void *owner, const char *words) {
    struct hall *hall = owner;
    assert_true(hall->noted < NOTES);
    snprintf(hall->notes[hall->noted++], sizeof *hall->notes, "%s", words);
}

static void joined(void *owner, struct link *link, const char *bytes, size_t length,
                   int64_t now_us) {
    struct hall *hall = owner;
    (void)bytes, (void)now_us;
    assert_int_equal(length, 0);
    link_watch(link, &(struct link_events){.bytes = NULL}, NULL);
    hall->seated[hall->seatings++] = link;
}

static void time_passed(void *owner, int64_t now_us) {
    struct hall *hall = owner;
    (void)now_us;
    loop_stop(hall->loop);
}

static void hall_open(struct hall *hall) {
    struct err err = {.set = false};
    *hall = (struct hall){.loop = loop_new(&err)};
    hall->lobby = lobby_new(hall->loop, "127.0.0.1", 0, note, hall, &err);
    if (!hall->lobby)
        fail_msg("%s", err.text);
    hall->timer = timer_new(hall->loop, time_passed, hall);
}

static void hall_close(struct hall *hall) {
    for (int i = 0; i < hall->seatings; i++)
        link_free(hall->seated[i], 0);
    lobby_free(hall->lobby);
    loop_free(hall->loop);
    for (int i = 0; i < hall->dials; i++)
        close(hall->fds[i]);
}

// Lets the lobby do what there is to do.
static void hall_run(struct hall *hall) {
    timer_set(hall->timer, clock_now_us() + STEP_US);
    loop_run(hall->loop);
}

// Connects from the n-th address of the loopback to a port there and sends a team id, unless it is
// -1.
static int dial(struct hall *hall, int n, int port, int32_t team) {
    const struct sockaddr_in from = {.sin_family = AF_INET,
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)n)},
                             place = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&place, sizeof place), 0);
    if (team >= 0)
        assert_int_equal(write(fd, &team, sizeof team), sizeof team);
    assert_true(hall->dials < DIALS);
    return hall->fds[hall->dials++] = fd;
}

static int arrive(struct hall *hall, int32_t team) {
    return dial(hall, 0, lobby_port(hall->lobby), team);
}

// Whether a link leads to that end.
static bool is_link_of(const struct link *link, int fd) {
    struct sockaddr_in near, far;
    socklen_t near_size = sizeof near, far_size = sizeof far;
    getsockname(fd, (struct sockaddr *)&near, &near_size);
    getpeername(link->in.fd, (struct sockaddr *)&far, &far_size);
    return near.sin_addr.s_addr == far.sin_addr.s_addr && near.sin_port == far.sin_port;
}

// All that comes until the other side closes.
static ssize_t hear_all(struct hall *hall, int fd, int32_t words[4]) {
    size_t length = 0;
    for (const int64_t until = clock_now_us() + PATIENCE_US; clock_now_us() < until;) {
        hall_run(hall);
        const ssize_t n = recv(fd, (char *)words + length, 16 - length, MSG_DONTWAIT);
        if (n == 0)
            return (ssize_t)length;
        length += n > 0 ? (size_t)n : 0;
    }
    return -1;
}

static void await_seatings(struct hall *hall, int seatings) {
    while (hall->seatings < seatings)
        hall_run(hall);
    assert_int_equal(hall->seatings, seatings);
}

static void test_who_came_first_is_seated_first(void **state) {
    (void)state;
    struct hall hall;
    hall_open(&hall);
    struct claim *claim = claim_new(hall.lobby, 7, false, joined, &hall);
    int fd[4];
    for (int i = 0; i < 4; i++)
        fd[i] = arrive(&hall, 7);
    await_seatings(&hall, 1);
    for (int i = 1; i < 4; i++) {
        claim_vacate(claim);
        await_seatings(&hall, i + 1);
    }
    for (int i = 0; i < 4; i++)
        assert_true(is_link_of(hall.seated[i], fd[i]));
    hall_close(&hall);
}

static bool waits(const struct hall *hall, int32_t team, int *count) {
    int32_t teams[1000];
    bool found = false;
    *count = lobby_teams(hall->lobby, teams, 1000);
    for (int i = 0; i < *count; i++)
        found |= teams[i] == team;
    return found;
}

// Until a team waits, which may take the lobby some turns.
static void await_team(struct hall *hall, int32_t team) {
    int count;
    while (!waits(hall, team, &count))
        hall_run(hall);
}

// So many that come one after the other and are let in; with the ids from `team` on, or silent if
// that is -1.
static void admission(struct hall *hall, int from, int port, int32_t team) {
    for (int i = 0; i < CROWD; i++) {
        dial(hall, from, port, team < 0 ? -1 : team + i);
        if (i % 16 == 15)
            hall_run(hall);
    }
    hall_run(hall);
}

static bool is_open(int fd) {
    char byte;
    return recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0;
}

// A machine may be so busy that who should be silent for a moment has been so for too long.
static bool is_soon(int64_t since_us) { return clock_now_us() - since_us < 3000000; }

// Whoever says nothing makes room for others that come from there, and hears the stop; who is
// expected is seated, whether it comes before the admission, in the middle or after it.
static void test_silent_crowd(void **state) {
    (void)state;
    struct hall hall;
    int32_t words[4] = {-1, -1, -1, -1};
    hall_open(&hall);
    claim_new(hall.lobby, 7, false, joined, &hall);
    claim_new(hall.lobby, 8, false, joined, &hall);
    const int64_t begin_us = clock_now_us();
    const int first = arrive(&hall, -1);
    int elsewhere = dial(&hall, 1, lobby_port(hall.lobby), -1);
    hall_run(&hall);
    admission(&hall, 0, lobby_port(hall.lobby), -1);
    assert_int_equal(hear_all(&hall, first, words), 8);
    assert_int_equal(words[0], 0);
    assert_string_equal(hall.notes[0], "a connection was sent the stop: it sent no team id, and "
                                       "others came");
    assert_true(hall.noted < 2 * 20 + 1); // a admission is not noted one by one
    arrive(&hall, 7);
    const int32_t team = 8;
    if (!is_soon(begin_us))
        elsewhere = dial(&hall, 1, lobby_port(hall.lobby), -1);
    assert_true(is_open(elsewhere));
    assert_int_equal(write(elsewhere, &team, sizeof team), sizeof team);
    await_seatings(&hall, 2);
    hall_close(&hall);
}

// Who has spoken is not silent, though it was not read before the others came.
static void test_spoken_meanwhile(void **state) {
    (void)state;
    struct hall hall;
    const int32_t team = 7;
    hall_open(&hall);
    claim_new(hall.lobby, 7, false, joined, &hall);
    const int fd = arrive(&hall, -1);
    hall_run(&hall);
    assert_int_equal(write(fd, &team, sizeof team), sizeof team);
    for (int i = 0; i < 60; i++)
        arrive(&hall, -1);
    await_seatings(&hall, 1);
    assert_true(is_link_of(hall.seated[0], fd));
    hall_close(&hall);
}

// It leaves by itself, if it says nothing or but half an id.
static void test_silence_ends(void **state) {
    (void)state;
    struct hall hall;
    int32_t words[4];
    hall_open(&hall);
    const int fd[] = {arrive(&hall, -1), arrive(&hall, -1)};
    assert_int_equal(write(fd[1], "\7", 1), 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(hear_all(&hall, fd[i], words), 8);
    assert_int_equal(hall.noted, 2);
    assert_string_equal(hall.notes[1], "a connection was sent the stop: it sent no team id");
    hall_close(&hall);
}

static void changed(void *owner) { (void)owner; }

static bool expects(void *owner, int32_t team) {
    (void)owner;
    return team == 9;
}

// Where teams may stay, those that nobody expects have bounded room, of every address and in all;
// who is expected stays, and who comes from elsewhere does.
static void test_made_up_ids(void **state) {
    (void)state;
    struct hall hall;
    int count;
    hall_open(&hall);
    lobby_keep(hall.lobby, changed);
    const int early = arrive(&hall, 9), odd = dial(&hall, 1, lobby_port(hall.lobby), 11);
    await_team(&hall, 9);
    await_team(&hall, 11);
    lobby_expect(hall.lobby, expects); // it was not known when it came
    admission(&hall, 0, lobby_port(hall.lobby), 1000);
    await_team(&hall, 1000 + CROWD - 1);
    assert_true(waits(&hall, 9, &count) && count < CROWD);
    for (int from = 2; from < 7; from++) {
        admission(&hall, from, lobby_port(hall.lobby), from * 1000);
        await_team(&hall, from * 1000 + CROWD - 1);
    }
    arrive(&hall, 12);
    await_team(&hall, 12);
    assert_true(waits(&hall, 9, &count) && waits(&hall, 11, &count) && waits(&hall, 12, &count));
    assert_true(count < 4 * CROWD);
    assert_true(is_open(early) && is_open(odd));
    claim_new(hall.lobby, 9, true, joined, &hall);
    assert_int_equal(hall.seatings, 1);
    assert_true(is_link_of(hall.seated[0], early));
    claim_new(hall.lobby, 13, true, joined, &hall);
    arrive(&hall, 13);
    await_seatings(&hall, 2);
    hall_close(&hall);
}

// Many of one id are no more than a few.
static void test_one_id_many_times(void **state) {
    (void)state;
    struct hall hall;
    int32_t words[4] = {-1};
    hall_open(&hall);
    lobby_keep(hall.lobby, changed);
    lobby_expect(hall.lobby, expects);
    const int first = arrive(&hall, 9);
    for (int i = 0; i < 3; i++)
        arrive(&hall, 9);
    hall_run(&hall);
    const int last = arrive(&hall, 9);
    assert_int_equal(hear_all(&hall, last, words), 8);
    assert_true(is_open(first));
    assert_string_equal(hall.notes[0], "team 9 was sent the stop: enough others of its team wait");
    hall_close(&hall);
}

// Who pours into it is not read for ever, and whoever has just played may be late with his answer.
static void test_pours(void **state) {
    static const char much[1 << 15];
    (void)state;
    struct hall hall;
    int32_t words[4] = {-1};
    hall_open(&hall);
    lobby_keep(hall.lobby, changed);
    lobby_expect(hall.lobby, expects);
    const int late = arrive(&hall, 9), stranger = arrive(&hall, 5);
    await_team(&hall, 9);
    await_team(&hall, 5);
    assert_int_equal(write(late, much, sizeof much), sizeof much);
    assert_int_equal(write(stranger, much, sizeof much), sizeof much);
    assert_true(hear_all(&hall, stranger, words) >= 0);
    assert_string_equal(hall.notes[0],
                        "team 5 was sent the stop: it sends what nobody has asked for");
    assert_true(is_open(late));
    hall_close(&hall);
}

static int listen_inside(int *port) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&place, size), 0);
    assert_int_equal(listen(fd, 128), 0);
    getsockname(fd, (struct sockaddr *)&place, &size);
    *port = ntohs(place.sin_port);
    return fd;
}

// A admission at one door is no admission at another: not of silent ones, nor of ids that it makes
// up.
static void test_crowd_at_a_door(void **state) {
    (void)state;
    struct hall hall;
    int port[2];
    struct tcp *door[2];
    struct claim *claim[2];
    hall_open(&hall);
    for (int i = 0; i < 2; i++) {
        claim[i] = claim_new(hall.lobby, 7, false, joined, &hall);
        door[i] = claim_add_door(claim[i], listen_inside(&port[i]));
    }
    const int64_t begin_us = clock_now_us();
    int slow = dial(&hall, 0, port[1], -1);
    hall_run(&hall);
    admission(&hall, 0, port[0], -1);
    admission(&hall, 0, port[0], 1000);
    const int32_t team = 7;
    if (!is_soon(begin_us))
        slow = dial(&hall, 0, port[1], -1);
    assert_int_equal(write(slow, &team, sizeof team), sizeof team);
    await_seatings(&hall, 1);
    assert_true(is_link_of(hall.seated[0], slow));
    dial(&hall, 0, port[0], 7);
    await_seatings(&hall, 2);
    for (int i = 0; i < 2; i++)
        tcp_free(door[i]);
    hall_close(&hall);
}

static void assert_noted(struct hall *hall, int count) {
    char words[80];
    snprintf(words, sizeof words, "waiting for team 7 on port %d", lobby_port(hall->lobby));
    assert_int_equal(hall->noted, count);
    if (count > 0)
        assert_string_equal(hall->notes[count - 1], words);
}

// Who is awaited is announced whenever it is not there; who is started by us never is.
static void test_announcements(void **state) {
    (void)state;
    struct hall hall;
    hall_open(&hall);
    assert_true(lobby_port(hall.lobby) > 0);
    claim_new(hall.lobby, 8, false, joined, &hall);
    assert_noted(&hall, 0);
    struct claim *claim = claim_new(hall.lobby, 7, true, joined, &hall);
    assert_noted(&hall, 1);
    arrive(&hall, 7);
    await_seatings(&hall, 1);
    lobby_announce(hall.lobby); // it is there
    assert_noted(&hall, 1);
    arrive(&hall, 7);
    await_team(&hall, 7);
    claim_vacate(claim); // another one of it waits
    assert_int_equal(hall.seatings, 2);
    assert_noted(&hall, 1);
    claim_vacate(claim);
    assert_noted(&hall, 2);
    lobby_announce(hall.lobby);
    assert_noted(&hall, 3);
    hall_close(&hall);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_came_first_is_seated_first),
        cmocka_unit_test(test_silent_crowd),
        cmocka_unit_test(test_spoken_meanwhile),
        cmocka_unit_test(test_silence_ends),
        cmocka_unit_test(test_made_up_ids),
        cmocka_unit_test(test_one_id_many_times),
        cmocka_unit_test(test_pours),
        cmocka_unit_test(test_crowd_at_a_door),
        cmocka_unit_test(test_announcements),
    };
    return cmocka_run_group_tests_name("lobby", tests, NULL, NULL);
}
