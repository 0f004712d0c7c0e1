// SPDX-License-Identifier: MIT
// A place at a table, inside this folder: a player with what reaches it, a child on pipes, or a
// connection from the lobby (and perhaps the child that makes it), or a person in this process.
// Places stay from game to game. A place borrows its player and setting.
#pragma once

#include "base/scratch.h"
#include "referee/cpu_wait.h"
#include "referee/noise.h"
#include "referee/table.h"

struct place {
    struct table *table;
    const struct table_config *around; // what the places of a table share
    const struct player *player;
    int number; // in the game: 1 black, 2 white
    struct wire wire;
    char name[WIRE_NAME_MAX], department[WIRE_NAME_MAX]; // as it said when it was there
    struct noise noise;
    const char *lack;   // what the machine lacks to run it; NULL: nothing that we know of
    struct link *child; // its process; NULL: none, or ended
    struct link
        *connection; // what carries bytes: the child on pipes, or from the lobby; NULL: none
    struct claim *claim;
    struct tcp *door;      // where it connects from inside the box; NULL: it has none
    struct scratch folder; // of its own, if it has one
    bool killed;           // its time is up: no patience with it
    // CPU time: when its last turn was over (-1: not yet, or it is its turn), and used since then,
    // in all such times.
    int64_t rest_cpu_us, ponder_us;
    int64_t start_cpu_us;     // when the game began
    struct cpu_wait cpu_wait; // in its turn, or since it was started
    // In the box: what it has used, as last seen, and had when the game began.
    struct usage usage, before;
    int64_t looked_us;
};

// What is heard of its links; `joined` as claim_new has it.
struct place_events {
    const struct link_events *child, *starter;
    void (*joined)(void *owner, struct link *link, const char *bytes, size_t length,
                   int64_t now_us);
};

void place_init(struct place *place, struct table *table, const struct table_config *around,
                const struct player *player);
// Makes sure that its player is there, or is on the way.
bool place_fill(struct place *place, const struct place_events *events, struct err *err);
// Closes what reaches it. Those who still listen are told to leave first.
void place_close(struct place *place);
void place_close_door(struct place *place);
// What it writes to standard error; then what is left of it, when it has ended.
void place_hear_noise(struct place *place, const char *bytes, size_t length);
void place_end_noise(struct place *place);
// What is known of why it is not there, or no more, into room for an evidence.
void place_remark(const struct place *place, char words[static EVIDENCE_MAX]);
void place_done(struct place *place); // after place_close

int64_t place_cpu_us(const struct place *place); // -1: not known
// Looks how long it was kept from running, now or until it `answered` just now; its opponent sits
// at the other place.
void place_look_cpu_wait(struct place *place, const struct place *opponent, bool answered);
void place_favour(const struct place *place, bool favoured); // link_favour
void place_end_rest(struct place *place, int64_t cpu_us);
// Looks what it has used; place_begin_counting does so for a game that begins.
void place_look(struct place *place);
void place_begin_counting(struct place *place);
// In this game; its peak since it was started.
void place_usage(const struct place *place, struct usage *usage);
