// SPDX-License-Identifier: MIT
// The clock of a turn, by its times alone.
#include "referee/turn.h"
#include "check.h"

enum { SECOND_US = 1000000, MS = 1000 };

static struct turn begun(int64_t limit_us) {
    struct turn t;
    turn_init(&t, limit_us, 0);
    turn_start(&t, 0, 0);
    return t;
}

// A referee that was kept from running, too, looks late: the player waits, and since when will be
// known when it has run. Of 11.08 s it may have had 10 ms.
static void test_a_late_look_at_one_who_waits(void **state) {
    (void)state;
    struct turn t = begun(200 * MS);
    const struct lateness late = {.woken_late_us = 880 * MS,
                                  .cpu_wait_us = 11070 * MS,
                                  .sure_us = 10150 * MS,
                                  .maybe_us = 870 * MS};
    turn_excuse(&t, &late, false);
    assert_true(turn_is_over(&t, 11080 * MS));
    assert_true(turn_is_held_up(&t, 11080 * MS));
    assert_false(turn_is_held_up(&t, 11300 * MS)); // he had his time, whatever is found out
}

// What may be counts no more once it is known not to be.
static void test_what_was_not_so(void **state) {
    (void)state;
    struct turn t = begun(200 * MS);
    struct lateness late = {
        .cpu_wait_us = 10 * SECOND_US, .sure_us = 9900 * MS, .maybe_us = 500 * MS};
    turn_excuse(&t, &late, false);
    assert_true(turn_is_held_up(&t, 10500 * MS));
    late.maybe_us = 0;
    turn_excuse(&t, &late, false);
    assert_false(turn_is_held_up(&t, 10500 * MS));
}

// A short wait is no way to have a game played again.
static void test_little_is_excused_alone(void **state) {
    (void)state;
    struct turn t = begun(200 * MS);
    const struct lateness late = {
        .cpu_wait_us = 2 * SECOND_US, .sure_us = SECOND_US, .maybe_us = 5 * SECOND_US};
    turn_excuse(&t, &late, false);
    assert_false(turn_is_over(&t, 2200 * MS));
    assert_true(turn_is_over(&t, 2201 * MS));
    assert_false(turn_is_held_up(&t, 2201 * MS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_late_look_at_one_who_waits),
        cmocka_unit_test(test_what_was_not_so),
        cmocka_unit_test(test_little_is_excused_alone),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
