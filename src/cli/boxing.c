// SPDX-License-Identifier: MIT
#include "cli/boxing.h"

#include <stdio.h>
#include <string.h>

bool boxing_read(const char *text, int *level, struct err *err) {
    int64_t number = BOX_OFF;
    const bool good = strcmp(text, "off") == 0 ||
                      read_number(text, "--box, unless off,", BOX_LIMITS, BOX_GROUPS, &number, err);
    *level = (int)number;
    return good;
}

const struct box *boxing_choose(struct box *box, const struct args *args, struct err *err) {
    const char *text = args_value(args, "--box");
    int level = BOX_BEST;
    *box = (struct box){.level = BOX_OFF};
    if (text && !boxing_read(text, &level, err))
        return NULL;
    if (level == BOX_OFF)
        return NULL;
    box_find(box);
    if (!text && !box->has_tool) {
        fprintf(stderr, "arbiter: players are not boxed: there is no working %s\n", box->tool);
        return NULL;
    }
    if (!box_choose(box, level, err))
        return NULL;
    fprintf(stderr, "arbiter: players are boxed at level %d: %s\n", box->level,
            box_level_words(box->level));
    return box;
}
