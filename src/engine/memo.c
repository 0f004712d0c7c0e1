// SPDX-License-Identifier: MIT
// A key belongs to one bucket of four slots, a cache line. A slot keeps the key xor its data, so
// that a slot half written by another thread belongs to no key.
#include "engine/memo.h"

#include "base/mem.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WAYS = 4, AGES = 16, LINE = 64 };

struct slot {
    _Atomic uint64_t check, data;
};

struct bucket {
    struct slot slot[WAYS];
};

struct memo {
    void *memory;
    struct bucket *buckets; // therein, at the beginning of a cache line
    size_t count;           // of buckets
    uint64_t mask;          // of those in use
    uint8_t age;
};

static uint64_t pack(struct entry e, uint8_t age) {
    assert(e.kind < 16);
    return (uint64_t)(uint16_t)e.lower | (uint64_t)(uint16_t)e.upper << 16 |
           (uint64_t)e.move << 32 | (uint64_t)e.depth << 48 | (uint64_t)e.kind << 56 |
           (uint64_t)age << 60;
}

static struct entry unpack(uint64_t data) {
    return (struct entry){.lower = (int16_t)data,
                          .upper = (int16_t)(data >> 16),
                          .move = (uint16_t)(data >> 32),
                          .depth = (uint8_t)(data >> 48),
                          .kind = data >> 56 & 15};
}

// Worth keeping: searches of this move before old ones, deep ones before shallow ones.
static int worth(uint64_t data, uint8_t age) {
    const int depth = data >> 48 & 255, years = (age - (int)(data >> 60)) & (AGES - 1);
    return data ? depth - 8 * years : -1000;
}

static struct bucket *bucket_of(const struct memo *memo, uint64_t key) {
    return &memo->buckets[key & memo->mask];
}

static uint64_t load(const _Atomic uint64_t *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
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
    size_t count = 4096 / sizeof(struct bucket);
    while (2 * count * sizeof(struct bucket) <= bytes)
        count *= 2;
    memo->memory = mem_new(count + 1, sizeof(struct bucket)); // not touched before it is used
    want_large_pages(memo->memory, (count + 1) * sizeof(struct bucket));
    memo->buckets = (struct bucket *)(((uintptr_t)memo->memory + LINE - 1) / LINE * LINE);
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

void memo_clear(struct memo *memo, uint64_t nodes) {
    memo->mask = memo->count - 1;
    while (nodes && memo->mask >= nodes && memo->mask > 63)
        memo->mask /= 2;
    memset((void *)memo->buckets, 0, (memo->mask + 1) * sizeof(struct bucket));
    memo->age = 0;
}

void memo_age(struct memo *memo) { memo->age = (memo->age + 1) & (AGES - 1); }

void memo_prefetch(const struct memo *memo, uint64_t key) {
    __builtin_prefetch(bucket_of(memo, key));
}

bool memo_get(const struct memo *memo, uint64_t key, struct entry *entry) {
    const struct bucket *bucket = bucket_of(memo, key);
    for (int i = 0; i < WAYS; i++) {
        const uint64_t data = load(&bucket->slot[i].data);
        if ((load(&bucket->slot[i].check) ^ data) == key && data) {
            *entry = unpack(data);
            return true;
        }
    }
    return false;
}

void memo_put(struct memo *memo, uint64_t key, struct entry entry) {
    struct bucket *bucket = bucket_of(memo, key);
    struct slot *chosen = NULL;
    int least = 0;
    for (int i = 0; i < WAYS; i++) {
        struct slot *slot = &bucket->slot[i];
        const uint64_t data = load(&slot->data);
        const bool own = data && (load(&slot->check) ^ data) == key;
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
