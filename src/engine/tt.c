// SPDX-License-Identifier: MIT
// A key belongs to one bucket of four slots, a cache line. A slot keeps the key xor its data, so
// that a slot half written by another thread belongs to no key.
#include "engine/tt.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { AGES = 16, PAGE = 1 << 16 }; // no system has larger pages

static uint64_t pack(struct tt_entry e, uint8_t age) {
    assert(e.kind < 16);
    return (uint64_t)(uint16_t)e.lower | (uint64_t)(uint16_t)e.upper << 16 |
           (uint64_t)e.move << 32 | (uint64_t)e.depth << 48 | (uint64_t)e.kind << 56 |
           (uint64_t)age << 60;
}

// Worth keeping: searches of this move before old ones, deep ones before shallow ones.
static int worth(uint64_t data, uint8_t age) {
    const int depth = data >> 48 & 255, years = (age - (int)(data >> 60)) & (AGES - 1);
    return data ? depth - 8 * years : -1000;
}

// The table begins with a page and fills whole ones, so that all but the part in use can be given
// back to the system. It asks for large pages: it is read here and there, and each small one would
// have to be looked up. If there are none, nothing is lost.
struct tt *tt_new(size_t bytes) {
    struct tt *tt = mem_new(1, sizeof *tt);
    size_t count = 4096 / sizeof(struct tt_bucket);
    while (2 * count * sizeof(struct tt_bucket) <= bytes)
        count *= 2;
    const size_t size = count * sizeof(struct tt_bucket);
    tt->memory = mem_new(size + PAGE, 1); // not touched before it is used
    tt->buckets = (struct tt_bucket *)(((uintptr_t)tt->memory + PAGE - 1) / PAGE * PAGE);
    madvise((void *)tt->buckets, size, MADV_HUGEPAGE);
    tt->count = count;
    tt->mask = count - 1;
    return tt;
}

void tt_free(struct tt *tt) {
    if (!tt)
        return;
    free(tt->memory);
    free(tt);
}

static uint64_t mask_for(const struct tt *tt, uint64_t nodes) {
    uint64_t mask = tt->count - 1;
    while (nodes && mask >= nodes && mask > 63)
        mask /= 2;
    return mask;
}

// What is not used any more is given back to the system, which hands it out again filled with
// zeros.
void tt_clear(struct tt *tt, uint64_t nodes) {
    tt->mask = mask_for(tt, nodes);
    void *const rest = (void *)(tt->buckets + tt->mask + 1);
    const size_t bytes = (tt->count - tt->mask - 1) * sizeof(struct tt_bucket);
    memset((void *)tt->buckets, 0, (tt->mask + 1) * sizeof(struct tt_bucket));
    if (madvise(rest, bytes, MADV_DONTNEED) != 0)
        memset(rest, 0, bytes);
    tt->age = 0;
    tt->begun = true;
}

void tt_age(struct tt *tt) { tt->age = (tt->age + 1) & (AGES - 1); }

void tt_begin(struct tt *tt, uint64_t limit, uint64_t expected) {
    if (limit) {
        tt_clear(tt, expected && expected < limit ? expected : limit);
        return;
    }
    tt->mask = (tt->begun ? tt->mask : 0) | mask_for(tt, expected);
    tt->begun = true;
    tt_age(tt);
}

void tt_put(struct tt *tt, uint64_t key, struct tt_entry entry) {
    struct tt_bucket *bucket = tt_bucket_of(tt, key);
    struct tt_slot *chosen = NULL;
    int least = 0;
    for (int i = 0; i < TT_WAYS; i++) {
        struct tt_slot *slot = &bucket->slot[i];
        const uint64_t data = tt_load(&slot->data);
        const bool own = data && (tt_load(&slot->check) ^ data) == key;
        const int w = own ? -2000 : worth(data, tt->age);
        if (!chosen || w < least) {
            chosen = slot;
            least = w;
        }
    }
    const uint64_t data = pack(entry, tt->age);
    atomic_store_explicit(&chosen->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&chosen->data, data, memory_order_relaxed);
}
