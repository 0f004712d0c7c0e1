// SPDX-License-Identifier: MIT
// The server as a whole (src/web/server.h): it comes up, tells where it is, and ends when it is
// told to; and what keeps it from coming up. What it answers is told in tests/data/exchanges.
#include "web/server.h"
#include "base/path.h"
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    char folder[40], url[256], notes[1024];
    struct restart_state restart;
    struct server_config config;
    struct err err;
};

static void server_is_ready(void *owner, const char *url) {
    struct fixture *f = owner;
    snprintf(f->url, sizeof f->url, "%s", url);
    raise(SIGTERM);
}

static void server_says(void *owner, const char *words) {
    struct fixture *f = owner;
    snprintf(f->notes + strlen(f->notes), sizeof f->notes - strlen(f->notes), "%s\n", words);
}

static int set_up(void **state) {
    struct fixture *f = *state = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/arbiter-server-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    f->config = (struct server_config){.address = "127.0.0.1",
                                       .data = f->folder,
                                       .program = getenv("ARBITER"),
                                       .restart = &f->restart,
                                       .ready = server_is_ready,
                                       .note = server_says,
                                       .owner = f};
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    path_remove(f->folder);
    free(f);
    return 0;
}

// Once; what ended it is no longer held back.
static bool run(struct fixture *f) {
    sigset_t set;
    f->err.set = false;
    const bool good = server_run(&f->config, &f->err);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return good;
}

static void it_tells_where_it_is_and_ends(void **state) {
    struct fixture *f = *state;
    char begin[64], old[sizeof f->url];
    f->config.names[0] = "arbiter.example";
    assert_true(run(f));
    snprintf(begin, sizeof begin, "http://arbiter.example:%d/key/", f->restart.port);
    assert_true(f->restart.up && f->restart.port > 0);
    assert_int_equal(strncmp(f->url, begin, strlen(begin)), 0);
    strcpy(old, f->url + strlen(begin));
    assert_true(run(f)); // with the same key
    assert_string_equal(strrchr(f->url, '/') + 1, old);
    assert_string_equal(f->notes, "");
}

static void a_key_that_others_could_read_is_replaced(void **state) {
    struct fixture *f = *state;
    char path[64], old[sizeof f->url];
    assert_true(run(f));
    strcpy(old, strrchr(f->url, '/') + 1);
    snprintf(path, sizeof path, "%s/key", f->folder);
    assert_int_equal(chmod(path, 0644), 0);
    assert_true(run(f));
    assert_string_not_equal(strrchr(f->url, '/') + 1, old);
    assert_non_null(strstr(f->notes, "there is a new key, and old links are void"));
}

static void the_demo_is_there_from_the_start(void **state) {
    struct fixture *f = *state;
    char path[80];
    f->config.demo = true;
    assert_true(run(f));
    snprintf(path, sizeof path, "%s/contests/demo.conf", f->folder);
    assert_int_equal(access(path, R_OK), 0);
    assert_true(run(f)); // it is the same one
}

static void expect_error(struct fixture *f, const char *words) {
    assert_false(run(f));
    assert_non_null(strstr(f->err.text, words));
    assert_false(f->restart.up);
    assert_string_equal(f->url, "");
}

static void it_says_why_it_cannot_come_up(void **state) {
    struct fixture *f = *state;
    char path[64];
    f->config.address = "nowhere";
    expect_error(f, "cannot listen on nowhere: it is no IPv4 address");
    f->config.address = "127.0.0.1";
    f->config.certificate = f->config.key = "/nowhere";
    expect_error(f, "/nowhere is no certificate, or cannot be read");
    f->config.certificate = f->config.key = NULL;
    f->config.names[0] = "";
    expect_error(f, "'' cannot be the name of a server");
    f->config.names[0] = NULL;
    f->config.data = "/nowhere/at/all";
    expect_error(f, "cannot make the folder /nowhere/at/all");
    f->config.data = f->folder;
    snprintf(path, sizeof path, "%s/key", f->folder);
    assert_int_equal(symlink("/nowhere", path), 0);
    expect_error(f, "it is a link; remove it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_tells_where_it_is_and_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_key_that_others_could_read_is_replaced, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_demo_is_there_from_the_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_says_why_it_cannot_come_up, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
