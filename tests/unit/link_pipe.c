// SPDX-License-Identifier: MIT
// Children, as their owner sees them.
#include "base/mem.h"
#include "unit/link_ear.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void test_echo(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "cat");
    const pid_t pid = link_pid(ear.link);
    const int64_t began = link_send(ear.link, "hello\n", 6);
    ear_wait_bytes(&ear, "hello\n");
    assert_true(ear.at_us >= began);
    assert_int_equal(ear.sent, 0); // nothing had to wait
    link_free(ear.link, 60000000);
    loop_run(ear.loop); // it ends since its input does
    assert_false(is_there(pid));
    assert_int_equal(ear.gone, 0);
    ear_done(&ear);
}

static void test_exit_code_after_last_words(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'echo last words; echo a complaint >&2; exit 3'");
    ear_wait_gone(&ear);
    assert_string_equal(ear.bytes.data, "last words\n");
    assert_string_equal(ear.noise.data, "a complaint\n");
    assert_true(ear.how.exited && ear.how.closed);
    assert_int_equal(ear.how.code, 3);
    assert_int_equal(ear.how.signal, 0);
    link_send(ear.link, "anyone?", 7); // swallowed
    loop_run(ear.loop);                // nothing is left to wait for
    assert_true(link_cpu_us(ear.link) >= 0);
    ear_done(&ear);
}

static void test_killed_by_signal(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'kill -SEGV $$'");
    ear_wait_gone(&ear);
    assert_true(ear.how.exited);
    assert_int_equal(ear.how.signal, SIGSEGV);
    ear_done(&ear);
}

static void test_command_not_found(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "./no-such-player --fast");
    ear_wait_gone(&ear);
    assert_true(ear.how.exited);
    assert_int_equal(ear.how.code, 127);
    assert_non_null(strstr(ear.noise.data, "not found"));
    ear_done(&ear);
}

static void test_output_closed_but_alive(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'echo bye; exec >&-; cat >&2; echo left >&2'");
    const pid_t pid = link_pid(ear.link);
    ear_wait_gone(&ear);
    assert_string_equal(ear.bytes.data, "bye\n");
    assert_true(ear.how.closed && !ear.how.exited);
    assert_true(is_there(pid));
    loop_run(ear.loop); // until it has ended, too; gone is not told again
    assert_string_equal(ear.noise.data, "left\n");
    ear_done(&ear);
}

static void test_stubborn_child_is_killed(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'trap \"\" TERM; echo ready; while :; do sleep 1000; done'");
    const pid_t pid = link_pid(ear.link);
    ear_wait_bytes(&ear, "ready\n");
    assert_int_equal(kill(pid, SIGTERM), 0);
    link_free(ear.link, 20000);
    loop_run(ear.loop);
    assert_false(is_there(pid));
    assert_int_equal(ear.gone, 0);
    ear_done(&ear);
}

static void test_loop_free_leaves_nothing(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'sleep 1000 & echo $!; wait'");
    const pid_t pid = link_pid(ear.link), grandchild = wait_for_grandchild(&ear);
    link_hold(ear.link);
    ear_done(&ear);
    assert_false(is_there(pid));
    assert_false(is_there(grandchild));
    ear_start(&ear, "sleep 1000");
    const pid_t other = link_pid(ear.link);
    link_free(ear.link, 60000000);
    ear_done(&ear); // nor does one that was given time
    assert_false(is_there(other));
}

static void test_noise_does_not_block(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'head -c 10000000 /dev/zero >&2; echo done'");
    ear_wait_bytes(&ear, "done\n");
    assert_true(ear.noise.length >= EAR_KEEPS);
    ear_done(&ear);
}

static long peak_kb(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void test_flood_needs_no_memory(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "head -c 8388608 /dev/zero");
    ear_wait_gone(&ear);
    ear_done(&ear);
    const long before = peak_kb();
    ear_start(&ear, "head -c 268435456 /dev/zero");
    ear_wait_gone(&ear);
    assert_int_equal(ear.heard, 268435456);
    assert_true(ear.how.exited && ear.how.code == 0);
    assert_true(peak_kb() - before < 32 << 10);
    ear_done(&ear);
}

static char pattern(size_t i) { return (char)('a' + i % 251 % 26); }

static void send_pattern(struct ear *ear, size_t from, size_t length) {
    char *bytes = mem_new(length, 1);
    for (size_t i = 0; i < length; i++)
        bytes[i] = pattern(from + i);
    link_send(ear->link, bytes, length);
    free(bytes);
}

static void check_pattern(const struct ear *ear) {
    for (size_t i = 0; i < ear->bytes.length; i++)
        assert_int_equal(ear->bytes.data[i], pattern(i));
}

static void test_queue_is_sent_later(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "cat");
    link_hold(ear.link);
    for (size_t i = 0; i < 5; i++)
        send_pattern(&ear, i * 100000, 100000);
    link_release(ear.link);
    ear.bytes_wanted = 500000;
    ear.sent_wanted = true;
    ear_wait(&ear);
    assert_int_equal(ear.sent, 1);
    check_pattern(&ear);
    ear_done(&ear);
}

// What does not fit is dropped, and nothing comes after the hole.
static void test_never_reading_child(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "cat");
    link_hold(ear.link);
    for (size_t i = 0; i < 5000; i++)
        send_pattern(&ear, i * 1000, 1000);
    link_release(ear.link);
    ear.bytes_wanted = (1 << 20) - 1000;
    ear_wait(&ear);
    link_send(ear.link, "?", 1);
    link_free(ear.link, 0);
    loop_run(ear.loop);
    assert_true(ear.heard <= (1 << 20) + (1 << 16) + 1000);
    assert_int_equal(ear.sent, 0);
    check_pattern(&ear);
    ear_done(&ear);
}

static void test_child_closes_its_input(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'exec <&-; echo ready; sleep 60'");
    const pid_t pid = link_pid(ear.link);
    ear_wait_bytes(&ear, "ready\n");
    for (int i = 0; i < 3; i++)
        link_send(ear.link, "hello\n", 6);
    assert_int_equal(ear.gone, 0); // never inside a call
    ear_wait_gone(&ear);
    assert_true(ear.how.closed && !ear.how.exited && is_there(pid));
    ear_done(&ear);
    ear_start(&ear, "sh -c 'exec <&-; echo ready; exit 3'"); // how it ended is not lost by that
    ear_wait_bytes(&ear, "ready\n");
    wait_for_death(link_pid(ear.link));
    link_send(ear.link, "hello\n", 6);
    ear_wait_gone(&ear);
    assert_true(ear.how.closed && ear.how.exited && ear.how.code == 3);
    ear_done(&ear);
    ear_start(&ear, "sh -c 'echo ready; read line; exec <&-; echo ready'"); // while bytes wait
    ear_wait_bytes(&ear, "ready\n");
    link_hold(ear.link);
    link_send(ear.link, "\n", 1);
    send_pattern(&ear, 0, 300000);
    link_release(ear.link);
    ear_wait_gone(&ear);
    assert_int_equal(ear.sent, 0);
    ear_done(&ear);
}

// Signals as if we had never touched them, no descriptor but the three.
static void test_child_starts_clean(void **state) {
    (void)state;
    struct ear ear, other;
    sigset_t some, before;
    const int inherited = open("/dev/null", O_RDONLY); // without O_CLOEXEC
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigprocmask(SIG_BLOCK, &some, &before);
    ear_start(&other, "cat");
    ear_start(&ear, "sh -c 'grep -E \"^Sig(Blk|Ign)\" /proc/$$/status | cut -f2 | sort -u; ls "
                    "/proc/$$/fd; cut -d\" \" -f5 /proc/$$/stat'");
    char expected[100];
    snprintf(expected, sizeof expected, "0000000000000000\n0\n1\n2\n%d\n", link_pid(ear.link));
    ear_wait_gone(&ear);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_string_equal(ear.bytes.data, expected);
    ear_done(&ear);
    ear_done(&other);
    close(inherited);
}

static void test_folder(void **state) {
    (void)state;
    struct ear ear = {.loop = ear_loop()};
    struct err err = {.set = false};
    struct program program = {.command = "pwd", .folder = "/usr/lib"};
    ear.link = link_new_pipe(ear.loop, &program, &ear_events, &ear, &err);
    ear_wait_gone(&ear);
    assert_string_equal(ear.bytes.data, "/usr/lib\n");
    program.folder = "/no/such";
    assert_null(link_new_pipe(ear.loop, &program, &ear_events, &ear, &err));
    assert_string_equal(err.text, "cannot start pwd in /no/such: no such file or directory");
    ear_done(&ear);
}

static void test_child_without_pipes(void **state) {
    (void)state;
    struct ear ear = {.loop = ear_loop()};
    struct err err = {.set = false};
    const struct program program = {.command = "sh -c 'cat; echo out; echo err >&2; exit 4'"};
    ear.link = link_new_child(ear.loop, &program, &ear_events, &ear, &err);
    link_send(ear.link, "hello\n", 6);
    ear_wait_gone(&ear);
    assert_int_equal(ear.heard, 0);
    assert_string_equal(ear.noise.data, "out\nerr\n");
    assert_true(ear.how.exited && !ear.how.closed);
    assert_int_equal(ear.how.code, 4);
    ear_done(&ear);
}

static void test_no_descriptor_left(void **state) {
    (void)state;
    struct ear ear = {.loop = ear_loop()};
    struct rlimit limit, low;
    getrlimit(RLIMIT_NOFILE, &limit);
    low = limit;
    const int next = open("/dev/null", O_RDONLY);
    close(next);
    for (int spare = 0; spare < 7; spare++) { // at any of the places where one is needed
        struct err err = {.set = false};
        low.rlim_cur = (rlim_t)(next + spare);
        setrlimit(RLIMIT_NOFILE, &low);
        const struct program program = {.command = "cat"};
        struct link *link = link_new_pipe(ear.loop, &program, &ear_events, &ear, &err);
        setrlimit(RLIMIT_NOFILE, &limit);
        assert_null(link);
        assert_string_equal(err.text, "cannot start cat: too many open files");
    }
    ear_done(&ear);
}

static void test_freed_in_its_callbacks(void **state) {
    (void)state;
    static const int64_t patience[] = {0, 60000000};
    for (int i = 0; i < 4; i++) {
        struct ear ear;
        ear_start(&ear, "sh -c 'echo one; echo two; cat'");
        const pid_t pid = link_pid(ear.link);
        ear.patience_us = patience[i % 2];
        ear.free_at_bytes = i < 2;
        ear.free_at_gone = i >= 2;
        if (ear.free_at_gone)
            kill(pid, SIGKILL);
        loop_run(ear.loop);
        assert_false(is_there(pid));
        ear_done(&ear);
    }
}

// Freed by its last bytes, which are handed over because it has ended.
static void test_freed_while_it_ends(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ear ear;
        ear_start(&ear, i ? "echo bye" : "sh -c 'sleep 1000 & echo $!'");
        wait_for_death(link_pid(ear.link));
        ear.free_at_bytes = true;
        loop_run(ear.loop);
        assert_int_equal(ear.gone, 0);
        if (i == 0)
            assert_false(is_there((pid_t)atol(ear.bytes.data)));
        ear_done(&ear);
    }
}

static void test_two_hundred_children(void **state) {
    (void)state;
    enum { COUNT = 200 };
    struct err err = {.set = false};
    struct loop *loop = ear_loop();
    struct ear *ears = mem_new(COUNT, sizeof *ears);
    pid_t pids[COUNT];
    for (int i = 0; i < COUNT; i++) {
        ears[i].loop = loop;
        ears[i].link =
            link_new_pipe(loop, &(struct program){.command = "cat"}, &ear_events, &ears[i], &err);
        assert_non_null(ears[i].link);
        pids[i] = link_pid(ears[i].link);
        link_send(ears[i].link, "hello\n", 6);
    }
    for (int i = 0; i < COUNT; i++)
        ear_wait_bytes(&ears[i], "hello\n");
    for (int i = 0; i < COUNT; i++) {
        buf_done(&ears[i].bytes);
        if (i % 2)
            link_free(ears[i].link, i % 4 == 1 ? 60000000 : 0);
    }
    loop_free(loop);
    for (int i = 0; i < COUNT; i++)
        assert_false(is_there(pids[i]));
    free(ears);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_echo),
        cmocka_unit_test(test_exit_code_after_last_words),
        cmocka_unit_test(test_killed_by_signal),
        cmocka_unit_test(test_command_not_found),
        cmocka_unit_test(test_output_closed_but_alive),
        cmocka_unit_test(test_stubborn_child_is_killed),
        cmocka_unit_test(test_loop_free_leaves_nothing),
        cmocka_unit_test(test_noise_does_not_block),
        cmocka_unit_test(test_flood_needs_no_memory),
        cmocka_unit_test(test_queue_is_sent_later),
        cmocka_unit_test(test_never_reading_child),
        cmocka_unit_test(test_child_closes_its_input),
        cmocka_unit_test(test_child_starts_clean),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_child_without_pipes),
        cmocka_unit_test(test_no_descriptor_left),
        cmocka_unit_test(test_freed_in_its_callbacks),
        cmocka_unit_test(test_freed_while_it_ends),
        cmocka_unit_test(test_two_hundred_children),
    };
    return cmocka_run_group_tests_name("link_pipe", tests, NULL, NULL);
}
