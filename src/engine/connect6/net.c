// SPDX-License-Identifier: MIT
// A stone changes the lines through it: of each player as far as he sees. The sums of the cells
// there move from the row of how a line looked to that of how it looks now; what they were, and how
// the lines looked, is kept until the stone goes. A leaf that is cut before it is judged needs none
// of that, so the last stone waits until somebody asks. It is taken in before another comes: only
// then the lines look as it left them.
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

static int way_of(const struct board6 *b, int player, struct spot spot) {
    return lines_way(b->lines, b->mine[player][spot.line], b->stop[player][spot.line], spot.bit);
}

static void sum_cell(struct net6_view *v, int cell) {
    const struct board6 *b = v->board;
    v->near[cell] = 0;
    for (int p = 0; p < 2; p++)
        memcpy(v->sum[cell][p], v->net->weights.bias, sizeof v->sum[cell][p]);
    for (int i = 0; i < 2 * DIRECTIONS; i++) {
        const int player = i % 2, d = i / 2, way = way_of(b, player, b->spot[cell][d]);
        v->way[d][cell][player] = (uint16_t)way;
        v->near[cell] = (uint8_t)(v->near[cell] | !way_is_blank(way) << i);
        for (int unit = 0; unit < NET6_UNITS; unit++)
            for (int side = 0; side < 2; side++) {
                int16_t *sum = &v->sum[cell][player ^ side][unit];
                *sum = (int16_t)(*sum + v->net->way[way][side][unit]);
            }
    }
}

// What is above 0 of a cell's sums, taken in or, with a sign of -1, taken out.
static void count_cell(struct net6_view *v, int cell, int sign) {
    for (int i = 0; v->near[cell] && i < 2 * NET6_UNITS; i++) {
        const int16_t sum = v->sum[cell][i / NET6_UNITS][i % NET6_UNITS];
        v->total[i / NET6_UNITS][i % NET6_UNITS] += sign * (sum > 0 ? sum : 0);
    }
}

void net6_view_init(struct net6_view *v, const struct net6 *net, const struct board6 *board) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&board->empties, cells);
    v->net = net;
    v->board = board;
    v->pending = -1;
    v->count = v->change_count = 0;
    memset(v->total, 0, sizeof v->total);
    for (int i = 0; i < n; i++) {
        sum_cell(v, cells[i]);
        count_cell(v, cells[i], 1);
    }
}

// A line through a cell comes to look otherwise to both: moves the sums as one player is concerned,
// and what they add to all. `see` is by how he sees the line, `seen` by how the other does.
static void move_sums(int16_t *restrict sum, int32_t *restrict total, const int16_t *const see[2],
                      const int16_t *const seen[2], int16_t was) {
    for (int i = 0; i < NET6_UNITS; i++) {
        const int16_t old = sum[i],
                      new = (int16_t)(old + see[1][i] - see[0][i] + seen[1][i] - seen[0][i]);
        total[i] += (new > 0 ? new : 0) - ((old > 0 ? old : 0) & was);
        sum[i] = new;
    }
}

static void change_cell(struct net6_view *v, int direction, int cell, const uint16_t to[2]) {
    struct net6_change *c = &v->changes[v->change_count++];
    uint16_t *way = v->way[direction][cell];
    const int16_t was = v->near[cell] ? -1 : 0;
    const int seen_now = (!way_is_blank(to[0])) | (!way_is_blank(to[1])) << 1;
    const int near = (v->near[cell] & ~(3 << 2 * direction)) | seen_now << 2 * direction;
    c->cell = (int16_t)cell;
    c->direction = (uint8_t)direction;
    c->near = v->near[cell];
    memcpy(c->way, way, sizeof c->way);
    memcpy(c->sum, v->sum[cell], sizeof c->sum);
    for (int p = 0; p < 2; p++) {
        const int16_t *const see[2] = {v->net->way[way[p]][0], v->net->way[to[p]][0]};
        const int16_t *const seen[2] = {v->net->way[way[1 - p]][1], v->net->way[to[1 - p]][1]};
        move_sums(v->sum[cell][p], v->total[p], see, seen, was);
    }
    memcpy(way, to, sizeof c->way);
    v->near[cell] = (uint8_t)near;
    if (near == 0) { // out of sight again
        v->near[cell] = 1;
        count_cell(v, cell, -1);
        v->near[cell] = 0;
    }
}

static void see_line(struct net6_view *v, int direction, struct spot spot) {
    const struct board6 *b = v->board;
    const uint32_t *mine[2] = {&b->mine[0][spot.line], &b->mine[1][spot.line]};
    const uint32_t *stop[2] = {&b->stop[0][spot.line], &b->stop[1][spot.line]};
    uint32_t rest =
        (board_sight(*stop[0], spot.bit) | board_sight(*stop[1], spot.bit)) & b->empty[spot.line];
    for (; rest; rest &= rest - 1) {
        const int bit = __builtin_ctz(rest);
        const uint16_t to[2] = {(uint16_t)lines_way(b->lines, *mine[0], *stop[0], bit),
                                (uint16_t)lines_way(b->lines, *mine[1], *stop[1], bit)};
        change_cell(v, direction, board_cell(b, spot.line, bit), to);
    }
}

static void take_in(struct net6_view *v, int cell) {
    struct net6_mark *mark = &v->marks[v->count++];
    mark->changes = v->change_count;
    memcpy(mark->total, v->total, sizeof mark->total);
    count_cell(v, cell, -1);
    for (int d = 0; d < DIRECTIONS; d++)
        see_line(v, d, v->board->spot[cell][d]);
}

void net6_view_catch_up(struct net6_view *v) {
    if (v->pending >= 0)
        take_in(v, v->pending);
    v->pending = -1;
}

void net6_view_place(struct net6_view *v, int cell) {
    net6_view_catch_up(v);
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
        memcpy(v->way[c->direction][c->cell], c->way, sizeof c->way);
        memcpy(v->sum[c->cell], c->sum, sizeof c->sum);
        v->near[c->cell] = c->near;
    }
    memcpy(v->total, mark->total, sizeof mark->total);
}

static int clamp16(int value) {
    return value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value;
}

int net6_view_value(struct net6_view *v, int player) {
    const struct net6_weights *w = &v->net->weights;
    int16_t in[2][NET6_UNITS];
    int value = w->out_bias * NET6_ONE;
    net6_view_catch_up(v);
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < NET6_UNITS; i++) {
            in[p][i] = (int16_t)clamp16(v->total[p ^ player][i] / NET6_SPREAD);
            value += w->direct[p][i] * in[p][i];
        }
    for (int k = 0; k < NET6_HIDDEN; k++) {
        int sum = w->hidden_bias[k] * NET6_ONE;
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < NET6_UNITS; i++)
                sum += w->hidden[k][p][i] * in[p][i];
        sum /= NET6_ONE;
        value += sum > 0 ? w->out[k] * (sum < INT16_MAX ? sum : INT16_MAX) : 0;
    }
    return (int)((int64_t)value * NET6_POINTS / (NET6_ONE * NET6_ONE));
}

int net6_view_policy(const struct net6_view *v, int cell, int player, int stones) {
    const int16_t(*w)[NET6_UNITS] = v->net->weights.policy[stones - 1];
    const int16_t *sums = v->sum[cell][player];
    int value = 0;
    if (!v->near[cell])
        return NET6_UNSEEN;
    for (int i = 0; i < NET6_UNITS; i++)
        value += w[0][i] * sums[i] + w[1][i] * (sums[i] > 0 ? sums[i] : 0);
    return value;
}
