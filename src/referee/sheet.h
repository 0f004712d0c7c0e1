// SPDX-License-Identifier: MIT
// A game as it is written down: the position, every move with its times, every fault. Made by
// sheet_init, freed by sheet_done.
#pragma once

#include "base/buf.h"
#include "games/game.h"
#include "referee/evidence.h"
#include "referee/verdict.h"

// One move as played. A turn's times stand on its last move.
struct match_move {
    size_t text;        // where it begins in the text of all moves
    int64_t us, cpu_us; // wall and CPU time; cpu_us -1: not known
    int64_t credit_us;  // of the wall time, what was not charged beyond limit and grace
    bool by_referee;    // played or skipped for the player
};

struct fault {
    int player;
    int ply; // the move that was due
    enum verdict verdict;
    int64_t us, credit_us; // VERDICT_LATE: of the turn, as in struct match_move
    char evidence[EVIDENCE_MAX];
};

struct sheet {
    const struct game *game;
    union game_state state;
    struct match_move *moves; // plies_max
    int plies;
    bool moved[2];   // whether each side has, in the opening or since
    int opening;     // moves of the opening
    int last_ply;    // where the last turn began
    struct buf text; // all moves, separated by "; "
    struct fault *faults;
    int fault_count, fault_room;
};

// Lays the board and plays the opening (moves separated by ';', or NULL); false if it cannot be.
bool sheet_init(struct sheet *s, const struct ruleset *rules, const char *opening);
void sheet_done(struct sheet *s);

// Plays a legal move, or a pass. Its times are still to be filled in. Where the rules fail it is
// not played.
void sheet_play(struct sheet *s, move m, bool by_referee);
// Notes a fault, at the move that is due; its evidence is still to be filled in.
struct fault *sheet_fault(struct sheet *s, int player, enum verdict verdict);
// Whether such a fault was noted since the last move.
bool sheet_has_fault(const struct sheet *s, int player, enum verdict verdict);
const char *sheet_move_text(const struct sheet *s, int ply, char text[static MOVE_TEXT_MAX]);
