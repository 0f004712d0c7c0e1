// SPDX-License-Identifier: MIT
// A process of its own that has the judge's port while games are played by others: teams that come
// by themselves wait there, are lent to the games that need them, and stay when these are over.
// Teams are told to stop by porter_free; if this process dies without it, their connections only
// break, so that they connect again to whoever goes on.
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct porter;

struct porter_config {
    const char *address;
    int port;
    const int32_t *teams; // that are expected
    int team_count;
};

// NULL with an error if the port cannot be had.
struct porter *porter_new(const struct porter_config *config, struct err *err);
// Sends a team on to the game that listens at a port of this machine, as soon as it is there.
bool porter_lend(struct porter *porter, int32_t team, int port, struct err *err);
int porter_fd(const struct porter *porter); // can be read when it has something to say
// Hands over what it has said; false if it has ended.
bool porter_hear(struct porter *porter, void (*note)(void *owner, const char *words), void *owner,
                 struct err *err);
void porter_free(struct porter *porter); // waits until it has ended
