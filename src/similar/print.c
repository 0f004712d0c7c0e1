// SPDX-License-Identifier: MIT
// The hash of PRINT_LENGTH tokens rolls: each is made of the one before by taking a token off and
// adding one. 0 means that there is none, so hashes are odd. Code of the base is taken out before
// winnowing: whoever uses the kit shares nothing by that.
#include "similar/print.h"

#include "base/mem.h"
#include "base/rng.h"

#include <assert.h>
#include <stdlib.h>

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

static uint64_t mixed(uint64_t x) {
    struct rng rng = {x};
    return rng_next(&rng);
}

// The hashes of all sequences: 0 where one would reach into the next file.
static uint64_t *hash_all(const struct tokens *t) {
    uint64_t *hashes = mem_new((size_t)t->count + 1, sizeof *hashes), sum = 0, last = 1;
    for (int i = 1; i < PRINT_LENGTH; i++)
        last *= FACTOR;
    for (int i = 0; i < t->count; i++) {
        const int begin = i - PRINT_LENGTH + 1;
        if (begin > 0)
            sum -= mixed(t->at[begin - 1].kind) * last;
        sum = sum * FACTOR + mixed(t->at[i].kind);
        if (begin >= 0 && t->at[begin].file == t->at[i].file)
            hashes[begin] = mixed(sum) | 1;
    }
    return hashes;
}

static size_t base_slot(const struct base_code *base, uint64_t hash) {
    size_t i = hash >> 1 & (base->room - 1);
    while (base->hashes[i] && base->hashes[i] != hash)
        i = (i + 1) & (base->room - 1);
    return i;
}

static bool base_has(const struct base_code *base, uint64_t hash) {
    return base->room && base->hashes[base_slot(base, hash)] == hash;
}

static void base_grow(struct base_code *base) {
    const struct base_code old = *base;
    base->room = old.room ? 2 * old.room : 4096;
    base->hashes = mem_new(base->room, sizeof *base->hashes);
    for (size_t i = 0; i < old.room; i++)
        if (old.hashes[i])
            base->hashes[base_slot(base, old.hashes[i])] = old.hashes[i];
    free(old.hashes);
}

void base_add(struct base_code *base, const struct submission *s) {
    uint64_t *hashes = hash_all(&s->tokens);
    for (int i = 0; i < s->tokens.count; i++) {
        if (!hashes[i])
            continue;
        if (2 * base->count >= base->room)
            base_grow(base);
        uint64_t *slot = &base->hashes[base_slot(base, hashes[i])];
        base->count += !*slot;
        *slot = hashes[i];
    }
    free(hashes);
}

void base_done(struct base_code *base) {
    free(base->hashes);
    *base = (struct base_code){.hashes = NULL};
}

// Marks the tokens of the base, and takes the hashes that touch them out.
static void find_shared(struct submission *s, const struct base_code *base, uint64_t *hashes) {
    const int count = s->tokens.count;
    for (int i = 0; i < count; i++)
        if (hashes[i] && base_has(base, hashes[i]))
            for (int k = i; k < i + PRINT_LENGTH; k++)
                s->shared[k / 64] |= UINT64_C(1) << k % 64;
    s->own = 0;
    for (int i = 0; i < count; i++)
        s->own += !submission_shares(s, i);
    for (int i = 0; i < count; i++)
        if (hashes[i] && base_has(base, hashes[i]))
            hashes[i] = 0;
}

// The least hash among those of a window, the last of equal ones; -1 if it has none.
static int least_in(const uint64_t *hashes, int begin, int end) {
    int least = -1;
    for (int i = begin; i < end; i++)
        if (hashes[i] && (least < 0 || hashes[i] <= hashes[least]))
            least = i;
    return least;
}

static void winnow(struct submission *s, const uint64_t *hashes) {
    const int count = s->tokens.count, ends = count - PRINT_LENGTH + 1;
    int last = -1;
    for (int begin = 0; begin == 0 || begin + PRINT_WINDOW <= ends; begin++) {
        const int end = begin + PRINT_WINDOW < ends ? begin + PRINT_WINDOW : ends;
        const int least = last >= begin && hashes[end - 1] - 1 >= hashes[last] && last < end
                              ? last
                              : least_in(hashes, begin, end);
        if (least >= 0 && least != last)
            s->prints[s->print_count++] = (struct print){.hash = hashes[least], .at = least};
        last = least;
    }
}

void prints_make(struct submission *s, const struct base_code *base) {
    assert(!s->prints);
    uint64_t *hashes = hash_all(&s->tokens);
    const size_t count = (size_t)s->tokens.count + 1;
    s->shared = mem_new(count / 64 + 2, sizeof *s->shared);
    s->prints = mem_new(count, sizeof *s->prints);
    find_shared(s, base, hashes);
    winnow(s, hashes);
    s->prints = mem_resize(s->prints, ((size_t)s->print_count + 1) * sizeof *s->prints);
    free(hashes);
}
