// SPDX-License-Identifier: MIT
// The transposition table of all searches: what is known of positions, by their 64-bit keys.
// Threads may share one without a lock: an entry torn by two writers is never found.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is known: the value lies from lower to upper, by a search of this depth and kind.
struct tt_entry {
    int16_t lower, upper;
    uint16_t move; // best move, in 16 bits of the engine's choice
    uint8_t depth;
    uint8_t kind; // of the engine's choice, below 16: selectivity, or the like
};

// Its parts are open so that looking up is inlined; none but tt.c changes them.
enum { TT_WAYS = 4 };
struct tt_slot {
    _Atomic uint64_t check, data;
};
struct tt_bucket {
    struct tt_slot slot[TT_WAYS];
};
struct tt {
    void *memory;
    struct tt_bucket *buckets; // therein, at the beginning of a page
    size_t count;              // of buckets
    uint64_t mask;             // of those in use
    uint8_t age;
    bool begun; // the mask has been chosen
};

// At most so many bytes, and at least 4 KiB.
struct tt *tt_new(size_t bytes);
void tt_free(struct tt *tt);
// Forgets all, and from now on uses no more than a search of so many nodes needs (0: all there is),
// so that what is found and what is driven out depends on that search alone.
void tt_clear(struct tt *tt, uint64_t nodes);
// Entries of searches before this one give way first.
void tt_age(struct tt *tt);
// Before a thought: with a limit of nodes as tt_clear, for the nodes expected if they are fewer;
// else as tt_age, and uses as much as the nodes expected need (0: all there is), or what it used
// before if that is more. Memory that is touched for the first time costs time that a short thought
// does not have.
void tt_begin(struct tt *tt, uint64_t limit, uint64_t expected);

static inline uint64_t tt_load(const _Atomic uint64_t *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
}

static inline struct tt_bucket *tt_bucket_of(const struct tt *tt, uint64_t key) {
    return &tt->buckets[key & tt->mask];
}

static inline void tt_prefetch(const struct tt *tt, uint64_t key) {
    __builtin_prefetch(tt_bucket_of(tt, key));
}

// False if the key is not there.
static inline bool tt_get(const struct tt *tt, uint64_t key, struct tt_entry *entry) {
    const struct tt_bucket *bucket = tt_bucket_of(tt, key);
    for (int i = 0; i < TT_WAYS; i++) {
        const uint64_t data = tt_load(&bucket->slot[i].data);
        if ((tt_load(&bucket->slot[i].check) ^ data) != key || !data)
            continue;
        *entry = (struct tt_entry){.lower = (int16_t)data,
                                   .upper = (int16_t)(data >> 16),
                                   .move = (uint16_t)(data >> 32),
                                   .depth = (uint8_t)(data >> 48),
                                   .kind = data >> 56 & 15};
        return true;
    }
    return false;
}

// Replaces the key's own entry, else the least worthy of its neighbours.
void tt_put(struct tt *tt, uint64_t key, struct tt_entry entry);
