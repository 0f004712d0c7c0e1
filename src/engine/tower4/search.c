// SPDX-License-Identifier: MIT
#include "engine/tower4/search.h"

#include "engine/tower4/eval.h"
#include "games/bits.h"

#include <string.h>

enum {
    INFINITE = 16000,
    KIND_GUESS = 0,
    KIND_PROVEN = 1,
    HISTORY_MAX = 16000,
    QUIET_PLIES = 6,
};

struct choice {
    int score;
    int column;
};

struct list {
    struct choice choice[COLUMNS_MAX];
    int count;
};

static const uint8_t reach[2][LINE_STATES] = {
    // what a stone more on such a line is worth to the order, by colour
    {[0] = 1, [1] = 3, [2] = 9, [5] = 2, [10] = 6},
    {[0] = 1, [5] = 3, [10] = 9, [1] = 2, [2] = 6},
};

static int lines_score(const struct tower *b, int cell) {
    const struct lattice *l = b->lattice;
    const uint8_t *worth = reach[b->side];
    int score = 0;
    for (int i = 0; i < l->through_count[cell]; i++)
        score += worth[b->line[l->through[cell][i]]];
    return score;
}

static int drop_score(const struct search *s, int column, int best, int ply, bool fine) {
    const struct tower *b = &s->board;
    const int cell = tower_cell(b, column), side = b->side;
    const int above = cell + COLUMNS_MAX;
    if (column == best)
        return 1 << 28;
    int score = (b->threes[side][cell] << 24) + (b->threes[!side][cell] << 21);
    if (above < CELLS)
        score -= (b->threes[!side][above] << 19) + (b->threes[side][above] << 16);
    if (column == s->killer[ply][0] || column == s->killer[ply][1])
        score += 1 << 15;
    score += s->history[side][cell];
    return fine ? score + 64 * lines_score(b, cell) : score;
}

static void list_drops(const struct search *s, struct list *list, uint32_t columns, int best,
                       int ply, bool fine) {
    list->count = 0;
    for (uint32_t rest = columns; rest; rest &= rest - 1) {
        const int column = bits_first(rest);
        list->choice[list->count++] =
            (struct choice){drop_score(s, column, best, ply, fine), column};
    }
}

// The best of those not yet taken comes next.
static struct choice list_next(struct list *list, int from) {
    int best = from;
    for (int i = from + 1; i < list->count; i++)
        if (list->choice[i].score > list->choice[best].score)
            best = i;
    const struct choice chosen = list->choice[best];
    list->choice[best] = list->choice[from];
    list->choice[from] = chosen;
    return chosen;
}

// The last piece of the game takes what it can.
static int last_drop(const struct tower *b) {
    int most = 0;
    for (uint32_t rest = tower_hot(b, b->side) & tower_columns(b); rest; rest &= rest - 1) {
        const int made = b->threes[b->side][tower_cell(b, bits_first(rest))];
        most = made > most ? made : most;
    }
    return tower_worth(b, most) * POINT;
}

// Looks on only where a drop makes a line or denies one.
static int calm(struct search *s, int alpha, int beta, int ply, int plies) {
    struct tower *b = &s->board;
    s->nodes++;
    if (stop_due(s->stop, s->nodes))
        s->stopped = true;
    if (b->left <= 1)
        return b->left ? last_drop(b) : 0;
    int best = tower_gain(b);
    if (best >= beta || plies == 0 || s->stopped)
        return best;
    struct list list;
    list_drops(s, &list, (tower_hot(b, 0) | tower_hot(b, 1)) & tower_columns(b), -1, ply, false);
    for (int i = 0; i < list.count && best < beta; i++) {
        const int column = list_next(&list, i).column, low = best > alpha ? best : alpha;
        const int gain = tower_worth(b, b->threes[b->side][tower_cell(b, column)]) * POINT;
        const int made = tower_drop(b, column);
        const int value = gain - calm(s, gain - beta, gain - low, ply + 1, plies - 1);
        tower_undo(b, column, made);
        best = value > best ? value : best;
    }
    return best;
}

static void learn(struct search *s, int column, int depth, int ply) {
    uint16_t *h = &s->history[s->board.side][tower_cell(&s->board, column)];
    const int bonus = depth * depth * 16;
    *h = (uint16_t)(*h + bonus - *h * (bonus < HISTORY_MAX ? bonus : HISTORY_MAX) / HISTORY_MAX);
    if (s->killer[ply][0] != column) {
        s->killer[ply][1] = s->killer[ply][0];
        s->killer[ply][0] = (uint8_t)column;
    }
}

static void extend_line(struct search *s, int ply, int column) {
    const int length = s->pv_length[ply + 1];
    s->pv[ply][0] = (uint8_t)column;
    memcpy(&s->pv[ply][1], s->pv[ply + 1], (size_t)length);
    s->pv_length[ply] = (uint8_t)(length + 1);
}

// How much less deep a late drop is looked at, which has been made. Not what threatens a line.
static int reduction(const struct search *s, int depth, int number, int score) {
    if (s->full || depth < 3 || number < 3 || score >= 1 << 20 ||
        (tower_hot(&s->board, !s->board.side) & tower_columns(&s->board)))
        return 0;
    return 1 + (number >= 8) + (depth >= 6 && number >= 6);
}

static int value_of(struct search *s, int depth, int ply, int alpha, int beta);

static int value_after(struct search *s, int depth, int ply, int alpha, int beta,
                       struct choice choice, int number) {
    struct tower *b = &s->board;
    const int cell = tower_cell(b, choice.column);
    const int gain = tower_worth(b, b->threes[b->side][cell]) * POINT;
    const int on = depth - 1 + (!s->full && b->threes[!b->side][cell] > 0); // a forced answer
    const int made = tower_drop(b, choice.column);
    const int less = reduction(s, depth, number, choice.score);
    memo_prefetch(s->memo, b->key);
    int value = alpha + 1;
    if (number > 0)
        value = gain - value_of(s, on - less, ply + 1, gain - alpha - 1, gain - alpha);
    if (value > alpha && less > 0)
        value = gain - value_of(s, on, ply + 1, gain - alpha - 1, gain - alpha);
    if (value > alpha && (number == 0 || beta - alpha > 1))
        value = gain - value_of(s, on, ply + 1, gain - beta, gain - alpha);
    tower_undo(b, choice.column, made);
    return value;
}

// Goes through the drops; leaves the best column in `best`.
static int look_through(struct search *s, int depth, int ply, int alpha, int beta, int *best) {
    struct tower *b = &s->board;
    struct list list;
    int top = -INFINITE;
    const uint32_t columns = ply == 0 && s->only >= 0 ? UINT32_C(1) << s->only : tower_columns(b);
    list_drops(s, &list, columns, *best, ply, depth >= 2);
    for (int i = 0; i < list.count && top < beta; i++) {
        const struct choice choice = list_next(&list, i);
        const int low = top > alpha ? top : alpha;
        const int value = value_after(s, depth, ply, low, beta, choice, i);
        if (s->stopped)
            break;
        if (value > top) {
            top = value;
            *best = choice.column;
            if (value > alpha)
                extend_line(s, ply, choice.column);
            if (value >= beta)
                learn(s, choice.column, depth, ply);
        }
    }
    return top;
}

static bool recall(const struct search *s, int depth, int alpha, int beta, struct entry *e) {
    if (e->kind != KIND_PROVEN && (s->full || e->depth < depth))
        return false;
    return e->lower >= beta || e->upper <= alpha || e->lower == e->upper;
}

static int value_of(struct search *s, int depth, int ply, int alpha, int beta) {
    struct tower *b = &s->board;
    struct entry e = {.move = 255};
    s->pv_length[ply] = 0;
    if (b->left == 0 || (b->left == 1 && ply > 0))
        return b->left ? last_drop(b) : 0;
    if (depth <= 0)
        return calm(s, alpha, beta, ply, QUIET_PLIES);
    s->nodes++;
    if (stop_due(s->stop, s->nodes))
        s->stopped = true;
    if (s->stopped)
        return 0;
    if (ply > 0 && memo_get(s->memo, b->key, &e) && (beta - alpha == 1 || s->full) &&
        recall(s, depth, alpha, beta, &e))
        return e.lower >= beta ? e.lower : e.upper;
    int best = e.move;
    const int value = look_through(s, depth, ply, alpha, beta, &best);
    if (s->stopped)
        return value;
    if (s->only < 0 || ply > 0)
        memo_put(s->memo, b->key,
                 (struct entry){.lower = (int16_t)(value > alpha ? value : -INFINITE),
                                .upper = (int16_t)(value < beta ? value : INFINITE),
                                .move = (uint16_t)best,
                                .depth = (uint8_t)depth,
                                .kind = s->full ? KIND_PROVEN : KIND_GUESS});
    return value;
}

static int rounded(int value) {
    return (value >= 0 ? value + POINT / 2 : value - POINT / 2) / POINT;
}

bool tower_search_run(void *thread, int depth, struct thought *t) {
    struct search *s = thread;
    s->full = depth >= s->board.left;
    s->stopped = false;
    const int value = value_of(s, depth, 0, -INFINITE, INFINITE);
    t->nodes = s->nodes;
    if (s->pv_length[0] == 0)
        return !s->stopped;
    const int length = s->pv_length[0] < PV_MAX ? s->pv_length[0] : PV_MAX;
    for (int i = 0; i < length; i++)
        t->pv[i] = s->board.lattice->move[s->pv[0][i]];
    t->length = length;
    t->value = s->points + rounded(value);
    t->depth = s->stopped ? t->depth : depth;
    t->exact = s->full && !s->stopped;
    return !s->stopped;
}

void tower_search_forget(struct search *s) {
    memset(s->history, 0, sizeof s->history);
    memset(s->killer, 255, sizeof s->killer);
}
