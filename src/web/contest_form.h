// SPDX-License-Identifier: MIT
// A contest file written from the form of the page (docs/contests.md).
#pragma once

#include "base/buf.h"
#include "web/game_request.h"

// {"name","game","set":{},"time","wins","league":"normal"|"only","format":"league"|"swiss"|
// "knockout"|"double","jobs","deadline","players":[{"name","player"}]}; without a format the league
// mode decides; an error says what is wrong with it.
void contest_form_write(struct buf *out, const json_t *form, const struct services *services,
                        struct err *err);

// The demos: small contests of built-in players that take their time, of several games. They are
// numbered from 0; an id of NULL: there is no such demo.
enum { CONTEST_FORM_DEMOS = 8 };
const char *contest_form_demo_id(int number);
void contest_form_write_demo(struct buf *out, const struct services *services, int number,
                             unsigned seed);
unsigned contest_form_seed(const char *text); // the seed of a demo's file
