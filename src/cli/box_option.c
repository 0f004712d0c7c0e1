// SPDX-License-Identifier: MIT
#include "cli/box_option.h"

#include "base/scratch.h"

#include <stdio.h>
#include <string.h>

bool box_option_read(const char *text, int *level, struct err *err) {
    int64_t number = BOX_OFF;
    const bool good = strcmp(text, "off") == 0 ||
                      read_number(text, "--box, unless off,", BOX_LIMITS, BOX_GROUPS, &number, err);
    *level = (int)number;
    return good;
}

const struct box *box_option_choose(struct box *box, const struct args *args,
                                    void (*note)(void *owner, const char *words), void *owner,
                                    struct err *err) {
    const char *text = args_value(args, "--box");
    int level = BOX_BEST;
    char words[BOX_PATH_MAX + 100];
    *box = (struct box){.level = BOX_OFF};
    if (text && !box_option_read(text, &level, err))
        return NULL;
    scratch_sweep();
    if (level == BOX_OFF)
        return NULL;
    box_find(box);
    const bool without = !text && !box->has_tool;
    if (!without && !box_choose(box, level, err))
        return NULL;
    if (without)
        snprintf(words, sizeof words, "players are not boxed: there is no working %s", box->tool);
    else
        snprintf(words, sizeof words, "players are boxed at level %d: %s", box->level,
                 box_level_words(box->level));
    (note ? note : command_note)(owner, words);
    return without ? NULL : box;
}
