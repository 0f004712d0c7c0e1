// SPDX-License-Identifier: MIT
// Values are gains: what a drop earns is added on the way back, and the window moves along with it.
// A drop that threatens a line is never looked at less deeply than it should; the only answer to a
// threat is looked at more deeply.
#include "engine/tower4/search.h"

#include "engine/deepen.h"
#include "engine/tower4/ending.h"
#include "engine/tower4/eval.h"
#include "games/bits.h"

#include <string.h>

enum {
    INFINITE = 16000,
    KIND_GUESS = 0,  // of entries in the table
    KIND_PROVEN = 1, // to the end of the game
    NO_COLUMN = 255,
    HISTORY_MAX = 16000,
    THINK_DEPTH = 30,  // of a thought within nodes, at most
    QUIET_PLIES = 6,   // of drops that make or deny lines, after the others
    PRUNE_DEPTH = 3,   // from the leaves
    AHEAD_PERCENT = 6, // of what the next lines are worth, for each ply
    LATE_DEPTH = 2,
    LATE_DROPS = 5,  // are looked at for each ply, besides those that make or deny lines
    ENDING_LEFT = 4, // with fewer pieces left, looking for idle columns does not pay

    // Scores of drops in their order.
    SCORE_BEST = 1 << 28,
    SCORE_MAKES = 1 << 24,
    SCORE_DENIES = 1 << 21,
    SCORE_FORCED = 1 << 20, // from here on the drop makes or denies a line
    SCORE_OPENS = 1 << 17,  // a line of the other
    SCORE_WASTES = 1 << 16, // opens a line of one's own, for the other to deny
    SCORE_KILLER = 1 << 15,
};

struct drop {
    int score;
    int column;
};

// Drops in their order. The first may be known; the others are not looked at before they are
// needed.
struct drop_list {
    uint32_t columns;
    int first; // or NO_COLUMN
    int ply, depth;
    struct drop choice[COLUMNS_MAX];
    int taken, count; // -1: not yet in order
};

// What one more stone on a line is worth to the order.
static const uint8_t reach[STONES] = {1, 3, 9, 0, 2, 6, 0, 0};

static bool uses(const struct tower_search *s, enum technique technique) {
    return !(s->without >> technique & 1);
}

static int lines_score(const struct tower_board *b, int cell) {
    const struct lattice *l = b->lattice;
    int score = 0;
    for (int i = 0; i < l->through_count[cell]; i++)
        score += reach[l->stones[b->side][b->line[l->through[cell][i] / 4]]];
    return score;
}

static int drop_score(const struct tower_search *s, int column, int ply, int depth) {
    const struct tower_board *b = &s->board;
    const int cell = tower_cell(b, column), side = b->side, above = cell + COLUMNS_MAX;
    int score = b->threes[side][cell] * SCORE_MAKES + b->threes[!side][cell] * SCORE_DENIES;
    if (above < CELLS)
        score -= b->threes[!side][above] * SCORE_OPENS + b->threes[side][above] * SCORE_WASTES;
    if (column == s->killer[ply][0] || column == s->killer[ply][1])
        score += SCORE_KILLER;
    score += s->history[side][cell];
    return depth >= 2 ? score + 64 * lines_score(b, cell) : score;
}

static struct drop_list list_drops(uint32_t columns, int first, int ply, int depth) {
    const bool known = first != NO_COLUMN && (columns >> first & 1);
    return (struct drop_list){.columns = known ? columns & ~(UINT32_C(1) << first) : columns,
                              .first = known ? first : NO_COLUMN,
                              .ply = ply,
                              .depth = depth,
                              .count = -1};
}

static void list_fill(const struct tower_search *s, struct drop_list *list) {
    list->count = 0;
    for (uint32_t rest = list->columns; rest; rest &= rest - 1) {
        const int column = bits_first(rest);
        list->choice[list->count++] =
            (struct drop){drop_score(s, column, list->ply, list->depth), column};
    }
}

// The best of those not yet taken comes next; false when there are no more.
static bool list_next(const struct tower_search *s, struct drop_list *list, struct drop *next) {
    if (list->first != NO_COLUMN) {
        *next = (struct drop){SCORE_BEST, list->first};
        list->first = NO_COLUMN;
        return true;
    }
    if (list->count < 0)
        list_fill(s, list);
    if (list->taken == list->count)
        return false;
    int best = list->taken;
    for (int i = best + 1; i < list->count; i++)
        if (list->choice[i].score > list->choice[best].score)
            best = i;
    *next = list->choice[best];
    list->choice[best] = list->choice[list->taken++];
    return true;
}

static bool is_last(const struct tower_search *s) {
    return s->board.left <= (uses(s, TECHNIQUE_ENDING) ? 2 : 0);
}

static int last_gain(const struct tower_board *b) {
    return b->left == 0 ? 0 : POINT * (b->left == 1 ? ending_one(b) : ending_two(b));
}

static int drop_gain(const struct tower_board *b, int column) {
    return POINT * tower_worth(b, b->threes[b->side][tower_cell(b, column)]);
}

static uint32_t hot_columns(const struct tower_board *b, int side) {
    return tower_hot(b, side) & tower_columns(b);
}

static void count_node(struct tower_search *s) {
    s->nodes++;
    if (stop_due(s->stop, s->nodes))
        s->stopped = true;
}

// Looks on only where a drop makes a line or denies one.
static int quiesce(struct tower_search *s, int alpha, int beta, int ply, int plies) {
    struct tower_board *b = &s->board;
    count_node(s);
    if (is_last(s))
        return last_gain(b);
    int best = tower_gain(b);
    if (best >= beta || plies == 0 || s->stopped || !uses(s, TECHNIQUE_QUIET))
        return best;
    struct drop_list list = list_drops(hot_columns(b, 0) | hot_columns(b, 1), NO_COLUMN, ply, 0);
    for (struct drop choice; best < beta && list_next(s, &list, &choice);) {
        const int column = choice.column, low = best > alpha ? best : alpha;
        const int gain = drop_gain(b, column);
        const int made = tower_drop(b, column);
        const int value = gain - quiesce(s, gain - beta, gain - low, ply + 1, plies - 1);
        tower_undo(b, column, made);
        best = value > best ? value : best;
    }
    return best;
}

static void update_history(struct tower_search *s, int column, int depth, int ply) {
    if (!uses(s, TECHNIQUE_HISTORY))
        return;
    uint16_t *h = &s->history[s->board.side][tower_cell(&s->board, column)];
    const int bonus = depth * depth * 16 < HISTORY_MAX ? depth * depth * 16 : HISTORY_MAX;
    *h = (uint16_t)(*h + bonus - *h * bonus / HISTORY_MAX);
    if (s->killer[ply][0] != column) {
        s->killer[ply][1] = s->killer[ply][0];
        s->killer[ply][0] = (uint8_t)column;
    }
}

static void update_pv(struct tower_search *s, int ply, int column) {
    const int length = s->pv_length[ply + 1];
    s->pv[ply][0] = (uint8_t)column;
    memcpy(&s->pv[ply][1], s->pv[ply + 1], (size_t)length);
    s->pv_length[ply] = (uint8_t)(length + 1);
}

// How much deeper than usual a drop is looked at: a step for the only answer to a threat.
static int extension(const struct tower_search *s, int column) {
    const struct tower_board *b = &s->board;
    const uint32_t his = hot_columns(b, !b->side);
    return uses(s, TECHNIQUE_EXTENSION) && !s->full && his == UINT32_C(1) << column &&
           !hot_columns(b, b->side);
}

// How much less deep a late drop is looked at, which has been made. Not what threatens a line.
static int reduction(const struct tower_search *s, int depth, int number, int score) {
    const struct tower_board *b = &s->board;
    if (s->full || depth < 3 || number < 3 || score >= SCORE_FORCED || hot_columns(b, !b->side) ||
        !uses(s, TECHNIQUE_REDUCTION))
        return 0;
    return 1 + (number >= 8) + (depth >= 6 && number >= 6);
}

// What is asked of a position; small enough to be handed on in registers.
struct tower_node {
    int depth, ply, alpha, beta;
};

static int value_of(struct tower_search *s, struct tower_node n);

static int value_after(struct tower_search *s, struct tower_node n, struct drop choice,
                       int number) {
    struct tower_board *b = &s->board;
    const int gain = drop_gain(b, choice.column), alpha = gain - n.alpha;
    const int on = n.depth - 1 + extension(s, choice.column);
    const int made = tower_drop(b, choice.column);
    const int less = reduction(s, n.depth, number, choice.score);
    tt_prefetch(s->tt, b->key[tower_view(b)]);
    int value = n.alpha + 1;
    if (number > 0 && (less > 0 || uses(s, TECHNIQUE_WINDOW)))
        value = gain - value_of(s, (struct tower_node){on - less, n.ply + 1, alpha - 1, alpha});
    if (value > n.alpha && less > 0)
        value = gain - value_of(s, (struct tower_node){on, n.ply + 1, alpha - 1, alpha});
    if (value > n.alpha && (number == 0 || n.beta - n.alpha > 1 || !uses(s, TECHNIQUE_WINDOW)))
        value = gain - value_of(s, (struct tower_node){on, n.ply + 1, gain - n.beta, alpha});
    tower_undo(b, choice.column, made);
    return value;
}

// The columns to look at. Near the end of a full search, of the idle ones only the first.
static uint32_t columns_of(const struct tower_search *s, int ply) {
    const struct tower_board *b = &s->board;
    if (ply == 0 && s->only >= 0)
        return UINT32_C(1) << s->only;
    const uint32_t all = tower_columns(b);
    if (ply == 0 && s->except)
        return all & ~s->except;
    if (!s->full || b->left < ENDING_LEFT || b->left > 7 || !uses(s, TECHNIQUE_ENDING))
        return all;
    const uint32_t busy = ending_columns(b), idle = all & ~busy;
    return busy | (idle & -idle);
}

// Whether something may be left out near the leaves.
static bool prunes(const struct tower_search *s, struct tower_node n) {
    return n.depth <= PRUNE_DEPTH && n.ply > 0 && !s->full && n.beta - n.alpha == 1 &&
           uses(s, TECHNIQUE_PRUNING);
}

// Goes through the drops; leaves the best column in `best`.
static int look_through(struct tower_search *s, struct tower_node n, int *best) {
    struct drop_list list = list_drops(columns_of(s, n.ply), *best, n.ply, n.depth);
    struct drop choice;
    int top = -INFINITE;
    const int alpha = n.alpha;
    const bool leaves_out = n.depth <= LATE_DEPTH && prunes(s, n);
    for (int i = 0; top < n.beta && list_next(s, &list, &choice); i++) {
        if (leaves_out && i >= LATE_DROPS * n.depth && choice.score < SCORE_FORCED)
            break;
        n.alpha = top > alpha ? top : alpha;
        const int value = value_after(s, n, choice, i);
        if (s->stopped)
            break;
        if (value <= top)
            continue;
        top = value;
        *best = choice.column;
        if (value > alpha)
            update_pv(s, n.ply, choice.column);
        if (value >= n.beta)
            update_history(s, choice.column, n.depth, n.ply);
    }
    return top;
}

// Whether an entry settles the question.
static bool settles(const struct tower_search *s, const struct tt_entry *e, struct tower_node n) {
    if ((n.beta - n.alpha > 1 && !s->full) ||
        (e->kind != KIND_PROVEN && (s->full || e->depth < n.depth)))
        return false;
    return e->lower >= n.beta || e->upper <= n.alpha || e->lower == e->upper;
}

// Reverse futility: whether the mover is so far ahead, with nothing threatened, that a drop more or
// less does not matter; then in `value` what is certain enough.
static bool is_futile(const struct tower_search *s, struct tower_node n, int *value) {
    const struct tower_board *b = &s->board;
    if (hot_columns(b, !b->side))
        return false;
    *value = tower_gain(b) - n.depth * AHEAD_PERCENT * POINT * tower_worth(b, NEXT_LINES) / 100;
    return *value >= n.beta;
}

static int value_of(struct tower_search *s, struct tower_node n) {
    struct tower_board *b = &s->board;
    struct tt_entry e;
    s->pv_length[n.ply] = 0;
    if (is_last(s) && n.ply > 0)
        return last_gain(b);
    if (n.depth <= 0)
        return quiesce(s, n.alpha, n.beta, n.ply, QUIET_PLIES);
    count_node(s);
    if (s->stopped)
        return 0;
    const int view = tower_view(b);
    const uint64_t key = b->key[view];
    const uint8_t *mirror = b->lattice->mirror[b->view[view]];
    int best = NO_COLUMN;
    if (uses(s, TECHNIQUE_TABLE) && tt_get(s->tt, key, &e)) {
        if (n.ply > 0 && settles(s, &e, n))
            return e.lower >= n.beta ? e.lower : e.upper;
        best = b->lattice->unmirror[b->view[view]][e.move];
    }
    int value;
    if (prunes(s, n) && is_futile(s, n, &value))
        return value;
    value = look_through(s, n, &best);
    if (!s->stopped && ((s->only < 0 && !s->except) || n.ply > 0))
        tt_put(s->tt, key,
               (struct tt_entry){.lower = (int16_t)(value > n.alpha ? value : -INFINITE),
                                 .upper = (int16_t)(value < n.beta ? value : INFINITE),
                                 .move = mirror[best],
                                 .depth = (uint8_t)n.depth,
                                 .kind = s->full ? KIND_PROVEN : KIND_GUESS});
    return value;
}

static int rounded(int value) {
    return (value >= 0 ? value + POINT / 2 : value - POINT / 2) / POINT;
}

bool tower_search_run(void *thread, int depth, struct thought *t) {
    struct tower_search *s = thread;
    s->full = depth >= s->board.left;
    s->stopped = false;
    const int value = value_of(s, (struct tower_node){depth, 0, -INFINITE, INFINITE});
    const int length = s->pv_length[0] < PV_MAX ? s->pv_length[0] : PV_MAX;
    t->nodes = s->nodes;
    if (length == 0)
        return !s->stopped;
    for (int i = 0; i < length; i++)
        t->pv[i] = s->board.lattice->move[s->pv[0][i]];
    t->length = length;
    t->value = s->points + rounded(value);
    t->depth = s->stopped ? t->depth : depth;
    t->exact = s->full && !s->stopped;
    return !s->stopped;
}

void tower_search_forget(struct tower_search *s) {
    memset(s->history, 0, sizeof s->history);
    memset(s->killer, NO_COLUMN, sizeof s->killer);
}

void tower_search_think(struct tower_search *s, uint64_t nodes, struct thought *thought) {
    const struct limits limits = {.nodes = nodes};
    const struct deepening d = {.first = 1,
                                .last = s->board.left < THINK_DEPTH ? s->board.left : THINK_DEPTH,
                                .search = tower_search_run,
                                .threads = s,
                                .thread_count = 1,
                                .stop = s->stop};
    stop_init(s->stop, &limits);
    s->nodes = 0;
    s->points = 0;
    s->only = -1;
    s->except = 0;
    tower_search_forget(s);
    deepen(&d, thought);
}
