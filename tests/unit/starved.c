// SPDX-License-Identifier: MIT
// Who gets time back that he waited for a core: real processes that compete for one.
#include "referee/starved.h"

#include "base/clock.h"
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SPAN_US = 200000, LIFE_US = 10000000 };

static int64_t cpu_us_of(int pid) {
    clockid_t id;
    struct timespec used;
    assert_int_equal(clock_getcpuclockid(pid, &id), 0);
    assert_int_equal(clock_gettime(id, &used), 0);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

// Keeps a core busy for so long, and ends the process.
static _Noreturn void spin(int64_t us) {
    for (const int64_t until = clock_now_us() + us; clock_now_us() < until;)
        ;
    _exit(0);
}

// What the player's process does besides spinning. Each returns a process of its own to tell of.
static int do_nothing(void) { return 0; }

static int keep_child(void) {
    const int pid = fork();
    if (pid == 0)
        spin(LIFE_US);
    return pid;
}

static void *fork_in_thread(void *pid) {
    *(int *)pid = keep_child();
    pause();
    return NULL;
}

static int keep_child_of_thread(void) {
    static int pid;
    pthread_t thread;
    pthread_create(&thread, NULL, fork_in_thread, &pid);
    while (__atomic_load_n(&pid, __ATOMIC_ACQUIRE) == 0)
        usleep(100);
    return pid;
}

static int rival_of_player; // for leave_child_with_rival

// His child leaves a child of its own behind, in his process group, in his rival's or in another.
static int leave_child(int group) {
    int ends[2], pid = 0;
    if (pipe(ends) != 0)
        _exit(1);
    const int first = fork();
    if (first == 0) {
        if (fork() > 0)
            _exit(0);
        if (group >= 0 && setpgid(0, group) != 0)
            _exit(1);
        pid = getpid();
        if (write(ends[1], &pid, sizeof pid) != sizeof pid)
            _exit(1);
        spin(LIFE_US);
    }
    waitpid(first, NULL, 0);
    if (read(ends[0], &pid, sizeof pid) != sizeof pid)
        _exit(1);
    return pid;
}

static int leave_child_here(void) { return leave_child(-1); }

static int leave_child_elsewhere(void) { return leave_child(0); }

static int leave_child_with_rival(void) { return leave_child(rival_of_player); }

static int ignore_children(void) {
    signal(SIGCHLD, SIG_IGN);
    return 0;
}

struct player {
    int pid, other, rival;
};

// Starts a player who does that and then spins, and a rival who spins, all on the core we are on.
static struct player begin(int (*what)(void)) {
    int ends[2];
    struct player p;
    assert_int_equal(pipe(ends), 0);
    p.rival = fork();
    if (p.rival == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        spin(LIFE_US);
    }
    setpgid(p.rival, p.rival);
    rival_of_player = p.rival;
    p.pid = fork();
    if (p.pid == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int other = what();
        if (write(ends[1], &other, sizeof other) != sizeof other)
            _exit(1);
        spin(LIFE_US);
    }
    setpgid(p.pid, p.pid);
    assert_int_equal(read(ends[0], &p.other, sizeof p.other), sizeof p.other);
    close(ends[0]);
    close(ends[1]);
    return p;
}

static void end(const struct player *p) {
    if (p->other > 0)
        kill(p->other, SIGKILL);
    kill(p->pid, SIGKILL);
    kill(p->rival, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

static struct runner runner(const struct player *p, int rival) {
    return (struct runner){.pid = p->pid, .rival = rival, .cpu_us = cpu_us_of(p->pid)};
}

static struct starved watch(const struct player *p, int rival) {
    struct starved s;
    const struct runner r = runner(p, rival);
    const int64_t now = clock_now_us();
    starved_init(&s, r.cpu_us, now);
    starved_begin(&s, &r, now, now);
    return s;
}

static int64_t credit(const struct starved *s, const struct player *p, int rival) {
    const struct runner r = runner(p, rival);
    return starved_us(s, &r, clock_now_us());
}

static int64_t credit_after_span(int (*what)(void)) {
    const struct player p = begin(what);
    const struct starved s = watch(&p, p.rival);
    usleep(SPAN_US);
    const int64_t us = credit(&s, &p, p.rival);
    end(&p);
    return us;
}

static void test_others_keep_him_waiting(void **state) {
    (void)state;
    const int64_t us = credit_after_span(do_nothing);
    assert_in_range(us, SPAN_US / 4, 20 * SPAN_US); // half of it, or more where others run too
}

static void test_his_children_keep_him_waiting(void **state) {
    (void)state;
    assert_int_equal(credit_after_span(keep_child), 0);
    assert_int_equal(credit_after_span(keep_child_of_thread), 0);
    assert_int_equal(credit_after_span(ignore_children), 0);
}

// What the stray of a player costs him, beside how long it ran.
static int64_t cost_of_stray(int (*what)(void), int64_t *ran) {
    const struct player p = begin(what);
    const struct starved s = watch(&p, p.rival);
    struct starved alone = s;
    alone.strays_us = INT64_MAX; // as if none had run since
    *ran = cpu_us_of(p.other);
    usleep(SPAN_US);
    *ran = cpu_us_of(p.other) - *ran;
    const struct runner r = runner(&p, p.rival);
    const int64_t now = clock_now_us();
    const int64_t cost = starved_us(&alone, &r, now) - starved_us(&s, &r, now);
    end(&p);
    return cost;
}

static void test_what_he_has_left_behind(void **state) {
    (void)state;
    int64_t ran;
    assert_true(cost_of_stray(leave_child_here, &ran) > ran / 2);
    assert_true(ran > SPAN_US / 20);
    assert_true(cost_of_stray(leave_child_elsewhere, &ran) > ran / 2);
    assert_true(ran > SPAN_US / 20);
}

static void test_what_his_rival_has_left_behind(void **state) {
    (void)state;
    int64_t ran;
    assert_int_equal(cost_of_stray(leave_child_with_rival, &ran), 0);
    assert_true(ran > SPAN_US / 20);
}

// A child that has come and gone between the two looks.
static void fork_now(int number) {
    (void)number;
    const int pid = fork();
    if (pid == 0) {
        spin(SPAN_US / 2);
    }
    waitpid(pid, NULL, 0);
}

static int fork_on_signal(void) {
    signal(SIGUSR1, fork_now);
    return 0;
}

static void test_a_child_that_came_and_went(void **state) {
    (void)state;
    const struct player p = begin(fork_on_signal);
    const struct starved s = watch(&p, p.rival);
    kill(p.pid, SIGUSR1);
    usleep(SPAN_US);
    char path[64], children[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", p.pid, p.pid);
    for (size_t length = 1; length > 0;) { // until it is gone
        usleep(1000);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        length = fread(children, 1, sizeof children, file);
        fclose(file);
    }
    assert_int_equal(credit(&s, &p, p.rival), 0);
    end(&p);
}

// Half time came late: that counts only as far as he was not running.
static void test_late_half_time(void **state) {
    (void)state;
    static const struct {
        int64_t cpu_us, credit_us;
    } cases[] = {{100000, 0}, {80000, 20000}, {20000, 50000}, {0, 50000}, {130000, -30000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct starved s;
        const struct runner r = {.pid = getpid(), .rival = -1, .cpu_us = cases[i].cpu_us};
        starved_init(&s, 0, 1000000);
        starved_begin(&s, &r, 1050000, 1100000);
        assert_int_equal(s.credit_us, cases[i].credit_us);
    }
}

// Nothing is given back where nothing is known.
static void test_unknown_process(void **state) {
    (void)state;
    struct starved s;
    const struct runner none = {.pid = -1, .rival = -1, .cpu_us = -1};
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
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others_keep_him_waiting),
        cmocka_unit_test(test_his_children_keep_him_waiting),
        cmocka_unit_test(test_what_he_has_left_behind),
        cmocka_unit_test(test_what_his_rival_has_left_behind),
        cmocka_unit_test(test_a_child_that_came_and_went),
        cmocka_unit_test(test_late_half_time),
        cmocka_unit_test(test_unknown_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
