// SPDX-License-Identifier: MIT
#include "web/restart_state.h"

#include <assert.h>
#include <string.h>

static struct restart_state_contest *find(struct restart_state *restart, const char *id) {
    for (int i = 0; i < RESTART_STATE_CONTESTS; i++)
        if (strncmp(restart->going[i].id, id, GAME_ID_MAX) == 0)
            return &restart->going[i];
    return NULL;
}

void restart_state_set_going(struct restart_state *restart,
                             const struct restart_state_contest *contest, bool going) {
    assert(*contest->id);
    struct restart_state_contest *place = find(restart, contest->id);
    if (!place && going)
        place = find(restart, "");
    if (place)
        *place = going ? *contest : (struct restart_state_contest){.done = 0};
}

const struct restart_state_contest *restart_state_find(const struct restart_state *restart,
                                                       const char *id) {
    return *id ? find((struct restart_state *)restart, id) : NULL;
}
