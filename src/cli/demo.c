// SPDX-License-Identifier: MIT
// `arbiter demo`: a short game of each kind between built-in players, drawn on the terminal.
#include "base/rng.h"
#include "cli/setup.h"
#include "engine/simple.h"
#include "spec/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct stage {
    bool live; // redraw after every move
    bool colour;
    int delay_ms; // between moves
    int drawn;    // lines to go back up
};

static void wait_ms(int ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

// Draws the board over the one drawn before.
static void show_board(struct stage *stage, const struct game *game, const void *state) {
    char picture[DRAW_TEXT_MAX];
    game->draw(state, stage->colour, picture);
    if (stage->drawn)
        printf("\033[%dA\033[J", stage->drawn);
    fputs(picture, stdout);
    stage->drawn = 0;
    for (const char *p = picture; stage->live && *p; p++)
        stage->drawn += *p == '\n';
    fflush(stdout);
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

static void play_show(struct stage *stage, const struct setup *setup, struct rng *rng) {
    const struct game *game = setup->game;
    union game_state state = setup->start;
    int plies = 0;
    printf("%s: greedy (X) against random (O)\n", game->title);
    stage->drawn = 0;
    while (!game_is_over(game, &state)) {
        const bool greedy = game->turn(&state) == 1;
        game->apply(&state,
                    greedy ? simple_greedy(game, &state, rng) : simple_random(game, &state, rng));
        plies++;
        if (stage->live) {
            show_board(stage, game, &state);
            wait_ms(stage->delay_ms);
        }
    }
    if (!stage->live)
        show_board(stage, game, &state);
    print_result(game, &state, plies);
}

static int demo_run(const struct args *args, struct err *err) {
    int64_t seed;
    int delay;
    if (!args_number(args, (struct number_option){"--seed", 1, 0, INT64_MAX}, &seed, err) ||
        !args_int(args, (struct number_option){"--delay", 60, 0, 10000}, &delay, err))
        return -1;
    const bool terminal = isatty(STDOUT_FILENO);
    struct stage stage = {.live = terminal && delay > 0,
                          .colour = terminal && !getenv("NO_COLOR"),
                          .delay_ms = delay};
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
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = demo_run,
};
