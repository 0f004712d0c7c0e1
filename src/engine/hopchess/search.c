// SPDX-License-Identifier: MIT
// Principal variation search: the first move is searched with the window given, the others with one
// of width one, which only asks whether they are better. Late moves are searched less deep at
// first. At the leaves captures are searched until none is worth it.
//
// Only ends of the game have values beyond HOP_WON_MIN, and nothing that is guessed may turn into
// one: what is left out or believed is so only while the value is not a loss for certain. So a won
// game is proven. That a game is drawn shows by counting guesses: whatever is believed or left out
// is one, and so is what the table has from guesses. A proven value needs none of those below it,
// and a move that is too good for the other none but its own.
//
// A repeated position is worth what the game would be if both went on repeating until the moves are
// used up, as a small bias: either may leave the circle. To us it is worth a little less, as there
// is more to win by playing on. The moves left are part of a position's
// key when they are few.
#include "engine/hopchess/search.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KIND_WHOLE = 1, // of entries in the table: by a whole search
    KIND_SURE = 2,  // without a guess
    STACK = 1 << 18,
    LEFT_SEEN = HOP_PLY_MAX, // turns left from which on they are part of the key
    ROUND_WORTH = 40,        // of a piece of margin, in a repeated position
    ROUND_COST = 25,         // of a repetition to the player at the root
    FUTILITY_DEPTH = 4,
    FUTILITY_PLY = 70, // value that a ply may change
    LMP_DEPTH = 3,
    NULL_DEPTH = 3,
    AHEAD_MAX = 200,     // more does not make progress more urgent
    AHEAD_COLUMN = 64,   // a column is such a part of being ahead
    DECIDED = 250,       // beyond that a game is won or lost,
    DECIDED_PART = 4,    // and by how much counts such a part
    USED_UP_PIECE = 100, // value of a piece home when the moves are used up
    HISTORY_MAX = 1 << 14,
    ORDER_FIRST = 1 << 28,
    ORDER_CAPTURE = 1 << 24,
    ORDER_KILLER = 1 << 20,
};

// Techniques that look at less than there is.
static const unsigned bold =
    1u << HOP_NULL_MOVE | 1u << HOP_LMR | 1u << HOP_FUTILITY | 1u << HOP_LMP | 1u << HOP_REPEAT;

static bool has(const struct hop_search *h, enum hop_technique technique) {
    return !((h->without | (h->whole ? bold : 0)) >> technique & 1);
}

void hop_search_init(struct hop_search *h, const struct hopnet *net, struct tt *tt,
                     unsigned without) {
    memset(h, 0, sizeof *h);
    h->net = net;
    h->tt = tt;
    h->without = without;
    h->stack = mem_new(STACK, sizeof *h->stack);
    for (int depth = 1; depth < HOP_LMR_MAX; depth++)
        for (int number = 1; number < HOP_LMR_MAX; number++)
            h->lmr[depth][number] = (uint8_t)(0.4 + log(depth) * log(number + 1) / 2.2);
}

void hop_search_begin(struct hop_search *h, struct stop *stop, int max_hops) {
    h->stop = stop;
    h->max_hops = max_hops;
    h->races = has(h, HOP_RACE) ? races_find(max_hops) : NULL;
    h->nodes = 0;
    memset(h->killer, 0, sizeof h->killer);
    memset(h->history, 0, sizeof h->history);
}

void hop_search_done(struct hop_search *h) { free(h->stack); }

bool hop_search_stopped(const struct hop_search *h) {
    return atomic_load_explicit(&h->stop->now, memory_order_relaxed);
}

int hop_final(const struct hop_field *f, int ply) {
    const int margin = field_margin(f), pieces = margin < 0 ? -margin : margin;
    const int won = HOP_WON + HOP_STEP * (HOP_PIECE * pieces - ply) + pieces;
    return margin > 0 ? won : margin < 0 ? -won : 0;
}

// Values of won games count plies from the root in the search; in the table, from the position, so
// many plies later.
static int value_later(int value, int plies) {
    const int by = HOP_STEP * plies;
    return value > HOP_WON_MIN ? value - by : value < -HOP_WON_MIN ? value + by : value;
}

static uint64_t key_of(const struct hop_field *f) {
    const uint64_t key = field_key(f->own, f->other);
    return f->left > LEFT_SEEN ? key : key ^ (uint64_t)f->left * UINT64_C(0x9fb21c651e98df25);
}

// A move in 16 bits, to be known again: its squares, and something of what it takes.
static uint16_t name_of(const struct leap *l) {
    const uint64_t taken = l->other * UINT64_C(0x9e3779b97f4a7c15) >> 60;
    return (uint16_t)((unsigned)l->from << 10 | (unsigned)l->to << 4 | (unsigned)taken);
}

static int place_of(const struct leap *l) { return l->from * HOP_SQUARES + l->to; }

// The moves that are left are searched in the order of their `order`: the best next to the front.
static struct leap *pick(struct leap *list, int count, int i) {
    int best = i;
    for (int k = i + 1; k < count; k++)
        if (list[k].order > list[best].order)
            best = k;
    const struct leap swap = list[best];
    list[best] = list[i];
    list[i] = swap;
    return &list[i];
}

// What a race is worth if nobody turns back: nearly certain, and the sooner the better.
static int race_value(const struct hop_search *h, const struct hop_field *f) {
    int plies;
    const int margin = race_margin(h->races, f, &plies);
    return margin > 0   ? HOP_RACE_WON + HOP_RACE_PIECE * margin - plies
           : margin < 0 ? -HOP_RACE_WON + HOP_RACE_PIECE * margin + plies
                        : 0;
}

// What is left to the mover's pieces, and to the other's if he moves them.
static int columns_to_go(const struct hop_field *f, bool own) {
    int last;
    return field_columns(own ? f->own : field_turned(f->other), &last);
}

// One side has no piece left: the other walks home.
static int alone_value(const struct hop_field *f) {
    const bool own = f->own != 0;
    const int value =
        HOP_RACE_WON + HOP_RACE_PIECE * bits_count(f->own | f->other) - columns_to_go(f, own);
    return own ? value : -value;
}

// In a game that is decided it counts less by how much: he who has won goes home instead of hunting
// what is left of the other.
static int without_excess(int value) {
    const int excess = value > DECIDED ? value - DECIDED : value < -DECIDED ? value + DECIDED : 0;
    return value - excess + excess / DECIDED_PART;
}

// To be ahead is all the same to the net wherever the pieces are. It is worth less the further they
// have to go, or he who is ahead might go round in circles until the moves are used up.
static int with_progress(int value, const struct hop_field *f) {
    const int ahead = value > AHEAD_MAX ? AHEAD_MAX : value < -AHEAD_MAX ? -AHEAD_MAX : value;
    return value - ahead * columns_to_go(f, value > 0) / AHEAD_COLUMN;
}

// The fewer turns are left, the more it counts who has more pieces home: the net does not know.
static int with_margin(int value, const struct hop_field *f) {
    if (f->left >= LEFT_SEEN)
        return value;
    return value + field_margin(f) * USED_UP_PIECE * (LEFT_SEEN - f->left) / LEFT_SEEN;
}

static int evaluate(const struct hop_search *h, const struct hop_field *f) {
    if (h->races && race_is_on(f))
        return race_value(h, f);
    const bool progress = has(h, HOP_PROGRESS);
    if (progress && (!f->own || !f->other))
        return alone_value(f);
    const int value = hopnet_value(h->net, f, h->races);
    return progress ? with_margin(with_progress(without_excess(value), f), f) : value;
}

// A guess.
static int guess_value(struct hop_search *h, const struct hop_field *f) {
    h->guesses++;
    return evaluate(h, f);
}

// The moves onto the stack.
static struct leap *list_moves(struct hop_search *h, const struct hop_field *f, bool captures,
                               int *count) {
    struct leap *list = h->stack + h->used;
    *count = leaps_list(f, h->max_hops, captures, list, STACK - h->used);
    h->used += *count;
    return list;
}

// Can the mover end the game at once, and win by that?
static bool can_end(const struct hop_search *h, const struct hop_field *f, int ply, int *value) {
    const uint64_t out = f->own & ~FIELD_HOME;
    if (!out || (out & (out - 1)))
        return false;
    struct leap list[64];
    const int count = leaps_list(f, h->max_hops, false, list, 64);
    for (int i = 0; i < count; i++)
        if (!(list[i].own & ~FIELD_HOME)) {
            const struct hop_field next = field_next(f, list[i].own, list[i].other);
            *value = -hop_final(&next, ply + 1);
            if (*value > 0)
                return true;
        }
    return false;
}

static int quiesce(struct hop_search *h, const struct hop_field *f, int alpha, int beta, int ply) {
    h->nodes++;
    stop_due(h->stop, h->nodes);
    if (field_is_over(f))
        return hop_final(f, ply);
    int best, count;
    if (can_end(h, f, ply, &best))
        return best;
    const uint64_t before = h->guesses;
    best = guess_value(h, f);
    if (best >= beta || ply >= HOP_PLY_MAX || !has(h, HOP_QUIESCENCE) || hop_search_stopped(h))
        return best;
    const int used = h->used;
    struct leap *list = list_moves(h, f, true, &count);
    for (int i = 0; i < count; i++)
        list[i].order = -bits_count(list[i].other) * 64 + bits_count(list[i].own & FIELD_HOME);
    for (int i = 0; i < count && best < beta && !hop_search_stopped(h); i++) {
        const struct leap *l = pick(list, count, i);
        const struct hop_field next = field_next(f, l->own, l->other);
        const uint64_t others = h->guesses;
        const int value = -quiesce(h, &next, -beta, -(best > alpha ? best : alpha), ply + 1);
        best = value > best ? value : best;
        if (value >= beta)
            h->guesses -= others - before;
    }
    h->used = used;
    return best;
}

// Orders the moves: the one from the table, captures by what they take, moves that were good
// elsewhere, and else the way they go.
static void order_moves(const struct hop_search *h, const struct hop_field *f, struct leap *list,
                        int count, uint16_t first, int ply) {
    const int pieces = bits_count(f->other);
    for (int i = 0; i < count; i++) {
        struct leap *l = &list[i];
        const uint16_t name = name_of(l);
        const int way = l->to % HOP_SIDE - l->from % HOP_SIDE;
        const bool learned = has(h, HOP_HISTORY);
        if (name == first && first)
            l->order = ORDER_FIRST;
        else if (l->other != f->other)
            l->order = ORDER_CAPTURE * (pieces - bits_count(l->other)) + way;
        else if (learned && (name == h->killer[ply][0] || name == h->killer[ply][1]))
            l->order = ORDER_KILLER;
        else
            l->order = 64 * way + (learned ? h->history[place_of(l)] : 0);
    }
}

static void update_history(struct hop_search *h, const struct hop_node *n, const struct leap *best,
                           const struct leap *list, int tried) {
    const int gain = n->depth * n->depth > 400 ? 400 : n->depth * n->depth;
    const uint16_t name = name_of(best);
    uint16_t *killer = h->killer[n->ply];
    if (killer[0] != name) {
        killer[1] = killer[0];
        killer[0] = name;
    }
    int32_t *good = &h->history[place_of(best)];
    *good += gain * 16 - *good * gain / (HISTORY_MAX / 16);
    for (int i = 0; i < tried; i++) {
        int32_t *bad = &h->history[place_of(&list[i])];
        *bad -= gain * 16 + *bad * gain / (HISTORY_MAX / 16);
    }
}

static bool is_repeated(const struct hop_search *h, uint64_t key, int ply) {
    for (int i = ply - 2; i >= 0; i -= 2)
        if (h->path[i] == key)
            return true;
    return false;
}

// Whether an entry settles the question, and by what value.
static bool cut_by_tt(const struct hop_search *h, const struct hop_node *n,
                      const struct tt_entry *e, int *value) {
    const int lower = value_later(e->lower, n->ply), upper = value_later(e->upper, n->ply);
    const bool deep = h->whole ? e->depth >= n->depth && (e->kind & KIND_WHOLE)
                               : e->depth >= n->depth || (e->kind & KIND_SURE);
    if (!deep && !(lower > HOP_WON_MIN && lower >= n->beta) &&
        !(upper < -HOP_WON_MIN && upper <= n->alpha))
        return false;
    *value = lower >= n->beta ? lower : upper;
    return lower >= n->beta || upper <= n->alpha || lower == upper;
}

static void keep(struct hop_search *h, const struct hop_node *n, uint64_t key, int value,
                 uint16_t name, bool sure) {
    const int16_t kept = (int16_t)value_later(value, -n->ply);
    tt_put(
        h->tt, key,
        (struct tt_entry){.lower = value > n->alpha ? kept : -HOP_NONE,
                          .upper = value < n->beta ? kept : HOP_NONE,
                          .move = name,
                          .depth = (uint8_t)n->depth,
                          .kind = (uint8_t)((h->whole ? KIND_WHOLE : 0) | (sure ? KIND_SURE : 0))});
}

static void update_pv(struct hop_line *line, const struct leap *l, const struct hop_line *rest) {
    line->leap[0] = *l;
    line->length = rest->length + 1 < PV_MAX ? rest->length + 1 : PV_MAX;
    memcpy(&line->leap[1], rest->leap, (size_t)(line->length - 1) * sizeof *l);
}

static int reduction(const struct hop_search *h, int depth, int number) {
    return h->lmr[depth < HOP_LMR_MAX ? depth : HOP_LMR_MAX - 1]
                 [number < HOP_LMR_MAX ? number : HOP_LMR_MAX - 1];
}

static bool is_narrow(const struct hop_node *n) { return n->beta - n->alpha == 1; }

static int search(struct hop_search *h, const struct hop_node *n, struct hop_line *line);

// What one move is worth, as far as the window from alpha on asks.
static int try_move(struct hop_search *h, const struct hop_node *n, const struct leap *l,
                    int number, int alpha, struct hop_line *rest) {
    const struct hop_field field = field_next(n->field, l->own, l->other);
    const uint64_t before = h->guesses;
    struct hop_node next = {.field = &field,
                            .alpha = -alpha - 1,
                            .beta = -alpha,
                            .depth = n->depth - 1,
                            .ply = n->ply + 1};
    rest->length = 0;
    if (number > 0) {
        const bool quiet = l->other == n->field->other;
        int less = 0;
        if (n->depth >= 3 && number >= 3 && quiet && has(h, HOP_LMR))
            less = reduction(h, n->depth, number);
        less = less > n->depth - 2 ? n->depth - 2 : less;
        next.depth -= less > 0 ? less : 0;
        int value = -search(h, &next, rest);
        next.depth = n->depth - 1;
        if (value > alpha && less > 0 && !hop_search_stopped(h)) {
            h->guesses = before;
            value = -search(h, &next, rest);
        }
        if (value <= alpha || value >= n->beta || hop_search_stopped(h))
            return value;
    }
    h->guesses = before;
    next.alpha = -n->beta;
    return -search(h, &next, rest);
}

// Even a skipped turn leaves the value above the window.
static bool cut_by_null(struct hop_search *h, const struct hop_node *n, int guess) {
    const int depth = n->depth - (3 + n->depth / 5);
    if (!has(h, HOP_NULL_MOVE) || n->depth < NULL_DEPTH || guess < n->beta ||
        hop_is_proven(n->beta))
        return false;
    struct hop_line unused;
    const struct hop_field field = field_pass(n->field);
    const struct hop_node next = {.field = &field,
                                  .alpha = -n->beta,
                                  .beta = -n->beta + 1,
                                  .depth = depth > 0 ? depth : 0,
                                  .ply = n->ply + 1,
                                  .after_null = true};
    if (field_is_over(&field))
        return false;
    const uint64_t before = h->guesses;
    const int value = -search(h, &next, &unused);
    h->guesses = before + (value >= n->beta);
    return value >= n->beta;
}

// Whether a quiet move near the leaves is left out: late-move pruning, and futility. Not one that
// ends the game.
static bool is_pruned(const struct hop_search *h, const struct hop_node *n, const struct leap *l,
                      int quiets, int guess) {
    if (!is_narrow(n) || !(l->own & ~FIELD_HOME))
        return false;
    return (has(h, HOP_LMP) && n->depth <= LMP_DEPTH && quiets > 4 + 4 * n->depth * n->depth) ||
           (has(h, HOP_FUTILITY) && n->depth <= FUTILITY_DEPTH && quiets > 1 &&
            guess + FUTILITY_PLY * (n->depth + 1) <= n->alpha);
}

static int search_moves(struct hop_search *h, const struct hop_node *n, int guess, uint16_t first,
                        uint64_t key, struct hop_line *line) {
    const struct hop_field *f = n->field;
    const int used = h->used;
    const uint64_t before = h->guesses;
    int count, best = -HOP_NONE, quiets = 0;
    struct leap *list = list_moves(h, f, false, &count);
    const struct leap *best_leap = NULL;
    order_moves(h, f, list, count, first, n->ply);
    for (int i = 0; i < count; i++) {
        struct hop_line rest;
        const struct leap *l = pick(list, count, i);
        const bool quiet = l->other == f->other;
        quiets += quiet;
        if (quiet && best > -HOP_WON_MIN && is_pruned(h, n, l, quiets, guess)) {
            h->guesses++;
            continue;
        }
        const int floor = best > n->alpha ? best : n->alpha;
        const uint64_t others = h->guesses;
        const int value = try_move(h, n, l, i, floor, &rest);
        if (hop_search_stopped(h))
            break;
        if (value > best) {
            best = value;
            best_leap = l;
        }
        if (value > floor)
            update_pv(line, l, &rest);
        if (value >= n->beta) {
            h->guesses -= others - before;
            if (quiet)
                update_history(h, n, l, list, i);
            break;
        }
    }
    if (!hop_search_stopped(h) && best_leap)
        keep(h, n, key, best, name_of(best_leap), h->guesses == before);
    h->used = used;
    return best == -HOP_NONE ? n->alpha : best;
}

// Nobody's move, or the other's.
static int search_pass(struct hop_search *h, const struct hop_node *n, struct hop_line *line) {
    struct hop_field field = field_pass(n->field);
    const struct hop_node next = {.field = &field,
                                  .alpha = -n->beta,
                                  .beta = -n->alpha,
                                  .depth = n->depth,
                                  .ply = n->ply + 1,
                                  .after_null = n->after_null};
    if (!field_can_move(field.own, field.other))
        field.left = 0;
    h->path[n->ply] = 0;
    return -search(h, &next, line);
}

static int look(struct hop_search *h, const struct hop_node *n, struct hop_line *line) {
    const struct hop_field *f = n->field;
    line->length = 0;
    if (field_is_over(f))
        return hop_final(f, n->ply);
    if (n->ply >= HOP_PLY_MAX)
        return guess_value(h, f);
    if (!field_can_move(f->own, f->other))
        return search_pass(h, n, line);
    if (n->depth <= 0)
        return quiesce(h, f, n->alpha, n->beta, n->ply);
    h->nodes++;
    if (stop_due(h->stop, h->nodes))
        return n->alpha;
    const uint64_t key = key_of(f);
    h->path[n->ply] = field_key(f->own, f->other);
    if (has(h, HOP_REPEAT) && is_repeated(h, h->path[n->ply], n->ply)) {
        h->guesses++;
        return ROUND_WORTH * field_margin(f) + (n->ply % 2 ? ROUND_COST : -ROUND_COST);
    }
    struct tt_entry known = {.move = 0};
    int value;
    if (has(h, HOP_TABLE) && tt_get(h->tt, key, &known) && cut_by_tt(h, n, &known, &value) &&
        (is_narrow(n) || n->depth <= 1)) {
        h->guesses += !(known.kind & KIND_SURE);
        return value;
    }
    const int guess = evaluate(h, f);
    if (is_narrow(n) && has(h, HOP_FUTILITY) && n->depth <= FUTILITY_DEPTH &&
        !hop_is_proven(n->beta) && guess - FUTILITY_PLY * n->depth >= n->beta) {
        h->guesses++;
        return guess;
    }
    if (is_narrow(n) && !n->after_null && (cut_by_null(h, n, guess) || hop_search_stopped(h)))
        return n->beta;
    return search_moves(h, n, guess, known.move, key, line);
}

static int search(struct hop_search *h, const struct hop_node *n, struct hop_line *line) {
    const uint64_t before = h->guesses;
    const int value = look(h, n, line);
    if (hop_is_proven(value))
        h->guesses = before;
    return value;
}

// Puts a move in front of those before it.
static void promote(struct leap *leaps, int i) {
    const struct leap best = leaps[i];
    memmove(leaps + 1, leaps, (size_t)i * sizeof best);
    leaps[0] = best;
}

int hop_search_run(struct hop_search *h, const struct hop_node *root, struct leap *leaps, int count,
                   struct hop_line *line) {
    int best = -HOP_NONE;
    assert(root->ply == 0 && root->alpha < root->beta);
    line->length = 0;
    h->used = 0;
    h->guesses = 0;
    h->nodes++;
    if (stop_due(h->stop, h->nodes))
        return best;
    h->path[0] = field_key(root->field->own, root->field->other);
    for (int i = 0; i < count && best < root->beta; i++) {
        struct hop_line rest;
        const struct leap l = leaps[i];
        const int floor = best > root->alpha ? best : root->alpha;
        const int value = try_move(h, root, &l, i, floor, &rest);
        if (hop_search_stopped(h))
            return best;
        if (value > best)
            best = value;
        if (value > floor) {
            update_pv(line, &l, &rest);
            promote(leaps, i);
        }
    }
    return best;
}
