// SPDX-License-Identifier: MIT
// Input: game and ruleset, then a position as one line, then two bytes for each move to play.
#include "fuzz.h"

enum { PLIES = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    struct setup setup;
    const unsigned which = input_byte(&in);
    fuzz_setup(&setup, which, which / (unsigned)game_count());
    char *position = input_line(&in);
    void *state = state_start(&setup, position);
    free(position);
    if (!state)
        return 0;

    move *list = mem_new((size_t)setup.game->moves_max, sizeof *list);
    struct rng rng = {size};
    int count = check_state(&setup, state, list, &rng);
    for (int ply = 0; ply < PLIES && count > 0; ply++) {
        const unsigned high = input_byte(&in), choice = high << 8 | input_byte(&in);
        assert(!game_play(setup.game, state, list[choice % (unsigned)count]));
        count = check_state(&setup, state, list, &rng);
    }
    free(list);
    free(state);
    return 0;
}
