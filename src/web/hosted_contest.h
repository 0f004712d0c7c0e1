// SPDX-License-Identifier: MIT
// One contest: a file and a store in the data folder, run by a child, `arbiter contest live`, whose
// lines are shown to whoever watches. Its games are shown like those of practice.
#pragma once

#include "base/json.h"
#include "referee/bridge.h"
#include "web/practice.h"
#include "web/restart_state.h"

enum { HOSTED_CONTEST_PATH_MAX = 4096 };

// How a contest stands, in the words of the API.
#define HOSTED_CONTEST_STATES(X)                                                                   \
    X(WAITING, "waiting")                                                                          \
    X(RUNNING, "running") X(PAUSED, "paused") X(OVER, "over") X(FAILED, "failed")

enum hosted_contest_state {
#define HOSTED_CONTEST_STATE_CONSTANT(id, word) HOSTED_CONTEST_##id,
    HOSTED_CONTEST_STATES(HOSTED_CONTEST_STATE_CONSTANT)
#undef HOSTED_CONTEST_STATE_CONSTANT
};

// What contests share.
struct hosting {
    char folder[4000];
    const struct services *services;
    struct submissions_room *room; // for what their teams hand in
};

// The size and time of the store's files, by which it is seen that somebody has changed it.
struct store_mark {
    int64_t size, at_ns, log_size, log_at_ns;
};

struct hosted_contest {
    struct hosted_contest *next;
    const struct hosting *hosting;
    const struct services *services; // the same as hosting's
    char id[GAME_ID_MAX];
    char *name, *game_name;
    const struct game *game; // NULL: it is not known here
    bool is_waiting;         // for its game: its file could not be read
    enum hosted_contest_state state;
    char why[400]; // it failed
    struct link *child;
    bool unknown;           // it was there before us: how it stands is still to be found out
    bool looking;           // the child finds it out
    struct store_mark seen; // the store, when the child that looked last was started
    int64_t marked_us;      // when it was held against that
    bool starting;          // it begins once all is built that its teams have handed in
    bool resume;            // it was going on when the server fell, and is to
    struct buf input, noise;
    // What it reports, as JSON. While it rests and nobody watches, a file has that alone: contests
    // that are over would otherwise fill the memory with their games.
    struct buf report;
    bool reported, put_away;   // there is one; it is in the file
    json_int_t done, expected; // games, of the report
    int64_t *annulled;         // the numbers of those that count for nobody
    int annulled_count;
    bool over;
    int64_t begun_us; // the child that plays was started, at so many games done; -1: not known
    json_int_t begun_done;
    int32_t *tcp_teams; // that come by themselves
    int team_count;
    struct bridge *bridges;      // those that play in it now
    struct contest_game *games;  // games under way, or just over
    struct contest_teams *teams; // where its teams hand in; NULL: they do not
    struct contest_desk *desk;   // notices, protests
    struct topic topic;
    bool stale; // it is to be published
};

// The files of a contest, by their endings.
struct contest_path {
    char text[HOSTED_CONTEST_PATH_MAX];
};
struct contest_path hosted_contest_path(const struct hosting *hosting, const char *id,
                                        const char *tail);
// To be freed; NULL: it cannot be read, or is empty.
char *hosted_contest_read(const struct hosting *hosting, const char *id, const char *tail);
bool hosted_contest_write(const struct hosting *hosting, const char *id, const char *tail,
                          const char *text, struct err *err);

// A contest by the text of its file, which waits; if its teams hand in, until they have. If its
// game is not known here, and its store does not have it, it has failed, says so, and is looked at
// when the game is added.
struct hosted_contest *hosted_contest_new(const struct hosting *hosting, const char *id,
                                          const char *text, struct err *err);
void hosted_contest_free(struct hosted_contest *contest);
void hosted_contest_tick(struct hosted_contest *contest, int64_t now_us);

// Begins, or waits until all is built that has been handed in: `starting` then.
bool hosted_contest_start(struct hosted_contest *contest, struct err *err);
bool hosted_contest_pause(struct hosted_contest *contest,
                          struct err *err); // games under way are finished
bool hosted_contest_continue(struct hosted_contest *contest, struct err *err);
bool hosted_contest_is_playing(
    const struct hosted_contest *contest); // or paused; its child is there
// Whether it goes on, and a team that comes by itself takes part.
bool hosted_contest_needs(const struct hosted_contest *contest, int32_t team);
bool hosted_contest_has_team(const struct hosted_contest *contest,
                             int32_t team); // one that comes by itself
// Finds out how it stands, without playing.
bool hosted_contest_look(struct hosted_contest *contest, struct err *err);

// Whether it goes on, and how far it is, outlives a fall of the server.
void hosted_contest_remember(const struct hosted_contest *contest);

// Whether its teams still hand in.
bool hosted_contest_is_open(const struct hosted_contest *contest);
// What it was made from: a form, or {"text"}; NULL: that is not there any more.
json_t *hosted_contest_form(const struct hosted_contest *contest);
// How long it will take, before it begins (contest/estimate.h); NULL with an error.
json_t *hosted_contest_estimate(const struct hosted_contest *contest, struct err *err);
// Whether a game of this number counts for nobody, by the organiser's decision or the machine's
// fault.
bool hosted_contest_has_annulled(const struct hosted_contest *contest, int64_t number);
// Adds the summaries of its games under way.
void hosted_contest_list_games(const struct hosted_contest *contest, json_t *list);
json_t *hosted_contest_summary(const struct hosted_contest *contest);
void hosted_contest_put(const struct hosted_contest *contest, struct buf *out); // as JSON
// A team protests against one of its games that has been played: {"game","text"}.
bool hosted_contest_protest(struct hosted_contest *contest, const char *team, const json_t *asked,
                            struct err *err);
// The record of a game that has been played, as everybody may see it: from its store, which knows
// of games that ended when the server was down. NULL: there is none, or with an error.
json_t *hosted_contest_record(const struct hosted_contest *contest, int64_t number,
                              struct err *err);
// What was said in a game of it: {"messages"}; to a team what it may read, to NULL all. NULL: there
// is no such log, or the game is not the team's; or with an error.
json_t *hosted_contest_messages(const struct hosted_contest *contest, int64_t number,
                                const char *team, struct err *err);
// Removes all that is kept of it, once it is freed.
void hosted_contest_erase(const struct hosting *hosting, const char *id);
