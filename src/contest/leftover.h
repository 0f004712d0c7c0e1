// SPDX-License-Identifier: MIT
// What a desk that was killed has left behind.
#pragma once

// Below `home`, of every team: a submission that has no report gets one that says it was broken
// off, and what it left on the way is removed. Nobody may work there.
void leftovers_settle(const char *home);
