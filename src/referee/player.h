// SPDX-License-Identifier: MIT
// Who plays: the PLAYER argument of the command line, read.
#pragma once

#include "base/err.h"
#include "games/game.h"
#include "referee/player_limits.h"
#include "wire/wire.h"

enum player_kind {
    PLAYER_CHILD, // a process on pipes
    PLAYER_TEAM,  // a TCP connection with a team id, of a process that we start or wait for
    PLAYER_HUMAN, // somebody at this program
};

struct player {
    const char *text; // as typed; borrowed
    enum player_kind kind;
    const struct wire_protocol *protocol;
    char *command;    // owned; NULL: nothing to start
    int32_t team;     // PLAYER_TEAM
    bool own_folder;  // is started in a fresh folder where it may write
    bool windows;     // runs by wine
    bool ours;        // a built-in player, which we trust
    bool boxed;       // runs in the box, in a folder of its own,
    const char *home; // borrowed: the folder that it was handed in as, which alone it is shown;
                      // NULL: what its command names, because we wrote it
    char **show;      // and is shown these files of ours; owned
    int shows;
};

// Somebody who speaks our protocol and has nothing to start: who cannot be read, and never comes.
void player_init(struct player *player, const char *text, const char *home);
// Reads a PLAYER argument; `program` is the path of this one, which plays the built-in players.
bool player_read(struct player *player, const char *text, const struct game *game,
                 const char *program, struct err *err);
// The same for one whose files are in a folder, which its command or file is seen from; borrows it.
// NULL: there is none.
bool player_read_in(struct player *player, const char *text, const char *home,
                    const struct game *game, const char *program, struct err *err);
// Whether a player can be told these rules, and be kept so; if not, says what can be done.
bool player_suits(const struct player *player, const struct ruleset *rules,
                  const struct player_limits *limits, struct err *err);
// Whether a program is one for Windows, by its name.
bool player_is_windows(const char *program);
// Starts wine's own processes, which all Windows programs share: started by one of the players they
// would be held and ended with it. They end by themselves a while after the last program.
void player_wake_wine(void);
// Makes the command fit for another folder: files that it names are given by their whole path. The
// player is boxed then.
void player_go_away(struct player *player);
// A built-in player runs only where nobody else wants the core.
void player_go_idle(struct player *player);
// Whether it is a team that comes by itself.
bool player_is_awaited(const struct player *player);
// Whether a stranger's program is started for it: not our own, and no team that comes by itself.
bool player_is_stranger(const struct player *player);
// Whether a team connects to our port, and not through a door of its own.
bool player_needs_port(const struct player *player, const struct box *box);
// Whether all teams that play connect from behind walls, through doors of their own: then our own
// port does not matter, and may be another game's.
bool players_need_no_port(const struct player *first, const struct player *second,
                          const struct box *box);
// Whether it can be told of an opening: a game that does not begin at the first position.
bool player_takes_openings(const struct player *player);
void player_done(struct player *player);
