// SPDX-License-Identifier: MIT
// Input: a byte for the game, and what was found in its folder, read as a table of levels and as
// weights. Both are refused in words, or can be used.
#include "base/rungs.h"
#include "engine/general/lore.h"
#include "fuzz.h"

static void check_rungs(const char *text, size_t size) {
    struct rungs rungs;
    struct err err = {.set = false};
    if (!rungs_read(&rungs, text, size, &err)) {
        check_why(err.text, sizeof err.text);
        return;
    }
    for (int i = 0; i < RUNG_COUNT; i++) {
        assert(rungs.rung[i].nodes >= 0);
        assert(rungs.rung[i].misses >= 0 && rungs.rung[i].misses <= 100);
    }
}

static void check_weights(const struct setup *setup, const uint8_t *data, size_t size) {
    struct err err = {.set = false};
    struct lore *lore = lore_read(&setup->rules, NULL, data, size, &err);
    struct lore_view view;
    if (!lore) {
        check_why(err.text, sizeof err.text);
        return;
    }
    lore_view_init(&view, lore);
    lore_look(&view, &setup->start);
    lore_view_done(&view);
    lore_free(lore);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct setup setup;
    if (size == 0)
        return 0;
    fuzz_setup(&setup, data[0], data[0] / 16);
    uint8_t *rest = mem_new(size, 1);
    memcpy(rest, data + 1, size - 1);
    check_rungs((const char *)rest, size - 1);
    check_weights(&setup, rest, size - 1);
    free(rest);
    return 0;
}
