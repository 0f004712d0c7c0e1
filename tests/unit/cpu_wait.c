// SPDX-License-Identifier: MIT
// Who gets time back that he waited for a core: by a machine of our own, whose truth is known, and
// by real processes that compete for one.
#include "referee/cpu_wait.h"

#include "base/clock.h"
#include "base/rng.h"
#include "check.h"
#include "unit/link_ear.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SPAN_US = 200000, TOLERANCE_US = 25000 };

#define SPIN "while :; do :; done"

// A player and a rival on one core, watched for a while.
struct watched {
    int64_t span_us;
    int64_t cpu_us;    // of all the player's processes
    int64_t waited_us; // by its first process, by the kernel's account
    int64_t credit_us, maybe_us;
    int64_t looked_us; // in the looks: so far apart may be what was read in each
};

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

// On one core, which is not ours: who looks is not to be kept from it by those he looks at.
static struct link *start(struct loop *loop, const char *command) {
    static const struct link_events deaf = {.bytes = NULL};
    struct err err = {.set = false};
    const struct program program = {.command = command};
    cpu_set_t all, one;
    size_t core = 0;
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    struct link *link = link_new_pipe(loop, &program, &deaf, NULL, &err);
    sched_setaffinity(0, sizeof all, &all);
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

static bool is_humble(int pid) {
    return getpriority(PRIO_PROCESS, (id_t)pid) > 0 || sched_getscheduler(pid) == SCHED_IDLE;
}

// Looks at a player as a table does in a turn. Returns how long that took.
static int64_t look(struct cpu_wait *s, struct link *player) {
    struct run_times times;
    const int64_t begin = clock_now_us();
    link_run_times(player, &times);
    const int64_t took_us = clock_now_us() - begin;
    cpu_wait_look(s, &times, -1, false);
    return took_us;
}

// When it is what it shall be, if that is said, and at work.
static struct watched watch(const char *command, bool (*is_so)(int pid), int64_t work_us) {
    struct loop *loop = ear_loop();
    struct link *rival = start(loop, SPIN), *player = start(loop, command);
    const int pid = link_pid(player);
    do
        usleep(SPAN_US); // until all are there, and at work
    while ((is_so && !is_so(pid)) || link_cpu_us(player) < work_us);
    static struct cpu_wait s;
    const int64_t begin = clock_now_us(), cpu = link_cpu_us(player), wait = wait_us_of(pid);
    int64_t looked_us = clock_now_us() - begin;
    cpu_wait_init(&s, cpu, -1, begin);
    while (clock_now_us() - begin < SPAN_US) {
        usleep((useconds_t)(cpu_wait_next_us(&s, SPAN_US) - s.at_us));
        looked_us += look(&s, player);
    }
    const struct watched seen = {.span_us = s.at_us - begin,
                                 .cpu_us = s.cpu_us - cpu,
                                 .waited_us = wait_us_of(pid) - wait,
                                 .credit_us = s.total_us,
                                 .maybe_us = s.maybe_us,
                                 .looked_us = looked_us};
    link_free(player, 0);
    link_free(rival, 0);
    loop_free(loop);
    return seen;
}

// Whether he was given back no more than the time in which he did not run.
static bool is_no_more(const struct watched *w) {
    return w->credit_us <= w->span_us - w->cpu_us + TOLERANCE_US + w->looked_us;
}

// And all of it, but for what the looks do not see.
static bool is_no_less(const struct watched *w) {
    return w->credit_us + w->maybe_us + w->looked_us >= (w->span_us - w->cpu_us) / 2;
}

static void test_others_keep_him_waiting(void **state) {
    (void)state;
    const struct watched w = watch(SPIN, NULL, SPAN_US);
    if (!is_no_less(&w) || !is_no_more(&w))
        fail_msg("credit %lld, idle %lld", (long long)w.credit_us,
                 (long long)(w.span_us - w.cpu_us));
}

// What competes with him is his own: so long as one of them ran is not given back, though he has
// waited for it.
static void check_company(const char *command) {
    const struct watched w = watch(command, NULL, SPAN_US);
    if (!is_no_more(&w))
        fail_msg("%s: credit %lld of %lld, CPU time %lld", command, (long long)w.credit_us,
                 (long long)w.span_us, (long long)w.cpu_us);
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
    assert_int_equal(watch(command, ignores_children, SPAN_US).credit_us, 0);
}

// Who thinks in a second thread, or behind a shell, waits there.
static void test_others_keep_a_helper_waiting(void **state) {
    (void)state;
    static const char *const commands[] = {
        "sh -c '" SPIN "; :'; :",
        "(sh -c '" SPIN "; :'; :); :",
        ("python3 -c 'import threading as t; "
         "h = t.Thread(target=lambda: all(i + 1 for i in iter(int, 1))); h.start(); h.join()'"),
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct watched w = watch(commands[i], NULL, SPAN_US);
        if (!is_no_less(&w) || !is_no_more(&w))
            fail_msg("%s: credit %lld, idle %lld, its first thread waited %lld", commands[i],
                     (long long)w.credit_us, (long long)(w.span_us - w.cpu_us),
                     (long long)w.waited_us);
    }
}

// Many that spin get nothing back for keeping each other waiting.
static void test_crowd_of_his_own(void **state) {
    (void)state;
    check_company("for i in 1 2 3 4 5 6 7 8; do for k in 1 2 3 4 5 6 7 8; do sh -c '" SPIN
                  "' & done; done; " SPIN);
    check_company("python3 -c 'import threading as t\n"
                  "for i in range(64): "
                  "t.Thread(target=lambda: all(i + 1 for i in iter(int, 1))).start()\n"
                  "all(i + 1 for i in iter(int, 1))'");
}

// Who makes himself less important than others waits because he wants to.
static void test_the_humble(void **state) {
    (void)state;
    assert_int_equal(watch("exec nice -n 10 sh -c '" SPIN "'", is_humble, 1000).credit_us, 0);
    assert_int_equal(watch("exec chrt --idle 0 sh -c '" SPIN "'", is_humble, 1000).credit_us, 0);
}

// A machine of our own: threads that sleep, wake, and are given cores at random.
enum { OWN_MAX = 5, OTHERS_MAX = 6, CORES_MAX = 2, STEP_US = 100, STEPS = 20000 };

struct sim_thread {
    bool own, wants, runs;
    int64_t ran_us, waited_us, waits_us; // the last: the wait that is not over
};

struct sim {
    struct sim_thread thread[OWN_MAX + OTHERS_MAX];
    int own, count, cores;
    int64_t now_us, cpu_us;
    int64_t union_us, truth_us; // one of its own ran; one waited and none ran
    struct rng rng;
};

static bool chance(struct sim *m, unsigned one_in) { return rng_below(&m->rng, one_in) == 0; }

static int running(const struct sim *m) {
    int count = 0;
    for (int i = 0; i < m->count; i++)
        count += m->thread[i].runs;
    return count;
}

static void sim_step(struct sim *m, unsigned sleep, unsigned wake) {
    for (int i = 0; i < m->count; i++) {
        struct sim_thread *t = &m->thread[i];
        if (t->own && t->runs && chance(m, sleep))
            t->wants = t->runs = false;
        if (t->wants ? t->runs && chance(m, 30) : chance(m, wake)) {
            t->runs = false; // its slice is over, or it wakes
            t->wants = true;
        }
    }
    for (int tries = 0; tries < 20 && running(m) < m->cores; tries++) {
        struct sim_thread *t = &m->thread[rng_below(&m->rng, (unsigned)m->count)];
        if (!t->wants || t->runs)
            continue;
        t->runs = true;
        t->waited_us += t->waits_us;
        t->waits_us = 0;
    }
    bool runs = false, waits = false;
    for (int i = 0; i < m->count; i++) {
        struct sim_thread *t = &m->thread[i];
        t->ran_us += t->runs ? STEP_US : 0;
        t->waits_us += t->wants && !t->runs ? STEP_US : 0;
        m->cpu_us += t->own && t->runs ? STEP_US : 0;
        runs |= t->own && t->runs;
        waits |= t->own && t->wants && !t->runs;
    }
    m->truth_us += waits && !runs ? STEP_US : 0;
    m->union_us += runs ? STEP_US : 0;
    m->now_us += STEP_US;
}

static void sim_look(const struct sim *m, struct cpu_wait *s) {
    struct run_times times = {.at_us = m->now_us, .cpu_us = m->cpu_us, .cpu_wait_us = -1};
    for (int i = 0; i < m->own; i++)
        times.thread[times.count++] =
            (struct thread_time){.id = i + 1,
                                 .ran_ns = m->thread[i].ran_us * 1000,
                                 .waited_ns = m->thread[i].waited_us * 1000,
                                 .runnable = m->thread[i].wants};
    cpu_wait_look(s, &times, -1, false);
}

// Never more than the truth, but for what came before the first look and for what the looks did not
// see of the last wait; and for one thread not much less.
static void check_machine(uint64_t seed) {
    static struct cpu_wait s;
    struct sim m = {.now_us = 1000000, .rng = {.state = seed}};
    m.own = 1 + (int)rng_below(&m.rng, OWN_MAX);
    m.count = m.own + (int)rng_below(&m.rng, OTHERS_MAX + 1);
    m.cores = 1 + (int)rng_below(&m.rng, CORES_MAX);
    const unsigned sleep = 5 + rng_below(&m.rng, 500), wake = 5 + rng_below(&m.rng, 200);
    for (int i = 0; i < m.count; i++)
        m.thread[i] = (struct sim_thread){.own = i < m.own, .wants = i >= m.own};
    cpu_wait_init(&s, 0, -1, m.now_us);
    int64_t window_us = 0;
    for (int i = 0; i < STEPS; i++) {
        sim_step(&m, sleep, wake);
        if (m.now_us < cpu_wait_next_us(&s, 500000))
            continue;
        window_us = m.now_us - s.at_us;
        sim_look(&m, &s);
        assert_true(s.sure_us <= s.total_us &&
                    s.total_us <= m.now_us - 1000000 - m.union_us + 10000);
        if (s.sure_us > m.truth_us + 10000)
            fail_msg("seed %llu: %lld is more than %lld", (unsigned long long)seed,
                     (long long)s.sure_us, (long long)m.truth_us);
    }
    sim_look(&m, &s);
    if (m.own == 1 && s.sure_us < m.truth_us - 10000 - window_us)
        fail_msg("seed %llu: %lld is less than %lld", (unsigned long long)seed,
                 (long long)s.sure_us, (long long)m.truth_us);
}

static void test_against_the_truth(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++)
        check_machine(seed);
}

// The opponent's part of it is what the opponent ran meanwhile, and no more than all.
static void test_part_of_the_rival(void **state) {
    (void)state;
    static struct cpu_wait s;
    struct run_times times = {
        .cpu_wait_us = -1, .count = 1, .thread = {{.id = 7, .runnable = true}}};
    cpu_wait_init(&s, 0, 500, 0);
    times.at_us = 10000;
    cpu_wait_look(&s, &times, 4500, false);
    assert_int_equal(s.total_us, 10000);
    assert_int_equal(s.rival_us, 4000);
    times.at_us = 20000;
    cpu_wait_look(&s, &times, 40000, false);
    assert_int_equal(s.total_us, 20000);
    assert_int_equal(s.rival_us, 14000);
    times.at_us = 30000;
    cpu_wait_look(&s, &times, -1, false); // it is gone
    assert_int_equal(s.rival_us, 14000);
}

// A wait that is known when it is over is the opponent's as far as that ran in all of it, not only
// since the last look.
static void test_rival_in_a_long_wait(void **state) {
    (void)state;
    static struct cpu_wait s;
    struct run_times times = {.cpu_wait_us = -1, .count = 1, .thread = {{.id = 7}}};
    cpu_wait_init(&s, 0, 0, 0);
    times.at_us = 10000;
    cpu_wait_look(&s, &times, 0, false); // it sleeps
    times.at_us = 110000;
    times.thread[0].runnable = true;
    times.thread[0].ran_ns = 1000000;
    times.cpu_us = 1000;
    cpu_wait_look(&s, &times, 90000, false); // it waits; since when is not known
    assert_int_equal(s.rival_us, 0);
    times.at_us = 120000;
    times.thread[0].ran_ns = 2000000;
    times.thread[0].waited_ns = 100000000;
    times.cpu_us = 2000;
    cpu_wait_look(&s, &times, 99000, false); // it has waited for 100 ms
    assert_int_equal(s.sure_us, 100000);
    assert_int_equal(s.rival_us, 99000);
}

// As long as we start it, all time is ours, whatever anybody did in it.
static void test_before_it_begins(void **state) {
    (void)state;
    static struct cpu_wait s;
    struct run_times times = {.at_us = 10000, .cpu_us = 9000, .cpu_wait_us = -1};
    cpu_wait_init(&s, 0, -1, 0);
    s.at_start = true;
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(s.total_us, 10000);
    times.at_us = 3000000; // its box waits for a lock: nobody is runnable
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(s.total_us, 3000000);
    assert_int_equal(s.sure_us, 3000000);
    times.at_us = 4000000; // nobody knows when in between
    times.begun = true;
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(s.total_us, 4000000);
    times.at_us = 5000000;
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(s.total_us, 4000000);
}

// What looking costs is lost to whoever plays: the dearer, the later the next look.
static void test_cost_of_looking(void **state) {
    (void)state;
    static struct cpu_wait s;
    const struct run_times times = {.at_us = 10000, .cpu_wait_us = -1};
    cpu_wait_init(&s, 0, -1, 0);
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(cpu_wait_next_us(&s, 1000000), 20000);
    s.cost_us = 3000;
    assert_int_equal(cpu_wait_next_us(&s, 1000000), 160000);
    cpu_wait_init(&s, 0, -1, 200000);
    assert_int_equal(cpu_wait_next_us(&s, 1000000), 210000);
}

// Where the kernel counts it, that is it, unless somebody ran meanwhile.
static void test_kernels_account(void **state) {
    (void)state;
    static struct cpu_wait s;
    struct run_times times = {.count = 1, .thread = {{.id = 7, .runnable = true}}};
    cpu_wait_init(&s, 0, -1, 0);
    times.at_us = 10000;
    times.cpu_wait_us = 77000;
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(s.total_us, 10000);
    times.at_us = 20000;
    times.cpu_wait_us += 3000;
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(s.total_us, 13000);
}

// Nothing is given back where nothing is known.
static void test_unknown_process(void **state) {
    (void)state;
    static struct cpu_wait s;
    struct run_times times = {.at_us = 5000, .cpu_us = -1, .cpu_wait_us = -1};
    cpu_wait_init(&s, -1, -1, 1000);
    cpu_wait_look(&s, &times, -1, false);
    times.at_us = 9000;
    times.cpu_us = 100;
    cpu_wait_look(&s, &times, -1, false);
    assert_int_equal(s.total_us, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others_keep_him_waiting),
        cmocka_unit_test(test_his_own_keep_him_waiting),
        cmocka_unit_test(test_ignored_children),
        cmocka_unit_test(test_others_keep_a_helper_waiting),
        cmocka_unit_test(test_crowd_of_his_own),
        cmocka_unit_test(test_the_humble),
        cmocka_unit_test(test_against_the_truth),
        cmocka_unit_test(test_part_of_the_rival),
        cmocka_unit_test(test_rival_in_a_long_wait),
        cmocka_unit_test(test_before_it_begins),
        cmocka_unit_test(test_cost_of_looking),
        cmocka_unit_test(test_kernels_account),
        cmocka_unit_test(test_unknown_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
