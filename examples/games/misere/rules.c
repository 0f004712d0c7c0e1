// SPDX-License-Identifier: MIT
// Misere Othello: the standard board and moves, but who has fewer discs in the end wins. A variant
// of our reversi: the state is its own, and the scores are its scores with the other sign.
#include "games/reversi.c"

static bool start_othello(void *state, const struct ruleset *set, const char *position,
                          char why[static WHY_TEXT_MAX]) {
    struct ruleset othello = *set;
    othello.number[0] = OPEN + 1;
    return start(state, &othello, position, why);
}

static void fewer(const void *state, int out[static 2]) {
    scores(state, out);
    out[0] = -out[0];
    out[1] = -out[1];
}

static struct outcome fewer_wins(const void *state) {
    const struct outcome more = outcome(state);
    return (struct outcome){more.ending, more.winner ? side_other(more.winner) : 0};
}

const struct game game_misere = {
    .name = "misere",
    .title = "Misere Othello",
    .width = SIDE,
    .height = SIDE,
    .distinct_moves = SQUARES,
    .moves_max = SQUARES,
    .plies_max = SQUARES,
    .state_size = sizeof(struct reversi),
    .has_scores = true,
    .start = start_othello,
    .due = game_due_one,
    .outcome = fewer_wins,
    .scores = fewer,
    GAME_BY_NAME,
};
