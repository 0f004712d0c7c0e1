// SPDX-License-Identifier: MIT
// What the organiser switches while the server runs: kept in the file switches.json of the data
// folder, for the next start. An option of `arbiter serve` counts more when the server is started,
// but not when it is started again after a fall.
#pragma once

#include "base/err.h"
#include "base/json.h"

enum { VISITORS_STANDARD = 16, VISITORS_MAX = 64 };

struct switches {
    char path[4096];
    int visitors; // games against engines that visitors may play at once; 0: they play none at all
    bool live_values; // spectators of contests may see what an engine thinks
};

struct server_config;
void switches_load(struct switches *switches, const struct server_config *config);
// {"visitors", "live_values"}, one or both; what is wrong is refused, and nothing is switched.
bool switches_set(struct switches *switches, const json_t *asked, struct err *err);
