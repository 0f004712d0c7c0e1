// SPDX-License-Identifier: MIT
// What is kept of a team's try-outs, in a folder of its own: `7.json` is what came of the seventh,
// `7.messages` what was said in it. The last TRYOUTS_KEPT stay.
#pragma once

#include "base/buf.h"
#include "base/json.h"

enum { TRYOUTS_KEPT = 10 };

int tryouts_last(const char *folder); // 0: there is none
void tryouts_keep(const char *folder, int number, const json_t *report, const struct buf *messages);
// NULL: there is none, or no more. Freed by the caller.
json_t *tryouts_report(const char *folder, int number);
bool tryouts_messages(const char *folder, int number, struct buf *out);
// Where it has what it needs on the way, and removing what one that was killed has left there.
void tryouts_put_work(const char *folder, int number, struct buf *out);
void tryouts_recover(const char *folder);
