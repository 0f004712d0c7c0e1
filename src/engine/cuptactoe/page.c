// SPDX-License-Identifier: MIT
// A row is the large cups and the medium ones. Small cups never keep a larger one from moving, so a
// move of a large or medium cup leads all positions of a row to the same other row: to another
// place of the page if it is large, to another medium layer in the same place if it is medium. The
// small cups decide one thing alone, whether the cup that is taken uncovers a line: the opponent's
// do, and `safe` are those sets of them that it does not.
#include "engine/cuptactoe/page.h"

#include "games/bits.h"

void page_init(struct cup_page *s, const struct atlas *atlas, int other) {
    *s = (struct cup_page){.atlas = atlas, .other = other};
    int places = 0;
    for (int own = 0; own < SETS; own++)
        if (atlas->layer[own][other] != NO_LAYER) {
            s->place[own] = (uint8_t)places;
            s->own[places++] = (uint8_t)own;
        }
    s->rows = places * LAYERS;
}

int page_left(unsigned own, unsigned movable, unsigned left[static 1 + CUPS_EACH]) {
    int count = 0;
    if (bits_count(own) < CUPS_EACH)
        left[count++] = own;
    for (unsigned rest = own & movable; rest; rest &= rest - 1)
        left[count++] = own & ~lowest(rest);
    return count;
}

// The moves of the large cups, or of the medium ones.
static int list_choices(const struct cup_page *s, int row, bool is_large,
                        struct cup_choice *choices) {
    const struct atlas *a = s->atlas;
    const int place = row / LAYERS, medium = row % LAYERS;
    const unsigned large_own = a->cells[s->own[place]], large_other = a->cells[s->other];
    const unsigned medium_own = a->cells[a->own[medium]], medium_other = a->cells[a->other[medium]];
    const unsigned own = is_large ? large_own : medium_own;
    const unsigned uncovered = CUPS_BOARD & ~(is_large ? 0 : large_own | large_other);
    const unsigned open = uncovered & ~(own | (is_large ? large_other : medium_other));
    unsigned left[1 + CUPS_EACH];
    const int count = page_left(own, uncovered, left);
    for (int i = 0; i < count; i++) {
        struct cup_choice *c = &choices[i];
        const struct cup_view seen = is_large
                                         ? view_of(left[i], large_other, medium_own, medium_other)
                                         : view_of(large_own, large_other, left[i], medium_other);
        c->safe = ALL_SETS & ~atlas_lines(a, seen.other, seen.bare);
        c->count = 0;
        for (unsigned to = open; to; to &= to - 1) {
            const int set = a->set[left[i] | lowest(to)];
            c->row[c->count++] = is_large ? s->place[set] * LAYERS + medium
                                          : place * LAYERS + a->layer[set][a->other[medium]];
        }
    }
    return count;
}

int page_choices(const struct cup_page *s, int row, struct cup_choice choices[static CHOICES_MAX]) {
    const int count = list_choices(s, row, true, choices);
    return count + list_choices(s, row, false, choices + count);
}

struct cup_view page_view(const struct cup_page *s, int row) {
    const struct atlas *a = s->atlas;
    const int medium = row % LAYERS;
    return view_of(a->cells[s->own[row / LAYERS]], a->cells[s->other], a->cells[a->own[medium]],
                   a->cells[a->other[medium]]);
}

int page_target(const struct cup_page *s, int row) {
    const struct atlas *a = s->atlas;
    const int large = a->layer[s->own[row / LAYERS]][s->other], shape = a->shape[large];
    return a->layer_of_shape[shape] == large ? shape * LAYERS + row % LAYERS : -1;
}

int page_source(const struct cup_page *s, int row, const uint16_t **flipped) {
    const struct atlas *a = s->atlas;
    const int large = a->layer[s->other][s->own[row / LAYERS]];
    *flipped = a->flipped[a->turn[large]];
    return a->shape[large] * LAYERS + (*flipped)[row % LAYERS];
}
