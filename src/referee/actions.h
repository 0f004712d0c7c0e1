// SPDX-License-Identifier: MIT
// What a match wants done, in order. Zeroed by its owner, freed by actions_done.
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum action_kind {
    ACTION_SEND,     // bytes to the player; then tell match_sent
    ACTION_DEADLINE, // the one time to call match_deadline; 0: none. Of a player's turn, or of 0
    ACTION_HOLD,
    ACTION_RELEASE,
    ACTION_ASK, // a person is to move
    ACTION_END, // the game is over: nothing more comes
};

struct action {
    enum action_kind kind;
    int player;        // 1 or 2; 0: of nobody
    const char *bytes; // ACTION_SEND
    size_t length;
    int64_t at_us; // ACTION_DEADLINE
    int64_t since_us,
        cpu_us; // of a turn: when it began, and the CPU time of its player then, or -1
};

struct actions {
    struct queued *queue; // mostly a few; a player alone on the board can be asked often at once
    int count, taken, room;
    struct buf bytes; // of all that is to be sent
};

void actions_push(struct actions *a, struct action action);
// Queues what was put into `bytes` behind `from`, if anything was.
void actions_push_bytes(struct actions *a, int player, size_t from);
// Whether something is still to be sent to the player.
bool actions_have_send(const struct actions *a, int player);
// Takes the next one; false when there is none. Its bytes are valid until actions_tidy.
bool actions_next(struct actions *a, struct action *action);
// Forgets the bytes, once all actions are taken.
void actions_tidy(struct actions *a);
void actions_done(struct actions *a);
