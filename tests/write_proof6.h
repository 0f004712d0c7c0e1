// SPDX-License-Identifier: MIT
// A win by force written out, so that others can check it with the rules alone.
//
//     node    = "(" stones [ ":" threats { "[" cell ( cell | "*" ) "]" node } ] ")"
//     stones  = cell [ " " cell ]
//     threats = { " " cell [ "+" cell ] }
//
// The attacker places the stones. If that has not won, each threat is a stone or two that win next.
// The defender's stones in brackets are answered by the node that follows; * is any stone that is
// in no bracket with the same first one. All others leave a threat untouched.
//
// The solver is asked anew at every node. The zone of a free stone is that of the tree as written,
// which need not be the one that the solver saw first.
#pragma once

#include "base/buf.h"
#include "engine/connect6/solver.h"

struct proof_writer {
    struct solver *solver;
    struct board6 *board;
    struct quest quest; // at the node
    int nodes_left;
    struct buf *out;
};

static inline bool write_node(struct proof_writer *p, int extra, int stones, struct cells *zone);

static inline void put_cell(struct proof_writer *p, const char *before, int cell) {
    buf_format(p->out, "%s%d,%d", before, cell % BOARD_STRIDE, cell / BOARD_STRIDE);
}

static inline void put_threats(struct proof_writer *p, const struct threats *t,
                               struct cells *zone) {
    buf_format(p->out, ":");
    for (int i = 0; i < t->count; i++) {
        put_cell(p, " ", t->list[i].a);
        cells_add(zone, t->list[i].a);
        if (t->list[i].b == NO_CELL)
            continue;
        put_cell(p, "+", t->list[i].b);
        cells_add(zone, t->list[i].b);
    }
}

static inline bool write_second(struct proof_writer *p, int first, int second, int extra,
                                struct cells *zone) {
    const int defender = 1 - p->quest.attacker;
    if (board_forbidden(p->board, defender, second))
        return true; // an overline of his
    put_cell(p, "[", first);
    put_cell(p, " ", second);
    buf_format(p->out, "]");
    board_place(p->board, second, defender);
    const bool good = write_node(p, extra, 2, zone);
    board_undo(p->board, second, defender);
    return good;
}

static inline bool write_free(struct proof_writer *p, int first, int extra, struct cells *zone) {
    struct cells matter = {.word = {0}};
    int16_t cells[BOARD_CELLS];
    put_cell(p, "[", first);
    buf_format(p->out, " *]");
    bool good = write_node(p, extra + 1, 2, &matter);
    cells_join(zone, &matter);
    const int n = good ? cells_list(&matter, cells) : 0;
    for (int i = 0; i < n && good; i++)
        if (cells_has(&p->board->empties, cells[i]))
            good = write_second(p, first, cells[i], extra, zone);
    return good;
}

static inline bool write_covers(struct proof_writer *p, const struct covers *covers, int extra,
                                struct cells *zone) {
    const int defender = 1 - p->quest.attacker;
    bool good = true;
    for (int i = 0; i < covers->count && good; i++) {
        const struct stone_cover c = covers->list[i];
        board_place(p->board, c.a, defender);
        good = c.b == NO_CELL ? write_free(p, c.a, extra, zone)
                              : write_second(p, c.a, c.b, extra, zone);
        board_undo(p->board, c.a, defender);
    }
    return good;
}

static inline bool write_replies(struct proof_writer *p, int extra, struct cells *zone) {
    struct covers covers;
    covers_find(p->board, 1 - p->quest.attacker, 2, &covers);
    put_threats(p, &covers.threats, zone);
    return write_covers(p, &covers, extra, zone);
}

static inline bool write_node(struct proof_writer *p, int extra, int stones, struct cells *zone) {
    const int attacker = p->quest.attacker;
    struct forced forced;
    p->quest.extra = extra;
    p->quest.stones = stones;
    if (p->nodes_left-- <= 0 || !solver_win(p->solver, &p->quest, &forced))
        return false;
    const int cell[2] = {forced.a, forced.b}, count = forced.b == NO_CELL ? 1 : 2;
    bool good = true;
    if (forced.turns > 1)
        windows_add(p->board, 1 - attacker, 4 - extra, zone);
    for (int i = 0; i < count; i++) {
        put_cell(p, i ? " " : "(", cell[i]);
        cells_add(zone, cell[i]);
        board_place(p->board, cell[i], attacker);
    }
    if (forced.turns > 1)
        good = write_replies(p, extra, zone);
    for (int i = count - 1; i >= 0; i--)
        board_undo(p->board, cell[i], attacker);
    buf_format(p->out, ")");
    return good;
}

// Appends the tree of what the quest finds; false if there is nothing, or it needs more nodes than
// that. The solver's board is left as it was.
static inline bool proof_write(struct solver *solver, struct board6 *board,
                               const struct quest *quest, int nodes_max, struct buf *out) {
    struct proof_writer p = {
        .solver = solver, .board = board, .quest = *quest, .nodes_left = nodes_max, .out = out};
    struct cells zone = {.word = {0}};
    return write_node(&p, 0, quest->stones, &zone);
}
