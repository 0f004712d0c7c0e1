// SPDX-License-Identifier: MIT
// The neighbourhood of a stone is written out as 13 cells, the stone in the middle. Its windows are
// tried one by one for the threats they are, and threats are stopped by trying every stone, then
// every two. What more stones could make follows from the neighbourhoods that they lead to.
#include "engine/connect6/lines.h"

#include <string.h>

enum { CELLS = 2 * LINE_REACH + 1, MIDDLE = LINE_REACH, SIX = 6, STEPS = 3, WINDOWS = SIX };

enum cell { EMPTY, MINE, STOP };

struct window {
    enum cell cell[CELLS];
};

// What is known of all neighbourhoods while they are listed.
struct window_listing {
    const struct line_kinds *lines;
    uint8_t threats[STEPS + 1][LINE_SIDES][LINE_SIDES]; // [stones added]: most that can be had
    uint8_t ways[STEPS + 1][LINE_SIDES][LINE_SIDES];    // by how many first stones
};

// The ways of a side are numbered by its cells before the stop, then by which of them are mine.
static int side_number(int open, int mine) { return (1 << open) - 1 + (mine & ((1 << open) - 1)); }

static int side_of(const struct window *line, int step) {
    int open = 0, mine = 0;
    for (; open < LINE_REACH && line->cell[MIDDLE + step * (open + 1)] != STOP; open++)
        mine |= (line->cell[MIDDLE + step * (open + 1)] == MINE) << open;
    return side_number(open, mine);
}

static void write_side(struct window *line, int step, int number) {
    int open = 0;
    while (number >= (2 << open) - 1)
        open++;
    const int mine = number - ((1 << open) - 1);
    for (int i = 0; i < LINE_REACH; i++)
        line->cell[MIDDLE + step * (i + 1)] = i >= open ? STOP : mine >> i & 1 ? MINE : EMPTY;
}

static struct window line_of(int left, int right) {
    struct window line;
    line.cell[MIDDLE] = MINE;
    write_side(&line, -1, left);
    write_side(&line, 1, right);
    return line;
}

static int run_length(const struct window *line) {
    int from = MIDDLE, to = MIDDLE;
    while (from > 0 && line->cell[from - 1] == MINE)
        from--;
    while (to < CELLS - 1 && line->cell[to + 1] == MINE)
        to++;
    return to - from + 1;
}

// The empty cells of a window as bits, or 0 if it is no threat.
static int threat_cells(const struct window *line, bool exact, int first) {
    int empty = 0, count = 0;
    for (int i = first; i < first + SIX; i++) {
        if (line->cell[i] == STOP)
            return 0;
        if (line->cell[i] == EMPTY) {
            empty |= 1 << i;
            count++;
        }
    }
    const bool longer = (first > 0 && line->cell[first - 1] == MINE) ||
                        (first + SIX < CELLS && line->cell[first + SIX] == MINE);
    return count > 2 || (exact && longer) ? 0 : empty;
}

static bool stops_all(const int *threats, int count, int stones) {
    for (int i = 0; i < count; i++)
        if (!(threats[i] & stones))
            return false;
    return true;
}

static int stones_to_stop(const int *threats, int count) {
    if (count == 0)
        return 0;
    for (int a = 0; a < CELLS; a++)
        if (stops_all(threats, count, 1 << a))
            return 1;
    for (int a = 0; a < CELLS; a++)
        for (int b = 0; b < a; b++)
            if (stops_all(threats, count, 1 << a | 1 << b))
                return 2;
    return 3;
}

static void list_threats(struct window_listing *list, int left, int right) {
    const struct window line = line_of(left, right);
    int threats[WINDOWS], count = 0;
    for (int first = MIDDLE - SIX + 1; first <= MIDDLE; first++) {
        threats[count] = threat_cells(&line, list->lines->exact, first);
        count += threats[count] != 0;
    }
    list->threats[0][left][right] = (uint8_t)stones_to_stop(threats, count);
    list->ways[0][left][right] = (uint8_t)count;
}

// The most threats to be had by one stone more than `steps - 1`, and by how many such stones.
static void list_step(struct window_listing *list, int steps, int left, int right) {
    struct window line = line_of(left, right);
    int best = 0, ways = 0;
    for (int i = 1; i < CELLS - 1; i++) {
        if (line.cell[i] != EMPTY)
            continue;
        line.cell[i] = MINE;
        const int got = list->threats[steps - 1][side_of(&line, -1)][side_of(&line, 1)];
        line.cell[i] = EMPTY;
        ways = got > best ? 1 : ways + (got == best);
        best = got > best ? got : best;
    }
    list->threats[steps][left][right] = (uint8_t)best;
    list->ways[steps][left][right] = (uint8_t)ways;
}

static int kind_of(enum shape shape, int ways) {
    const int counted = ways < 1 ? 1 : ways > KIND_WAYS ? KIND_WAYS : ways;
    return (int)shape * KIND_WAYS + counted - 1;
}

static int find_kind(const struct window_listing *list, int left, int right) {
    static const enum shape now[] = {SHAPE_NONE, SHAPE_THREAT, SHAPE_DOUBLE, SHAPE_TRIPLE};
    static const enum shape dead[] = {SHAPE_NONE, SHAPE_DEAD3, SHAPE_DEAD2, SHAPE_DEAD1};
    static const enum shape live[] = {SHAPE_NONE, SHAPE_LIVE3, SHAPE_LIVE2, SHAPE_LIVE1};
    const struct window line = line_of(left, right);
    const int length = run_length(&line), threats = list->threats[0][left][right];
    if (length >= SIX)
        return kind_of(length > SIX && list->lines->exact ? SHAPE_OVER : SHAPE_SIX, 1);
    if (threats)
        return kind_of(now[threats], list->ways[0][left][right]);
    for (int steps = 1; steps <= STEPS; steps++) {
        const int got = list->threats[steps][left][right];
        if (got)
            return kind_of((got > 1 ? live : dead)[steps], list->ways[steps][left][right]);
    }
    return kind_of(SHAPE_NONE, 1);
}

static void number_sides(struct line_kinds *lines) {
    for (int mine = 0; mine < 64; mine++)
        for (int stop = 0; stop < 64; stop++) {
            int open = 0, mirrored = 0;
            for (int i = 0; i < LINE_REACH; i++)
                mirrored |= (mine >> i & 1) << (LINE_REACH - 1 - i);
            while (open < LINE_REACH && !(stop >> open & 1))
                open++;
            lines->right[mine + 64 * stop] = (uint8_t)side_number(open, mine);
            for (open = 0; open < LINE_REACH && !(stop >> (LINE_REACH - 1 - open) & 1);)
                open++;
            lines->left[mine + 64 * stop] = (uint8_t)side_number(open, mirrored);
        }
}

static void list_sides_after(struct line_kinds *lines) {
    for (int side = 0; side < 64 * 64; side++)
        for (int i = 0; i < LINE_REACH; i++)
            if (!((side | side >> 6) >> i & 1)) {
                lines->step[0][i][lines->right[side]] = lines->right[side | 1 << i];
                lines->step[1][i][lines->right[side]] = lines->right[side | 64 << i];
            }
}

void lines_init(struct line_kinds *lines, bool exact) {
    struct window_listing list = {.lines = lines};
    lines->exact = exact;
    number_sides(lines);
    list_sides_after(lines);
    for (int i = 0; i < LINE_SIDES * LINE_SIDES; i++)
        list_threats(&list, i / LINE_SIDES, i % LINE_SIDES);
    for (int steps = 1; steps <= STEPS; steps++)
        for (int i = 0; i < LINE_SIDES * LINE_SIDES; i++)
            list_step(&list, steps, i / LINE_SIDES, i % LINE_SIDES);
    for (int i = 0; i < LINE_SIDES * LINE_SIDES; i++)
        lines->kind[i / LINE_SIDES][i % LINE_SIDES] =
            (uint8_t)find_kind(&list, i / LINE_SIDES, i % LINE_SIDES);
}
