// SPDX-License-Identifier: MIT
// A key belongs to one bucket of four slots, a cache line. A slot keeps the key xor its data, so
// that a slot half written by another thread belongs to no key.
#include "engine/tt.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AGES = 16, LINE = 64 };

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

// Asks for large pages: the table is read here and there, and each small page would have to be
// looked up. If there are none, nothing is lost.
static void want_large_pages(void *memory, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)memory + page - 1) / page * page,
                    end = ((uintptr_t)memory + bytes) / page * page;
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

struct tt *tt_new(size_t bytes) {
    struct tt *tt = mem_new(1, sizeof *tt);
    size_t count = 4096 / sizeof(struct tt_bucket);
    while (2 * count * sizeof(struct tt_bucket) <= bytes)
        count *= 2;
    tt->memory = mem_new(count + 1, sizeof(struct tt_bucket)); // not touched before it is used
    want_large_pages(tt->memory, (count + 1) * sizeof(struct tt_bucket));
    tt->buckets = (struct tt_bucket *)(((uintptr_t)tt->memory + LINE - 1) / LINE * LINE);
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

// Gives the memory from one bucket on back to the system, which hands it out again filled with
// zeros; what that does not cover is cleared.
static void give_back(struct tt *tt, size_t first) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *begin = (char *)(tt->buckets + first), *end = (char *)(tt->buckets + tt->count);
    char *from = (char *)(((uintptr_t)begin + page - 1) / page * page),
         *to = (char *)((uintptr_t)end / page * page);
    if (from >= to || madvise(from, (size_t)(to - from), MADV_DONTNEED) != 0)
        from = to = end;
    memset(begin, 0, (size_t)(from - begin));
    memset(to, 0, (size_t)(end - to));
}

void tt_clear(struct tt *tt, uint64_t nodes) {
    tt->mask = mask_for(tt, nodes);
    memset((void *)tt->buckets, 0, (tt->mask + 1) * sizeof(struct tt_bucket));
    if (tt->mask + 1 < tt->count)
        give_back(tt, tt->mask + 1);
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
