// SPDX-License-Identifier: MIT
// Folders of our own: whatever lies in them is removed, and those of the dead are swept.
#include "base/scratch.h"
#include "base/buf.h"
#include "base/path.h"
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEPTH = 1200, USER = 65534 };

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

// As root nothing would be in the way: so a child that is not.
static void as_user(void (*does)(void)) {
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 &&
            (setresgid(USER, USER, USER) != 0 || setresuid(USER, USER, USER) != 0))
            _exit(2);
        does();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void must(bool good) {
    if (!good)
        _exit(1);
}

// Deeper than a path can say, files and folders nobody may touch, links out, and names that are
// ours.
static void fill(const char *path) {
    char name[256];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    must(chdir(path) == 0);
    must(mkdir("shut", 0700) == 0 && mkdir("shut/in", 0700) == 0 && mkdir("0", 0700) == 0);
    must(close(creat("shut/in/file", 0)) == 0 && close(creat("0/1", 0)) == 0);
    must(close(creat("1", 0)) == 0 && mkdir("shut/2", 0) == 0 && symlink("/", "root") == 0);
    must(symlink("/tmp", "shut/link") == 0 && mkfifo("shut/pipe", 0) == 0);
    must(chmod("shut/in", 0) == 0 && chmod("shut", 0) == 0);
    for (int i = 0; i < DEPTH; i++)
        must(mkdir(name, 0700) == 0 && close(creat("file", 0600)) == 0 && chdir(name) == 0);
    must(chdir("/") == 0 && chmod(path, 0) == 0);
}

static void remove_all(void) {
    struct scratch s;
    struct err err = {.set = false};
    must(scratch_make(&s, "a test", &err));
    char *path = strdup(s.path);
    fill(path);
    scratch_done(&s);
    must(!is_there(path) && !s.path && is_there("/tmp"));
    free(path);
}

static void test_all_is_removed(void **unused) {
    (void)unused;
    as_user(remove_all);
}

static void test_a_file_is_removed(void **unused) {
    (void)unused;
    char path[200];
    snprintf(path, sizeof path, "%s/XXXXXX", getenv("TMPDIR"));
    assert_int_equal(close(mkstemp(path)), 0);
    path_remove(path);
    assert_false(is_there(path));
    path_remove(path); // nor does it mind
}

// A child that makes a folder, writes its path and waits.
static pid_t start_maker(char path[static 200]) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        struct scratch s;
        struct err err = {.set = false};
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        must(scratch_make(&s, "a test", &err));
        must(write(ends[1], s.path, strlen(s.path) + 1) > 0);
        for (;;)
            pause();
    }
    assert_true(read(ends[0], path, 199) > 0);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static void kill_maker(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

// What the living have made stays, and what is only called so.
static void test_the_dead_are_swept(void **unused) {
    (void)unused;
    char living[200], dead[200], other[220], mine[220];
    const pid_t lives = start_maker(living), dies = start_maker(dead);
    snprintf(other, sizeof other, "%s.old", dead);
    snprintf(mine, sizeof mine, "%s/arbiter-notes", getenv("TMPDIR"));
    assert_true(mkdir(other, 0700) == 0 && mkdir(mine, 0700) == 0);
    scratch_sweep();
    assert_true(is_there(living) && is_there(dead));
    kill_maker(dies);
    assert_true(is_there(dead));
    if (geteuid() == 0) // as a player's that ran as a user of its own
        assert_int_equal(chown(dead, SCRATCH_USERS + 9, SCRATCH_USERS + 9), 0);
    chmod(dead, 0);
    scratch_sweep();
    assert_true(is_there(living) && !is_there(dead));
    assert_true(is_there(other) && is_there(mine));
    rmdir(other);
    rmdir(mine);
    kill_maker(lives);
    scratch_sweep();
    assert_false(is_there(living));
}

// A link that is called so leads to what is not ours to open or remove.
static void test_links_are_left_alone(void **unused) {
    (void)unused;
    char target[200], link[200];
    struct stat info;
    snprintf(target, sizeof target, "%s/target", getenv("TMPDIR"));
    snprintf(link, sizeof link, "%s/arbiter-run-ABCDEF", getenv("TMPDIR"));
    assert_true(mkdir(target, 0) == 0 && symlink(target, link) == 0);
    scratch_sweep();
    assert_true(stat(target, &info) == 0 && (info.st_mode & 0777) == 0);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(target), 0);
}

static void test_what_is_kept_stays(void **unused) {
    (void)unused;
    struct scratch s;
    struct err err = {.set = false};
    struct buf file = {.data = NULL}, beside = {.data = NULL};
    assert_true(scratch_make(&s, "a test", &err));
    buf_format(&file, "%s/file", s.path);
    assert_int_equal(close(creat(file.data, 0600)), 0);
    buf_format(&beside, "%s/log.txt.files", getenv("TMPDIR"));
    char *kept = scratch_keep(&s, beside.data);
    scratch_sweep();
    buf_clear(&file);
    buf_format(&file, "%s/file", kept);
    assert_true(is_there(file.data) && !s.path && strstr(kept, "/log.txt.files/player-"));
    free(kept);
    assert_true(scratch_make(&s, "a test", &err)); // where there is no such place it stays
    kept = scratch_keep(&s, "/nowhere/log.txt.files");
    scratch_sweep();
    assert_true(is_there(kept) && strstr(kept, "/arbiter-kept-"));
    path_remove(kept);
    free(kept);
    path_remove(beside.data);
    buf_done(&beside);
    buf_done(&file);
}

static void test_there_may_be_no_room(void **unused) {
    (void)unused;
    struct scratch s = {.path = NULL};
    struct err err = {.set = false};
    char *before = strdup(getenv("TMPDIR"));
    setenv("TMPDIR", "/nowhere", 1);
    assert_false(scratch_make(&s, "a test", &err));
    assert_non_null(strstr(err.text, "a test in /nowhere"));
    scratch_sweep();
    scratch_done(&s);
    setenv("TMPDIR", before, 1);
    free(before);
}

// A folder of the test's own: others sweep, too.
static int set_up(void **unused) {
    (void)unused;
    char path[] = "/tmp/arbiter-test-XXXXXX";
    return mkdtemp(path) && chmod(path, 0777) == 0 ? setenv("TMPDIR", path, 1) : -1;
}

static int clean_up(void **unused) {
    (void)unused;
    return rmdir(getenv("TMPDIR")); // nothing is left there
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_removed),     cmocka_unit_test(test_a_file_is_removed),
        cmocka_unit_test(test_the_dead_are_swept), cmocka_unit_test(test_links_are_left_alone),
        cmocka_unit_test(test_what_is_kept_stays), cmocka_unit_test(test_there_may_be_no_room),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
