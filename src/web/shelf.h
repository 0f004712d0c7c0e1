// SPDX-License-Identifier: MIT
// Games that are over, in the store of the server: the record of each, and what an engine thinks of
// it.
#pragma once

#include "base/err.h"
#include "base/json.h"

struct shelf;

// Opens the store at a path, made if it is not there.
struct shelf *shelf_open(const char *path, struct err *err);
void shelf_close(struct shelf *shelf);
// Whether a text can be the id of a game: a few small letters and digits, so never a path.
bool shelf_is_id(const char *id);
// An id that no game has.
void shelf_draw_id(const struct shelf *shelf, char *id, size_t size);

bool shelf_put(struct shelf *shelf, const char *id, const json_t *record, struct err *err);
// NULL: there is none; with an error: it is damaged, or cannot be read.
json_t *shelf_get(const struct shelf *shelf, const char *id, struct err *err);
bool shelf_put_study(struct shelf *shelf, const char *id, const json_t *study, struct err *err);
json_t *shelf_get_study(const struct shelf *shelf, const char *id, struct err *err);
// The newest games, newest first: an array of objects; NULL: they cannot be read.
json_t *shelf_list(const struct shelf *shelf, int most, struct err *err);
