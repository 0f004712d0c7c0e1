// SPDX-License-Identifier: MIT
// The transposition table of all searches: what is known of positions, by their 64-bit keys.
// Threads may share one without a lock: an entry torn by two writers is never found.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is known: the value lies from lower to upper, by a search of this depth and kind.
struct entry {
    int16_t lower, upper;
    uint16_t move; // best move, in 16 bits of the engine's choice
    uint8_t depth;
    uint8_t kind; // of the engine's choice, below 16: selectivity, or the like
};

// Its parts are open so that looking up is inlined; none but memo.c changes them.
enum { MEMO_WAYS = 4 };
struct memo_slot {
    _Atomic uint64_t check, data;
};
struct memo_bucket {
    struct memo_slot slot[MEMO_WAYS];
};
struct memo {
    void *memory;
    struct memo_bucket *buckets; // therein, at the beginning of a cache line
    size_t count;                // of buckets
    uint64_t mask;               // of those in use
    uint8_t age;
    bool begun; // the mask has been chosen
};

// At most so many bytes, and at least 4 KiB.
struct memo *memo_new(size_t bytes);
void memo_free(struct memo *memo);
// Forgets all, and from now on uses no more than a search of so many nodes needs (0: all there is),
// so that what is found and what is driven out depends on that search alone.
void memo_clear(struct memo *memo, uint64_t nodes);
// Entries of searches before this one give way first.
void memo_age(struct memo *memo);
// Before a thought: with a limit of nodes as memo_clear, for the nodes expected if they are fewer;
// else as memo_age, and uses as much as the nodes expected need (0: all there is), or what it used
// before if that is more. Memory that is
// touched for the first time costs time that a short thought does not have.
void memo_begin(struct memo *memo, uint64_t limit, uint64_t expected);

static inline uint64_t memo_load(const _Atomic uint64_t *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
}

static inline struct memo_bucket *memo_bucket_of(const struct memo *memo, uint64_t key) {
    return &memo->buckets[key & memo->mask];
}

static inline void memo_prefetch(const struct memo *memo, uint64_t key) {
    __builtin_prefetch(memo_bucket_of(memo, key));
}

// False if the key is not there.
static inline bool memo_get(const struct memo *memo, uint64_t key, struct entry *entry) {
    const struct memo_bucket *bucket = memo_bucket_of(memo, key);
    for (int i = 0; i < MEMO_WAYS; i++) {
        const uint64_t data = memo_load(&bucket->slot[i].data);
        if ((memo_load(&bucket->slot[i].check) ^ data) != key || !data)
            continue;
        *entry = (struct entry){.lower = (int16_t)data,
                                .upper = (int16_t)(data >> 16),
                                .move = (uint16_t)(data >> 32),
                                .depth = (uint8_t)(data >> 48),
                                .kind = data >> 56 & 15};
        return true;
    }
    return false;
}

// Replaces the key's own entry, else the least worthy of its neighbours.
void memo_put(struct memo *memo, uint64_t key, struct entry entry);
