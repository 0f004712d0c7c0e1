// SPDX-License-Identifier: MIT
// Input: the game, then what a judge sends to a player by stcp: messages, each begun by a byte that
// says whether it is a board of the game under way with a change, or any bytes.
#include "cli/bot/follow.h"
#include "fuzz.h"

enum { MESSAGES = 6 };

static const char *const names[] = {"reversi", "tower4", "hopchess"};

// The board of a state after some moves, one cell changed or none.
static void make_board(struct input *in, const struct game *game, union game_state *state,
                       struct stcp_board *board) {
    for (unsigned n = input_byte(in) % 8; n > 0 && !game_is_over(game, state); n--)
        game->apply(state, game->nth(state, (int)(input_byte(in) % (unsigned)game->count(state))));
    stcp_cells(game, state, board->cells);
    board->cells[input_byte(in) % (unsigned)stcp_cell_count(game)] += (int)(input_byte(in) % 4);
    board->is_black = input_byte(in) % 2;
}

static bool take_board(struct input *in, const struct game *game, struct stcp_board *board) {
    const size_t length = stcp_read_board(game, (const char *)in->at, in->left, board);
    in->at += length;
    in->left -= length;
    return length > 0 && !board->is_stop;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    const struct game *game = game_find(names[input_byte(&in) % 3]);
    struct ruleset rules;
    struct bot_follower follower;
    union game_state state = {.align = 0}, seen;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, game);
    assert(game->start(&state, &rules, NULL, why));
    bot_follow_init(&follower, game);
    for (int i = 0; i < MESSAGES && in.left > 0; i++) {
        struct stcp_board board = {.is_stop = false};
        if (input_byte(&in) % 2)
            make_board(&in, game, &state, &board);
        else if (!take_board(&in, game, &board))
            break;
        if (!bot_follow_board(&follower, &board, &seen))
            continue;
        int cells[STCP_CELLS_MAX];
        stcp_cells(game, &seen, cells);
        assert(memcmp(cells, board.cells, (size_t)stcp_cell_count(game) * sizeof *cells) == 0);
        assert(game->turn(&seen) == (board.is_black ? 1 : 2));
        game->apply(&seen, game->nth(&seen, 0));
        bot_follow_answer(&follower, &seen);
    }
    return 0;
}
