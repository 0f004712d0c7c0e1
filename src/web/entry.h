// SPDX-License-Identifier: MIT
// A contest file written from the form of the page (docs/contests.md).
#pragma once

#include "base/buf.h"
#include "web/room.h"

// {"name","game","set":{},"time","wins","league":"normal"|"only","jobs","players":[{"name",
// "player"}]}; an error says what is wrong with it.
void entry_write(struct buf *out, const json_t *form, const struct room_house *house,
                 struct err *err);
// A small contest of built-in players that take their time.
void entry_write_demo(struct buf *out, const struct room_house *house);
