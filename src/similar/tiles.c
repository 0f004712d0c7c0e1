// SPDX-License-Identifier: MIT
// Every print in common is grown to both sides as far as the tokens are the same; then the longest
// stretches are laid first, and of the others what is left free.
#include "similar/tiles.h"

#include "base/mem.h"
#include "similar/print.h"

#include <stdlib.h>

enum { SEEDS_MOST = 200000 }; // prints in common that are looked at

struct layer {
    const struct submission *of[2];
    struct print *prints[2]; // by hash
    bool *taken[2];
    struct tile *tiles;
    int count, room;
};

static void add(struct layer *l, struct tile tile) {
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->tiles = mem_resize(l->tiles, (size_t)l->room * sizeof *l->tiles);
    }
    l->tiles[l->count++] = tile;
}

// May a tile hold both of these tokens?
static bool fit(const struct layer *l, const struct tile *t, int x, int y) {
    const struct tokens *a = &l->of[0]->tokens, *b = &l->of[1]->tokens;
    return x >= 0 && y >= 0 && x < a->count && y < b->count && a->at[x].kind == b->at[y].kind &&
           a->at[x].file == a->at[t->at[0]].file && b->at[y].file == b->at[t->at[1]].file &&
           !submission_shares(l->of[0], x) && !submission_shares(l->of[1], y);
}

static struct tile grown(const struct layer *l, int x, int y) {
    struct tile t = {.at = {x, y}, .length = PRINT_LENGTH};
    while (fit(l, &t, t.at[0] - 1, t.at[1] - 1)) {
        t.at[0]--;
        t.at[1]--;
        t.length++;
    }
    while (fit(l, &t, t.at[0] + t.length, t.at[1] + t.length))
        t.length++;
    return t;
}

static int tiles_by_hash(const void *a, const void *b) {
    const struct print *x = a, *y = b;
    return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash) : x->at - y->at;
}

static struct print *sorted(const struct submission *s) {
    struct print *prints = mem_new((size_t)s->print_count + 1, sizeof *prints);
    for (int i = 0; i < s->print_count; i++)
        prints[i] = s->prints[i];
    qsort(prints, (size_t)s->print_count, sizeof *prints, tiles_by_hash);
    return prints;
}

static int group_end(const struct layer *l, int which, int from) {
    const struct print *prints = l->prints[which];
    int end = from;
    while (end < l->of[which]->print_count && prints[end].hash == prints[from].hash)
        end++;
    return end;
}

static void add_all(struct layer *l) {
    const struct print *a = l->prints[0], *b = l->prints[1];
    for (int i = 0, k = 0; i < l->of[0]->print_count && k < l->of[1]->print_count;) {
        const uint64_t x = a[i].hash, y = b[k].hash;
        const int i_end = group_end(l, 0, i), k_end = group_end(l, 1, k);
        for (int n = i; n < i_end && x == y; n++)
            for (int m = k; m < k_end && l->count < SEEDS_MOST; m++)
                add(l, grown(l, a[n].at, b[m].at));
        i = x <= y ? i_end : i;
        k = y <= x ? k_end : k;
    }
}

static int by_length(const void *a, const void *b) {
    const struct tile *x = a, *y = b;
    return x->length != y->length ? y->length - x->length
           : x->at[0] != y->at[0] ? x->at[0] - y->at[0]
                                  : x->at[1] - y->at[1];
}

static int by_place(const void *a, const void *b) {
    const struct tile *x = a, *y = b;
    return x->at[0] - y->at[0];
}

// Cuts a tile to its first stretch that is free on both sides.
static void cut(const struct layer *l, struct tile *t) {
    int begin = 0, end;
    while (begin < t->length && (l->taken[0][t->at[0] + begin] || l->taken[1][t->at[1] + begin]))
        begin++;
    for (end = begin; end < t->length; end++)
        if (l->taken[0][t->at[0] + end] || l->taken[1][t->at[1] + end])
            break;
    t->at[0] += begin;
    t->at[1] += begin;
    t->length = end - begin;
}

static int lay(struct layer *l) {
    int laid = 0;
    for (int i = 0; i < l->count; i++) {
        struct tile t = l->tiles[i];
        cut(l, &t);
        if (t.length < PRINT_LENGTH)
            continue;
        for (int k = 0; k < t.length; k++)
            l->taken[0][t.at[0] + k] = l->taken[1][t.at[1] + k] = true;
        l->tiles[laid++] = t;
    }
    return laid;
}

int tiles_find(const struct submission *a, const struct submission *b, struct tile **tiles) {
    struct layer l = {.of = {a, b}};
    for (int i = 0; i < 2; i++) {
        l.taken[i] = mem_new((size_t)l.of[i]->tokens.count + 1, sizeof *l.taken[i]);
        l.prints[i] = sorted(l.of[i]);
    }
    add_all(&l);
    int laid = 0;
    if (l.count) {
        qsort(l.tiles, (size_t)l.count, sizeof *l.tiles, by_length);
        laid = lay(&l);
        qsort(l.tiles, (size_t)laid, sizeof *l.tiles, by_place);
    }
    for (int i = 0; i < 2; i++) {
        free(l.taken[i]);
        free(l.prints[i]);
    }
    *tiles = l.tiles;
    return laid;
}

// The tile that begins at each token, or -1.
static int *tile_beginnings(const struct tile_side *side) {
    int *at = mem_new((size_t)side->of->tokens.count + 1, sizeof *at);
    for (int i = 0; i < side->of->tokens.count; i++)
        at[i] = -1;
    for (int i = 0; i < side->count; i++)
        at[side->tiles[i].at[side->which]] = i;
    return at;
}

void tiles_walk(const struct tile_side *side, int file, tile_part *part, void *owner) {
    const struct source *source = &side->of->sources[file];
    const struct token *tokens = side->of->tokens.at;
    int *beginnings = tile_beginnings(side);
    size_t done = 0;
    for (int i = 0; i < side->of->tokens.count; i++) {
        const int tile = beginnings[i];
        if (tile < 0 || tokens[i].file != file)
            continue;
        // Two tiles may share the place where a macro is used: the first has it.
        const size_t last = tokens[i + side->tiles[tile].length - 1].end;
        const size_t begin = tokens[i].begin > done ? tokens[i].begin : done;
        const size_t end = last > begin ? last : begin;
        part(owner, source->text + done, begin - done, -1);
        part(owner, source->text + begin, end - begin, tile);
        done = end;
    }
    part(owner, source->text + done, source->size - done, -1);
    free(beginnings);
}
