// SPDX-License-Identifier: MIT
// A game as a player by stcp sees it: boards, not moves (docs/protocol.md, A). What a board does
// not show, the turns of hopchess and who has which points in tower4, is known by following the
// game.
#pragma once

#include "wire/wire.h"

struct bot_follower {
    const struct game *game;
    struct ruleset rules;             // as far as the board shows them
    bool known;                       // the states below are
    union game_state asked, answered; // when we were last asked, and after our answer
    int requests;                     // since the game began, as far as can be told
    int pieces;                       // on the last board
    bool is_black;                    // in the last game
};

void bot_follow_init(struct bot_follower *follower, const struct game *game);
// The position that a board shows, of a game under follower->rules; false if it is none.
bool bot_follow_board(struct bot_follower *follower, const struct stcp_board *board,
                      union game_state *state);
// Notes the position after our answer.
void bot_follow_answer(struct bot_follower *follower, const union game_state *state);
