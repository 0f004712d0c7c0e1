// SPDX-License-Identifier: MIT
// A game as the page shows it (docs/api.md, GET /api/games/ID), whoever plays it: one of practice,
// one of a contest, or one that is over and has left its record alone.
#pragma once

#include "games/game.h"
#include "web/services.h"

#define SHOWN_STATES(X)                                                                            \
    X(STARTING, "starting") X(RUNNING, "running") X(PAUSED, "paused") X(OVER, "over")

enum shown_state {
#define SHOWN_STATE_CONSTANT(id, word) SHOWN_##id,
    SHOWN_STATES(SHOWN_STATE_CONSTANT)
#undef SHOWN_STATE_CONSTANT
};

// Set up by shown_game_init, freed by shown_game_done. Its owner fills in what it knows.
struct shown_game {
    char id[GAME_ID_MAX], next_id[GAME_ID_MAX]; // and of the game that follows it; "": none
    const char *game;                           // its name
    enum shown_state state;
    json_t *seats;    // two of {"player", "name"}
    json_t *settings; // the rules that are not standard, as texts
    int64_t time_ms;  // the limit of a turn; 0: none
    bool people;      // it holds for people too
    bool untimed[2];
    bool first_turn;      // of whoever is awaited, which has no limit
    bool link;            // two persons play, each at his own screen
    bool begun_again;     // after a fall of the server, because a player cannot go on in the middle
    int draw, rematch;    // who offers it; 0: nobody
    int tally[2], number; // of the games before it in its series, by the colours of this one
    json_t *moves, *ms;   // so far
    json_t *faults;       // of players, as a record has them; of a contest's game when it is over
    int awaits;           // whose answer is due; 0: nobody's
    int64_t since_us;     // since when; or when it ended
    json_t *result;       // NULL: it is not over
    json_t *contest;      // members that a game of a contest has besides; NULL: it is of none
    struct topic topic;
};

// `live` is where it can be watched; NULL: nowhere.
void shown_game_init(struct shown_game *g, struct live *live, const char *id,
                     const struct game *game);
void shown_game_done(struct shown_game *g);
void shown_game_set_id(struct shown_game *g, const char *id); // before anybody has heard of it
// The text at a place of a list that is a member; NULL: there is none.
const char *shown_game_text(const json_t *object, const char *key, size_t at);
json_t *shown_game_seat(const char *player, const char *name);
// Adds what a player has told of itself, unless it is empty or NULL: its `department`, or how it is
// `called` where it goes by another name.
void shown_game_tell_seat(json_t *seat, const char *key, const char *text);

// Plays moves separated by ';' (game_play_line); returns why one is refused, or NULL.
const char *shown_game_play(const struct game *game, union game_state *state, const char *moves,
                            int *plies);
// The value of a rule as a text, in `room` if it is a number; NULL: it is neither.
const char *shown_game_rule(const json_t *value, char room[static RULE_TEXT_MAX]);

int shown_game_plies(const struct shown_game *g);
void shown_game_add(struct shown_game *g, const char *text, int64_t us);
// What players have done wrong so far.
void shown_game_take_faults(struct shown_game *g, json_t *take_faults);
// A turn begins, of this player or of nobody.
void shown_game_await(struct shown_game *g, int player);
// Takes how it ended from its record, but for moves and times.
void shown_game_end(struct shown_game *g, const json_t *record);
// Tells who watches of the moves from a ply on, and whose turn it is.
void shown_game_publish_moves(struct shown_game *g, int ply);

// For the log of the platform, valid as long as its seats.
struct logged_game shown_game_logged(const struct shown_game *g);

json_t *shown_game_json(const struct shown_game *g);
json_t *shown_game_summary(const struct shown_game *g);
// From a record: winner, scores, reason, verdict; with the time that was used if it is for a late
// answer.
json_t *shown_game_result(const json_t *record);
// The state at the end of a record, and how many moves its last turn has; NULL: it cannot be
// played.
const struct game *shown_game_last(const json_t *record, union game_state *state, int *last);
// The whole of a game that is over.
json_t *shown_game_of_record(const char *id, const json_t *record);
