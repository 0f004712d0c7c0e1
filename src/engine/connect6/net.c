// SPDX-License-Identifier: MIT
// A stone changes the lines through it: of each player as far as he sees. The sums of the cells
// there move from the row of how a line looked to that of how it looks now; what they were, and how
// the lines looked, is kept until the stone goes. Most stones make a leaf: what the last one does
// to a value is added up without keeping anything, and one that is cut before it is judged needs
// not even that. So the last stone is taken in only when policies are asked for, or before another
// comes: only then the lines look as it left them.
#include "engine/connect6/net.h"

#include "engine/pack.h"

#include <assert.h>
#include <string.h>

enum { WEIGHTS = sizeof(struct net6_weights) / sizeof(int16_t) };

void net6_make(struct net6 *net, const struct net6_weights *weights) {
    memset(net, 0, sizeof *net);
    if (!weights)
        return;
    net->weights = *weights;
    for (int way = 0; way < NET6_WAYS; way++)
        for (int side = 0; side < 2; side++)
            memcpy(net->way[way][side], weights->row[side][net6_row(way)],
                   sizeof net->way[way][side]);
}

static const char name[] = "connect6, lines";

bool net6_read(const void *bytes, size_t size, struct net6_weights *weights, struct err *err) {
    return pack_read(bytes, size, name, (int16_t *)weights, WEIGHTS, err);
}

void net6_write(const struct net6_weights *weights, struct buf *out) {
    pack_write(out, name, (const int16_t *)weights, WEIGHTS, NET6_UNITS);
}

// The sums of a player at a cell as one value, which the compiler keeps in registers. Such values
// are handed on by their addresses: how else depends on the CPU.
typedef int16_t lanes __attribute__((vector_size(NET6_UNITS * sizeof(int16_t))));
typedef int32_t half_lanes __attribute__((vector_size(NET6_UNITS * sizeof(int16_t))));

// What is to be added to the totals: every second unit, and the others.
struct shift {
    half_lanes even[2], odd[2];
};

static const lanes nothing = {0};

static inline void lanes_read(lanes *l, const int16_t row[static NET6_UNITS]) {
    memcpy(l, row, sizeof *l);
}

// What a line that looks so adds to the sums of a player.
static inline void read_line(lanes *l, const struct net6 *net, const uint8_t side[2][2],
                             int player) {
    lanes seen;
    lanes_read(l, net->way[side[player][0] * LINE_SIDES + side[player][1]][0]);
    lanes_read(&seen, net->way[side[1 - player][0] * LINE_SIDES + side[1 - player][1]][1]);
    *l += seen;
}

// For which players a line is not blank: a bit each.
static inline int near_of(const uint8_t side[2][2]) {
    int near = 0;
    for (int p = 0; p < 2; p++)
        near |= !(side_is_blank(side[p][0]) && side_is_blank(side[p][1])) << p;
    return near;
}

// Every second unit of a row, and the others.
static inline void halve(half_lanes half[static 2], const lanes *l) {
    half[0] = ((half_lanes)*l << 16) >> 16;
    half[1] = (half_lanes)*l >> 16;
}

// What is above 0 of sums that come, less what was of those that go.
static inline void shift_add(struct shift *s, int player, const lanes *come, const lanes *go) {
    const lanes more = (*come & (*come > 0)) - (*go & (*go > 0));
    half_lanes half[2];
    halve(half, &more);
    s->even[player] += half[0];
    s->odd[player] += half[1];
}

static void add_shift(int32_t total[2][NET6_UNITS], const struct shift *s) {
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < NET6_UNITS; i++)
            total[p][i] += i % 2 ? s->odd[p][i / 2] : s->even[p][i / 2];
}

static inline void set_near(struct net6_view *v, int cell, int near) {
    v->near[cell] = (uint8_t)near;
    cells_set(&v->seen, cell, near);
}

static void look_around(struct net6_view *v, int cell) {
    const struct board6 *b = v->board;
    for (int d = 0; d < DIRECTIONS; d++)
        for (int p = 0; p < 2; p++) {
            const struct spot spot = b->spot[cell][d];
            const int way =
                lines_way(b->lines, b->mine[p][spot.line], b->stop[p][spot.line], spot.bit);
            v->side[d][cell][p][0] = (uint8_t)(way / LINE_SIDES);
            v->side[d][cell][p][1] = (uint8_t)(way % LINE_SIDES);
        }
}

static void sum_cell(struct net6_view *v, int cell) {
    int near = 0;
    look_around(v, cell);
    for (int p = 0; p < 2; p++) {
        lanes sum, line;
        lanes_read(&sum, v->net->weights.bias);
        for (int d = 0; d < DIRECTIONS; d++) {
            near |= near_of(v->side[d][cell]) << 2 * d;
            read_line(&line, v->net, v->side[d][cell], p);
            sum += line;
        }
        memcpy(v->sum[cell][p], &sum, sizeof sum);
    }
    set_near(v, cell, near);
}

void net6_view_init(struct net6_view *v, const struct net6 *net, const struct board6 *board) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&board->empties, cells);
    struct shift shift = {0};
    v->net = net;
    v->board = board;
    v->pending = -1;
    v->count = v->change_count = 0;
    memset(v->total, 0, sizeof v->total);
    memset(&v->seen, 0, sizeof v->seen);
    for (int i = 0; i < n; i++) {
        lanes sum;
        sum_cell(v, cells[i]);
        for (int p = 0; p < 2 && v->near[cells[i]]; p++) {
            lanes_read(&sum, v->sum[cells[i]][p]);
            shift_add(&shift, p, &sum, &nothing);
        }
    }
    add_shift(v->total, &shift);
}

static void keep_change(struct net6_view *v, int direction, int cell) {
    struct net6_change *c = &v->changes[v->change_count++];
    c->cell = (int16_t)cell;
    c->direction = (uint8_t)direction;
    c->near = v->near[cell];
    memcpy(c->side, v->side[direction][cell], sizeof c->side);
    memcpy(c->sum, v->sum[cell], sizeof c->sum);
}

// A line through a cell comes to look otherwise: what that does to the totals, and, if it is to
// stay, to the cell.
static inline void change_cell(struct net6_view *v, int direction, int cell, const uint8_t to[2][2],
                               bool stays, struct shift *shift) {
    const int was = v->near[cell];
    const int near = (was & ~(3 << 2 * direction)) | near_of(to) << 2 * direction;
    lanes sum[2];
    for (int p = 0; p < 2; p++) {
        lanes old, from, line;
        lanes_read(&old, v->sum[cell][p]);
        read_line(&from, v->net, v->side[direction][cell], p);
        read_line(&line, v->net, to, p);
        sum[p] = old + line - from;
        shift_add(shift, p, near ? &sum[p] : &nothing, was ? &old : &nothing);
    }
    if (!stays)
        return;
    keep_change(v, direction, cell);
    memcpy(v->sum[cell], sum, sizeof sum);
    memcpy(v->side[direction][cell], to, sizeof v->side[direction][cell]);
    set_near(v, cell, near);
}

// A cell before the stone has it on the right in their line, one after it on the left.
static inline void see_line(struct net6_view *v, int direction, struct spot spot, bool stays,
                            struct shift *shift) {
    const struct board6 *b = v->board;
    const int owner = !(b->mine[0][spot.line] >> spot.bit & 1);
    const uint8_t(*const step[2])[LINE_SIDES] = {b->lines->step[owner], b->lines->step[!owner]};
    const int origin = b->origin[spot.line], apart = b->step[spot.line];
    uint32_t seen = (board_sight(b->stop[0][spot.line], spot.bit) |
                     board_sight(b->stop[1][spot.line], spot.bit)) &
                    b->empty[spot.line];
    for (; seen; seen &= seen - 1) {
        const int bit = __builtin_ctz(seen), cell = origin + bit * apart;
        const int right = bit < spot.bit, between = (right ? spot.bit - bit : bit - spot.bit) - 1;
        uint8_t to[2][2];
        memcpy(to, v->side[direction][cell], sizeof to);
        for (int p = 0; p < 2; p++)
            to[p][right] = step[p][between][to[p][right]];
        change_cell(v, direction, cell, to, stays, shift);
    }
}

// What a stone that has come does to the totals, and, if it is to stay, to the cells in its sight.
static inline void see_stone(struct net6_view *v, int cell, bool stays,
                             int32_t total[2][NET6_UNITS]) {
    struct shift shift = {0};
    for (int p = 0; p < 2 && v->near[cell]; p++) {
        lanes sum;
        lanes_read(&sum, v->sum[cell][p]);
        shift_add(&shift, p, &nothing, &sum);
    }
    for (int d = 0; d < DIRECTIONS; d++)
        see_line(v, d, v->board->spot[cell][d], stays, &shift);
    add_shift(total, &shift);
}

static void catch_up(struct net6_view *v) {
    if (v->pending < 0)
        return;
    struct net6_mark *mark = &v->marks[v->count++];
    mark->changes = v->change_count;
    memcpy(mark->total, v->total, sizeof mark->total);
    see_stone(v, v->pending, true, v->total);
    v->pending = -1;
}

void net6_view_place(struct net6_view *v, int cell) {
    catch_up(v);
    v->pending = cell;
}

void net6_view_undo(struct net6_view *v) {
    if (v->pending >= 0) {
        v->pending = -1;
        return;
    }
    assert(v->count > 0);
    const struct net6_mark *mark = &v->marks[--v->count];
    while (v->change_count > mark->changes) {
        const struct net6_change *c = &v->changes[--v->change_count];
        memcpy(v->side[c->direction][c->cell], c->side, sizeof c->side);
        memcpy(v->sum[c->cell], c->sum, sizeof c->sum);
        set_near(v, c->cell, c->near);
    }
    memcpy(v->total, mark->total, sizeof mark->total);
}

static int16_t clamp16(int value) {
    return (int16_t)(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value);
}

// Loops that do nothing else are made for whole vectors by the compiler.
static inline int dot(const int16_t *a, const int16_t *b, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

int net6_view_value(struct net6_view *v, int player) {
    const struct net6_weights *w = &v->net->weights;
    int32_t total[2][NET6_UNITS];
    int16_t in[2 * NET6_UNITS];
    memcpy(total, v->total, sizeof total);
    if (v->pending >= 0)
        see_stone(v, v->pending, false, total);
    for (int i = 0; i < 2 * NET6_UNITS; i++)
        in[i] = clamp16(total[(i / NET6_UNITS) ^ player][i % NET6_UNITS] / NET6_SPREAD);
    int value = w->out_bias * NET6_ONE + dot(&w->direct[0][0], in, 2 * NET6_UNITS);
    for (int k = 0; k < NET6_HIDDEN; k++) {
        const int sum =
            (w->hidden_bias[k] * NET6_ONE + dot(&w->hidden[k][0][0], in, 2 * NET6_UNITS)) /
            NET6_ONE;
        value += sum > 0 ? w->out[k] * (sum < INT16_MAX ? sum : INT16_MAX) : 0;
    }
    return (int)((int64_t)value * NET6_POINTS / (NET6_ONE * NET6_ONE));
}

static inline int sum_lanes(const half_lanes *half) {
    half_lanes l = *half;
    l += __builtin_shufflevector(l, l, 4, 5, 6, 7, 0, 1, 2, 3);
    l += __builtin_shufflevector(l, l, 2, 3, 0, 1, 6, 7, 4, 5);
    return l[0] + l[1];
}

int net6_view_policies(struct net6_view *v, int player, int stones, const struct cells *from,
                       int16_t cell[static BOARD_CELLS], int value[static BOARD_CELLS]) {
    struct cells seen;
    lanes row;
    half_lanes plain[2], above[2]; // weights of a sum as it is; if it is above 0
    lanes_read(&row, v->net->weights.policy[stones - 1][0]);
    halve(plain, &row);
    lanes_read(&row, v->net->weights.policy[stones - 1][1]);
    halve(above, &row);
    catch_up(v);
    for (int i = 0; i < BOARD_WORDS; i++)
        seen.word[i] = from->word[i] & v->seen.word[i];
    const int count = cells_list(&seen, cell);
    for (int i = 0; i < count; i++) {
        half_lanes sum[2];
        lanes_read(&row, v->sum[cell[i]][player]);
        halve(sum, &row);
        const half_lanes likely = sum[0] * (plain[0] + (above[0] & (sum[0] > 0))) +
                                  sum[1] * (plain[1] + (above[1] & (sum[1] > 0)));
        value[i] = sum_lanes(&likely);
    }
    return count;
}
