// SPDX-License-Identifier: MIT
#include "cli/human.h"

#include "base/buf.h"
#include "base/mem.h"
#include "link/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 16 };

// What an abp request says, as far as it is needed.
struct human_request {
    int id, due;
    union game_state state;
};

struct human {
    const struct human_events *events;
    void *owner;
    struct watch *watch; // NULL: the input is a file
    struct buf input;    // read, and not asked for yet
    bool ended;          // there is no more to read
    bool asked;          // for this, in this seat:
    struct human_request request;
    const struct game *game;
    int seat;
};

static bool read_request(const struct ruleset *rules, const char *message,
                         struct human_request *r) {
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

static void show(const struct game *game, const struct human_request *r) {
    char picture[DRAW_TEXT_MAX];
    game->draw(&r->state, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), picture);
    printf("%s%s, %s: ", picture, game->turn(&r->state) == 1 ? "X" : "O",
           r->due == 2 ? "two moves parted by ';'" : "your move");
    fflush(stdout);
}

// Why these moves cannot be played, or NULL.
static const char *refuse(const struct game *game, const struct human_request *r,
                          const char *line) {
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

static void read_more(struct human *h) {
    char bytes[4096];
    const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n > 0)
        buf_put(&h->input, bytes, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        h->ended = true;
}

// Cuts the next line off the input, or what is left at its end; NULL if there is none yet.
static char *take_line(struct human *h) {
    const char *end = h->input.length ? memchr(h->input.data, '\n', h->input.length) : NULL;
    const bool whole = end || h->input.length >= LINE_MAX_BYTES || (h->ended && h->input.length);
    if (!whole)
        return NULL;
    const size_t length = end ? (size_t)(end - h->input.data) : h->input.length;
    char *line = mem_new(length + 1, 1);
    memcpy(line, h->input.data, length);
    line[strcspn(line, "\r")] = '\0';
    buf_drop(&h->input, length + (end != NULL));
    return line;
}

// Takes one line as the answer to what was asked; false if he must be asked again.
static bool take_answer(struct human *h, const char *line) {
    const char *why = refuse(h->game, &h->request, line);
    if (why) {
        printf("%s\n", why);
        show(h->game, &h->request);
        return false;
    }
    struct buf answer = {.data = NULL};
    buf_format(&answer, "move id=%d %s", h->request.id, line);
    h->asked = false;
    h->events->said(h->owner, h->seat, answer.data);
    buf_done(&answer);
    return true;
}

// Goes through the lines there are until one is an answer.
static void go_on(struct human *h) {
    for (bool answered = false; h->asked && !answered;) {
        char *line = take_line(h);
        if (line) {
            answered = take_answer(h, line);
            free(line);
        } else if (h->ended) {
            h->asked = false;
            h->events->left(h->owner);
        } else if (h->watch) {
            break;
        } else {
            read_more(h);
        }
    }
    if (h->watch)
        watch_set(h->watch, h->asked);
}

static void ready(void *owner) {
    struct human *h = owner;
    read_more(h);
    go_on(h);
}

struct human *human_new(struct loop *loop, const struct human_events *events, void *owner) {
    struct human *h = mem_new(1, sizeof *h);
    h->events = events;
    h->owner = owner;
    h->watch = watch_new(loop, STDIN_FILENO, ready, h);
    return h;
}

void human_ask(struct human *h, const struct ruleset *rules, int seat, const char *message) {
    if (strncmp(message, "abp ", 4) == 0) {
        h->events->said(h->owner, seat, "ready human");
        return;
    }
    if (h->asked) // the game has ended without waiting for him
        printf("\n");
    h->asked = read_request(rules, message, &h->request);
    if (!h->asked) {
        go_on(h);
        return;
    }
    h->game = rules->game;
    h->seat = seat;
    show(h->game, &h->request);
    go_on(h);
}

void human_free(struct human *h) {
    if (!h)
        return;
    watch_free(h->watch);
    buf_done(&h->input);
    free(h);
}
