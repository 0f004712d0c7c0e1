// SPDX-License-Identifier: MIT
// `arbiter replay`: steps through recorded games, or checks them.
#include "base/json.h"
#include "base/plain.h"
#include "cli/setup.h"
#include "referee/audit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is done with the games of a file, and what came of it.
struct replay {
    bool check, stepping;
    int games, wrong;
};

// Waits for Enter where somebody sits at the terminal; false when he has had enough.
static bool wait_for_key(bool stepping) {
    char line[80];
    if (!stepping)
        return true;
    plain_print(stdout, "Enter goes on, q leaves: ");
    fflush(stdout);
    return fgets(line, sizeof line, stdin) && line[0] != 'q';
}

static void show_end(const struct record_read *d) {
    plain_print(stdout, "%s: %s\n",
                d->winner == 1   ? "X wins"
                : d->winner == 2 ? "O wins"
                                 : "nobody wins",
                d->reason);
    if (d->has_verdict)
        plain_print(stdout, "%s: %s, %s\n", d->verdict.player == 1 ? "X" : "O",
                    verdict_word(d->verdict.verdict), d->verdict.evidence);
}

static void show_move(const struct record_read *d, int ply, int player) {
    const struct record_read_move *m = &d->moves[ply];
    plain_print(stdout, "%d. %s %s (%.3f ms", ply + 1, player == 1 ? "X" : "O", m->text,
                (double)m->us / 1e3);
    if (m->credit_us > 0)
        plain_print(stdout, ", %.3f ms of them not charged", (double)m->credit_us / 1e3);
    plain_print(stdout, "%s)\n", m->by_referee ? ", by the referee" : "");
}

// Shows a record that has been checked, move by move on a terminal, else its last position.
static bool show_game(const struct replay *r, const struct record_read *d) {
    const struct game *game = d->game;
    union game_state state;
    char why[WHY_TEXT_MAX];
    game->start(&state, &d->rules, NULL, why);
    plain_print(stdout, "game %d: %s, %s (X) against %s (O)\n", r->games, game->name, d->players[0],
                d->players[1]);
    for (int i = 0; i < d->plies; i++) {
        move m;
        if (r->stepping) {
            board_print(game, &state, NULL);
            if (!wait_for_key(r->stepping))
                return false;
        }
        show_move(d, i, game->turn(&state));
        if (!game->read_move(&state, d->moves[i].text, &m))
            game_play(game, &state, m);
    }
    board_print(game, &state, NULL);
    show_end(d);
    return true;
}

// One line of the file; false when nobody wants more.
static bool take_line(struct replay *r, const char *line, size_t length) {
    char why[WHY_TEXT_MAX];
    json_error_t where;
    json_t *record = json_loadb(line, length, JSON_REJECT_DUPLICATES, &where);
    struct record_read d = {.game = NULL};
    bool more = true;
    r->games++;
    const char *fault = json_is_object(record) ? audit_check(record, why) : "it is no JSON object";
    if (fault) {
        plain_print(stdout, "game %d: %s\n", r->games, fault);
        r->wrong++;
    } else if (!r->check && record_read(&d, record, why)) {
        more = show_game(r, &d);
    }
    record_read_done(&d);
    json_decref(record);
    return more;
}

static bool take_file(struct replay *r, FILE *file, const char *name, struct err *err) {
    char *line = NULL;
    size_t room = 0;
    bool more = true;
    errno = 0;
    for (ssize_t length; more && (length = getline(&line, &room, file)) > 0;)
        more = take_line(r, line, (size_t)length);
    free(line);
    if (ferror(file))
        return err_set(err, "cannot read %.200s: %s", name, strerror(errno));
    return r->games > 0 || err_set(err, "%.200s holds no games", name);
}

static int replay_run(const struct args *args, struct err *err) {
    const char *name = args->word[0];
    FILE *file = fopen(name, "r");
    if (!file) {
        err_set(err, "cannot open %.200s: %s", name, strerror(errno));
        return -1;
    }
    struct replay r = {.check = args_value(args, "--check") != NULL};
    r.stepping = !r.check && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    const bool good = take_file(&r, file, name, err);
    fclose(file);
    if (!good)
        return -1;
    if (r.check)
        plain_print(stdout, "%d games, %d wrong\n", r.games, r.wrong);
    return r.wrong > 0;
}

static const struct option options[] = {
    {"--check", NULL, "play every game again and verify all that the record says"},
};

const struct command command_replay = {
    .name = "replay",
    .arguments = "FILE",
    .words_min = 1,
    .words_max = 1,
    .summary = "step through recorded games, or check them",
    .help = "FILE is a record as `arbiter match --record DIR` writes it, DIR/games.jsonl. On a "
            "terminal the\n"
            "games are shown move by move, elsewhere their moves and last positions.\n"
            "Ends with code 1 if a game cannot have been as its record says.\n",
    COMMAND_OPTIONS(options),
    .run = replay_run,
};
