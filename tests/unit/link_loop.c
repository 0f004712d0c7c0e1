// SPDX-License-Identifier: MIT
// The loop: deadlines and signals; and local links, which are its alone.
#include "base/clock.h"
#include "base/mem.h"
#include "unit/link_ear.h"

#include <stdlib.h>
#include <sys/resource.h>

struct alarm {
    struct loop *loop;
    struct timer *timer;
    int64_t at_us, passed_us;
    int passed;
    int *left; // how many are still to pass; the last one stops the loop
};

static void alarm_passed(void *owner, int64_t now_us) {
    struct alarm *alarm = owner;
    assert_true(now_us >= alarm->at_us && now_us <= clock_now_us());
    alarm->passed++;
    alarm->passed_us = now_us;
    if (--*alarm->left == 0)
        loop_stop(alarm->loop);
}

static void alarm_set(struct alarm *alarm, int64_t at_us) {
    alarm->at_us = at_us;
    timer_set(alarm->timer, at_us);
}

static void test_many_timers(void **state) {
    (void)state;
    enum { COUNT = 300 };
    struct alarm alarms[COUNT];
    struct loop *loop = ear_loop();
    int left = COUNT;
    const int64_t now = clock_now_us();
    for (int i = 0; i < COUNT; i++) {
        alarms[i] = (struct alarm){.loop = loop, .left = &left};
        alarms[i].timer = timer_new(loop, alarm_passed, &alarms[i]);
        alarm_set(&alarms[i], now + i * 7919 % 30000 - 1000); // some in the past
    }
    loop_run(loop);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(alarms[i].passed, 1);
        if (i % 2)
            timer_free(alarms[i].timer);
    }
    loop_free(loop);
}

static void test_set_again_and_clear(void **state) {
    (void)state;
    struct loop *loop = ear_loop();
    int left = 2;
    struct alarm a = {.loop = loop, .left = &left}, b = a, c = a;
    a.timer = timer_new(loop, alarm_passed, &a);
    b.timer = timer_new(loop, alarm_passed, &b);
    c.timer = timer_new(loop, alarm_passed, &c);
    const int64_t now = clock_now_us();
    alarm_set(&a, now + 3600000000);
    alarm_set(&a, now + 1500);
    alarm_set(&b, now + 500);
    alarm_set(&b, now + 2500); // later than first said
    alarm_set(&c, now + 200);
    timer_clear(c.timer);
    loop_run(loop);
    assert_true(a.passed == 1 && b.passed == 1 && c.passed == 0);
    alarm_set(&c, 0); // a timer is used again
    left = 1;
    loop_run(loop);
    assert_int_equal(c.passed, 1);
    loop_run(loop); // nothing to wait for
    loop_free(loop);
}

// How late a timer was, at best, of some that are due at the beginning of a millisecond, until one
// is good enough. The machine may be busy: the best tells what the timer itself adds.
static int64_t least_lateness(int64_t enough_us, int tries) {
    struct loop *loop = ear_loop();
    int left;
    int64_t least = INT64_MAX;
    struct alarm a = {.loop = loop, .left = &left};
    a.timer = timer_new(loop, alarm_passed, &a);
    for (int i = 0; i < tries && least > enough_us; i++) {
        left = 1;
        alarm_set(&a, (clock_now_us() / 1000 + 3) * 1000 + 50);
        loop_run(loop);
        if (a.passed_us - a.at_us < least)
            least = a.passed_us - a.at_us;
    }
    loop_free(loop);
    return least;
}

static void test_wakes_within_the_millisecond(void **state) {
    (void)state;
    enum { ENOUGH_US = 400 };
    assert_in_range(least_lateness(ENOUGH_US, 20000), 0, ENOUGH_US);
}

static void test_without_descriptors(void **state) {
    (void)state;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    struct loop *loop = ear_loop();
    int left = 1;
    struct alarm a = {.loop = loop, .left = &left};
    none = (struct rlimit){.rlim_cur = 3, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    a.timer = timer_new(loop, alarm_passed, &a);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    alarm_set(&a, clock_now_us() + 2500);
    loop_run(loop);
    assert_int_equal(a.passed, 1);
    timer_free(a.timer);
    loop_free(loop);
}

static void free_timer(void *owner, int64_t now_us) {
    (void)now_us;
    struct timer **timer = owner;
    timer_free(*timer);
    *timer = NULL;
}

static void test_freed_in_its_callback(void **state) {
    (void)state;
    struct loop *loop = ear_loop();
    struct timer *timer = timer_new(loop, free_timer, &timer);
    timer_set(timer, clock_now_us() + 1000);
    loop_run(loop);
    assert_null(timer);
    loop_free(loop);
}

// A player that answers in time is heard before its deadline, however late we wake up.
struct race {
    struct timer *timer;
    char order[8];
    bool clear, set; // what the owner does when it hears the answer
};

static void race_note(struct race *race, char what) { race->order[strlen(race->order)] = what; }

static void race_bytes(void *owner, const char *bytes, size_t length, int64_t now_us) {
    (void)bytes, (void)length;
    struct race *race = owner;
    race_note(race, 'b');
    if (race->clear)
        timer_clear(race->timer);
    if (race->set)
        timer_set(race->timer, now_us + 2000);
}

static void race_gone(void *owner, const struct parting *how, int64_t now_us) {
    (void)how, (void)now_us;
    race_note(owner, 'g');
}

static void race_passed(void *owner, int64_t now_us) {
    (void)now_us;
    race_note(owner, 'p');
}

static void run_race(struct race *race) {
    static const struct link_events events = {.bytes = race_bytes, .gone = race_gone};
    struct loop *loop = ear_loop();
    struct err err = {.set = false};
    race->timer = timer_new(loop, race_passed, race);
    timer_set(race->timer, clock_now_us() + 100);
    const struct program program = {.command = "echo answer"};
    struct link *link = link_new_pipe(loop, &program, &events, race, &err);
    assert_non_null(link);
    wait_for_death(link_pid(link)); // we sleep meanwhile
    loop_run(loop);
    link_free(link, 0);
    loop_free(loop);
}

// Its end, which its keeper tells, may come before or after.
static void check_order(const struct race *race, bool passed) {
    assert_int_equal(race->order[0], 'b');
    assert_int_equal(strlen(race->order), passed ? 3 : 2);
    assert_non_null(strchr(race->order, 'g'));
    assert_int_equal(strchr(race->order, 'p') != NULL, passed);
}

static void test_what_has_arrived_comes_first(void **state) {
    (void)state;
    struct race late = {.clear = false}, cleared = {.clear = true}, again = {.set = true};
    run_race(&late);
    check_order(&late, true);
    run_race(&cleared);
    check_order(&cleared, false);
    run_race(&again);
    check_order(&again, true);
}

static void on_interrupt(void *owner) {
    struct alarm *alarm = owner;
    alarm->passed++;
    loop_stop(alarm->loop);
}

static void test_interrupts(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    struct alarm alarm = {.loop = ear_loop()};
    loop_on_interrupt(alarm.loop, on_interrupt, &alarm);
    loop_run(alarm.loop); // they alone keep nobody waiting
    struct timer *timer = timer_new(alarm.loop, alarm_passed, &alarm);
    timer_set(timer, clock_now_us() + 3600000000);
    for (int i = 0; i < 2; i++) {
        raise(signals[i]);
        loop_run(alarm.loop);
        assert_int_equal(alarm.passed, i + 1);
    }
    loop_free(alarm.loop);
}

static void test_two_loops_in_a_row(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ear ear;
        ear_start(&ear, "echo hello");
        ear_wait_gone(&ear);
        assert_string_equal(ear.bytes.data, "hello\n");
        ear_done(&ear);
    }
    loop_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_timers),
        cmocka_unit_test(test_set_again_and_clear),
        cmocka_unit_test(test_wakes_within_the_millisecond),
        cmocka_unit_test(test_without_descriptors),
        cmocka_unit_test(test_freed_in_its_callback),
        cmocka_unit_test(test_what_has_arrived_comes_first),
        cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_two_loops_in_a_row),
    };
    return cmocka_run_group_tests_name("link_loop", tests, NULL, NULL);
}
