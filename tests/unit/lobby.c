// SPDX-License-Identifier: MIT
// Where TCP players arrive: who is seated, who is sent away and with what, and what is said of it.
#include "referee/lobby.h"

#include "base/clock.h"
#include "check.h"
#include "link/loop.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 64, STEP_US = 20000, PATIENCE_US = 10000000 };

// A lobby, what it notes, and the connections it seats.
struct hall {
    struct loop *loop;
    struct lobby *lobby;
    struct timer *timer;
    char notes[20][160];
    int noted;
    struct link *seated[4];
    int seatings;
};

static void note(void *owner, const char *words) {
    struct hall *hall = owner;
    assert_true(hall->noted < 20);
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
}

// Lets the lobby do what there is to do.
static void hall_run(struct hall *hall) {
    timer_set(hall->timer, clock_now_us() + STEP_US);
    loop_run(hall->loop);
}

// Connects and sends a team id, unless it is -1.
static int arrive(const struct hall *hall, int32_t team) {
    const struct sockaddr_in place = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)lobby_port(hall->lobby)),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&place, sizeof place), 0);
    if (team >= 0)
        assert_int_equal(write(fd, &team, sizeof team), sizeof team);
    return fd;
}

// Whether a link leads to that end.
static bool is_link_of(const struct link *link, int fd) {
    struct sockaddr_in place;
    socklen_t size = sizeof place;
    char wanted[80], text[80];
    getsockname(fd, (struct sockaddr *)&place, &size);
    snprintf(wanted, sizeof wanted, "connection from 127.0.0.1 port %d", ntohs(place.sin_port));
    link_describe(link, text, sizeof text);
    return strcmp(text, wanted) == 0;
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

static void test_who_came_first_is_seated_first(void **state) {
    (void)state;
    struct hall hall;
    hall_open(&hall);
    struct claim *claim = claim_new(hall.lobby, 7, false, joined, &hall);
    int fd[4];
    for (int i = 0; i < 4; i++) {
        fd[i] = arrive(&hall, 7);
        hall_run(&hall);
    }
    assert_int_equal(hall.seatings, 1);
    for (int i = 1; i < 4; i++) {
        claim_vacate(claim);
        assert_int_equal(hall.seatings, i + 1);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(is_link_of(hall.seated[i], fd[i]));
        close(fd[i]);
    }
    hall_close(&hall);
}

// Also the one for whom there is no room hears the stop, and is not only cut off.
static void test_no_room(void **state) {
    (void)state;
    struct hall hall;
    hall_open(&hall);
    int fd[ROOM + 1];
    int32_t words[4] = {-1, -1, -1, -1};
    for (int i = 0; i <= ROOM; i++)
        fd[i] = arrive(&hall, i == ROOM ? 7 : -1);
    assert_int_equal(hear_all(&hall, fd[ROOM], words), 8);
    assert_int_equal(words[0], 0);
    assert_int_equal(hall.noted, 1);
    assert_string_equal(hall.notes[0], "a connection was sent away: too many others wait");
    assert_int_equal(recv(fd[0], words, sizeof words, MSG_DONTWAIT), -1); // the others still wait
    for (int i = 0; i <= ROOM; i++)
        close(fd[i]);
    hall_run(&hall); // they leave by themselves
    hall_close(&hall);
    assert_int_equal(hall.noted, 1);
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
    const int first = arrive(&hall, 7);
    hall_run(&hall);
    lobby_announce(hall.lobby); // it is there
    assert_noted(&hall, 1);
    const int second = arrive(&hall, 7);
    hall_run(&hall);
    claim_vacate(claim); // another one of it waits
    assert_int_equal(hall.seatings, 2);
    assert_noted(&hall, 1);
    claim_vacate(claim);
    assert_noted(&hall, 2);
    lobby_announce(hall.lobby);
    assert_noted(&hall, 3);
    close(first);
    close(second);
    hall_close(&hall);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_came_first_is_seated_first),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_announcements),
    };
    return cmocka_run_group_tests_name("lobby", tests, NULL, NULL);
}
