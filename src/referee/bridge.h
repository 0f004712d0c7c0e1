// SPDX-License-Identifier: MIT
// A team that waits in the lobby plays a game of a contest, which is played by another process: all
// it says goes there, and all it is told comes from there. Afterwards it waits in the lobby again.
#pragma once

#include "referee/lobby.h"

// Made by bridge_new; frees itself when the game closes its side.
struct bridge {
    struct bridge *next, **list;
    struct loop *loop;
    struct lobby *lobby;
    struct claim *claim;
    struct link *to_team, *to_game; // to_team is NULL until it is there
    int32_t team;
    int port;
};

// Claims a team for the game that listens at a port of this machine, and puts the bridge on a list.
bool bridge_new(struct bridge **list, struct loop *loop, struct lobby *lobby, int32_t team,
                int port, struct err *err);
bool bridges_have(const struct bridge *list, int32_t team);
// Breaks off what is under way.
void bridges_free(struct bridge **list);
