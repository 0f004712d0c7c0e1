// SPDX-License-Identifier: MIT
// What the contest of a game says beside its rules: limits, penalties, protocols, points, and what
// may be handed in. One row of plain data a game, in rows.c; whoever keeps, judges or plays a
// contest asks the row and never the game's name.
// Rows are constants; every text is borrowed from them for good. A game from outside brings its
// own.
#pragma once

#include "games/game.h"

// Thinking in the opponent's turn.
#define PONDERS(X) X(ALLOW, "allow") X(REPORT, "report") X(FREEZE, "freeze")

enum ponder {
#define PONDER_CONSTANT(id, word) PONDER_##id,
    PONDERS(PONDER_CONSTANT)
#undef PONDER_CONSTANT
};

// What a fault costs. docs/protocol.md, section F.
#define COSTS(X)                                                                                   \
    X(LOSE, "lose") X(FIRST, "first") X(SKIP, "skip") X(WAIT, "wait") X(ILLEGAL, "illegal")

enum cost {
#define COST_CONSTANT(id, word) COST_##id,
    COSTS(COST_CONSTANT)
#undef COST_CONSTANT
};

// The faults whose cost can be set: constant and key.
#define FAULTS(X)                                                                                  \
    X(ILLEGAL, "illegal")                                                                          \
    X(LATE, "late") X(GONE, "gone") X(INVALID_TRANSFER, "invalid_transfer")

enum fault_key {
#define FAULT_CONSTANT(id, key) FAULT_##id,
    FAULTS(FAULT_CONSTANT)
#undef FAULT_CONSTANT
        FAULT_KEYS
};

// By what players with equal points are told apart: constant, word, what it is.
#define TIE_BREAKS(X)                                                                              \
    X(WINS, "wins", "games won")                                                                   \
    X(DIFFERENCE, "difference", "own scores less the opponents'")                                  \
    X(BUCHHOLZ, "buchholz", "points of the opponent of every game")                                \
    X(SONNEBORN, "sonneborn", "points of the opponents beaten, half of those drawn with")          \
    X(DIRECT, "direct", "points from the games among those who are equal")

enum tie_break {
#define TIE_BREAK_CONSTANT(id, word, words) TIE_BREAK_##id,
    TIE_BREAKS(TIE_BREAK_CONSTANT)
#undef TIE_BREAK_CONSTANT
        TIE_BREAK_COUNT
};

struct table_rules {
    int win, draw, loss; // points of a game
    enum tie_break breaks[TIE_BREAK_COUNT];
    int break_count;
};

// What is wrong with the points of a table, in words that say what would be right; NULL: nothing.
const char *table_fault(const struct table_rules *table);

// What is handed in: constant, word, title.
#define SUBMIT_LANGUAGES(X) X(C, "c", "C") X(CPP, "c++", "C++") X(PYTHON, "python", "Python")

enum submit_language {
#define LANGUAGE_CONSTANT(id, word, title) SUBMIT_##id,
    SUBMIT_LANGUAGES(LANGUAGE_CONSTANT)
#undef LANGUAGE_CONSTANT
        SUBMIT_COUNT
};

// What is left out is free.
struct submit_rules {
    unsigned languages;       // a bit for each that is taken; 0: any
    const char *const *files; // names, or patterns with * and ?, ended by NULL; NULL: any
    const char *cpp;          // a standard of C++, "c++14"; NULL: as usual
};

// What stands behind the board in the text of a position, which stcp does not send.
enum stcp_tail { STCP_TAIL_SIDE, STCP_TAIL_POINTS, STCP_TAIL_MOVES };

struct spec {
    const char *game;

    // Limits.
    int time_low_s, time_high_s; // of a turn; drawn between them for every game
    int memory_gb;               // of a player; 0: none
    enum ponder ponder;
    bool draws_blocks; // cells to be blocked are drawn for every game

    // How many moves a game has at most: the value of a switch so many times, 0 times itself;
    // without a switch, that number.
    const char *length_key;
    int length_times;
    int demo; // its place among the contests of the platform's demo, from 1; 0: none
    const char *brief_key, *brief_value; // a switch that makes it short, to be shown; NULL: none

    // What each fault costs, and what else can be set for it: a bit for each cost.
    enum cost cost[FAULT_KEYS];
    unsigned accepted[FAULT_KEYS];

    // Protocols.
    const char *protocol;             // its own, beside abp; "abp": none
    bool tells_position, tells_legal; // abp: a request holds the position, the legal moves
    bool has_columns;                 // stcp: a board is written by columns, not by rows
    enum stcp_tail tail;              // stcp

    // Points and tie-breaks; without a name it has none of its own.
    const char *table_name;
    struct table_rules table;

    // Submissions.
    struct submit_rules takes;
    const char *rules_sum; // the checksum of rules that come from outside; NULL: they are ours
    const char *kit;       // whose files those of `takes` replace, "connect6/cpp"; NULL: none
    const char *kit_kind;  // what is made of it is called so
};

// The row of a game.
const struct spec *spec_of(const struct game *game);
// The games whose own protocol it is, separated by blanks.
void spec_list_games(const char *protocol, char *text, size_t size);
// Adds the row of a game from outside, which is borrowed for good; it takes the place of one of the
// same game.
void spec_add(const struct spec *row);
// The rows of ours one by one, from 0; NULL past the last.
const struct spec *spec_nth(int n);
