// SPDX-License-Identifier: MIT
#include "cli/human.h"

#include "base/mem.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What an abp request says, as far as it is needed.
struct request {
    int id, due;
    union game_state state;
};

static bool read_request(const struct ruleset *rules, const char *message, struct request *r) {
    const char *moves = strrchr(message, '|');
    char why[WHY_TEXT_MAX], *bad;
    int ply;
    if (!moves || sscanf(message, "go id=%d time=%*d due=%d", &r->id, &r->due) != 2)
        return false;
    char *copy = mem_text(moves + 1);
    const bool good = rules->game->start(&r->state, rules, NULL, why) &&
                      !game_play_line(rules->game, &r->state, copy, &ply, &bad);
    free(copy);
    return good;
}

static void show(const struct game *game, const struct request *r) {
    char picture[DRAW_TEXT_MAX];
    game->draw(&r->state, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), picture);
    printf("%s%s, %s: ", picture, game->turn(&r->state) == 1 ? "X" : "O",
           r->due == 2 ? "two moves parted by ';'" : "your move");
    fflush(stdout);
}

static void on_interrupt(int number) { (void)number; }

// A line of input; an interrupt ends it, which is why the handler must not restart the read.
static bool read_line(char **line, size_t *room) {
    struct sigaction mine = {.sa_handler = on_interrupt}, before;
    sigaction(SIGINT, &mine, &before);
    const ssize_t length = getline(line, room, stdin);
    sigaction(SIGINT, &before, NULL);
    if (length <= 0)
        return false;
    (*line)[strcspn(*line, "\r\n")] = '\0';
    return true;
}

// Why these moves cannot be played, or NULL.
static const char *refuse(const struct game *game, const struct request *r, const char *line) {
    union game_state state = r->state;
    char *copy = mem_text(line), *bad;
    int ply;
    const char *why = game_play_line(game, &state, copy, &ply, &bad);
    free(copy);
    if (!why && ply == 0)
        why = "there is no move in it";
    if (!why && ply < r->due && !game_is_over(game, &state))
        why = "two moves are due, parted by ';'";
    return why ? why : ply > r->due ? "that is more than is due" : NULL;
}

bool human_answer(const struct ruleset *rules, const char *message, struct buf *answer) {
    struct request r;
    if (strncmp(message, "abp ", 4) == 0) {
        buf_text(answer, "ready human");
        return true;
    }
    if (!read_request(rules, message, &r))
        return true;
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    for (const char *why = "?"; why && good;) {
        show(rules->game, &r);
        good = read_line(&line, &room);
        why = good ? refuse(rules->game, &r, line) : NULL;
        if (why)
            printf("%s\n", why);
    }
    if (good)
        buf_format(answer, "move id=%d %s", r.id, line);
    free(line);
    return good;
}
