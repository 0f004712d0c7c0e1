// SPDX-License-Identifier: MIT
// A file that is to become a store while others look at it (src/store/sqlite.c).
#include "check.h"
#include "store/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
    char folder[40], path[64];
};

static int set_up(void **state) {
    struct fixture *f = *state = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/arbiter-begin-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/a.db", f->folder);
    close(
        open(f->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)); // as one has it who is just beginning
    return 0;
}

static int tear_down(void **state) {
    static const char *const ends[] = {"", "-wal", "-shm"};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char path[80];
        snprintf(path, sizeof path, "%s%s", f->path, ends[i]);
        unlink(path);
    }
    rmdir(f->folder);
    free(f);
    return 0;
}

static void an_empty_file_is_no_store(void **state) {
    const struct fixture *f = *state;
    struct err err = {.set = false};
    assert_null(store_reach(f->path, false, NULL, &err));
    assert_non_null(strstr(err.text, "there is no store"));
}

// Somebody who has it for himself, and lets it go after a while.
static pid_t hold(const char *path) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        sqlite3 *handle;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const bool held = sqlite3_open(path, &handle) == SQLITE_OK &&
                          sqlite3_exec(handle, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK;
        const ssize_t told = write(ends[1], "x", 1);
        usleep(300000);
        _exit(!held || told != 1);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static void whoever_begins_it_waits(void **state) {
    const struct fixture *f = *state;
    struct err err = {.set = false};
    int status = -1;
    const pid_t other = hold(f->path);
    struct store *store = store_open(f->path, &err);
    if (!store)
        fail_msg("%s", err.text);
    assert_string_equal(store_vouch(store), "every page with its checksum");
    store_close(store);
    waitpid(other, &status, 0);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_empty_file_is_no_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whoever_begins_it_waits, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
