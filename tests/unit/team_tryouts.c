// SPDX-License-Identifier: MIT
// How many try-outs a team may begin in an hour, whichever server it asks.
#include "web/team_tryouts.h"

#include "base/path.h"
#include "base/scratch.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

static void test_hour(void **state) {
    (void)state;
    struct scratch folder;
    struct team_tryouts tries = {.next = 0}, again = {.next = 0}, later = {.next = 0};
    struct err err = {.set = false};
    char path[300];
    assert_true(scratch_make(&folder, "a test", &err));
    snprintf(path, sizeof path, "%s/begun", folder.path);
    team_tryouts_load(&tries, path); // there is none
    for (int i = 0; i < TRYOUTS_AN_HOUR; i++) {
        assert_true(team_tryouts_may(&tries, &err));
        team_tryouts_count(&tries, path);
    }
    assert_false(team_tryouts_may(&tries, &err));
    err.set = false;
    team_tryouts_load(&again, path); // the server was started again
    assert_false(team_tryouts_may(&again, &err));
    assert_non_null(strstr(err.text, "30 try-outs an hour"));
    err.set = false;
    assert_true(path_write(path, "1000000\n2000000\n", 16)); // of long ago
    team_tryouts_load(&later, path);
    for (int i = 0; i < TRYOUTS_AN_HOUR; i++) {
        assert_true(team_tryouts_may(&later, &err));
        team_tryouts_count(&later, path);
    }
    assert_false(team_tryouts_may(&later, &err));
    scratch_done(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
