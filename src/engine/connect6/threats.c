// SPDX-License-Identifier: MIT
// Why a window alone decides: its stones lie in one line, between cells that are not the owner's,
// so filling it makes six there and never more. In the lines across, the second stone is alone: it
// makes there what it would have made without the first.
#include "engine/connect6/threats.h"

#include <assert.h>

static void add_threat(const struct board6 *b, int player, int line, int first, struct threats *t) {
    struct threat found = {NO_CELL, NO_CELL};
    uint32_t rest = b->empty[line] & 63u << first;
    found.a = (int16_t)board_cell(b, line, __builtin_ctz(rest));
    if (rest &= rest - 1)
        found.b = (int16_t)board_cell(b, line, __builtin_ctz(rest));
    if (t->count < THREATS_MAX && !board_forbidden(b, player, found.a) &&
        (found.b == NO_CELL || !board_forbidden(b, player, found.b)))
        t->list[t->count++] = found;
}

void threats_find(const struct board6 *b, int player, struct threats *t) {
    t->count = 0;
    for (int i = 0; i < 2; i++)
        for (uint64_t lines = b->threatened[player][i]; lines; lines &= lines - 1) {
            const int line = i * 64 + __builtin_ctzll(lines);
            for (uint32_t rest = b->threat[player][line]; rest; rest &= rest - 1)
                add_threat(b, player, line, __builtin_ctz(rest), t);
        }
}

struct threat threats_six(const struct board6 *b, int player, int stones) {
    struct threats t;
    threats_find(b, player, &t);
    for (int i = 0; i < t.count; i++)
        if (stones > 1 || t.list[i].b == NO_CELL)
            return t.list[i];
    return (struct threat){NO_CELL, NO_CELL};
}

static bool stops(int cell, const struct threat *t) { return cell == t->a || cell == t->b; }

// The first threat that neither stone stops, or NULL.
static const struct threat *left_open(const struct threats *t, int a, int b) {
    for (int i = 0; i < t->count; i++)
        if (!stops(a, &t->list[i]) && !stops(b, &t->list[i]))
            return &t->list[i];
    return NULL;
}

static void add_cover(struct covers *c, int a, int b) {
    if (c->count == COVERS_MAX)
        return;
    c->list[c->count++] = (struct stone_cover){(int16_t)a, (int16_t)b};
    const int stones = b == NO_CELL ? 1 : 2;
    c->stones = stones < c->stones ? stones : c->stones;
}

static void cover_with(const struct board6 *b, int player, int a, int stones, struct covers *c) {
    const struct threats *t = &c->threats;
    if (a == NO_CELL || board_forbidden(b, player, a))
        return;
    const struct threat *open = left_open(t, a, a);
    if (!open) {
        add_cover(c, a, NO_CELL);
        return;
    }
    const int second[2] = {open->a, open->b};
    for (int i = 0; stones > 1 && i < 2; i++)
        if (second[i] != NO_CELL && !board_forbidden(b, player, second[i]) &&
            !left_open(t, a, second[i]))
            add_cover(c, a, second[i]);
}

void covers_find(const struct board6 *b, int player, int stones, struct covers *c) {
    const struct threats *t = &c->threats;
    assert(stones == 1 || stones == 2);
    threats_find(b, 1 - player, &c->threats);
    c->count = 0;
    c->stones = t->count ? 3 : 0;
    if (t->count == 0)
        return;
    cover_with(b, player, t->list[0].a, stones, c);
    cover_with(b, player, t->list[0].b, stones, c);
}

void windows_add(const struct board6 *b, int player, int least, struct cells *cells) {
    for (int line = 0; line < BOARD_LINES; line++) {
        const uint32_t windows =
            lines_windows(b->lines->exact, b->mine[player][line], b->stop[player][line], least);
        uint32_t covered = 0;
        for (int i = 0; i < 6; i++)
            covered |= windows << i;
        for (covered &= b->empty[line]; covered; covered &= covered - 1)
            cells_add(cells, board_cell(b, line, __builtin_ctz(covered)));
    }
}
