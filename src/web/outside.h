// SPDX-License-Identifier: MIT
// Games that came as folders, for the page: what they are, their modules, which the browser runs as
// it runs our own, and their rules for people.
#pragma once

#include "web/exchange.h"

// GET /api/outside: all of them, as they lie there now.
void outside_list(struct web *web, struct exchange *x);
// GET /api/outside/NAME/module
void outside_module(struct web *web, struct exchange *x);
// GET /api/outside/NAME/rules/LANGUAGE: {"html": ".."}; the English ones where there are no others.
void outside_rules(struct web *web, struct exchange *x);
