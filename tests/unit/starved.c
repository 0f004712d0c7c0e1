// SPDX-License-Identifier: MIT
// Who gets time back that he waited for a core: real processes that compete for one.
#include "referee/starved.h"

#include "base/clock.h"
#include "check.h"
#include "unit/link_ear.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { SPAN_US = 200000, TOLERANCE_US = 25000 };

#define SPIN "while :; do :; done"

// A player and a rival on one core, watched for a while.
struct watched {
    int64_t span_us;
    int64_t own_cpu_us; // of the player's first process
    int64_t waited_us;  // by the kernel's account
    int64_t credit_us;
};

static int64_t cpu_us_of(int pid) {
    clockid_t id;
    struct timespec used;
    assert_int_equal(clock_getcpuclockid(pid, &id), 0);
    assert_int_equal(clock_gettime(id, &used), 0);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static int64_t wait_us_of(int pid) {
    char path[64];
    long long ran, waited;
    snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lld %lld", &ran, &waited), 2);
    fclose(file);
    return waited / 1000;
}

static struct link *start(struct loop *loop, const char *command) {
    static const struct link_events deaf = {.bytes = NULL};
    struct err err = {.set = false};
    const struct program program = {.command = command};
    struct link *link = link_new_pipe(loop, &program, &deaf, NULL, &err);
    assert_non_null(link);
    return link;
}

// Whether a process ignores the ends of its children.
static bool ignores_children(int pid) {
    char path[64], line[200];
    unsigned long long set = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        sscanf(line, "SigIgn: %llx", &set);
    fclose(file);
    return set >> (SIGCHLD - 1) & 1;
}

static struct watched watch(const char *command, bool ignores) {
    struct loop *loop = ear_loop();
    struct link *rival = start(loop, SPIN), *player = start(loop, command);
    const int pid = link_pid(player);
    do
        usleep(SPAN_US); // until all are there
    while (ignores_children(pid) != ignores);
    struct starved s;
    struct runner r = {.pid = pid, .cpu_us = link_cpu_us(player)};
    const int64_t begin = clock_now_us(), cpu = cpu_us_of(pid), wait = wait_us_of(pid);
    starved_init(&s, r.cpu_us, begin);
    starved_begin(&s, &r, begin, begin);
    usleep(SPAN_US);
    r.cpu_us = link_cpu_us(player);
    const int64_t end = clock_now_us();
    const struct watched seen = {.span_us = end - begin,
                                 .own_cpu_us = cpu_us_of(pid) - cpu,
                                 .waited_us = wait_us_of(pid) - wait,
                                 .credit_us = starved_us(&s, &r, end)};
    link_free(player, 0);
    link_free(rival, 0);
    loop_free(loop);
    return seen;
}

static void test_others_keep_him_waiting(void **state) {
    (void)state;
    const struct watched w = watch(SPIN, false);
    assert_true(w.credit_us > SPAN_US / 4); // half of it, or more where others run too
    assert_true(w.credit_us <= w.span_us - w.own_cpu_us + TOLERANCE_US);
}

// What competes with him is his own, and gets as much of the core as he does: so long as both of
// them is not given back, though he has waited for it.
static void check_company(const char *command) {
    const struct watched w = watch(command, false);
    const int64_t others = w.span_us - 2 * w.own_cpu_us;
    if (w.credit_us > others + TOLERANCE_US || w.waited_us < w.own_cpu_us)
        fail_msg("%s: credit %lld, others ran %lld, waited %lld", command, (long long)w.credit_us,
                 (long long)others, (long long)w.waited_us);
}

static void test_his_own_keep_him_waiting(void **state) {
    (void)state;
    check_company("sh -c '" SPIN "' & " SPIN);
    check_company("(sh -c '" SPIN "' &); " SPIN);
    check_company("(setsid sh -c '" SPIN "' &); " SPIN);
}

// Children of whose end he does not want to hear leave no trace.
static void test_ignored_children(void **state) {
    (void)state;
    static const char command[] = "python3 -c 'import signal as s; s.signal(s.SIGCHLD, s.SIG_IGN); "
                                  "all(i + 1 for i in iter(int, 1))'";
    assert_int_equal(watch(command, true).credit_us, 0);
}

// Half time came late: that counts only as far as he was not running.
static void test_late_half_time(void **state) {
    (void)state;
    static const struct {
        int64_t cpu_us, credit_us;
    } cases[] = {{100000, 0}, {80000, 20000}, {20000, 50000}, {0, 50000}, {130000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct starved s;
        const struct runner r = {.pid = getpid(), .cpu_us = cases[i].cpu_us};
        starved_init(&s, 0, 1000000);
        starved_begin(&s, &r, 1050000, 1100000);
        assert_int_equal(s.credit_us, cases[i].credit_us);
    }
}

// Nothing is given back where nothing is known.
static void test_unknown_process(void **state) {
    (void)state;
    struct starved s;
    const struct runner none = {.pid = -1, .cpu_us = -1};
    starved_init(&s, -1, 1000);
    assert_int_equal(starved_us(&s, &none, 5000), 0);
    starved_begin(&s, &none, 2000, 3000);
    assert_int_equal(starved_us(&s, &none, 5000), 0);
}

int main(void) {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    size_t core = 0;
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others_keep_him_waiting),
        cmocka_unit_test(test_his_own_keep_him_waiting),
        cmocka_unit_test(test_ignored_children),
        cmocka_unit_test(test_late_half_time),
        cmocka_unit_test(test_unknown_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
