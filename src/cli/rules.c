// SPDX-License-Identifier: MIT
// `arbiter rules`: what the rules say of each game read.
#include "cli/rules.h"

#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "cli/setup.h"
#include "games/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *answer_error(const char *bad, const char *why, int ply) {
    char words[WHY_TEXT_MAX];
    struct text t = text_begin(words, sizeof words);
    if (bad) {
        text_put_quoted(&t, bad);
        text_put(&t, ": ");
    }
    text_put(&t, why);
    return json_pack("{s:s, s:i}", "error", words, "ply", ply);
}

static json_t *list_legal(const struct game *game, const void *state, move *scratch) {
    json_t *legal = json_array();
    const int count = game->moves(state, scratch);
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        game->write_move(state, scratch[i], text);
        json_array_append_new(legal, json_string(text));
    }
    return legal;
}

static json_t *answer_state(const struct game *game, const void *state, int ply, move *scratch) {
    const struct outcome end = game->outcome(state);
    const bool over = end.ending != ENDING_RUNNING;
    int scores[2];
    game->scores(state, scores);
    return json_pack("{s:i, s:i, s:o, s:b, s:o, s:o, s:s}", "ply", ply, "turn", game->turn(state),
                     "legal", list_legal(game, state, scratch), "over", over, "winner",
                     over ? json_integer(end.winner) : json_null(), "scores",
                     game->has_scores ? json_pack("[i, i]", scores[0], scores[1]) : json_null(),
                     "reason", ending_word(end.ending));
}

json_t *rules_answer(const struct setup *setup, char *line, move *scratch) {
    union game_state state = setup->start;
    int ply;
    char *bad;
    const char *why = game_play_line(setup->game, &state, line, &ply, &bad);
    return why ? answer_error(bad, why, ply) : answer_state(setup->game, &state, ply, scratch);
}

// The position as a picture and in one line.
static void draw_line(const struct setup *setup, char *line) {
    union game_state state = setup->start;
    int ply;
    char *bad, picture[DRAW_TEXT_MAX], position[STATE_TEXT_MAX];
    const char *why = game_play_line(setup->game, &state, line, &ply, &bad);
    if (why) {
        json_print_line(stdout, answer_error(bad, why, ply));
        return;
    }
    const struct outcome end = setup->game->outcome(&state);
    setup->game->draw(&state, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), picture);
    setup->game->write_state(&state, position);
    printf("%sposition: %s\n", picture, position);
    if (end.ending == ENDING_RUNNING)
        printf("%s to move\n\n", setup->game->turn(&state) == 1 ? "X" : "O");
    else
        printf("%s: %s\n\n",
               end.winner == 0   ? "draw"
               : end.winner == 1 ? "X wins"
                                 : "O wins",
               ending_sentence(end.ending));
}

static int run(const struct args *args, struct err *err) {
    struct setup setup;
    if (!setup_read(&setup, args, err))
        return -1;
    struct lines *lines = mem_new(1, sizeof *lines);
    move *scratch = mem_new((size_t)setup.game->moves_max, sizeof *scratch);
    const bool draw = args_value(args, "--draw") != NULL;
    lines->file = stdin;
    while (lines_next(lines)) {
        if (lines->too_long)
            json_print_line(stdout, answer_error(NULL, "the line is longer than 1 MiB", 0));
        else if (lines->has_nul)
            json_print_line(stdout, answer_error(NULL, "the line holds a NUL byte", 0));
        else if (draw)
            draw_line(&setup, lines->text);
        else
            json_print_line(stdout, rules_answer(&setup, lines->text, scratch));
        fflush(stdout);
    }
    free(scratch);
    free(lines);
    return 0;
}

static const struct option options[] = {
    OPTION_SET,
    OPTION_FROM,
    {"--draw", NULL, "draw the board instead of answering in JSON"},
};

const struct command command_rules = {
    .name = "rules",
    .arguments = "GAME",
    .words_min = 1,
    .words_max = 1,
    .summary = "say what the rules say of games read on standard input",
    .help =
        "Reads one game a line: moves parted by ';', nothing for the first position. Answers each\n"
        "line with one JSON object,\n"
        "  {\"ply\":n,\"turn\":1|2|0,\"legal\":[..],\"over\":bool,\"winner\":1|2|0|null,\n"
        "   \"scores\":[a,b]|null,\"reason\":\"..\"}\n"
        "or, at the first move that cannot be played, after n good ones,\n"
        "  {\"error\":\"..\",\"ply\":n}\n"
        "Example: echo '2,3; 3,3' | arbiter rules reversi\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_game = true,
    .run = run,
};
