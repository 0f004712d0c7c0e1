// SPDX-License-Identifier: MIT
// All the processes that come of a player: they are counted, held and ended together, wherever they
// have gone, and nobody else is.
#include "unit/link_ear.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static void test_child_that_left_its_group(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "python3 -c 'import os, time; os.setpgid(0, os.getpgid(os.getppid())); "
                    "print(\"ready\", flush=True); time.sleep(1000)'");
    const pid_t pid = link_pid(ear.link);
    ear_wait_bytes(&ear, "ready\n");
    link_free(ear.link, 0);
    loop_run(ear.loop);
    assert_false(is_there(pid));
    ear_done(&ear);
}

static void test_whole_group_is_killed(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'sleep 1000 & echo $!; wait'");
    const pid_t grandchild = wait_for_grandchild(&ear);
    link_free(ear.link, 0);
    loop_run(ear.loop);
    assert_false(is_there(grandchild));
    ear_done(&ear);
}

// It holds the output open, yet its parent's end is told.
static void test_leader_leaves_its_group(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'sleep 1000 & echo $!'");
    ear_wait_gone(&ear);
    assert_true(ear.how.exited && !ear.how.closed);
    const pid_t grandchild = (pid_t)atol(ear.bytes.data);
    assert_int_equal(kill(grandchild, 0), 0);
    link_free(ear.link, 60000000); // the process has ended: no patience for the rest
    loop_run(ear.loop);
    assert_false(is_there(grandchild));
    ear_done(&ear);
}

// Says its number, from a session of its own and without a parent.
#define DAEMON "setsid sh -c \"sh -c \\\"echo \\\\\\$\\\\\\$; exec sleep 1000\\\" &\"; "

static void test_daemons_end_with_the_link(void **state) {
    (void)state;
    struct ear ear, other;
    ear_start(&other, "sh -c '" DAEMON "cat'");
    const pid_t spared = wait_for_grandchild(&other);
    ear_start(&ear, "sh -c '" DAEMON "cat'");
    const pid_t daemon = wait_for_grandchild(&ear);
    link_send(ear.link, "x", 1); // it plays on, and its daemon with it
    ear.bytes_wanted = ear.heard + 1;
    ear_wait(&ear);
    assert_true(is_there(daemon));
    link_free(ear.link, 0);
    loop_run(ear.loop);
    assert_false(is_there(daemon));
    assert_true(is_there(spared)); // another player's
    ear_done(&ear);
    ear_done(&other);
    assert_false(is_there(spared));
}

// Children that this program had before, and what they leave behind, are not ours to end.
static void test_strangers_are_left_alone(void **state) {
    (void)state;
    struct ear ear;
    const pid_t stranger = fork();
    if (stranger == 0) {
        execl("/bin/sleep", "sleep", "1000", (char *)NULL);
        _exit(1);
    }
    ear_start(&ear, "cat");
    link_free(ear.link, 0);
    loop_run(ear.loop);
    ear_done(&ear);
    assert_int_equal(waitpid(stranger, NULL, WNOHANG), 0);
    kill(stranger, SIGKILL);
    assert_int_equal(waitpid(stranger, NULL, 0), stranger);
}

// kill -9 of us: a second process plays our part. What its player has started goes too.
static void test_all_die_with_us(void **state) {
    (void)state;
    int said[2];
    pid_t pids[3] = {0};
    assert_int_equal(pipe2(said, O_CLOEXEC), 0);
    const pid_t judge = fork();
    if (judge == 0) {
        struct ear ear;
        ear_start(&ear, "sh -c '" DAEMON "sleep 1000 & echo $!; cat'");
        pids[0] = link_pid(ear.link);
        pids[1] = wait_for_grandchild(&ear);
        while (sscanf(ear.bytes.data, "%*d %d", &pids[2]) != 1 || !strchr(ear.bytes.data, '\n')) {
            ear.bytes_wanted = ear.heard + 1;
            ear_wait(&ear);
        }
        _exit(write(said[1], pids, sizeof pids) == sizeof pids && raise(SIGKILL) == 0);
    }
    assert_int_equal(read(said[0], pids, sizeof pids), sizeof pids);
    assert_int_equal(waitpid(judge, NULL, 0), judge);
    for (int i = 0; i < 3; i++) {
        assert_true(pids[i] > 0);
        wait_for_death(pids[i]);
    }
    close(said[0]);
    close(said[1]);
}

// A player that kills whoever started it has killed itself, not the judge.
static void test_keeper_is_killed(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'echo a; kill -9 $PPID; sleep 1000'");
    ear_wait_gone(&ear);
    assert_true(ear.how.exited);
    assert_int_equal(ear.how.signal, SIGKILL);
    assert_int_equal(link_pid(ear.link), -1);
    assert_int_equal(link_cpu_us(ear.link), -1);
    link_hold(ear.link);
    link_release(ear.link);
    link_free(ear.link, 60000000);
    loop_run(ear.loop);
    ear_done(&ear);
}

static char state_of(pid_t pid) {
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return '-';
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const char *end = length ? strrchr(text, ')') : NULL;
    return end ? end[2] : '-';
}

// A keeper that its player has stopped hears of the end all the same.
static void test_keeper_is_stopped(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c 'kill -STOP $PPID; echo a; cat'");
    ear_wait_bytes(&ear, "a\n");
    const pid_t pid = link_pid(ear.link);
    link_free(ear.link, 0);
    loop_run(ear.loop);
    assert_false(is_there(pid));
    ear_done(&ear);
}

static void wait_for_stop(pid_t pid) {
    while (state_of(pid) != 'T') // the kernel stops it soon; nothing tells when
        usleep(1000);
}

// Then nobody else gets a signal: not even SIGCONT, which a stopped stranger would show.
static void test_keeper_is_killed_and_nobody_else(void **state) {
    (void)state;
    static const int64_t patience[] = {0, 60000000};
    const pid_t stranger = fork();
    if (stranger == 0) {
        execl("/bin/sleep", "sleep", "1000", (char *)NULL);
        _exit(1);
    }
    kill(stranger, SIGSTOP);
    wait_for_stop(stranger);
    for (int i = 0; i < 4; i++) {
        struct ear ear;
        ear_start(&ear, "sh -c 'read x; kill -9 $PPID; sleep 1000'");
        ear.patience_us = patience[i % 2];
        ear.free_at_gone = i < 2;
        link_send(ear.link, "\n", 1);
        if (i < 2)
            ear_wait_gone(&ear); // freed inside its callback,
        else
            link_free(ear.link, patience[1]); // or while it is given time
        loop_run(ear.loop);
        ear_done(&ear);
        assert_int_equal(state_of(stranger), 'T');
    }
    kill(stranger, SIGKILL);
    assert_int_equal(waitpid(stranger, NULL, 0), stranger);
}

static void test_hold_and_release(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "cat");
    const pid_t pid = link_pid(ear.link);
    link_send(ear.link, "a", 1);
    ear_wait_bytes(&ear, "a");
    link_hold(ear.link);
    wait_for_stop(pid);
    link_send(ear.link, "b", 1);
    link_release(ear.link);
    ear_wait_bytes(&ear, "ab");
    link_hold(ear.link);
    link_free(ear.link, 60000000); // lets it go on, to see that its input has ended
    loop_run(ear.loop);
    assert_false(is_there(pid));
    ear_done(&ear);
}

// Also what has left its group, or its session.
static void test_all_are_held(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "sh -c '" DAEMON "cat'");
    const pid_t daemon = wait_for_grandchild(&ear), pid = link_pid(ear.link);
    // It may be missed while its parent is dying. A shell that waits for a child that is stopped
    // before its exec is in state D.
    while (state_of(daemon) != 'T' || !strchr("TD", state_of(pid))) {
        link_hold(ear.link);
        usleep(1000);
    }
    link_release(ear.link);
    link_send(ear.link, "x", 1);
    ear.bytes_wanted = ear.heard + 1;
    ear_wait(&ear);
    while (state_of(daemon) == 'T')
        usleep(1000);
    ear_done(&ear);
}

static void test_cpu_time(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear,
              "sh -c 'echo a; read x; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo b'");
    ear_wait_bytes(&ear, "a\n");
    const int64_t before = link_cpu_us(ear.link);
    link_send(ear.link, "\n", 1);
    ear_wait_bytes(&ear, "a\nb\n");
    const int64_t after = link_cpu_us(ear.link);
    assert_true(before >= 0 && after > before + 1000);
    ear_wait_gone(&ear);
    assert_true(link_cpu_us(ear.link) >= after);
    ear_done(&ear);
}

// It counts who works, not the shell that waits for him; and what has ended stays counted.
static void test_cpu_time_of_a_family(void **state) {
    (void)state;
#define WORK "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; "
    static const char *const commands[] = {
        "sh -c 'echo a; read x; " WORK "echo b; cat'",
        "sh -c 'echo a; read x; " WORK "echo b; cat' | cat",
        "sh -c 'sh -c \"echo a; read x; i=0; while [ \\$i -lt 100000 ]; do i=\\$((i+1)); done; "
        "echo b; cat\"; true'",
        "sh -c 'echo a; read x; (" WORK "); sleep 0.02; (" WORK "sleep 0.03); echo b; cat'",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct ear ear;
        ear_start(&ear, commands[i]);
        ear_wait_bytes(&ear, "a\n");
        const int64_t before = link_cpu_us(ear.link);
        usleep(20000);
        const int64_t rested = link_cpu_us(ear.link);
        link_send(ear.link, "\n", 1);
        ear_wait_bytes(&ear, "a\nb\n");
        const int64_t after = link_cpu_us(ear.link);
        if (before < 0 || rested > before + 10000 || after < rested + 10000)
            fail_msg("%s: %lld, %lld, %lld", commands[i], (long long)before, (long long)rested,
                     (long long)after);
        ear_done(&ear);
    }
}

// Whoever starts it has no more to do with it then.
static void test_its_own_program_begins(void **state) {
    (void)state;
    static struct run_times times;
    struct ear ear;
    ear_start(&ear, "sh -c 'echo ready; exec sleep 1000'");
    ear_wait_bytes(&ear, "ready\n");
    link_run_times(ear.link, &times);
    assert_true(times.begun);
    ear_done(&ear);
}

static bool has_thread(struct link *link, int id) {
    static struct run_times times;
    link_run_times(link, &times);
    for (int i = 0; i < times.count; i++)
        if (times.thread[i].id == id)
            return true;
    return false;
}

static bool has_runnable(struct link *link) {
    static struct run_times times;
    link_run_times(link, &times);
    for (int i = 0; i < times.count; i++)
        if (times.thread[i].runnable)
            return true;
    return false;
}

// Who works behind a admission of sleepers is seen and counted.
static void test_crowd_of_sleepers(void **state) {
    (void)state;
    struct ear ear;
    ear_start(&ear, "exec python3 -c 'import os, time\n"
                    "for i in range(800):\n"
                    "  if os.fork() == 0: time.sleep(1000)\n"
                    "if os.fork() == 0:\n"
                    "  while True: pass\n"
                    "print(\"ready\", flush=True)\n"
                    "time.sleep(1000)'");
    ear_wait_bytes(&ear, "ready\n");
    const int64_t before = link_cpu_us(ear.link);
    while (link_cpu_us(ear.link) < before + 100000)
        usleep(30000);
    assert_true(has_runnable(ear.link));
    ear_done(&ear);
}

// Whoever has put his session behind all others waits because he wants to.
static void test_humble_session(void **state) {
    (void)state;
    struct ear ear;
    if (access("/proc/self/autogroup", W_OK) != 0)
        skip();
    ear_start(&ear, "exec python3 -c 'import os\n"
                    "if os.fork() == 0:\n"
                    "  os.setsid()\n"
                    "  open(\"/proc/self/autogroup\", \"w\").write(\"19\")\n"
                    "  print(\"ready\", flush=True)\n"
                    "  while True: pass\n"
                    "os.wait()'");
    ear_wait_bytes(&ear, "ready\n");
    const int64_t before = link_cpu_us(ear.link);
    while (link_cpu_us(ear.link) < before + 20000)
        usleep(30000);
    for (int i = 0; i < 20; i++)
        assert_false(has_runnable(ear.link));
    ear_done(&ear);
}

// Windows programs without a box wait for one server, which works for all of them.
static void test_server_of_many(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ear ear = {.loop = ear_loop()};
        struct err err = {.set = false};
        const struct program program = {.command = "cat", .wine = i == 0};
        const pid_t server = fork();
        if (server == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            prctl(PR_SET_NAME, "wineserver64");
            raise(SIGSTOP);
            _exit(0);
        }
        assert_int_equal(waitpid(server, NULL, WUNTRACED), server);
        ear.link = link_new_pipe(ear.loop, &program, &ear_events, &ear, &err);
        assert_non_null(ear.link);
        assert_int_equal(has_thread(ear.link, server), program.wine);
        assert_true(has_thread(ear.link, link_pid(ear.link)));
        ear_done(&ear);
        assert_true(is_there(server));
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
}

static void test_memory_limit(void **state) {
    (void)state;
    struct ear ear = {.loop = ear_loop()};
    struct err err = {.set = false};
    const struct program program = {.command = "sh -c 'ulimit -v'", .memory = 300 << 20};
    ear.link = link_new_pipe(ear.loop, &program, &ear_events, &ear, &err);
    ear_wait_gone(&ear);
    assert_string_equal(ear.bytes.data, "307200\n");
    ear_done(&ear);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_child_that_left_its_group),
        cmocka_unit_test(test_whole_group_is_killed),
        cmocka_unit_test(test_leader_leaves_its_group),
        cmocka_unit_test(test_daemons_end_with_the_link),
        cmocka_unit_test(test_strangers_are_left_alone),
        cmocka_unit_test(test_all_die_with_us),
        cmocka_unit_test(test_keeper_is_killed),
        cmocka_unit_test(test_keeper_is_killed_and_nobody_else),
        cmocka_unit_test(test_keeper_is_stopped),
        cmocka_unit_test(test_hold_and_release),
        cmocka_unit_test(test_all_are_held),
        cmocka_unit_test(test_cpu_time),
        cmocka_unit_test(test_cpu_time_of_a_family),
        cmocka_unit_test(test_its_own_program_begins),
        cmocka_unit_test(test_crowd_of_sleepers),
        cmocka_unit_test(test_humble_session),
        cmocka_unit_test(test_server_of_many),
        cmocka_unit_test(test_memory_limit),
    };
    return cmocka_run_group_tests_name("link_family", tests, NULL, NULL);
}
