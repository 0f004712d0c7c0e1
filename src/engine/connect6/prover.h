// SPDX-License-Identifier: MIT
// Finds wins by threats of which some leave the defender a free stone, by proof numbers: it goes on
// where the least is left to be shown. What it claims is won under the rules, whatever the defender
// does; where it finds nothing, nothing is said.
#pragma once

#include "engine/connect6/solver.h"

struct prover6;

// The board and the stop are borrowed; a prover counts its stones in `nodes`.
struct prover6 *prover_new(struct board6 *board, struct stop *stop, uint64_t *nodes);
void prover_free(struct prover6 *prover);
void prover_forget(struct prover6 *prover);
// The board is left as it was.
bool prover_win(struct prover6 *prover, const struct quest *quest, struct forced *forced);
