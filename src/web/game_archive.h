// SPDX-License-Identifier: MIT
// Games that are over, in the store of the server: the record of each, and what an engine thinks of
// it.
#pragma once

#include "base/err.h"
#include "base/json.h"

struct game_archive;
struct hosted_contests;

// Opens the store at a path, made if it is not there.
struct game_archive *game_archive_open(const char *path, struct err *err);
void game_archive_close(struct game_archive *archive);
// Whether a text can be the id of a game: a few small letters and digits, so never a path.
bool game_archive_is_id(const char *id);
// An id that no game has. It holds no g, which stands before the number of a contest's game.
void game_archive_draw_id(const struct game_archive *archive, char *id, size_t size);

bool game_archive_put(struct game_archive *archive, const char *id, const json_t *record,
                      struct err *err);
// NULL: there is none; with an error: it is damaged, or cannot be read.
json_t *game_archive_get(const struct game_archive *archive, const char *id, struct err *err);
bool game_archive_put_study(struct game_archive *archive, const char *id, const json_t *study,
                            struct err *err);
json_t *game_archive_get_study(const struct game_archive *archive, const char *id, struct err *err);
// Which games are looked for; what is NULL or "" is anything.
struct game_search {
    const char *game, *contest; // its id
    const char *player;         // the whole name of one of the two,
    const char *against;        // and of the other
    const char *part;           // some of the name of one of them, in any case
    const char *result; // "black", "white", "draw", "forfeit" or "annulled"; of a player "won",
                        // "lost"
    const char *after;  // where an earlier search ended
    // Whether a game counts for nobody; it has no other result then. NULL: all count.
    bool (*is_annulled)(const struct hosted_contests *contests, const char *id);
    const struct hosted_contests *contests;
};
// {"games": [..], "after": ".."}: newest first, some fifty at most, and where to go on; "": there
// are no more. There may be more though few were found: a search looks at so many games.
json_t *game_archive_search(const struct game_archive *archive, const struct game_search *search,
                            struct err *err);
// The newest games, newest first: an array of objects; NULL: they cannot be read.
json_t *game_archive_list(const struct game_archive *archive, int most, struct err *err);
