// SPDX-License-Identifier: MIT
// Input: game, ruleset, plies, seed, then a move as text. It is read in the first position and
// some random plies on; what can be read is played just when it is legal.
#include "fuzz.h"

// Whether the referee would take a turn as skipped.
static bool is_skip(const struct game *game, const void *state, move m) {
    return m == MOVE_PASS && game->may_pass && game->turn(state) != 0;
}

static void try_move(const struct setup *setup, const void *state, move m, move *list,
                     struct rng *rng) {
    const struct game *game = setup->game;
    const int count = check_moves(game, state, list, rng);
    const char *wrong = game->illegal(state, m);
    assert((wrong == NULL) == moves_has(list, count, m));
    if (wrong)
        check_why(wrong, WHY_TEXT_MAX);
    else
        check_move_text(game, state, m);
    void *next = state_copy(game, state);
    const char *refused = game_play(game, next, m);
    assert((refused == NULL) == (wrong == NULL || is_skip(game, state, m)));
    if (refused)
        assert(memcmp(next, state, game->state_size) == 0);
    else
        check_state(setup, next, list, rng);
    free(next);
}

static void try_text(const struct setup *setup, const void *state, const char *text, move *list,
                     struct rng *rng) {
    move m;
    const char *why = setup->game->read_move(state, text, &m);
    if (why)
        check_why(why, WHY_TEXT_MAX);
    else
        try_move(setup, state, m, list, rng);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    struct setup setup;
    const unsigned which = input_byte(&in);
    fuzz_setup(&setup, which, input_byte(&in));
    const unsigned plies = input_byte(&in);
    struct rng rng = {input_byte(&in)};
    char *text = input_line(&in);
    move *list = mem_new((size_t)setup.game->moves_max, sizeof *list);
    void *state = state_start(&setup, NULL);

    try_text(&setup, state, text, list, &rng);
    for (unsigned i = 0; i < plies; i++) {
        const int count = setup.game->count(state);
        if (count > 0)
            setup.game->apply(state, setup.game->nth(state, (int)rng_below(&rng, (uint32_t)count)));
    }
    try_text(&setup, state, text, list, &rng);
    move any = 0;
    memcpy(&any, text, strnlen(text, sizeof any)); // any number can be asked about
    try_move(&setup, state, any, list, &rng);

    free(state);
    free(list);
    free(text);
    return 0;
}
