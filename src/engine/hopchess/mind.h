// SPDX-License-Identifier: MIT
// A player of hopchess that remembers what it has searched.
#pragma once

#include "engine/engine.h"
#include "engine/hopchess/net.h"

struct hop_mind;

// The net must outlive it. `without` are techniques of search.h to be left out, a bit each.
struct hop_mind *hop_mind_new(const struct hopnet *net, unsigned without, int threads,
                              size_t memory);
void hop_mind_free(void *mind);
// As of an engine.
void hop_mind_think(void *mind, const void *state, const struct limits *limits, move only,
                    struct thought *thought);
