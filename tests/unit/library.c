// SPDX-License-Identifier: MIT
// Libraries that are loaded when they are needed (src/base/library.h).
#include "base/library.h"
#include "check.h"

#include <math.h>
#include <string.h>

#define GOOD(X) X(floor) X(ceil)
struct good {
    GOOD(LIBRARY_MEMBER)
};

static void functions_are_found_by_their_names(void **unused) {
    (void)unused;
    static const char *const names[] = {GOOD(LIBRARY_NAME)};
    struct good good;
    struct err err = {.set = false};
    struct library library = {"libm.so.6", names, 2, &good, false};
    assert_true(library_load(&library, &err));
    assert_true(good.floor(1.5) == 1 && good.ceil(1.5) == 2);
    library.file = "libnowhere.so.1"; // once is enough
    assert_true(library_load(&library, &err));
}

static void what_is_missing_is_named(void **unused) {
    (void)unused;
    static const char *const names[] = {"floor", "no_such_function"};
    void (*functions[2])(void);
    struct err err = {.set = false};
    struct library library = {"libnowhere.so.1", names, 2, functions, false};
    assert_false(library_load(&library, &err));
    assert_non_null(strstr(err.text, "libnowhere.so.1"));
    library.file = "libm.so.6";
    err.set = false;
    assert_false(library_load(&library, &err));
    assert_string_equal(err.text, "libm.so.6 has no no_such_function: it is too old");
    assert_false(library.loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_found_by_their_names),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
