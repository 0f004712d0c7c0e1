// SPDX-License-Identifier: MIT
// Folders of trainings, for the tests of trainers.
#pragma once

#include "base/buf.h"
#include "check.h"
#include "train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void make_folder(char folder[static 64]) {
    snprintf(folder, 64, "/tmp/arbiter-train-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static inline void remove_folder(const char *folder) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static inline void remove_file(const char *folder, const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static inline void assert_same_weights(const struct training *a, const struct training *b) {
    struct buf x = {.data = NULL}, y = {.data = NULL};
    struct err err = {.set = false};
    assert_true(train_load(a, "weights-1.bin", &x, &err));
    assert_true(train_load(b, "weights-1.bin", &y, &err));
    assert_int_equal(x.length, y.length);
    assert_memory_equal(x.data, y.data, x.length);
    buf_done(&x);
    buf_done(&y);
}
