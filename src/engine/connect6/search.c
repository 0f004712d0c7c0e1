// SPDX-License-Identifier: MIT
// A node is one stone. A turn begins with threats: a window that can be filled wins, the other's
// threats must be stopped, and the solver looks for a win by force. The value is taken where a turn
// begins, never between its two stones. The second stone of a turn is not one that was tried as the
// first before: that pair has been seen.
//
// If the other would win by force against a turn that does nothing, one stone at least must lie in
// the zone of that win; the first does, for the order of the two is free.
#include "engine/connect6/search.h"

#include "base/mem.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLY_MAX = 2 * DEPTH_LAST + 40,
    EXTEND_MAX = 6,     // plies beyond the depth while threats must be stopped
    LEAF_PLIES = 2,     // a leaf, or a turn above one: the solver is not asked
    AHEAD_PLIES = 6,    // above the leaves, where being far ahead is enough
    AHEAD_OF_PLY = 100, // how far: hundredths of a stone for each ply left
    BUDGET = 60,        // stones that the solver may place
    WIN_DOUBLINGS = 6,
    DEFENCE_DOUBLINGS = 8,
    UNLIKELY = 4 * NET6_ONE * NET6_ONE, // by the policy: e^4 times less likely than the best
    UNLIKELY_FROM = 2,                  // choices that are kept, however unlikely
    UNSEEN = -(1 << 30),                // no stone in sight: less than any policy
    ATTACKERS = 6,                      // cells that do most for the player alone
    CHECK_SHARE = 8, // of the nodes so far, to look for a win of the other after the best turn
};

struct line6 {
    int16_t cell[PLY_MAX];
    int length;
};

struct node6 {
    int player, stones;        // who places, and how many in this turn still
    int turn;                  // the number of the turn, 1 at the root
    int depth;                 // plies left
    int alpha, beta;           // where the value matters
    const struct cells *tried; // not to be tried; or NULL
    const struct cells *zone;  // where the stone must lie; or NULL
    struct line6 *line;        // what is expected, filled in
};

static bool stopped(const struct searcher *s) {
    return atomic_load_explicit(&s->stop->now, memory_order_relaxed);
}

static void lay(struct searcher *s, int cell, int player) {
    net6_view_place(&s->view, cell);
    board_lay(&s->board, cell, player);
    tt_prefetch(s->tt, s->board.hash);
    s->stones[s->laid++] = (int16_t)cell;
}

static void lift(struct searcher *s, int player) {
    assert(s->learned < s->laid);
    board_lift(&s->board, s->stones[--s->laid], player);
    net6_view_undo(&s->view);
}

// What cells make with the stones that lie is learned where somebody asks for it, and forgotten
// where that node is left: most nodes do without.
static void learn(struct searcher *s) {
    while (s->learned < s->laid)
        board_learn(&s->board, s->stones[s->learned++]);
}

static void forget(struct searcher *s, int learned) {
    while (s->learned > learned)
        board_unlearn(&s->board, s->stones[--s->learned]);
}

// The one stone to consider is still to come.
static bool is_restricted(const struct searcher *s, const struct node6 *n) {
    return s->only != NO_CELL && n->turn == 1 && n->stones == s->due;
}

// In the turn at the root some answers are not to be considered.
static bool is_choosy(const struct searcher *s, const struct node6 *n) {
    return n->turn == 1 && s->limits.except_count > 0;
}

// The stones would make such an answer, with the one that lies there already.
static bool is_unwanted(const struct searcher *s, const struct node6 *n, int a, int b) {
    const bool second = n->stones < s->due;
    const int one = second ? s->placed : a, two = second ? a : b;
    return is_choosy(s, n) &&
           limits_except(&s->limits, (move)one, two == NO_CELL ? MOVE_PASS : (move)two);
}

static int width(const struct searcher *s, const struct node6 *n) {
    static const int widths[] = {4, 6, 10, 10, 14, 14, 18, 18};
    const int i = n->depth < 0 ? 0 : n->depth > 7 ? 7 : n->depth;
    return widths[searcher_can(s, SEARCH_NARROW) ? i : 7];
}

static void add_last(struct choices *c, int cell) {
    for (int i = 0; i < c->count; i++)
        if (c->cell[i] == cell)
            return;
    if (c->count < CHOICES_MAX)
        c->cell[c->count++] = (int16_t)cell;
}

// All but the first two must be likely, as the policy has it.
static void drop_unlikely(struct choices *c) {
    while (c->count > UNLIKELY_FROM && c->value[c->count - 1] < c->value[0] - UNLIKELY)
        c->count--;
}

// A cell of this value or less would not stay among the choices.
static int least_likely(const struct choices *c, int most, bool all) {
    const int last = c->count < most ? INT_MIN : c->value[most - 1];
    if (all || c->count < UNLIKELY_FROM)
        return last;
    const int drop = c->value[0] - UNLIKELY - 1, second = c->value[UNLIKELY_FROM - 1];
    const int unlikely = drop < second ? drop : second;
    return unlikely > last ? unlikely : last;
}

// The cells that matter most to both; behind those that are there already.
static void list_urgent(struct searcher *s, const struct node6 *n, const struct cells *from,
                        int most, struct choices *c) {
    int16_t cells[BOARD_CELLS];
    const int count = cells_list(from, cells);
    learn(s);
    for (int i = 0; i < count; i++)
        if (!board_loses(&s->board, n->player, cells[i]))
            choices_add(c, most, cells[i], UNSEEN + board_urgency(&s->board, cells[i]));
}

// The cells that the policy finds likely. Those that it does not see take the room that is left.
static void list_likely(struct searcher *s, const struct node6 *n, const struct cells *from,
                        int most, struct choices *c) {
    int16_t cells[BOARD_CELLS];
    int value[BOARD_CELLS];
    struct cells unseen;
    const bool all = !searcher_can(s, SEARCH_LIKELY);
    const int count = net6_view_policies(&s->view, n->player, n->stones, from, cells, value);
    for (int i = 0, floor = INT_MIN; i < count; i++)
        if (value[i] > floor && !board_forbidden(&s->board, n->player, cells[i])) {
            choices_add(c, most, cells[i], value[i]);
            floor = least_likely(c, most, all);
        }
    for (int i = 0; i < BOARD_WORDS; i++)
        unseen.word[i] = from->word[i] & ~s->view.seen.word[i];
    const int room = all || c->count == 0 ? most : UNLIKELY_FROM;
    if (c->count < room)
        list_urgent(s, n, &unseen, room, c);
    if (!all)
        drop_unlikely(c);
}

// A turn that makes threats may answer everything, so at the root the cells are candidates, too,
// that do most for the player alone.
static void add_attackers(struct searcher *s, const struct node6 *n, const struct cells *from,
                          struct choices *c) {
    int16_t cells[BOARD_CELLS];
    struct choices attack = {.count = 0};
    const int count = cells_list(from, cells);
    learn(s);
    for (int i = 0; i < count; i++)
        if (!board_loses(&s->board, n->player, cells[i]))
            choices_add(&attack, ATTACKERS, cells[i], board_order(&s->board, n->player, cells[i]));
    for (int i = 0; i < attack.count; i++)
        add_last(c, attack.cell[i]);
}

static void list_free(struct searcher *s, const struct node6 *n, struct choices *c) {
    struct cells from = s->board.empties;
    const int most = width(s, n);
    for (int i = 0; i < BOARD_WORDS; i++) {
        if (n->tried)
            from.word[i] &= ~n->tried->word[i];
        if (n->zone)
            from.word[i] &= n->zone->word[i];
    }
    if (searcher_can(s, SEARCH_POLICY))
        list_likely(s, n, &from, most, c);
    else
        list_urgent(s, n, &from, most, c);
    if (n->turn == 1)
        add_attackers(s, n, &from, c);
}

static void list_covers(const struct searcher *s, const struct covers *covers, struct choices *c) {
    for (int i = 0; i < covers->count; i++) {
        const int cell = covers->list[i].a;
        if (i == 0 || cell != covers->list[i - 1].a)
            choices_add(c, CHOICES_MAX, cell, board_urgency_anew(&s->board, cell));
    }
}

static int search(struct searcher *s, const struct node6 *n);

// The node after a stone of this one: in the same turn, or the other's.
static struct node6 node_after(const struct node6 *n, const struct cells *tried,
                               struct line6 *line) {
    const bool same = n->stones > 1;
    return (struct node6){.player = same ? n->player : 1 - n->player,
                          .stones = same ? n->stones - 1 : 2,
                          .turn = same ? n->turn : n->turn + 1,
                          .tried = same ? tried : NULL,
                          .line = line};
}

// What it is worth to the player of the stone.
static int search_after(struct searcher *s, int player, struct node6 *next, int alpha, int beta) {
    const bool same = next->player == player;
    next->alpha = same ? alpha : -beta;
    next->beta = same ? beta : -alpha;
    return same ? search(s, next) : -search(s, next);
}

// A line of one stone, or of two if the second is not NO_CELL.
static void tell_turn(struct line6 *line, int16_t a, int16_t b) {
    line->cell[0] = a;
    line->cell[1] = b;
    line->length = b == NO_CELL ? 1 : 2;
}

static void update_pv(const struct node6 *n, int cell, const struct line6 *rest) {
    n->line->cell[0] = (int16_t)cell;
    n->line->length = 1 + rest->length;
    memcpy(n->line->cell + 1, rest->cell, (size_t)rest->length * sizeof *rest->cell);
}

// Tries the choices in order; returns the best value and its stone.
static int try_choices(struct searcher *s, const struct node6 *n, const struct choices *c,
                       bool forced, int *best_cell) {
    struct cells tried = {.word = {0}};
    struct line6 line;
    int best = -VALUE_WIN, alpha = n->alpha;
    if (n->tried)
        tried = *n->tried;
    for (int i = 0; i < c->count; i++) {
        const int cell = c->cell[i], depth = n->depth - 1;
        const int less = !forced && i >= 4 && depth >= 3 && searcher_can(s, SEARCH_REDUCE) ? 2 : 0;
        struct node6 next = node_after(n, n->stones == 2 && !forced ? &tried : NULL, &line);
        int value;
        line.length = 0;
        next.depth = depth;
        const bool loses = board_forbidden(&s->board, n->player, cell);
        if (n->turn == 1 && n->stones == s->due)
            s->placed = cell;
        lay(s, cell, n->player);
        s->nodes++;
        stop_due(s->stop, s->nodes);
        if (loses) {
            value = -value_of_win(n->turn);
        } else if (i == 0) {
            value = search_after(s, n->player, &next, alpha, n->beta);
        } else {
            next.depth = depth - less;
            value = search_after(s, n->player, &next, alpha, alpha + 1);
            next.depth = depth;
            if (value > alpha && (less || value < n->beta))
                value = search_after(s, n->player, &next, alpha, n->beta);
        }
        lift(s, n->player);
        if (stopped(s))
            return best;
        cells_add(&tried, cell);
        if (value > best) {
            best = value;
            *best_cell = cell;
            if (value > alpha)
                update_pv(n, cell, &line);
        }
        alpha = value > alpha ? value : alpha;
        if (alpha >= n->beta)
            break;
    }
    return best;
}

static bool may_solve(const struct searcher *s, const struct node6 *n) {
    return n->stones == 2 && n->depth > LEAF_PLIES && searcher_can(s, SEARCH_TREE);
}

// Stones for the solver: twice as many for every ply.
static uint64_t solver_budget(const struct node6 *n, int doublings) {
    const int above = n->depth - LEAF_PLIES;
    return (uint64_t)BUDGET << (above < doublings ? above : doublings);
}

static bool wins_by_force(struct searcher *s, const struct node6 *n, struct forced *forced) {
    if (!may_solve(s, n))
        return false;
    const struct quest quest = {.attacker = n->player,
                                .stones = n->stones,
                                .depth = 10,
                                .budget = solver_budget(n, WIN_DOUBLINGS)};
    learn(s);
    return solver_win(s->solver, &quest, forced);
}

// Whether the other wins if this turn does nothing; and where it must do something.
static bool must_defend(struct searcher *s, const struct node6 *n, struct forced *forced) {
    if (!may_solve(s, n))
        return false;
    const struct quest quest = {.attacker = 1 - n->player,
                                .stones = 2,
                                .depth = 8,
                                .extra = n->stones,
                                .budget = solver_budget(n, DEFENCE_DOUBLINGS)};
    learn(s);
    return solver_win(s->solver, &quest, forced);
}

static bool cut_by_tt(const struct searcher *s, const struct node6 *n, int *value, int *cell) {
    struct tt_entry e;
    if (!searcher_can(s, SEARCH_TABLE) || !tt_get(s->tt, s->board.hash, &e))
        return false;
    *cell = e.move == UINT16_MAX ? NO_CELL : e.move;
    const int lower = value_later(e.lower, n->turn), upper = value_later(e.upper, n->turn);
    if (n->turn == 1 || e.depth < n->depth + EXTEND_MAX)
        return false;
    *value = lower >= n->beta    ? lower
             : upper <= n->alpha ? upper
             : lower == upper    ? lower
                                 : VALUE_WIN + 1;
    return *value <= VALUE_WIN;
}

static void keep(struct searcher *s, const struct node6 *n, int value, int cell) {
    const int v = value_later(value, -n->turn);
    tt_put(s->tt, s->board.hash,
           (struct tt_entry){.lower = (int16_t)(value > n->alpha ? v : -VALUE_WIN - PLY_MAX),
                             .upper = (int16_t)(value < n->beta ? v : VALUE_WIN + PLY_MAX),
                             .move = cell == NO_CELL ? UINT16_MAX : (uint16_t)cell,
                             .depth = (uint8_t)(n->depth + EXTEND_MAX)});
}

static int any_cell(const struct searcher *s) {
    int16_t cells[BOARD_CELLS];
    cells_list(&s->board.empties, cells);
    return cells[0];
}

// The stone to try first: that of the best answer so far, which the table does not know, because
// what is not wanted is left out of it.
static int leading_cell(const struct searcher *s, const struct node6 *n, int known) {
    if (!is_choosy(s, n))
        return known;
    return n->stones == s->due ? s->lead[0] : s->placed == s->lead[0] ? s->lead[1] : known;
}

// Without the stones of answers that are not to be considered.
static void leave_out(const struct searcher *s, const struct node6 *n, struct choices *c) {
    int kept = 0;
    for (int i = 0; i < c->count; i++)
        if (!is_unwanted(s, n, c->cell[i], NO_CELL))
            c->cell[kept++] = c->cell[i];
    c->count = kept;
}

// If none is left others take their place, however bad they are.
static void choose_others(struct searcher *s, struct node6 *n, struct choices *c) {
    leave_out(s, n, c);
    if (c->count > 0)
        return;
    n->zone = n->tried = NULL;
    list_free(s, n, c);
    leave_out(s, n, c);
}

// A turn at the root that is lost with all its candidates may be saved by a stone that looked
// worse: the others are tried until one is not lost.
static int try_others(struct searcher *s, struct node6 *n, const struct choices *first, int best,
                      int *cell) {
    struct choices more = *first;
    struct cells tried = {.word = {0}};
    while (best < -VALUE_FORCED && !stopped(s)) {
        for (int i = 0; i < more.count; i++)
            cells_add(&tried, more.cell[i]);
        more.count = 0;
        n->tried = &tried;
        n->alpha = best > n->alpha ? best : n->alpha;
        list_free(s, n, &more);
        if (is_choosy(s, n))
            leave_out(s, n, &more);
        if (more.count == 0)
            break;
        int found = NO_CELL;
        const int value = try_choices(s, n, &more, false, &found);
        if (value > best) {
            best = value;
            *cell = found;
        }
    }
    n->tried = NULL;
    return best;
}

static int search_choices(struct searcher *s, struct node6 *n, const struct covers *covers,
                          int first) {
    struct choices choices = {.count = 0};
    struct forced danger;
    int cell = NO_CELL;
    if (covers->count > 0) {
        list_covers(s, covers, &choices);
    } else {
        if (must_defend(s, n, &danger))
            n->zone = &danger.zone;
        list_free(s, n, &choices);
    }
    if (choices.count == 0) {
        n->zone = n->tried = NULL;
        list_free(s, n, &choices);
    }
    if (choices.count == 0) // all that is left is an overline
        choices_add(&choices, 1, any_cell(s), 0);
    choices_put_first(&choices, first);
    if (is_restricted(s, n)) {
        choices.count = 1;
        choices.cell[0] = (int16_t)s->only;
    }
    if (is_choosy(s, n))
        choose_others(s, n, &choices);
    int best = try_choices(s, n, &choices, covers->stones > 0, &cell);
    if (n->turn == 1 && n->stones == 2 && covers->count == 0 && !is_restricted(s, n))
        best = try_others(s, n, &choices, best, &cell);
    if (!stopped(s) && !is_choosy(s, n))
        keep(s, n, best, cell);
    return best;
}

static bool ends_here(const struct searcher *s, const struct node6 *n,
                      const struct covers *covers) {
    return n->depth <= 0 &&
           (covers->stones == 0 || n->depth <= -EXTEND_MAX || !searcher_can(s, SEARCH_EXTEND));
}

// The turn at the root that leads here would be the best so far. Where the other wins by force
// after it, the search often does not see so far: the value is then his win.
static int check_best(struct searcher *s, const struct node6 *n, int value) {
    struct forced forced;
    const struct quest quest = {.attacker = n->player,
                                .stones = 2,
                                .depth = SOLVER_DEPTH_MAX,
                                .budget = s->nodes / CHECK_SHARE};
    if (n->turn != 2 || n->stones != 2 || value >= n->beta || value > VALUE_FORCED || stopped(s) ||
        !searcher_can(s, SEARCH_CHECK))
        return value;
    learn(s);
    if (!solver_win(s->solver, &quest, &forced))
        return value;
    tell_turn(n->line, forced.a, forced.b);
    const int won = value_of_win(n->turn + 2 * (forced.turns - 1));
    struct node6 wide = *n;
    wide.alpha = -VALUE_WIN;
    wide.beta = VALUE_WIN;
    keep(s, &wide, won, forced.a);
    return won;
}

static int search_on(struct searcher *s, const struct node6 *given, const struct covers *covers,
                     int first) {
    struct node6 n = *given;
    struct forced forced;
    if (n.stones == 2 && n.turn > 1 && wins_by_force(s, &n, &forced))
        return value_of_win(n.turn + 2 * (forced.turns - 1));
    const int value = search_choices(s, &n, covers, leading_cell(s, &n, first));
    return check_best(s, given, value);
}

// Where a turn begins: what the net says is the value at the leaves, and enough before them where
// the player has nothing to stop and is far above the window. A turn is worth so much that he will
// hardly be worse off a few plies later.
static bool judge(struct searcher *s, const struct node6 *n, const struct covers *covers,
                  int *value) {
    const bool ends = ends_here(s, n, covers);
    const bool may_stop =
        covers->stones == 0 && n->depth <= AHEAD_PLIES && searcher_can(s, SEARCH_AHEAD);
    if (n->stones < 2 || n->turn == 1 || !(ends || may_stop))
        return false;
    *value = value_believed(net6_view_value(&s->view, n->player));
    return ends || *value - AHEAD_OF_PLY * n->depth >= n->beta;
}

// Most nodes end before anything has to be known of what the last stone has changed.
static int search(struct searcher *s, const struct node6 *n) {
    struct covers covers;
    int value, first = NO_CELL;
    const struct threat win = threats_six(&s->board, n->player, n->stones);
    if (win.a != NO_CELL && !is_restricted(s, n) && !is_unwanted(s, n, win.a, win.b)) {
        tell_turn(n->line, win.a, win.b);
        return value_of_win(n->turn);
    }
    if (s->board.left == 0)
        return 0;
    covers_find(&s->board, n->player, n->stones, &covers);
    if (covers.stones > n->stones && n->turn > 1)
        return -value_of_win(n->turn + 1);
    if (cut_by_tt(s, n, &value, &first))
        return value;
    if (judge(s, n, &covers, &value))
        return value;
    const int learned = s->learned;
    if (n->depth > LEAF_PLIES) // many below would learn these stones
        learn(s);
    value = search_on(s, n, &covers, first);
    forget(s, learned);
    return value;
}

bool searcher_search(struct searcher *s, int depth, struct thought *thought) {
    struct line6 line = {.length = 0};
    const int stones = s->due = board_due(&s->board);
    const struct node6 root = {.player = board_turn(&s->board),
                               .stones = stones,
                               .turn = 1,
                               .depth = 2 * (depth - 1) + stones,
                               .alpha = -VALUE_WIN,
                               .beta = VALUE_WIN,
                               .line = &line};
    for (int i = 0; i < 2; i++)
        s->lead[i] = i < thought->length ? (int)thought->pv[i] : NO_CELL;
    const int value = search(s, &root);
    thought->nodes = s->nodes;
    if (line.length == 0)
        return false;
    thought->value = value;
    thought->length = line.length < PV_MAX ? line.length : PV_MAX;
    for (int i = 0; i < thought->length; i++)
        thought->pv[i] = (move)line.cell[i];
    if (stopped(s))
        return false;
    thought->depth = root.depth;
    return true;
}

struct searcher *searcher_new(struct tt *tt, struct stop *stop) {
    struct searcher *s = mem_lines(sizeof *s);
    s->tt = tt;
    s->stop = stop;
    s->only = s->placed = NO_CELL;
    s->solver = solver_new(&s->board, stop, &s->nodes);
    return s;
}

void searcher_free(struct searcher *s) {
    if (!s)
        return;
    solver_free(s->solver);
    free(s);
}
