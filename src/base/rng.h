// SPDX-License-Identifier: MIT
// Random numbers from a seed, the same on every machine (splitmix64).
#pragma once

#include <stdint.h>

struct rng {
    uint64_t state; // set to the seed
};

static inline uint64_t rng_next(struct rng *rng) {
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// A number from 0 to n - 1, for n > 0: the high word of a product, with a bias below n / 2^32.
static inline uint32_t rng_below(struct rng *rng, uint32_t n) {
    return (uint32_t)((rng_next(rng) >> 32) * n >> 32);
}
