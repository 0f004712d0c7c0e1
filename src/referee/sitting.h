// SPDX-License-Identifier: MIT
// Two players sit down to games. For each game what is left to chance is drawn, the game is played
// at a table (table.h), and comes out as a record. All that plays goes through here: `match`,
// contests, workers, practice and try-outs.
#pragma once

#include "base/json.h"
#include "referee/conditions.h"
#include "referee/table.h"

struct sitting;

// What holds for all its games. It is copied; what it points to is borrowed.
struct sitting_config {
    struct loop *loop;
    struct lobby *lobby; // NULL: no team plays
    struct log *log;     // or NULL
    const struct player *player[2];
    struct ruleset rules; // blocks are drawn if the conditions say so
    struct penalties penalties;
    struct player_limits limits;
    struct conditions conditions;
    bool in_pairs; // two games in a row are drawn as one
    uint64_t seed; // of all draws
    int64_t grace_us;
    int64_t wait_us;   // until a team that comes by itself is there
    bool people_timed; // the limit of a turn holds for people too
};

// One game of it.
struct sitting_game {
    int index;             // from 0; with the seed of the sitting it says what is drawn
    int black;             // the player who begins, 0 or 1
    const char *opening;   // the one given; NULL: one may be drawn
    const char *absent[2]; // why a player cannot be started; NULL: it can
};

// Any may be NULL but `over`, and `asked` where people play. The match is valid until the callback
// returns.
struct sitting_events {
    // The player is to move; a person answers by sitting_move, perhaps before this returns.
    void (*asked)(void *owner, const struct match *match, int player);
    void (*moved)(void *owner, const struct match *match);
    // How it ended is asked of the match. The next game may be begun from here. Takes the record.
    void (*over)(void *owner, const struct match *match, json_t *take_record);
    void (*note)(void *owner, const char *words);
};

struct sitting *sitting_new(const struct sitting_config *config,
                            const struct sitting_events *events, void *owner);
bool sitting_play(struct sitting *s, const struct sitting_game *game, struct err *err);
// Plays the last game again from after these moves, under what was drawn for it, with players that
// are started anew; "": from its beginning.
bool sitting_play_on(struct sitting *s, const char *moves, struct err *err);
// The whole turn of a person who is to move: legal moves, separated by ';'.
void sitting_move(struct sitting *s, int player, const char *moves);
// In the game under way: a person gives it up; both persons agree to a draw.
void sitting_resign(struct sitting *s, int player);
void sitting_agree(struct sitting *s);
// Ends the game under way without a winner.
void sitting_abort(struct sitting *s, const char *why);
// The game under way, or the last one; NULL before the first, and once the players have left.
const struct match *sitting_match(const struct sitting *s);
// What was drawn for it.
const struct match_config *sitting_drawn(const struct sitting *s);
// The name a player has given itself; "" if none.
const char *sitting_name(const struct sitting *s, int player);
const char *sitting_department(const struct sitting *s, int player); // and where it is from
// The CPU time a player has used in the turns of the other, in this game; -1 if it is not known.
int64_t sitting_ponder_us(const struct sitting *s, int player);
// Sends the players away; not from within an event. The loop sees to their ends.
void sitting_leave(struct sitting *s);
void sitting_free(struct sitting *s);
