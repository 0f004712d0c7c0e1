// SPDX-License-Identifier: MIT
// Who a worker is, and which of them are no more.
#include "contest/identity.h"

#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A child that has told its name, and waits for its end.
static pid_t start_child(char name[static IDENTITY_MAX]) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        char own[IDENTITY_MAX] = "";
        identity_name(own);
        if (write(ends[1], own, sizeof own) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ends[0], name, IDENTITY_MAX), IDENTITY_MAX);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static void end_child(pid_t pid) {
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_only_the_dead_are_dead(void **unused) {
    (void)unused;
    char name[IDENTITY_MAX], own[IDENTITY_MAX];
    const pid_t pid = start_child(name);
    identity_name(own);
    assert_string_not_equal(name, own);
    assert_false(identity_is_dead(name));
    assert_false(identity_is_dead(own));
    end_child(pid);
    assert_true(identity_is_dead(name));
}

// A process of the same number that began at another time is another.
static void test_numbers_are_used_again(void **unused) {
    (void)unused;
    char own[IDENTITY_MAX], before[IDENTITY_MAX];
    identity_name(own);
    const size_t until = (size_t)(strrchr(own, '-') - own);
    snprintf(before, sizeof before, "%.*s-1", (int)until, own);
    assert_true(identity_is_dead(before));
}

// Another machine may have our host name; of its processes we know nothing.
static void test_other_machines(void **unused) {
    (void)unused;
    char name[IDENTITY_MAX];
    const pid_t pid = start_child(name);
    end_child(pid);
    char *machine = strrchr(name, '-') - 8;
    *machine = *machine == '0' ? '1' : '0';
    assert_false(identity_is_dead(name));
    assert_false(identity_is_dead(""));
    assert_false(identity_is_dead("host/12"));
    assert_false(identity_is_dead("host/12/"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_the_dead_are_dead),
        cmocka_unit_test(test_numbers_are_used_again),
        cmocka_unit_test(test_other_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
