// SPDX-License-Identifier: MIT
// Children that fall in every way, under a real parent and a clock of our own.
#include "cli/serve/supervisor.h"
#include "base/buf.h"
#include "check.h"
#include "cli/serve/crash.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND_US = 1000000, FOREVER = 1000 };

#if defined(__SANITIZE_ADDRESS__)
static const bool is_sanitized = true; // traces are its business
#else
static const bool is_sanitized = false;
#endif

static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

// What the children share with us.
struct shared {
    int starts, agains;
    bool up;
};

struct trial {
    struct shared *shared;
    void (*act)(struct trial *trial); // of a child
    int calm;                         // the first start that ends well
    int64_t now_us, step_us;          // the clock, and how much of it a fall takes
    int pipe[2];
    struct buf notes;
};

static int run(void *owner, bool again) {
    struct trial *trial = owner;
    trial->shared->starts++;
    trial->shared->agains += again;
    if (is_sanitized) // else it is cmocka that catches these
        for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
            signal(fatal[i], SIG_DFL);
    if (trial->shared->starts < trial->calm)
        trial->act(trial);
    _exit(0);
}

static bool was_up(void *owner) { return ((struct trial *)owner)->shared->up; }

static void forget(void *owner) { ((struct trial *)owner)->shared->up = false; }

static void note(void *owner, const char *words) {
    buf_text(&((struct trial *)owner)->notes, words);
}

static int64_t now_us(void *owner) {
    struct trial *trial = owner;
    return trial->now_us += trial->step_us;
}

static struct supervisor supervisor_of(struct trial *trial) {
    return (struct supervisor){.run = run,
                               .was_up = was_up,
                               .forget = forget,
                               .note = note,
                               .now_us = now_us,
                               .what = "the child",
                               .owner = trial};
}

static struct trial *trial_new(void (*act)(struct trial *trial), int calm) {
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    *trial = (struct trial){.act = act, .calm = calm, .now_us = 1};
    trial->shared = mmap(NULL, sizeof *trial->shared, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(trial->shared != MAP_FAILED);
    return trial;
}

static int trial_run(struct trial *trial) {
    const struct supervisor supervisor = supervisor_of(trial);
    return supervisor_run(&supervisor);
}

static void trial_free(struct trial *trial) {
    munmap(trial->shared, sizeof *trial->shared);
    buf_done(&trial->notes);
    free(trial);
}

static void says(const struct trial *trial, const char *words) {
    if (!trial->notes.data || !strstr(trial->notes.data, words))
        fail_msg("'%s' is not said, but: %s", words, trial->notes.data);
}

// Not static, and not inlined: its name is to be found in the trace.
__attribute__((noinline)) void falls_here(int number);
__attribute__((noinline)) void falls_here(int number) {
    raise(number);
    __asm__ volatile(""); // so that raise is called, not jumped to
}

static void act_segv(struct trial *trial) {
    trial->shared->up = true;
    falls_here(SIGSEGV);
}

static void act_read_nowhere(struct trial *trial) {
    trial->shared->up = true;
    const char *volatile nowhere = (const char *)16;
    trial->pipe[0] = *nowhere;
}

static void act_abort(struct trial *trial) {
    trial->shared->up = true;
    falls_here(SIGABRT);
}

static void act_kill(struct trial *trial) {
    trial->shared->up = true;
    raise(SIGKILL);
}

static void act_exit(struct trial *trial) {
    trial->shared->up = true;
    _exit(3);
}

static void act_refuse(struct trial *trial) {
    (void)trial;
    _exit(2);
}

static void test_falls_are_counted_by_the_minute(void **unused) {
    (void)unused;
    struct crashes falls = {.count = 0};
    for (int i = 0; i < 4; i++)
        assert_false(crash_add(&falls, 1 + i));
    assert_true(crash_add(&falls, 60 * SECOND_US)); // the first was just less than a minute ago
    assert_int_equal(crash_lately(&falls, 60 * SECOND_US), 5);

    falls = (struct crashes){.count = 0};
    for (int i = 0; i < 4; i++)
        assert_false(crash_add(&falls, 1 + i));
    assert_false(crash_add(&falls, 1 + 60 * SECOND_US)); // the first is forgotten
    assert_int_equal(crash_lately(&falls, 1 + 60 * SECOND_US), 4);
    assert_true(crash_add(&falls, 1 + 60 * SECOND_US));

    falls = (struct crashes){.count = 0};
    for (int64_t i = 0; i < FOREVER; i++) // four a minute for hours
        assert_false(crash_add(&falls, i * 15 * SECOND_US));
}

static void test_what_falls_is_started_again(void **unused) {
    (void)unused;
    static const struct {
        void (*act)(struct trial *trial);
        const char *words;
        bool traced;
    } cases[] = {{act_segv, "signal 11, Segmentation fault", true},
                 {act_read_nowhere, "signal 11, Segmentation fault", true},
                 {act_abort, "signal 6, Aborted", true},
                 {act_kill, "signal 9, Killed", false},
                 {act_exit, "it ended by itself with code 3", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial *trial = trial_new(cases[i].act, 3);
        assert_int_equal(trial_run(trial), 0);
        assert_int_equal(trial->shared->starts, 3);
        assert_int_equal(trial->shared->agains, 2);
        says(trial, "fall 2 within a minute");
        says(trial, cases[i].words);
        if (!is_sanitized && cases[i].act == act_read_nowhere)
            says(trial, "at the address 0x10");
        else if (!is_sanitized && cases[i].traced)
            says(trial, "falls_here at 0x");
        trial_free(trial);
    }
}

static void test_five_falls_in_a_minute_end_it(void **unused) {
    (void)unused;
    struct trial *trial = trial_new(act_kill, FOREVER);
    trial->step_us = 14 * SECOND_US;
    assert_int_equal(trial_run(trial), EXIT_FAILURE);
    assert_int_equal(trial->shared->starts, 5);
    says(trial, "It fell 5 times within a minute and is not started again.");
    trial_free(trial);

    trial = trial_new(act_kill, 9);
    trial->step_us = 15 * SECOND_US;
    assert_int_equal(trial_run(trial), 0);
    assert_int_equal(trial->shared->starts, 9);
    trial_free(trial);
}

static void test_what_cannot_start_is_not_started_again(void **unused) {
    (void)unused;
    struct trial *trial = trial_new(act_refuse, FOREVER);
    assert_int_equal(trial_run(trial), 2);
    assert_int_equal(trial->shared->starts, 1);
    assert_null(trial->notes.data); // the child has said why
    trial_free(trial);
}

static void end_well(int number) {
    (void)number;
    _exit(0);
}

// Sends its parent a signal and ends in order when that is handed on.
static void ask_parent(struct trial *trial, int number) {
    trial->shared->up = true;
    signal(SIGTERM, end_well);
    signal(SIGINT, end_well);
    kill(getppid(), number);
    for (;;)
        pause();
}

static void act_ask_term(struct trial *trial) { ask_parent(trial, SIGTERM); }
static void act_ask_int(struct trial *trial) { ask_parent(trial, SIGINT); }
static void act_ask_hup(struct trial *trial) { ask_parent(trial, SIGHUP); }

// As a terminal does that goes away: to all of its group.
static void act_hang_up(struct trial *trial) {
    trial->shared->up = true;
    signal(SIGTERM, end_well);
    raise(SIGHUP);
    kill(getppid(), SIGHUP);
    for (;;)
        pause();
}

static void fall_at_the_end(int number) {
    (void)number;
    raise(SIGKILL);
}

static void act_fall_when_asked(struct trial *trial) {
    trial->shared->up = true;
    signal(SIGTERM, fall_at_the_end);
    kill(getppid(), SIGTERM);
    for (;;)
        pause();
}

static void test_being_asked_to_end_is_no_fall(void **unused) {
    (void)unused;
    void (*const acts[])(struct trial * trial) = {act_ask_term, act_ask_int, act_ask_hup,
                                                  act_hang_up};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        struct trial *trial = trial_new(acts[i], FOREVER);
        assert_int_equal(trial_run(trial), 0);
        assert_int_equal(trial->shared->starts, 1);
        assert_null(trial->notes.data);
        trial_free(trial);
    }
    struct trial *trial = trial_new(act_fall_when_asked, FOREVER);
    assert_int_equal(trial_run(trial), 128 + SIGKILL);
    assert_int_equal(trial->shared->starts, 1);
    says(trial, "It was about to end.");
    trial_free(trial);
}

// Tells that it lives, and does so as long as it may.
static void act_stay(struct trial *trial) {
    if (write(trial->pipe[1], "x", 1) == 1)
        for (;;)
            pause();
}

static void test_who_kills_the_parent_kills_the_child(void **unused) {
    (void)unused;
    struct trial *trial = trial_new(act_stay, FOREVER);
    char byte;
    int status;
    assert_int_equal(pipe(trial->pipe), 0);
    const pid_t parent = fork();
    if (parent == 0)
        _exit(trial_run(trial));
    close(trial->pipe[1]);
    assert_int_equal(read(trial->pipe[0], &byte, 1), 1);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, &status, 0), parent);
    assert_int_equal(read(trial->pipe[0], &byte, 1), 0); // when nobody has it open any more
    close(trial->pipe[0]);
    trial_free(trial);
}

int main(void) {
    signal(SIGHUP, SIG_DFL); // whoever runs us by nohup ignores it
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls_are_counted_by_the_minute),
        cmocka_unit_test(test_what_falls_is_started_again),
        cmocka_unit_test(test_five_falls_in_a_minute_end_it),
        cmocka_unit_test(test_what_cannot_start_is_not_started_again),
        cmocka_unit_test(test_being_asked_to_end_is_no_fall),
        cmocka_unit_test(test_who_kills_the_parent_kills_the_child),
    };
    return cmocka_run_group_tests_name("revive", tests, NULL, NULL);
}
