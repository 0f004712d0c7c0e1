// SPDX-License-Identifier: MIT
// What visitors may play, who have no key: so much that the machine and the games that count do not
// feel it.
#pragma once

#include "web/platform.h"

// Whether a visitor may begin a game by a plan; an error says why not.
bool visitors_may_begin(const struct platform *platform, const json_t *plan,
                        const struct practice_asker *asker, struct err *err);
// Whether a game that he has played without the server is kept, which counts it.
bool visitors_may_keep(struct platform *platform, const char *address, struct err *err);
