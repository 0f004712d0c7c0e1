// SPDX-License-Identifier: MIT
#include "referee/actions.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

struct queued {
    struct action action;
    size_t from; // ACTION_SEND: where its bytes begin
};

void actions_push(struct actions *a, struct action action) {
    assert(a->taken <= a->count && a->count <= a->room);
    if (a->taken == a->count)
        a->taken = a->count = 0;
    if (a->count == a->room) {
        a->room = a->room ? 2 * a->room : 16;
        a->queue = mem_resize(a->queue, (size_t)a->room * sizeof *a->queue);
    }
    a->queue[a->count++] = (struct queued){.action = action};
}

void actions_push_bytes(struct actions *a, int player, size_t from) {
    assert(from <= a->bytes.length);
    const size_t length = a->bytes.length - from;
    if (length == 0)
        return;
    actions_push(a, (struct action){.kind = ACTION_SEND, .player = player, .length = length});
    a->queue[a->count - 1].from = from;
}

bool actions_have_send(const struct actions *a, int player) {
    for (int i = a->taken; i < a->count; i++)
        if (a->queue[i].action.kind == ACTION_SEND && a->queue[i].action.player == player)
            return true;
    return false;
}

bool actions_next(struct actions *a, struct action *action) {
    if (a->taken == a->count)
        return false;
    const struct queued *next = &a->queue[a->taken++];
    *action = next->action;
    if (action->kind == ACTION_SEND)
        action->bytes = a->bytes.data + next->from;
    return true;
}

void actions_tidy(struct actions *a) {
    if (a->taken == a->count)
        buf_clear(&a->bytes);
}

void actions_done(struct actions *a) {
    free(a->queue);
    buf_done(&a->bytes);
}
