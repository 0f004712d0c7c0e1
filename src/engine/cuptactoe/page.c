// SPDX-License-Identifier: MIT
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

static uint64_t safe_sets(const struct cup_page *s, struct cup_view seen) {
    return ALL_SETS & ~atlas_lines(s->atlas, seen.other, seen.bare);
}

static int list_large(const struct cup_page *s, int place, int medium, struct cup_choice *choices) {
    const struct atlas *a = s->atlas;
    const unsigned own = a->cells[s->own[place]], other = a->cells[s->other];
    const unsigned medium_own = a->cells[a->own[medium]], medium_other = a->cells[a->other[medium]];
    unsigned left[1 + CUPS_EACH];
    const int count = page_left(own, CUPS_BOARD, left);
    for (int i = 0; i < count; i++) {
        struct cup_choice *c = &choices[i];
        c->safe = safe_sets(s, view_of(left[i], other, medium_own, medium_other));
        c->count = 0;
        for (unsigned to = CUPS_BOARD & ~(own | other); to; to &= to - 1)
            c->row[c->count++] = s->place[a->set[left[i] | lowest(to)]] * LAYERS + medium;
    }
    return count;
}

static int list_medium(const struct cup_page *s, int place, int medium,
                       struct cup_choice *choices) {
    const struct atlas *a = s->atlas;
    const unsigned large_own = a->cells[s->own[place]], large_other = a->cells[s->other];
    const unsigned own = a->cells[a->own[medium]], other = a->cells[a->other[medium]];
    const unsigned uncovered = CUPS_BOARD & ~(large_own | large_other);
    unsigned left[1 + CUPS_EACH];
    const int count = page_left(own, uncovered, left);
    for (int i = 0; i < count; i++) {
        struct cup_choice *c = &choices[i];
        c->safe = safe_sets(s, view_of(large_own, large_other, left[i], other));
        c->count = 0;
        for (unsigned to = uncovered & ~(own | other); to; to &= to - 1)
            c->row[c->count++] =
                place * LAYERS + a->layer[a->set[left[i] | lowest(to)]][a->other[medium]];
    }
    return count;
}

int page_choices(const struct cup_page *s, int row, struct cup_choice choices[static CHOICES_MAX]) {
    const int place = row / LAYERS, medium = row % LAYERS;
    const int count = list_large(s, place, medium, choices);
    return count + list_medium(s, place, medium, choices + count);
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
