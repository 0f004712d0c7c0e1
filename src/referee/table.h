// SPDX-License-Identifier: MIT
// Two real players at a table, for one game after the other: starts their processes, carries bytes
// and times between them and a match, which it owns. What is drawn for a game and what is recorded
// of it is not its affair (sitting.h).
#pragma once

#include "link/loop.h"
#include "referee/lobby.h"
#include "referee/log.h"
#include "referee/match.h"
#include "referee/player.h"

struct table;

// Borrowed by the table.
struct table_config {
    struct loop *loop;
    const struct player_limits *limits;
    struct lobby *lobby; // NULL: no team plays
    struct log *log;     // or NULL
    const struct player *player[2];
};

struct table_events {
    void (*moved)(void *owner,
                  const struct match *match);             // after something was played; may be NULL
    void (*over)(void *owner, const struct match *match); // once a game; another may be begun
    // Whoever sits there is to move; a person answers by table_move. May be NULL where none plays.
    void (*asked)(void *owner, const struct match *match, int seat);
};

struct table *table_new(const struct table_config *config, const struct table_events *events,
                        void *owner);
// Begins a game. `black` is the player who begins: 0 the first, 1 the second.
bool table_play(struct table *table, const struct match_config *config, int black, struct err *err);
// The whole turn of the person in seat 0 or 1, who is to move: moves separated by ';'.
void table_move(struct table *table, int seat, const char *moves);
// The person in a seat gives the game up; or both persons agree to a draw.
void table_resign(struct table *table, int seat);
void table_agree(struct table *table);
// Ends the game under way without a winner.
void table_abort(struct table *table, const char *why);
// The match under way, or the last one; NULL before the first.
const struct match *table_match(const struct table *table);
// The name a player has given itself; "" if none.
const char *table_name(const struct table *table, int seat);
const char *table_department(const struct table *table, int seat); // "": it has not said
// The CPU time a player has used in the turns of the other, in this game; -1 if it is not known.
int64_t table_ponder_us(const struct table *table, int seat);
// What a boxed player has used, in this game; its peak since it was started.
void table_usage(const struct table *table, int seat, struct usage *usage);
// Sends the players away and waits for none of them: the loop sees to that.
void table_free(struct table *table);
