// SPDX-License-Identifier: MIT
#include "web/lasting.h"

#include <string.h>

static struct lasting_contest *find(struct lasting *lasting, const char *id) {
    for (int i = 0; i < LASTING_CONTESTS; i++)
        if (strncmp(lasting->going[i].id, id, ROOM_ID_MAX) == 0)
            return &lasting->going[i];
    return NULL;
}

void lasting_set_going(struct lasting *lasting, const struct lasting_contest *contest, bool going) {
    struct lasting_contest *place = find(lasting, contest->id);
    if (!place && going)
        place = find(lasting, "");
    if (place)
        *place = going ? *contest : (struct lasting_contest){.done = 0};
}

const struct lasting_contest *lasting_find(const struct lasting *lasting, const char *id) {
    return *id ? find((struct lasting *)lasting, id) : NULL;
}
