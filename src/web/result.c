// SPDX-License-Identifier: MIT
#include "web/result.h"

#include <stdbool.h>

static bool is_same(const json_t *a, const json_t *b, const char *key) {
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

// The verdict, with the time from the fault that it came of.
static json_t *verdict_of(const json_t *record) {
    const json_t *faults = json_object_get(record, "faults"),
                 *verdict = json_object_get(record, "verdict");
    if (!json_is_object(verdict))
        return json_null();
    json_t *copy = json_copy((json_t *)verdict);
    for (size_t i = 0; i < json_array_size(faults); i++) {
        const json_t *fault = json_array_get(faults, i);
        json_t *ms = json_object_get(fault, "ms");
        if (ms && is_same(fault, verdict, "player") && is_same(fault, verdict, "word"))
            json_object_set(copy, "ms", ms);
    }
    return copy;
}

json_t *result_json(const json_t *record) {
    return json_pack("{s:O?, s:O?, s:O?, s:o}", "winner", json_object_get(record, "winner"),
                     "scores", json_object_get(record, "scores"), "reason",
                     json_object_get(record, "reason"), "verdict", verdict_of(record));
}
