// SPDX-License-Identifier: MIT
// What `arbiter bench` can measure, one function each.
#pragma once

#include "cli/command.h"

int bench_rules(const struct args *args, struct err *err);
int bench_engine(const struct args *args, struct err *err);
int bench_referee(const struct args *args, struct err *err);
int bench_box(const struct args *args, struct err *err);
// A player for the others: answers at once.
int bench_player(const struct args *args, struct err *err);
// The same fixed work on every machine, to compare figures between machines: millions of steps a
// second.
double bench_calibrate(void);
