// SPDX-License-Identifier: MIT
// Lines are taken off what was read, one for each question, so that input from a file or a paste
// of several lines works as well as typing. The terminal is watched only while something is asked;
// a file, which cannot be watched, is read at once. A line that is no legal turn is answered with
// the reason, and the question is asked again.
#include "cli/match/human.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cli/setup.h"
#include "link/watch.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 16 };

struct human {
    const struct human_events *events;
    void *owner;
    struct watch *watch; // NULL: the input is a file
    struct buf input;    // read, and not asked for yet
    bool ended;          // there is no more to read
    bool asked;          // in this position, as this player:
    const struct game *game;
    union game_state state;
    int player;
};

static void show_board(const struct human *h) {
    board_print(h->game, &h->state, NULL);
    printf("%s, %s: ", h->game->turn(&h->state) == BLACK ? "X" : "O",
           h->game->due(&h->state) == 2 ? "two moves separated by ';'" : "your move");
    fflush(stdout);
}

// Why these moves cannot be played, or NULL.
static const char *refuse(const struct human *h, const char *line) {
    const int due = h->game->due(&h->state);
    union game_state state = h->state;
    char *copy = mem_text(line), *bad;
    int ply;
    const char *why = game_play_line(h->game, &state, copy, &ply, &bad);
    free(copy);
    if (!why && ply == 0)
        why = "there is no move in it";
    if (!why && ply < due && !game_is_over(h->game, &state))
        why = "two moves are due, separated by ';'";
    return why ? why : ply > due ? "that is more than is due" : NULL;
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
    const char *why = refuse(h, line);
    if (why) {
        printf("%s\n", why);
        show_board(h);
        return false;
    }
    h->asked = false;
    h->events->moves(h->owner, h->player, line);
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

static void input_ready(void *owner) {
    struct human *h = owner;
    read_more(h);
    go_on(h);
}

struct human *human_new(struct loop *loop, const struct human_events *events, void *owner) {
    struct human *h = mem_new(1, sizeof *h);
    h->events = events;
    h->owner = owner;
    h->watch = watch_new(loop, STDIN_FILENO, input_ready, h);
    return h;
}

void human_ask(struct human *h, const struct game *game, const void *state, int player) {
    assert(!h->asked);
    h->asked = true;
    h->game = game;
    memcpy(&h->state, state, game->state_size);
    h->player = player;
    show_board(h);
    go_on(h);
}

void human_dismiss(struct human *h) {
    if (h->asked)
        printf("\n");
    h->asked = false;
    go_on(h);
}

void human_free(struct human *h) {
    if (!h)
        return;
    watch_free(h->watch);
    buf_done(&h->input);
    free(h);
}
