// SPDX-License-Identifier: MIT
// The text of all moves is kept as one, with the place where each begins, because every request of
// our protocol holds it: it grows by a move and is never put together again. The position is that
// after the last move. Faults are listed in the order in which they were noted, each with the move
// that was due then.
#include "referee/sheet.h"

#include "base/mem.h"
#include "folder/folder.h"
#include "folder/proxy.h"
#include "games/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Plays one move of an opening, written as text.
static bool play_text(struct sheet *s, const char *text) {
    move m;
    if (s->game->read_move(&s->state, text, &m) || s->game->illegal(&s->state, m))
        return false;
    sheet_play(s, m, true);
    return !proxy_failure(s->game);
}

bool sheet_init(struct sheet *s, const struct ruleset *rules, const char *opening) {
    char why[WHY_TEXT_MAX];
    *s = (struct sheet){.game = rules->game};
    s->moves = mem_new((size_t)s->game->plies_max, sizeof *s->moves);
    bool good = s->game->start(&s->state, rules, NULL, why);
    char *copy = mem_text(opening ? opening : ""), *rest = copy;
    int mover = 0;
    for (char *text; good && (text = strsep(&rest, ";"));) {
        if (text_at_end(text))
            continue;
        if (s->game->turn(&s->state) != mover)
            s->last_ply = s->plies; // the turn before the first request begins here, or later
        mover = s->game->turn(&s->state);
        good = play_text(s, text);
    }
    free(copy);
    s->opening = s->plies;
    return good;
}

void sheet_done(struct sheet *s) {
    free(s->moves);
    free(s->faults);
    buf_done(&s->text);
}

void sheet_play(struct sheet *s, move m, bool by_referee) {
    char text[MOVE_TEXT_MAX];
    if (s->plies == s->game->plies_max) {
        folder_fail(s->game, "apply", "after plies_max moves the game is not over");
        return;
    }
    const int mover = s->game->turn(&s->state);
    s->game->write_move(&s->state, m, text);
    s->game->apply(&s->state, m);
    if (proxy_failure(s->game))
        return;
    if (s->plies > 0)
        buf_text(&s->text, "; ");
    s->moves[s->plies++] =
        (struct match_move){.text = s->text.length, .cpu_us = -1, .by_referee = by_referee};
    buf_text(&s->text, text);
    s->moved[mover - 1] = true;
}

struct fault *sheet_fault(struct sheet *s, int player, enum verdict verdict) {
    assert((player == 1 || player == 2) && verdict != VERDICT_NONE);
    if (s->fault_count == s->fault_room) {
        s->fault_room = s->fault_room ? 2 * s->fault_room : 8;
        s->faults = mem_resize(s->faults, (size_t)s->fault_room * sizeof *s->faults);
    }
    struct fault *f = &s->faults[s->fault_count++];
    *f = (struct fault){.player = player, .verdict = verdict, .ply = s->plies};
    return f;
}

bool sheet_has_fault(const struct sheet *s, int player, enum verdict verdict) {
    for (int i = s->fault_count - 1; i >= 0 && s->faults[i].ply == s->plies; i--)
        if (s->faults[i].player == player && s->faults[i].verdict == verdict)
            return true;
    return false;
}

const char *sheet_move_text(const struct sheet *s, int ply, char text[static MOVE_TEXT_MAX]) {
    assert(ply >= 0 && ply < s->plies);
    const char *from = s->text.data + s->moves[ply].text;
    snprintf(text, MOVE_TEXT_MAX, "%.*s", (int)strcspn(from, ";"), from);
    return text;
}
