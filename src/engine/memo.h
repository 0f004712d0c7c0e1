// SPDX-License-Identifier: MIT
// The transposition table of all searches: what is known of positions, by their 64-bit keys.
// Threads may share one without a lock: an entry torn by two writers is never found.
#pragma once

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

struct memo;

// At most so many bytes, and at least 4 KiB.
struct memo *memo_new(size_t bytes);
void memo_free(struct memo *memo);
// Forgets all, and from now on uses no more than a search of so many nodes needs (0: all there is),
// so that what is found and what is driven out depends on that search alone.
void memo_clear(struct memo *memo, uint64_t nodes);
// Entries of searches before this one give way first.
void memo_age(struct memo *memo);
void memo_prefetch(const struct memo *memo, uint64_t key);
// False if the key is not there.
bool memo_get(const struct memo *memo, uint64_t key, struct entry *entry);
// Replaces the key's own entry, else the least worthy of its neighbours.
void memo_put(struct memo *memo, uint64_t key, struct entry entry);
