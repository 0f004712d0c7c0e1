// SPDX-License-Identifier: MIT
// A small process between us and a player. Whatever the player starts and leaves behind becomes the
// keeper's child, not ours and not a stranger's: so it can end all of it, and it does so when it is
// told to, or when we are gone, however that came about.
#pragma once

#include "link/cgroup.h"

#include <stdbool.h>
#include <stdint.h>

// What is to be started. The player gets the three descriptors as its standard ones.
struct keeper_start {
    const char *path;           // of the program
    char *const *words;         // which it is called with
    const int *theirs;          // three
    char *const *direct;        // words that may be run instead, without a shell; NULL: none
    int folder;                 // an open folder to start in; -1: ours
    int64_t memory;             // bytes of address space for each of its processes; 0: no limit
    int door;                   // one more descriptor that it gets, KEEPER_DOOR there; -1: none
    int begun;                  // closed when its own program begins,
    bool boxed;                 // by the box, which gets it as KEEPER_BEGUN
    const struct cgroup *group; // which it is started in, and which ends with it; NULL: none
};

// Descriptors that the box gets beside the player's standard ones: the door, of a group of version
// 1 those parts which have to be entered from inside, and what is closed at its end.
enum { KEEPER_DOOR = 3, KEEPER_FREEZER = 4, KEEPER_CORE = 5, KEEPER_BEGUN = 6, KEEPER_FDS = 7 };

struct keeper {
    int pid;     // of the keeper, our child; -1: none
    int player;  // of the player, which leads a group of its own
    int control; // where the keeper is heard; shutting our side tells it to end all
};

// How the player's process ended: with a code, or by a signal if that is not 0.
struct keeper_word {
    int code, signal;
};

// Starts both; false with errno set if one of them cannot be started.
bool keeper_start(struct keeper *keeper, const struct keeper_start *start);
// 1: the player has ended, as the word says, and its number is not given to another process yet;
// 0: the keeper has ended, and all with it; -1: nothing yet.
int keeper_hear(const struct keeper *keeper, struct keeper_word *word);
bool keeper_lives(const struct keeper *keeper);
void keeper_rouse(const struct keeper *keeper); // should somebody have stopped it
// Waits for a keeper that has ended, or is ended by closing its control.
void keeper_reap(struct keeper *keeper);
