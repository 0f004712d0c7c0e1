// SPDX-License-Identifier: MIT
// Where the games of contests are played: so many tables, at each a process that plays one game.
// Nothing here waits; the owner watches hall_fd by whatever loop he has.
#pragma once

#include "base/json.h"
#include "contest/play.h"

struct hall;

// When a game began by the clock of all processes, how long its players took to start, and it to
// play.
struct hall_times {
    int64_t begin_us, start_us, play_us;
};

// What comes of a game. The strings are valid until the callback returns.
struct hall_events {
    void (*ended)(void *owner, int table, json_t *record, const struct hall_times *times);
    // It was not played: because of a circumstance here, or its process was ended.
    void (*failed)(void *owner, int table, const char *why, bool killed);
    void (*moved)(void *owner, int table, int ply, const char *move);
    // A team is awaited at a port of this machine.
    void (*team)(void *owner, int table, int team, int port);
    void (*left)(void *owner, int table); // after either of the first two: the table is free
    void (*note)(void *owner, const char *words);
};

struct hall *hall_new(int tables, const struct hall_events *events, void *owner, struct err *err);
int hall_fd(const struct hall *hall);
// A table where nobody plays, or -1.
int hall_free_table(const struct hall *hall);
int hall_busy(const struct hall *hall);
// Begins a game at a free table; the job is used before it returns.
bool hall_begin(struct hall *hall, int table, const struct play_job *job, struct err *err);
// Breaks a game off; `left` follows, and no result.
void hall_stop(struct hall *hall, int table);
// Hears what there is to hear.
void hall_work(struct hall *hall);
// Breaks off what is still played, and waits for it.
void hall_free(struct hall *hall);
