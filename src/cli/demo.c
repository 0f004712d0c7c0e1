// SPDX-License-Identifier: MIT
// `arbiter demo`: a short game of each kind between built-in players, drawn on the terminal.
#include "base/rng.h"
#include "cli/setup.h"
#include "engine/simple.h"
#include "spec/spec.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct stage {
    bool live;    // redraw after every move
    int delay_ms; // between moves
};

static void wait_ms(int ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static void print_result(const struct game *game, const void *state, int plies) {
    const struct outcome end = game->outcome(state);
    int scores[2];
    game->scores(state, scores);
    printf("%s after %d moves: %s", end.winner ? end.winner == 1 ? "X wins" : "O wins" : "draw",
           plies, game_ending_sentence(game, end.ending));
    if (game->has_scores)
        printf(" (%d : %d)", scores[0], scores[1]);
    printf("\n\n");
}

static void play_show(const struct stage *stage, const struct setup *setup, struct rng *rng) {
    const struct game *game = setup->game;
    union game_state state = setup->start;
    int plies = 0, drawn = 0;
    printf("%s: greedy (X) against random (O)\n", game->title);
    while (!game_is_over(game, &state)) {
        const bool greedy = game->turn(&state) == 1;
        game->apply(&state,
                    greedy ? simple_greedy(game, &state, rng) : simple_random(game, &state, rng));
        plies++;
        if (stage->live) {
            board_print(game, &state, &drawn);
            wait_ms(stage->delay_ms);
        }
    }
    if (!stage->live)
        board_print(game, &state, NULL);
    print_result(game, &state, plies);
}

static int demo_run(const struct args *args, struct err *err) {
    int64_t seed;
    int delay;
    if (!args_number(args, (struct number_option){"--seed", 1, 0, INT64_MAX}, &seed, err) ||
        !args_int(args, (struct number_option){"--delay", 60, 0, 10000}, &delay, err))
        return -1;
    const struct stage stage = {.live = isatty(STDOUT_FILENO) && delay > 0, .delay_ms = delay};
    struct rng rng = {(uint64_t)seed};
    for (int i = 0; i < game_count(); i++) {
        const struct spec *spec = spec_of(game_nth(i));
        struct setup setup;
        setup_make(&setup, spec->game, spec->brief_key, spec->brief_value);
        play_show(&stage, &setup, &rng);
    }
    printf("help lists what else there is: ./run help\n");
    return 0;
}

static const struct option options[] = {
    {"--seed", "N", "seed of the players (1)"},
    {"--delay", "MS", "pause after each move on a terminal (60); 0 shows the last boards alone"},
};

const struct command command_demo = {
    .name = "demo",
    .arguments = "",
    .summary = "play a short game of each kind and draw it",
    .help =
        "On a terminal the board is redrawn after every move, elsewhere only the last is shown.\n",
    COMMAND_OPTIONS(options),
    .run = demo_run,
};
