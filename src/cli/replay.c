// SPDX-License-Identifier: MIT
// `arbiter replay`: steps through recorded games, or checks them.
#include "base/json.h"
#include "cli/setup.h"
#include "referee/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Waits for Enter where somebody sits at the terminal; false when he has had enough.
static bool wait_for_key(bool stepping) {
    char line[80];
    if (!stepping)
        return true;
    printf("Enter goes on, q leaves: ");
    fflush(stdout);
    return fgets(line, sizeof line, stdin) && line[0] != 'q';
}

static void show_head(const json_t *record, int number) {
    const json_t *players = json_object_get(record, "players");
    printf("game %d: %s, %s (X) against %s (O)\n", number,
           json_string_value(json_object_get(record, "game")),
           json_string_value(json_array_get(players, 0)),
           json_string_value(json_array_get(players, 1)));
}

static void show_end(const json_t *record) {
    const json_t *verdict = json_object_get(record, "verdict");
    const json_int_t winner = json_integer_value(json_object_get(record, "winner"));
    printf("%s: %s\n",
           winner == 1   ? "X wins"
           : winner == 2 ? "O wins"
                         : "nobody wins",
           json_string_value(json_object_get(record, "reason")));
    if (json_is_object(verdict))
        printf("%s: %s, %s\n",
               json_integer_value(json_object_get(verdict, "player")) == 1 ? "X" : "O",
               json_string_value(json_object_get(verdict, "word")),
               json_string_value(json_object_get(verdict, "evidence")));
}

static void show_board(const struct game *game, const void *state) {
    char picture[DRAW_TEXT_MAX];
    game->draw(state, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), picture);
    fputs(picture, stdout);
}

// Shows a record that has been checked, move by move on a terminal, else its last position.
static bool show_game(const json_t *record, int number, bool stepping) {
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    if (!record_rules(record, &rules, why) || !rules.game->start(&state, &rules, NULL, why))
        return true;
    const json_t *moves = json_object_get(record, "moves"), *ms = json_object_get(record, "ms");
    show_head(record, number);
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *text = json_string_value(json_array_get(moves, i));
        move m;
        if (stepping) {
            show_board(rules.game, &state);
            if (!wait_for_key(stepping))
                return false;
        }
        printf("%zu. %s %s (%.3f ms)\n", i + 1, rules.game->turn(&state) == 1 ? "X" : "O", text,
               json_real_value(json_array_get(ms, i)));
        if (!rules.game->read_move(&state, text, &m))
            game_play(rules.game, &state, m);
    }
    show_board(rules.game, &state);
    show_end(record);
    return true;
}

static int run(const struct args *args, struct err *err) {
    FILE *file = fopen(args->word[0], "r");
    if (!file) {
        err_set(err, "cannot open %.200s: %s", args->word[0], strerror(errno));
        return -1;
    }
    const bool check = args_value(args, "--check") != NULL;
    const bool stepping = !check && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    char *line = NULL, why[WHY_TEXT_MAX];
    size_t room = 0;
    int number = 0, wrong = 0;
    for (bool more = true; more && getline(&line, &room, file) > 0;) {
        json_error_t where;
        json_t *record = json_loads(line, 0, &where);
        number++;
        const char *fault =
            json_is_object(record) ? record_check(record, why) : "it is no JSON object";
        if (fault) {
            printf("game %d: %s\n", number, fault);
            wrong++;
        } else if (!check) {
            more = show_game(record, number, stepping);
        }
        json_decref(record);
    }
    free(line);
    fclose(file);
    if (check)
        printf("%d games, %d wrong\n", number, wrong);
    return wrong > 0;
}

static const struct option options[] = {
    {"--check", NULL, "play every game again and compare all that the record says"},
};

const struct command command_replay = {
    .name = "replay",
    .arguments = "FILE",
    .words_min = 1,
    .words_max = 1,
    .summary = "step through recorded games, or check them",
    .help = "FILE is a record as `arbiter match --record DIR` writes it, DIR/games.jsonl. On a "
            "terminal the\n"
            "games are shown move by move, elsewhere their moves and last positions.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
