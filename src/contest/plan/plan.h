// SPDX-License-Identifier: MIT
// A contest as its organiser has written it: a libconfig file, read and checked as a whole
// (docs/contests.md). A plan owns its texts and lives until plan_free; nothing in it changes.
#pragma once

#include "base/err.h"
#include "contest/schedule/schedule.h"
#include "contest/standings.h"
#include "referee/conditions.h"
#include "referee/player_limits.h"
#include "referee/verdict.h"
#include "submit/rules.h"

#include <stdint.h>

enum { STAGES_MAX = 8, PLAYERS_MAX = 4096 };

// Who plays against somebody where a game stays undecided; a place beside those of the field.
enum { HOUSE = -2 };

struct plan_player {
    const char *name, *team; // team: "" if none
    const char *start;       // a PLAYER, as `arbiter match` takes it; NULL: as his folder says
    bool handed_in;          // he has neither: his team hands him in on the platform (settle.h)
    const char *absent;      // he cannot play, and why: he loses his games; NULL: he can
    const char *folder;      // of his files, from the contest file's; NULL: none
    const char *build;       // a command run there once; NULL: none
    int group;               // from 0; -1: the organiser has not said
    bool awaited;            // a TCP team that nobody starts: it comes to the runner
    int line;                // of the file
};

struct plan_stage {
    const char *name;
    struct format format;
    int games;       // of a meeting, colours swapped by turns
    bool best_of;    // it ends once it is decided, and goes on while it is level
    bool by_meeting; // the table counts meetings, not games
    int advance;     // so many of each group go on to the next stage; 0: all
    struct table_rules table;
};

struct plan {
    const char *name;
    struct ruleset rules;
    struct penalties penalties;
    struct player_limits limits;
    struct conditions conditions;
    bool same_conditions; // for the two games of a pair with colours swapped
    bool repeat_drawn;    // connect6: with two blocks more, then against the house
    const char *house;    // a PLAYER
    int similar; // percent of code in common from which players are flagged; 0: none is compared
    uint64_t seed;
    int jobs, cores, port;
    int64_t wait_us, grace_us;
    const char *address;
    int64_t deadline_us; // since 1970: what is handed in later is not played; 0: there is none
    struct submit_rules takes; // of those who hand in
    const char **take_files;   // its files; owned
    struct plan_stage stages[STAGES_MAX];
    int stage_count;
    struct plan_player *players; // the field, best seed first
    int player_count;
    int strangers;           // of a game, at most: players that are not our own; 0..2
    char *text, *file_name;  // of the file
    struct config_t *config; // which owns the texts
};

// Reads a file, or the text that a store has kept under a name, by which it is called if it does
// not say otherwise. NULL with an error, which names the line and what would be right.
struct plan *plan_load(const char *path, struct err *err);
struct plan *plan_read(const char *name, const char *text, struct err *err);
void plan_free(struct plan *plan);
// What a file, or such a text, says of itself that can be read without its game: what the contest
// is called, and its game, "" if it names none. To be freed. False: it is no contest; plan_load
// says why.
struct plan_label {
    char *name, *game;
};
bool plan_peek(const char *path, struct plan_label *label);
bool plan_peek_text(const char *name, const char *text, struct plan_label *label);
void plan_label_done(struct plan_label *label);
// The first player who is still to be handed in, or NOBODY: such a contest cannot be run yet.
int plan_find_open(const struct plan *plan);
// The ids of the TCP teams that nobody starts, into room for all players; returns how many.
int plan_awaited(const struct plan *plan, int32_t *teams);
// The player of that name, or NOBODY.
int plan_find_player(const struct plan *plan, const char *name);
