// SPDX-License-Identifier: MIT
// What this program is started with to do something about a contest, beside its child: to write it
// down, to keep a decision, to compare its players. Each puts the arguments, or says what is wrong
// with what was asked for.
#pragma once

#include "web/hosted_contest.h"

// The arguments with which this program writes it down: {"form": "csv"|"html"|"json"|"records",
// "stage": from 1, if not all, "language"}.
bool contest_command_put_export(const struct hosted_contest *contest, const json_t *asked,
                                struct buf *out, struct err *err);
// The arguments with which this program keeps a decision (contest/decide.h):
// {"kind","subject","why","by"}.
bool contest_command_put_decision(const struct hosted_contest *contest, const json_t *asked,
                                  struct buf *out, struct err *err);
// The arguments with which this program compares its players: all, or of {"players":[A,B]} two.
bool contest_command_put_similar(const struct hosted_contest *contest, const json_t *asked,
                                 struct buf *out, struct err *err);
