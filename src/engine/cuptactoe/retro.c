// SPDX-License-Identifier: MIT
// Ply by ply: what is lost in n plies is found for all positions, then what is won in n, and so on.
//
// One bit a position, a row is a matrix: a word for each own set of small cups, and in it a bit for
// each set of the opponent's. To ask which positions of a row have a move into a set of positions
// is to join the words of the rows that moves lead to: a medium or large cup moved leads from row
// to row, the same for all positions, and a small one from word to word. Whether a lifted cup
// uncovers a line of the opponent depends on the opponent's cups alone: one mask for all words. So
// some twenty operations on whole rows stand for the moves of more than a thousand positions.
//
// Two such questions give all values. Won in n is what has a move to "lost in n - 1". Lost in n is
// what has no move to "not won within n - 1": all moves lead to a win of the opponent or uncover a
// line. What has a value already keeps it.
//
// After a move it is the opponent who sees the position, and values are kept for one large layer of
// each shape: reading a row is a permutation, and the costly part. Therefore a whole page is
// worked on at a time. Its rows are read once, and each serves some twenty others. There are 12
// pages, up to symmetry, and at most 25 MB of bits besides the values.
//
// Soon few rows change. A row is worked on only if it has undecided positions and one of its moves
// leads to a row that the last ply changed.
#include "engine/cuptactoe/retro.h"

#include "base/mem.h"
#include "engine/cuptactoe/page.h"
#include "engine/share.h"
#include "games/bits.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    WORDS = 48, // of a row: SETS, rounded up to whole wide registers
    BATCH = 32, // rows a thread takes at a time
};

static const double PLY_PART = 0.25;

// What is known of a row of values.
struct row {
    uint16_t open;                 // positions without a value
    uint8_t won_at[2], lost_at[2]; // the last ply that added one, of even and odd ones
};

struct retro {
    int8_t *values;
    struct row *rows;
    struct cup_page page;
    uint64_t (*bits)[WORDS]; // the positions asked for, in the rows of the page
    atomic_bool *is_read;    // which of these rows are filled in
    bool *is_wanted;         // which of them to find values for
    int threads, ply;
    bool losing; // losses are looked for, else wins
    _Atomic uint64_t found;
    const struct progress *progress;
    double ahead; // share of the work before this ply; every ply takes a part of what is left
};

// Did the last ply change what is asked for?
static bool has_changed(const struct retro *r, int row) {
    const uint16_t *flipped;
    const struct row *from = &r->rows[page_source(&r->page, row, &flipped)];
    return (r->losing ? from->won_at : from->lost_at)[(r->ply - 1) & 1] == r->ply - 1;
}

static void set_read(struct retro *r, int row, bool is_read) {
    atomic_store_explicit(&r->is_read[row], is_read, memory_order_relaxed);
}

static bool is_read(const struct retro *r, int row) {
    return atomic_load_explicit(&r->is_read[row], memory_order_relaxed);
}

// To find wins, the changed rows have to be read.
static void retro_choose_changed(void *job, int row) {
    struct retro *r = job;
    set_read(r, row, !r->losing && has_changed(r, row));
}

static bool leads_to_change(const struct retro *r, int row, const struct cup_choice *c, int count) {
    if (has_changed(r, row))
        return true;
    for (; count > 0; c++, count--)
        for (int k = 0; k < c->count; k++)
            if (has_changed(r, c->row[k]))
                return true;
    return false;
}

// To find losses, all rows that a move leads to.
static void retro_choose_wanted(void *job, int row) {
    struct retro *r = job;
    struct cup_choice choices[CHOICES_MAX];
    const int target = page_target(&r->page, row);
    r->is_wanted[row] = false;
    if (target < 0 || r->rows[target].open == 0)
        return;
    const int count = page_choices(&r->page, row, choices);
    r->is_wanted[row] = leads_to_change(r, row, choices, count);
    if (!r->is_wanted[row] || !r->losing)
        return;
    set_read(r, row, true);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < choices[i].count; k++)
            set_read(r, choices[i].row[k], true);
}

// The positions whose value lies from `low` to `high`, as bits.
static void read_bits(const struct atlas *a, const int8_t *values, const uint16_t *flipped, int low,
                      int high, uint64_t words[static WORDS]) {
    const uint8_t begin = (uint8_t)low, width = (uint8_t)(high - low);
    for (int own = 0; own < SETS; own++) {
        uint64_t word = 0;
        for (int k = a->first[own]; k < a->first[own + 1]; k++) {
            const uint8_t above = (uint8_t)((uint8_t)values[flipped[k]] - begin);
            word |= (uint64_t)(above <= width) << a->other[k];
        }
        words[own] = word;
    }
}

static void retro_read_row(void *job, int row) {
    struct retro *r = job;
    const uint16_t *flipped;
    if (!is_read(r, row))
        return;
    const int8_t *values = r->values + (size_t)page_source(&r->page, row, &flipped) * LAYERS;
    const int before = r->ply > 1 ? -(r->ply - 1) : VALUE_LOST; // lost in a ply less
    const int low = r->losing ? VALUE_LOST : before, high = r->losing ? VALUE_NEVER : before;
    read_bits(r->page.atlas, values, flipped, low, high, r->bits[row]);
}

static void join_choice(const struct retro *r, const struct cup_choice *c, uint64_t *restrict sum) {
    for (int k = 0; k < c->count; k++) {
        if (!is_read(r, c->row[k]))
            continue;
        const uint64_t *restrict bits = r->bits[c->row[k]];
        for (int i = 0; i < WORDS; i++)
            sum[i] |= bits[i] & c->safe;
    }
}

// Small cups move between bare cells, and uncover nothing.
static void join_small(const struct retro *r, int row, unsigned bare, uint64_t *restrict sum) {
    const struct atlas *a = r->page.atlas;
    const uint64_t *restrict bits = r->bits[row];
    unsigned left[1 + CUPS_EACH];
    for (int set = 0; set < SETS; set++) {
        const unsigned own = a->cells[set];
        const int count = page_left(own, bare, left);
        for (int i = 0; i < count; i++)
            for (unsigned to = bare & ~own; to; to &= to - 1)
                sum[set] |= bits[a->set[left[i] | lowest(to)]];
    }
}

// Writes the value into positions that have none; returns how many there were.
static int write_word(int8_t *values, const uint16_t *layers, uint64_t word, int value) {
    int count = 0;
    for (; word; word &= word - 1) {
        int8_t *at = &values[layers[bits_first(word)]];
        if (*at == VALUE_NEVER) {
            *at = (int8_t)value;
            count++;
        }
    }
    return count;
}

static int write_row(const struct retro *r, int row, struct cup_view seen, const uint64_t *sum) {
    const struct atlas *a = r->page.atlas;
    const uint64_t own_line = atlas_lines(a, seen.own, seen.bare);
    const uint64_t other_line = atlas_lines(a, seen.other, seen.bare);
    int8_t *values = r->values + (size_t)page_target(&r->page, row) * LAYERS;
    const int value = r->losing ? -r->ply : r->ply;
    int count = 0;
    for (int set = 0; set < SETS; set++)
        if (!(own_line >> set & 1)) {
            const uint64_t word = (r->losing ? ~sum[set] : sum[set]) & a->apart[set] & ~other_line;
            count += write_word(values, a->layer[set], word, value);
        }
    return count;
}

static void note_found(struct retro *r, struct row *target, int count) {
    if (count == 0)
        return;
    target->open = (uint16_t)(target->open - count);
    (r->losing ? target->lost_at : target->won_at)[r->ply & 1] = (uint8_t)r->ply;
    atomic_fetch_add_explicit(&r->found, (uint64_t)count, memory_order_relaxed);
}

static void retro_find_values(void *job, int row) {
    struct retro *r = job;
    struct cup_choice choices[CHOICES_MAX];
    uint64_t sum[WORDS] = {0};
    if (!r->is_wanted[row])
        return;
    const struct cup_view seen = page_view(&r->page, row);
    const int count = page_choices(&r->page, row, choices);
    for (int i = 0; i < count; i++)
        join_choice(r, &choices[i], sum);
    if (is_read(r, row))
        join_small(r, row, seen.bare, sum);
    note_found(r, &r->rows[page_target(&r->page, row)], write_row(r, row, seen, sum));
}

static void tell_share(const struct retro *r, int pages) {
    const double part = PLY_PART * (pages + (r->losing ? 0 : PAGES)) / (2.0 * PAGES);
    r->progress->share(r->progress->context, "solving", r->ahead + part * (1 - r->ahead));
}

// Finds all positions that are lost, or won, in `ply` plies.
static uint64_t find_all(struct retro *r, bool losing) {
    const struct atlas *atlas = r->page.atlas;
    void (*const steps[])(void *, int) = {retro_choose_changed, retro_choose_wanted, retro_read_row,
                                          retro_find_values};
    r->losing = losing;
    atomic_store(&r->found, 0);
    for (int i = 0; i < PAGES; i++) {
        page_init(&r->page, atlas, atlas->page[i]);
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            share_run(r->threads, r->page.rows, BATCH, steps[k], r);
        tell_share(r, i + 1);
    }
    return atomic_load(&r->found);
}

// Writes the ends of the game, where somebody has a line.
static void retro_begin_row(void *job, int number) {
    struct retro *r = job;
    const struct atlas *a = r->page.atlas;
    const int large = a->layer_of_shape[number / LAYERS], medium = number % LAYERS;
    const struct cup_view seen = view_of(a->cells[a->own[large]], a->cells[a->other[large]],
                                         a->cells[a->own[medium]], a->cells[a->other[medium]]);
    const uint64_t own_line = atlas_lines(a, seen.own, seen.bare);
    const uint64_t other_line = atlas_lines(a, seen.other, seen.bare);
    int8_t *values = r->values + (size_t)number * LAYERS;
    int open = 0;
    for (int k = 0; k < LAYERS; k++) {
        values[k] = other_line >> a->other[k] & 1 ? VALUE_LOST
                    : own_line >> a->own[k] & 1   ? VALUE_WON
                                                  : VALUE_NEVER;
        open += values[k] == VALUE_NEVER;
    }
    r->rows[number] = (struct row){.open = (uint16_t)open};
}

void retro_solve(const struct atlas *atlas, int8_t *values, int threads,
                 const struct progress *progress) {
    struct retro r = {.values = values,
                      .rows = mem_new(ROWS, sizeof *r.rows),
                      .page = {.atlas = atlas},
                      .bits = mem_new(PAGE_ROWS, sizeof *r.bits),
                      .is_read = mem_new(PAGE_ROWS, sizeof *r.is_read),
                      .is_wanted = mem_new(PAGE_ROWS, sizeof *r.is_wanted),
                      .threads = threads,
                      .progress = progress};
    uint64_t lost = 1, won = 1; // found by the last ply; the ends are there before the first
    share_run(threads, ROWS, BATCH, retro_begin_row, &r);
    for (r.ply = 1; lost + won > 0; r.ply++) {
        const bool has_lost = lost > 0, has_won = won > 0;
        assert(r.ply < VALUE_WON);
        lost = has_won ? find_all(&r, true) : 0;
        won = has_lost ? find_all(&r, false) : 0;
        progress->ply(progress->context, r.ply, lost, won);
        r.ahead += PLY_PART * (1 - r.ahead);
    }
    free(r.is_wanted);
    free(r.is_read);
    free(r.bits);
    free(r.rows);
}
