// SPDX-License-Identifier: MIT
// Who meets whom, and when. A schedule is a pure function of the field and of the meetings so far,
// so that a contest that was broken off goes on where it stood.
// The caller owns every array, and frees the list that schedule_next has filled.
#pragma once

#include <stdbool.h>

enum { NOBODY = -1 };

// Somebody who takes part. Players are known by their place in the field, best seed first.
struct entrant {
    int group;  // of a league in groups, from 0
    int leaves; // swiss: from round leaves - 1 on he is not paired; 0: he stays
};

struct field {
    const struct entrant *entrants;
    int count;
};

// Two players, for one or several games. Stage, round and table are its name for good.
struct meeting {
    int stage, round, table;
    int player[2]; // the first is black in the first game; NOBODY: a bye for the other
    bool is_over;  // a bye is from the beginning
    int winner;    // 0 or 1, the place in `player`; NOBODY: drawn, or not over
    int points[2]; // of its games, in halves of a win
    int worth[2];  // what the table gives for it
};

struct meetings {
    struct meeting *list;
    int count, room;
};

// What the organiser has chosen. A schedule leaves alone what is not its own.
struct format {
    const struct schedule *schedule;
    int cycles;      // league: how often each pair meets
    int groups;      // league: more than one, and only the members of a group meet
    int rounds;      // swiss; 0: as many as the field needs
    int challengers; // gauntlet: the first so many meet all the others
    bool third;      // knock-out: the losers of the semi-finals meet too
};

struct schedule {
    const char *name;
    const char *help;
    bool eliminates; // who loses is out, at once or in the end: a meeting needs a winner
    // Why so many players cannot play it, or NULL.
    const char *(*refuse)(const struct format *format, int players);
    // Adds to the list the meetings that can begin now, given those known so far.
    void (*next)(const struct format *format, const struct field *field,
                 const struct meetings *known, struct meetings *list);
    // How many there will be in all, byes included; of a double elimination at most.
    int (*total)(const struct format *format, const struct field *field);
    // How many of these are byes, if nobody leaves.
    int (*byes)(const struct format *format, const struct field *field);
};

extern const struct schedule schedule_league;   // everybody meets everybody
extern const struct schedule schedule_gauntlet; // a few meet all the others
extern const struct schedule schedule_swiss;    // round by round, equals meet
extern const struct schedule schedule_knockout; // who loses is out
extern const struct schedule schedule_double;   // who loses twice is out

extern const struct schedule *const schedules[]; // all of them, ended by NULL
const struct schedule *schedule_find(const char *name);

// For schedules in which everybody has an opponent: 0.
int schedule_no_byes(const struct format *format, const struct field *field);

void format_init(struct format *format, const struct schedule *schedule);
// For schedules, and for who keeps their meetings.
void meetings_add(struct meetings *meetings, int round, int table, int black, int white);
const struct meeting *meetings_find(const struct meetings *meetings, int round, int table);
void meetings_done(struct meetings *meetings);
