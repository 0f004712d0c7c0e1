// SPDX-License-Identifier: MIT
// A contest file written from the form of the page (docs/contests.md).
#pragma once

#include "base/buf.h"
#include "web/room.h"

// {"name","game","set":{},"time","wins","league":"normal"|"only","format":"league"|"swiss"|
// "knockout"|"double","jobs","players":[{"name","player"}]}; without a format the league mode
// decides; an error says what is wrong with it.
void entry_write(struct buf *out, const json_t *form, const struct room_house *house,
                 struct err *err);

// The demos: small contests of built-in players that take their time, of several games. They are
// numbered from 0; an id of NULL: there is no such demo.
enum { ENTRY_DEMOS_MAX = 8 };
const char *entry_demo_id(int number);
void entry_write_demo(struct buf *out, const struct room_house *house, int number, unsigned seed);
unsigned entry_seed(const char *text); // the seed of a demo's file
