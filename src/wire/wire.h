// SPDX-License-Identifier: MIT
// One player's end of a protocol: requests become bytes, bytes become events. No file descriptor,
// no clock. docs/protocol.md is the law. A wire owns its buffers; words it hands out are valid
// until the next call on it.
#pragma once

#include "base/buf.h"
#include "games/game.h"

enum {
    WIRE_NAME_MAX = 128,
    WIRE_IN_MAX = 1 << 16, // bytes of an unfinished message, at most
};

struct wire;

// What a player is asked.
struct wire_request {
    const void *state;
    int64_t time_us;   // for the answer; 0: no limit
    int due;           // moves that the answer holds
    const char *moves; // of the game so far, separated by "; "
    const char *last;  // of the turn before, separated by "; "; "" at the start
    uint32_t seed;     // of the player's random choices in this game; 0: none is told
};

enum wire_event {
    WIRE_NOTHING, // no whole message is there
    WIRE_READY,   // the greeting is done
    WIRE_REFUSED, // the greeting was wrong; the words say how
    WIRE_ANSWER,  // to the request: moves separated by ";"
    WIRE_NO_MOVE, // an answer to the request that is no move; the words say what
    WIRE_FOUL,    // bytes that no honest player sends
    WIRE_SKIPPED, // a message that counts for nothing: an old answer, a remark
};

// A protocol. `take` reads one event from the bytes that came; it may write what must be sent on.
// Those marked so are NULL where the protocol has no such message.
struct wire_protocol {
    const char *name;
    bool own;      // of contests: only games whose row names it are played by it
    bool one_game; // the player is started anew for every game
    void (*greet)(struct wire *w, struct buf *out); // or NULL
    void (*ask)(struct wire *w, const struct wire_request *request, struct buf *out);
    enum wire_event (*take)(struct wire *w, struct buf *out);
    void (*over)(struct wire *w, int winner, const char *reason, struct buf *out); // or NULL
    void (*quit)(struct wire *w, struct buf *out);
};

extern const struct wire_protocol wire_stcp;    // section A
extern const struct wire_protocol wire_sixline; // section B
extern const struct wire_protocol wire_pybot;   // section C, through the runner below
extern const struct wire_protocol wire_abp;     // section D

// Whether a game is played by a protocol.
bool wire_plays(const struct wire_protocol *protocol, const struct game *game);

struct wire {
    const struct wire_protocol *protocol;
    const struct ruleset *rules;    // borrowed
    int seat;                       // 1 or 2
    bool greeted, asked;            // a request waits for its answer
    int step;                       // of the greeting
    int32_t id;                     // of the last request
    int due;                        // of it
    int64_t used_us;                // judged for the answer before it; -1: none
    int64_t time_us;                // limit of a turn, told in the greeting
    int trail;                      // blanks behind a stack of cups (C.2)
    char name[WIRE_NAME_MAX];       // as the player calls itself, in UTF-8
    char department[WIRE_NAME_MAX]; // and where it is from, if it has said that
    struct buf in;                  // bytes that came
    size_t taken;                   // of them, those that were read
    bool skipping;                  // the rest of a line that is too long, or of a foul
    struct buf words;               // of the last event; without a NUL but the one at its end
};

void wire_init(struct wire *w, const struct wire_protocol *protocol);
void wire_done(struct wire *w);
// A new game for the same player; greets it if that has not been done.
void wire_begin(struct wire *w, const struct ruleset *rules, int seat, int64_t time_us,
                struct buf *out);
void wire_ask(struct wire *w, const struct wire_request *request, struct buf *out);
// Takes as many bytes as have room; all that was taken is read by wire_take until WIRE_NOTHING.
size_t wire_feed(struct wire *w, const char *bytes, size_t length);
enum wire_event wire_take(struct wire *w, struct buf *out);
// Notes the time judged for the last answer, which the next request may tell.
void wire_used(struct wire *w, int64_t us);
// Tells how the game ended, or to leave.
void wire_over(struct wire *w, int winner, const char *reason, struct buf *out);
void wire_quit(struct wire *w, struct buf *out);
// The request is void: its answer, should it come, is an old one.
void wire_forget(struct wire *w);
// The connection is a new one: what came half is lost.
void wire_reset(struct wire *w);

// The team id that opens a connection (A.2); false until its four bytes are there.
bool stcp_read_team(const char *bytes, size_t length, int32_t *team);
// The message that sends a connection away (A.5).
void stcp_write_stop(struct buf *out);

// The player's side of section A, for a player of our own.
enum { STCP_CELLS_MAX = 676 }; // 26 by 26; tower4 has 216

struct stcp_board {
    bool is_stop; // nothing else counts then
    int32_t id;
    int cells[STCP_CELLS_MAX];
    bool is_black;
};

void stcp_write_team(struct buf *out, int32_t team);
// Reads a message of the judge; returns how long it is, 0 as long as it is not whole.
size_t stcp_read_board(const struct game *game, const char *bytes, size_t length,
                       struct stcp_board *board);
// An answer: a path "r,c r,c ...", or "" to pass.
void stcp_write_step(struct buf *out, int32_t id, const char *path);
// How many cells a board has; those of a state.
int stcp_cell_count(const struct game *game);
void stcp_cells(const struct game *game, const void *state, int cells[static STCP_CELLS_MAX]);
// A board as the text of a position, but for the points of tower4 and the turns of hopchess, which
// are not told: they go behind it.
void stcp_write_position(const struct game *game, const struct stcp_board *board, struct buf *out);

// The program, in Python, that runs a Bot class and speaks wire_pybot: python3 -c TEXT FILE.
extern const char pybot_runner[];
