// SPDX-License-Identifier: MIT
// A key belongs to one bucket of four slots, a cache line. A slot keeps the key xor its data, so
// that a slot half written by another thread belongs to no key.
#include "engine/memo.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AGES = 16, LINE = 64 };

static uint64_t pack(struct entry e, uint8_t age) {
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

struct memo *memo_new(size_t bytes) {
    struct memo *memo = mem_new(1, sizeof *memo);
    size_t count = 4096 / sizeof(struct memo_bucket);
    while (2 * count * sizeof(struct memo_bucket) <= bytes)
        count *= 2;
    memo->memory = mem_new(count + 1, sizeof(struct memo_bucket)); // not touched before it is used
    want_large_pages(memo->memory, (count + 1) * sizeof(struct memo_bucket));
    memo->buckets = (struct memo_bucket *)(((uintptr_t)memo->memory + LINE - 1) / LINE * LINE);
    memo->count = count;
    memo->mask = count - 1;
    return memo;
}

void memo_free(struct memo *memo) {
    if (!memo)
        return;
    free(memo->memory);
    free(memo);
}

static uint64_t mask_for(const struct memo *memo, uint64_t nodes) {
    uint64_t mask = memo->count - 1;
    while (nodes && mask >= nodes && mask > 63)
        mask /= 2;
    return mask;
}

// Gives the memory from one bucket on back to the system, which hands it out again filled with
// zeros; what that does not cover is cleared.
static void give_back(struct memo *memo, size_t first) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *begin = (char *)(memo->buckets + first), *end = (char *)(memo->buckets + memo->count);
    char *from = (char *)(((uintptr_t)begin + page - 1) / page * page),
         *to = (char *)((uintptr_t)end / page * page);
    if (from >= to || madvise(from, (size_t)(to - from), MADV_DONTNEED) != 0)
        from = to = end;
    memset(begin, 0, (size_t)(from - begin));
    memset(to, 0, (size_t)(end - to));
}

void memo_clear(struct memo *memo, uint64_t nodes) {
    memo->mask = mask_for(memo, nodes);
    memset((void *)memo->buckets, 0, (memo->mask + 1) * sizeof(struct memo_bucket));
    if (memo->mask + 1 < memo->count)
        give_back(memo, memo->mask + 1);
    memo->age = 0;
    memo->begun = true;
}

void memo_age(struct memo *memo) { memo->age = (memo->age + 1) & (AGES - 1); }

void memo_begin(struct memo *memo, uint64_t limit, uint64_t expected) {
    if (limit) {
        memo_clear(memo, expected && expected < limit ? expected : limit);
        return;
    }
    memo->mask = (memo->begun ? memo->mask : 0) | mask_for(memo, expected);
    memo->begun = true;
    memo_age(memo);
}

void memo_put(struct memo *memo, uint64_t key, struct entry entry) {
    struct memo_bucket *bucket = memo_bucket_of(memo, key);
    struct memo_slot *chosen = NULL;
    int least = 0;
    for (int i = 0; i < MEMO_WAYS; i++) {
        struct memo_slot *slot = &bucket->slot[i];
        const uint64_t data = memo_load(&slot->data);
        const bool own = data && (memo_load(&slot->check) ^ data) == key;
        const int w = own ? -2000 : worth(data, memo->age);
        if (!chosen || w < least) {
            chosen = slot;
            least = w;
        }
    }
    const uint64_t data = pack(entry, memo->age);
    atomic_store_explicit(&chosen->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&chosen->data, data, memory_order_relaxed);
}
