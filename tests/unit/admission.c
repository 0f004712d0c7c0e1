// SPDX-License-Identifier: MIT
// Who must go when there are too many connections (src/web/admission.h).
#include "web/admission.h"
#include "check.h"

#include <stdio.h>

enum { MOST = 8 };

// A connection is the place where its being dropped is counted.
static void count_drop(void *connection) { ++*(int *)connection; }

static struct admission admission_of(int most) {
    return (struct admission){.most = most, .drop = count_drop};
}

static void the_oldest_goes(void **unused) {
    (void)unused;
    struct admission admission = admission_of(MOST);
    struct member *members[MOST + 2];
    int dropped[MOST + 2] = {0};
    for (int i = 0; i < MOST; i++)
        members[i] = admission_join(&admission, &dropped[i], "10.0.0.1");
    admission_touch(&admission, members[0]); // it asks, and the second is the oldest now
    for (int i = MOST; i < MOST + 2; i++)
        members[i] = admission_join(&admission, &dropped[i], "10.0.0.1");
    for (int i = 0; i < MOST + 2; i++)
        assert_int_equal(dropped[i], i == 1 || i == 2);
    assert_int_equal(admission.count, MOST);
    admission_touch(&admission, members[1]); // it is on its way out
    for (int i = 0; i < MOST + 2; i++)
        admission_leave(&admission, members[i]);
    assert_int_equal(admission.count, 0);
    assert_null(admission.oldest);
    assert_null(admission.newest);
}

static void it_goes_from_where_most_are(void **unused) {
    (void)unused;
    struct admission admission = admission_of(MOST);
    struct member *members[3 * MOST];
    int visitor = 0, flood[3 * MOST] = {0};
    members[0] = admission_join(&admission, &visitor, "10.0.0.2"); // the oldest of all
    for (int i = 1; i < 3 * MOST; i++)
        members[i] = admission_join(&admission, &flood[i], "10.0.0.1");
    assert_int_equal(visitor, 0);
    assert_int_equal(flood[1], 1);
    assert_int_equal(flood[3 * MOST - 1], 0);
    for (int i = 0; i < 3 * MOST; i++)
        admission_leave(&admission, members[i]);
    assert_int_equal(admission.count, 0);
}

static void who_watches_stays(void **unused) {
    (void)unused;
    struct admission admission = admission_of(MOST);
    struct member *members[2 * MOST];
    int dropped[2 * MOST] = {0}, watching = 0;
    for (int i = 0; i < 2 * MOST; i++) {
        members[i] = admission_join(&admission, &dropped[i], "10.0.0.1");
        watching += admission_watch(&admission, members[i]);
    }
    assert_int_equal(watching, 6); // three quarters; there is room for who only asks
    assert_int_equal(admission.watchers, 6);
    for (int i = 0; i < watching; i++)
        assert_int_equal(dropped[i], 0);
    int other = 0;
    struct member *guest = admission_join(&admission, &other, "10.0.0.2");
    assert_true(admission_watch(&admission, guest)); // another address may, too
    admission_leave(&admission, guest);
    for (int i = 0; i < 2 * MOST; i++)
        admission_leave(&admission, members[i]);
    assert_int_equal(admission.count, 0);
    assert_int_equal(admission.watchers, 0);
}

// Everything that is joined is counted and left once, whatever happens between.
static void nothing_is_lost(void **unused) {
    (void)unused;
    static const char *const addresses[] = {"10.0.0.1", "10.0.0.2", "10.0.0.3"};
    struct admission admission = admission_of(MOST);
    struct member *members[64] = {NULL};
    int dropped = 0, joined = 0, left = 0;
    unsigned random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * 1103515245u + 12345u;
        struct member **member = &members[random >> 8 & 63];
        const unsigned what = random >> 16 & 3;
        if (!*member) {
            *member = admission_join(&admission, &dropped, addresses[(random >> 20) % 3]);
            joined += *member != NULL;
        } else if (what == 0) {
            admission_touch(&admission, *member);
        } else if (what == 1 && !(*member)->watching) {
            admission_watch(&admission, *member);
        } else if (what >= 2) {
            left += !(*member)->dropped;
            admission_leave(&admission, *member);
            *member = NULL;
        }
        assert_in_range(admission.count, 0, MOST);
    }
    int here = 0;
    for (int i = 0; i < 64; i++)
        if (members[i]) {
            here += !members[i]->dropped;
            admission_leave(&admission, members[i]);
        }
    assert_true(dropped > 0 && here > 0);
    assert_int_equal(joined, left + here + dropped);
    assert_int_equal(admission.count, 0);
    assert_null(admission.oldest);
}

// Of whoever has the most to do, no more is done in a turn than of anybody.
static void nobody_has_more_than_his_share(void **unused) {
    (void)unused;
    struct admission admission = admission_of(MOST);
    struct member *many[MOST / 2], *one;
    int dropped = 0, done = 0;
    for (int i = 0; i < MOST / 2; i++)
        many[i] = admission_join(&admission, &dropped, "10.0.0.1");
    one = admission_join(&admission, &dropped, "10.0.0.2");
    for (int i = 0; i < 1000; i++)
        done += admission_may(many[i % (MOST / 2)], 1, 1);
    assert_int_equal(done, ADMISSION_SHARE);
    assert_true(admission_may(one, 1, 8));
    for (int i = 0; i < 1000; i++)
        done += admission_may(many[i % (MOST / 2)], 2, 8); // the next turn, and dearer
    assert_int_equal(done, ADMISSION_SHARE + ADMISSION_SHARE / 8);
    assert_true(admission_may(many[0], 3, 1000)); // what is dear is done all the same
    for (int i = 0; i < MOST / 2; i++)
        admission_leave(&admission, many[i]);
    admission_leave(&admission, one);
}

// Addresses that no table of a power of two would keep apart by their numbers alone.
static void no_address_pays_for_another(void **unused) {
    (void)unused;
    enum { ADDRESSES = 2000 };
    struct admission admission = admission_of(ADDRESSES);
    struct member *members[ADDRESSES];
    int dropped = 0;
    for (int i = 0; i < ADDRESSES; i++) {
        char text[32];
        snprintf(text, sizeof text, "127.%d.%d.3", i % 250, i / 250);
        members[i] = admission_join(&admission, &dropped, text);
        while (i % 2 == 0 && admission_may(members[i], 1, 1)) // all that there is
            ;
    }
    for (int i = 1; i < ADDRESSES; i += 2)
        assert_true(admission_may(members[i], 1, 1));
    for (int i = 0; i < ADDRESSES; i++)
        admission_leave(&admission, members[i]);
    for (int i = 0; i < ADMISSION_LISTS; i++)
        assert_null(admission.addresses[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_goes),
        cmocka_unit_test(it_goes_from_where_most_are),
        cmocka_unit_test(who_watches_stays),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(nobody_has_more_than_his_share),
        cmocka_unit_test(no_address_pays_for_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
