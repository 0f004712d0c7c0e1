// SPDX-License-Identifier: MIT
#include "web/levels.h"

#include "folder/learned.h"

json_t *levels_json(void) {
    json_t *words = json_array();
    for (int i = 1; i <= RUNG_COUNT; i++)
        json_array_append_new(words, json_string(level_word((enum level)i)));
    return words;
}

json_t *levels_of(const struct game *game) {
    struct rungs rungs;
    struct err err = {.set = false};
    if (!learned_rungs(game, &rungs, &err) || !rungs.measured)
        return json_null();
    json_t *list = json_array();
    for (int i = 0; i < RUNG_COUNT; i++) {
        const struct rung *rung = &rungs.rung[i];
        json_array_append_new(list, json_pack("{s:i, s:i, s:i}", "elo", rung->elo, "low", rung->low,
                                              "high", rung->high));
    }
    return list;
}
