// SPDX-License-Identifier: MIT
// The tokens of teams (src/web/team_tokens.h): kept, found, renewed, and not trusted where others
// could read them.
#include "web/team_tokens.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    char folder[40], path[64];
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/arbiter-passes-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/tokens.json", f->folder);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    unlink(f->path);
    rmdir(f->folder);
    free(f);
    return 0;
}

static void are_kept_and_found(void **state) {
    const struct fixture *f = *state;
    struct team_tokens tokens, again;
    struct err err = {.set = false};
    struct stat info;
    bool replaced;
    assert_true(team_tokens_load(&tokens, f->path, 3, &replaced, &err) && !replaced);
    assert_int_equal(stat(f->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(strlen(tokens.at[i]), SECRET_TEXT_MAX - 1);
        assert_int_equal(team_tokens_find(&tokens, tokens.at[i]), i);
    }
    assert_int_equal(team_tokens_find(&tokens, ""), -1);
    assert_int_equal(team_tokens_find(&tokens, "0000000000000000000000000000000000000000"), -1);
    assert_true(team_tokens_load(&again, f->path, 3, &replaced, &err) && !replaced);
    assert_memory_equal(again.at, tokens.at, 3 * sizeof *tokens.at);
    team_tokens_done(&tokens);
    team_tokens_done(&again);
}

static void are_void_once_renewed(void **state) {
    const struct fixture *f = *state;
    struct team_tokens tokens, again;
    struct err err = {.set = false};
    char old[SECRET_TEXT_MAX];
    bool replaced;
    assert_true(team_tokens_load(&tokens, f->path, 2, &replaced, &err));
    strcpy(old, tokens.at[1]);
    assert_true(team_tokens_renew(&tokens, 1, &err));
    assert_int_equal(team_tokens_find(&tokens, old), -1);
    assert_true(team_tokens_load(&again, f->path, 2, &replaced, &err));
    assert_int_equal(team_tokens_find(&again, old), -1);
    assert_int_equal(team_tokens_find(&again, tokens.at[1]), 1);
    team_tokens_done(&tokens);
    team_tokens_done(&again);
}

static void are_new_if_others_could_read_them(void **state) {
    const struct fixture *f = *state;
    struct team_tokens tokens, again;
    struct err err = {.set = false};
    struct stat info;
    bool replaced;
    assert_true(team_tokens_load(&tokens, f->path, 2, &replaced, &err));
    assert_int_equal(chmod(f->path, 0644), 0);
    assert_true(team_tokens_load(&again, f->path, 2, &replaced, &err) && replaced);
    for (int i = 0; i < 2; i++)
        assert_int_equal(team_tokens_find(&again, tokens.at[i]), -1);
    assert_int_equal(stat(f->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    team_tokens_done(&tokens);
    team_tokens_done(&again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(are_kept_and_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(are_void_once_renewed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(are_new_if_others_could_read_them, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
