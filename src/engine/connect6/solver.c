// SPDX-License-Identifier: MIT
// Attacker's nodes try pairs of stones; one that leaves the defender a win is none. Defender's
// nodes try every cover of the threats: these take two stones to stop, so that is all he can do.
// Turns that leave him a free stone are the prover's.
//
// The zone of a win holds, from each of its positions on, every cell that the attacker uses, the
// empty cells of all his threats, and the empty cells of the windows in which the defender would
// have four with the stones that he may have elsewhere (`extra`). A stone outside stops no threat,
// makes none, and an overline that it helps to make is the defender's own.
#include "engine/connect6/solver.h"

#include "base/mem.h"
#include "engine/connect6/pairs.h"
#include "engine/connect6/prover.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE = 1 << 15,  // proofs kept
    SECONDS_MAX = 12, // second stones, where they must make threats
    BUILDERS_MAX = 6, // second stones, where the first is enough
    EXTRA_MAX = 3,    // stones that a zone stands for at most
    ROOM = 8,         // empty cells that must be left on the board when a win is claimed
};

struct proof {
    uint64_t key;
    struct forced forced; // of -n turns: none was found looking n ahead
};

struct solver {
    struct board6 *board;
    struct stop *stop;
    uint64_t *nodes;
    uint64_t end; // of the budget
    bool ended;
    int attacker;
    struct proof *table;
    struct prover6 *prover;
    uint64_t salt; // of the keys; with another one, nothing of the table is known
    // The defender's last stones lie, but what other cells make with them is not learned yet: often
    // it need not be.
    int16_t laid[2];
    int laid_count;
};

// How far a win is looked for: in turns of the attacker, and against how many stones that the
// defender may have elsewhere.
struct horizon {
    int depth, extra;
};

static int attack(struct solver *s, struct horizon h, int stones, struct forced *forced);

static void lay(struct solver *s, int cell, int player) {
    board_lay(s->board, cell, player);
    ++*s->nodes;
    if (stop_due(s->stop, *s->nodes) || *s->nodes >= s->end)
        s->ended = true;
}

static uint64_t key_of(const struct solver *s, int extra, int stones) {
    const uint64_t salt = (uint64_t)(s->attacker + 2 * extra + 8 * stones + 1);
    return s->board->hash ^ salt * UINT64_C(0x9e3779b97f4a7c15) ^ s->salt;
}

static void add_threat(const struct threat *t, struct cells *zone) {
    cells_add(zone, t->a);
    if (t->b != NO_CELL)
        cells_add(zone, t->b);
}

// Lists the attacker's cells of a set where a stone makes one of these shapes and no overline.
static void list_shapes(const struct solver *s, const struct cells *from, uint32_t shapes,
                        const struct cells *tried, int most, struct choices *list) {
    const struct board6 *b = s->board;
    for (int i = 0; i < BOARD_WORDS; i++)
        for (uint64_t rest = from->word[i] & ~tried->word[i]; rest; rest &= rest - 1) {
            const int cell = i * 64 + __builtin_ctzll(rest);
            if ((board_shapes(b, s->attacker, cell) & shapes) &&
                !board_forbidden(b, s->attacker, cell))
                choices_add(list, most, cell, pairs_promise(b, s->attacker, cell));
        }
}

// The defender's stones are laid; the attacker goes on.
static int go_on(struct solver *s, struct stone_cover cover, struct horizon h,
                 struct forced *next) {
    if (s->ended)
        return 0;
    s->laid[0] = cover.a;
    s->laid[1] = cover.b;
    s->laid_count = 2;
    return attack(s, (struct horizon){h.depth - 1, h.extra}, 2, next);
}

static int after_cover(struct solver *s, struct stone_cover cover, struct horizon h,
                       struct cells *zone) {
    const int defender = 1 - s->attacker;
    struct forced next = {.turns = 0};
    int turns = 1;
    lay(s, cover.a, defender);
    if (!board_forbidden(s->board, defender, cover.b)) { // else an overline of his ends it
        lay(s, cover.b, defender);
        turns = go_on(s, cover, h, &next);
        board_lift(s->board, cover.b, defender);
    }
    board_lift(s->board, cover.a, defender);
    if (turns && h.extra)
        cells_join(zone, &next.zone);
    return turns;
}

// The attacker's stones lie. Does that leave the defender with enough to do? Gives his covers.
static bool presses(const struct solver *s, int depth, struct covers *covers) {
    struct threats counter;
    threats_find(s->board, 1 - s->attacker, &counter);
    if (counter.count)
        return false;
    covers_find(s->board, 1 - s->attacker, 2, covers);
    return covers->stones == 3 || (depth > 2 && covers->stones == 2);
}

// Returns the attacker's turns from the next one on until he has won, or 0.
static int defend(struct solver *s, const struct covers *covers, struct horizon h,
                  struct cells *zone) {
    int turns = 1;
    for (int i = 0; i < covers->count && turns; i++) {
        const int then = after_cover(s, covers->list[i], h, zone);
        turns = !then ? 0 : then > turns ? then : turns;
    }
    return turns;
}

// The attacker's stones lie; each is to be learned here, or is NO_CELL.
static int press(struct solver *s, int first, int second, struct horizon h, struct cells *zone) {
    struct covers covers;
    if (s->board->left < ROOM || !presses(s, h.depth, &covers))
        return 0;
    for (int i = 0; h.extra && i < covers.threats.count; i++)
        add_threat(&covers.threats.list[i], zone);
    if (covers.count == 0)
        return 1;
    if (first != NO_CELL)
        board_learn_side(s->board, first, s->attacker);
    if (second != NO_CELL)
        board_learn_side(s->board, second, s->attacker);
    const int turns = defend(s, &covers, h, zone);
    if (second != NO_CELL)
        board_unlearn(s->board, second);
    if (first != NO_CELL)
        board_unlearn(s->board, first);
    return turns;
}

// The first stone lies; `unlearned` is that stone, or NO_CELL.
static bool try_second(struct solver *s, int first, int second, int unlearned, struct horizon h,
                       struct forced *forced) {
    assert(unlearned == NO_CELL || unlearned == first);
    struct cells zone = {.word = {0}};
    lay(s, second, s->attacker);
    const int then = press(s, unlearned, second, h, &zone);
    board_lift(s->board, second, s->attacker);
    if (!then)
        return false;
    cells_add(&zone, second);
    if (first != NO_CELL)
        cells_add(&zone, first);
    *forced = (struct forced){.a = (int16_t)(first == NO_CELL ? second : first),
                              .b = (int16_t)(first == NO_CELL ? NO_CELL : second),
                              .turns = then + 1,
                              .zone = zone};
    return true;
}

// What the second stone may be depends on what the first has done.
static void list_seconds(const struct solver *s, const struct cells *tried, struct choices *list) {
    const uint32_t doubles = shapes_from(SHAPE_DOUBLE) | 6 * shape_unit(SHAPE_THREAT); // or two
    const struct board6 *b = s->board;
    struct covers covers;
    covers_find(b, 1 - s->attacker, 2, &covers);
    list->count = 0;
    if (covers.stones >= 2)
        list_shapes(s, &b->empties, shapes_from(SHAPE_LIVE2), tried, BUILDERS_MAX, list);
    else if (covers.stones == 1)
        list_shapes(s, &b->hot[s->attacker], shapes_from(SHAPE_THREAT), tried, SECONDS_MAX, list);
    else
        list_shapes(s, &b->hot[s->attacker], doubles, tried, SECONDS_MAX, list);
}

static bool try_seconds(struct solver *s, int first, const struct cells *tried, struct horizon h,
                        struct forced *forced) {
    struct choices seconds;
    list_seconds(s, tried, &seconds);
    for (int i = 0; i < seconds.count && !s->ended; i++)
        if (try_second(s, first, seconds.cell[i], NO_CELL, h, forced))
            return true;
    return false;
}

static bool try_first(struct solver *s, int first, const struct cells *tried, struct horizon h,
                      struct forced *forced) {
    lay(s, first, s->attacker);
    board_learn_side(s->board, first, s->attacker);
    const bool won = try_seconds(s, first, tried, h, forced);
    board_unlearn(s->board, first);
    board_lift(s->board, first, s->attacker);
    return won;
}

static bool try_pair(struct solver *s, int first, int second, struct horizon h,
                     struct forced *forced) {
    lay(s, first, s->attacker);
    const bool won = !board_forbidden(s->board, s->attacker, second) &&
                     try_second(s, first, second, first, h, forced);
    board_lift(s->board, first, s->attacker);
    return won;
}

static bool try_freely(struct solver *s, struct horizon h, struct forced *forced) {
    struct stone_pairs pairs;
    pairs_find(s->board, s->attacker, h.depth > 2 ? 2 : 3, &pairs);
    for (int i = 0; i < pairs.count && !s->ended; i++)
        if (try_pair(s, pairs.list[i].a, pairs.list[i].b, h, forced))
            return true;
    return false;
}

// The attacker must stop threats himself.
static bool try_covers(struct solver *s, const struct covers *covers, int stones, struct horizon h,
                       struct forced *forced) {
    const struct cells none = {.word = {0}};
    for (int i = 0; i < covers->count && !s->ended; i++) {
        const struct stone_cover c = covers->list[i];
        const bool won = stones == 1      ? try_second(s, NO_CELL, c.a, NO_CELL, h, forced)
                         : c.b == NO_CELL ? try_first(s, c.a, &none, h, forced)
                                          : try_pair(s, c.a, c.b, h, forced);
        if (won)
            return true;
    }
    return false;
}

// The attacker's turn is over.
static bool try_none(struct solver *s, struct horizon h, struct forced *forced) {
    *forced = (struct forced){.a = NO_CELL, .b = NO_CELL};
    const int then = press(s, NO_CELL, NO_CELL, h, &forced->zone);
    forced->turns = then + 1;
    return then > 0;
}

static bool try_all(struct solver *s, struct horizon h, int stones, struct forced *forced) {
    const struct cells none = {.word = {0}};
    struct covers covers;
    if (stones == 0)
        return try_none(s, h, forced);
    covers_find(s->board, s->attacker, stones, &covers);
    if (covers.stones > 0)
        return try_covers(s, &covers, stones, h, forced);
    return stones == 1 ? try_seconds(s, NO_CELL, &none, h, forced) : try_freely(s, h, forced);
}

static bool wins_now(const struct solver *s, int stones, struct forced *forced) {
    const struct threat t = threats_six(s->board, s->attacker, stones);
    if (t.a == NO_CELL)
        return false;
    *forced = (struct forced){.a = t.a, .b = t.b, .turns = 1};
    add_threat(&t, &forced->zone);
    return true;
}

// Learns what the stones that lie have changed, then tries.
static bool learn_and_try(struct solver *s, struct horizon h, int stones, struct forced *forced) {
    const int16_t laid[2] = {s->laid[0], s->laid[1]};
    const int count = s->laid_count;
    for (int i = 0; i < count; i++)
        board_learn_side(s->board, laid[i], s->attacker);
    const bool won = try_all(s, h, stones, forced);
    for (int i = count - 1; i >= 0; i--)
        board_unlearn(s->board, laid[i]);
    return won;
}

static int attack(struct solver *s, struct horizon h, int stones, struct forced *forced) {
    if (stones > 0 && wins_now(s, stones, forced))
        return 1;
    if (h.depth <= 1)
        return 0;
    const uint64_t key = key_of(s, h.extra, stones);
    struct proof *proof = &s->table[key % TABLE];
    if (proof->key == key && proof->forced.turns > 0) {
        *forced = proof->forced;
        return forced->turns;
    }
    if (proof->key == key && -proof->forced.turns >= h.depth)
        return 0;
    const bool won = learn_and_try(s, h, stones, forced);
    if (!won && s->ended)
        return 0;
    if (won && h.extra)
        windows_add(s->board, 1 - s->attacker, 4 - h.extra, &forced->zone);
    proof->key = key;
    proof->forced.turns = -h.depth;
    if (won)
        proof->forced = *forced;
    return won ? forced->turns : 0;
}

struct solver *solver_new(struct board6 *board, struct stop *stop, uint64_t *nodes) {
    struct solver *s = mem_new(1, sizeof *s);
    s->board = board;
    s->stop = stop;
    s->nodes = nodes;
    s->table = mem_new(TABLE, sizeof *s->table);
    s->prover = prover_new(board, stop, nodes);
    return s;
}

void solver_free(struct solver *s) {
    if (!s)
        return;
    free(s->table);
    prover_free(s->prover);
    free(s);
}

void solver_forget(struct solver *s) {
    s->salt = (s->salt + 1) * UINT64_C(0xd1342543de82ef95);
    prover_forget(s->prover);
}

bool solver_win(struct solver *s, const struct quest *q, struct forced *forced) {
    assert(q->stones >= 0 && q->stones <= 2 && q->extra >= 0 && q->extra <= EXTRA_MAX);
    if (q->singles)
        return prover_win(s->prover, q, forced);
    s->attacker = q->attacker;
    s->ended = false;
    s->end = *s->nodes + q->budget;
    for (int depth = 1; depth <= q->depth && !s->ended; depth++) {
        s->laid_count = 0;
        if (attack(s, (struct horizon){depth, q->extra}, q->stones, forced))
            return true;
    }
    return false;
}
