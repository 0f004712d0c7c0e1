// SPDX-License-Identifier: MIT
// If the attacker has threats, only stones that stop them can help. Else he must win when nothing
// is done at all; that win has a zone, and a stone helps only there. Each such stone is tried, and
// then the next of the turn in the same way. What the zone of a win means says solver.c.
#include "engine/connect6/loss.h"

#include <assert.h>

struct loss_search {
    struct searcher *searcher;
    struct board6 *board;
    int attacker;
    uint64_t end; // of the budget
};

static int judge(struct loss_search *c, int stones, int16_t best[2]);

// The attacker's turn begins, and the defender may have so many stones more outside the zone.
static int win_of(struct loss_search *c, int extra, struct cells *zone) {
    const uint64_t nodes = c->searcher->nodes;
    struct forced forced;
    struct quest quest = {.attacker = c->attacker,
                          .stones = 2,
                          .depth = SOLVER_DEPTH_MAX,
                          .extra = extra,
                          .budget = nodes < c->end ? c->end - nodes : 0};
    if (quest.budget == 0 || !solver_win(c->searcher->solver, &quest, &forced))
        return 0;
    *zone = forced.zone;
    return forced.turns;
}

// What follows when a stone lies there, and another if it is not NO_CELL; an overline loses.
static int judge_stones(struct loss_search *c, int first, int second, int left, int16_t best[2]) {
    const int player = 1 - c->attacker;
    int turns = 1;
    if (board_forbidden(c->board, player, first))
        return turns;
    board_place(c->board, first, player);
    if (second == NO_CELL)
        turns = judge(c, left, best);
    else
        turns = judge_stones(c, second, NO_CELL, left, best);
    board_undo(c->board, first, player);
    return turns;
}

static int judge_covers(struct loss_search *c, const struct covers *covers, int stones,
                        int16_t best[2]) {
    int most = 1;
    for (int i = 0; i < covers->count; i++) {
        const struct stone_cover cover = covers->list[i];
        int16_t then[2] = {NO_CELL, NO_CELL};
        const int used = cover.b == NO_CELL ? 1 : 2;
        const int turns = judge_stones(c, cover.a, cover.b, stones - used, then);
        if (!turns)
            return 0;
        if (turns > most) {
            best[0] = cover.a;
            best[1] = used == 2 ? cover.b : then[0];
            most = turns;
        }
    }
    return most;
}

// The cell of a set that matters most to both.
static int most_urgent(const struct board6 *b, const struct cells *from) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(from, cells);
    int best = NO_CELL, most = -1;
    for (int i = 0; i < n; i++) {
        const int order = board_urgency(b, cells[i]);
        if (order > most) {
            most = order;
            best = cells[i];
        }
    }
    return best;
}

static int judge_freely(struct loss_search *c, int stones, int16_t best[2]) {
    struct cells zone;
    int most = win_of(c, stones, &zone);
    for (int i = 0; most && i < BOARD_WORDS; i++)
        zone.word[i] &= c->board->empties.word[i];
    for (int cell; most && (cell = most_urgent(c->board, &zone)) != NO_CELL;) {
        int16_t then[2] = {NO_CELL, NO_CELL};
        const int turns = judge_stones(c, cell, NO_CELL, stones - 1, then);
        cells_drop(&zone, cell);
        if (turns > most) {
            best[0] = (int16_t)cell;
            best[1] = then[0];
        }
        most = !turns ? 0 : turns > most ? turns : most;
    }
    return most;
}

// Turns of the attacker until he has won, or 0.
static int judge(struct loss_search *c, int stones, int16_t best[2]) {
    struct covers covers;
    struct cells unused;
    if (stones == 0)
        return win_of(c, 0, &unused);
    if (threats_six(c->board, 1 - c->attacker, stones).a != NO_CELL)
        return 0;
    covers_find(c->board, 1 - c->attacker, stones, &covers);
    if (covers.stones > 0)
        return judge_covers(c, &covers, stones, best);
    return judge_freely(c, stones, best);
}

bool loss_find(struct searcher *s, int attacker, int stones, uint64_t budget, struct loss *loss) {
    struct loss_search search = {
        .searcher = s, .board = &s->board, .attacker = attacker, .end = s->nodes + budget};
    assert(stones >= 0 && stones <= 2);
    *loss = (struct loss){.cell = {NO_CELL, NO_CELL}};
    loss->turns = judge(&search, stones, loss->cell);
    return loss->turns > 0;
}
