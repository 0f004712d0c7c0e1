// SPDX-License-Identifier: MIT
// `arbiter rules`: what the rules say of each game read.
#include "cli/rules.h"

#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "cli/setup.h"
#include "games/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is wrong with a move.
static void put_error(char words[static WHY_TEXT_MAX], const char *bad, const char *why) {
    struct text t = text_begin(words, WHY_TEXT_MAX);
    text_put_quoted(&t, bad);
    text_put(&t, ": ");
    text_put(&t, why);
}

static json_t *answer_error(const char *words, int ply) {
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
                     "reason", game_ending_word(game, end.ending));
}

json_t *rules_answer(const struct setup *setup, char *line, move *scratch) {
    union game_state state = setup->start;
    int ply;
    char *bad, words[WHY_TEXT_MAX];
    const char *why = game_play_line(setup->game, &state, line, &ply, &bad);
    if (!why)
        return answer_state(setup->game, &state, ply, scratch);
    put_error(words, bad, why);
    return answer_error(words, ply);
}

// The position as a picture and in one line.
static void draw_line(const struct setup *setup, char *line) {
    union game_state state = setup->start;
    int ply;
    char *bad, position[STATE_TEXT_MAX], words[WHY_TEXT_MAX];
    const char *why = game_play_line(setup->game, &state, line, &ply, &bad);
    if (why) {
        put_error(words, bad, why);
        printf("error at move %d: %s\n\n", ply + 1, words);
        return;
    }
    const struct outcome end = setup->game->outcome(&state);
    setup->game->write_state(&state, position);
    board_print(setup->game, &state, NULL);
    printf("position: %s\n", position);
    if (end.ending == ENDING_RUNNING)
        printf("%s to move\n\n", setup->game->turn(&state) == 1 ? "X" : "O");
    else
        printf("%s: %s\n\n",
               end.winner == 0   ? "draw"
               : end.winner == 1 ? "X wins"
                                 : "O wins",
               game_ending_sentence(setup->game, end.ending));
}

static int rules_run(const struct args *args, struct err *err) {
    struct setup setup;
    if (!setup_read(&setup, args, err))
        return -1;
    struct lines *lines = mem_new(1, sizeof *lines);
    move *scratch = mem_new((size_t)setup.game->moves_max, sizeof *scratch);
    const bool draw = args_value(args, "--draw") != NULL;
    lines->file = stdin;
    for (bool first = true; !ferror(stdout) && lines_next(lines); first = false) {
        char *line = lines->text;
        if (first && strncmp(line, "\xef\xbb\xbf", 3) == 0)
            line += 3; // the mark that Windows puts before UTF-8
        const char *unread = lines->too_long  ? "the line is longer than 1 MiB"
                             : lines->has_nul ? "the line holds a NUL byte"
                                              : NULL;
        if (unread && draw)
            printf("error: %s\n\n", unread);
        else if (unread)
            json_print_line(stdout, answer_error(unread, 0));
        else if (draw)
            draw_line(&setup, line);
        else
            json_print_line(stdout, rules_answer(&setup, line, scratch));
        fflush(stdout);
    }
    const bool failed = ferror(stdin) != 0;
    if (failed)
        err_set(err, "cannot read standard input: %s", strerror(errno));
    free(scratch);
    free(lines);
    return failed ? -1 : 0;
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
    .help = "Reads one game a line: moves separated by ';', nothing for the first position. "
            "Answers each\n"
            "line with one JSON object,\n"
            "  {\"ply\":n,\"turn\":1|2|0,\"legal\":[..],\"over\":bool,\"winner\":1|2|0|null,\n"
            "   \"scores\":[a,b]|null,\"reason\":\"..\"}\n"
            "or, at the first move that cannot be played, after n good ones,\n"
            "  {\"error\":\"..\",\"ply\":n}\n"
            "Example: echo '2,3; 3,3' | arbiter rules reversi\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .run = rules_run,
};
