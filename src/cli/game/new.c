// SPDX-License-Identifier: MIT
// A new folder is a copy of an example with its name changed: it plays at once.
#include "base/embed.h"
#include "base/path.h"
#include "cli/game/game.h"
#include "folder/facts.h"
#include "games/game.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4600 };

// The example of a path, "gomoku" of "gomoku/rules.c"; false if it is another's.
static bool is_of(const char *path, const char *like) {
    const size_t length = strlen(like);
    return strncmp(path, like, length) == 0 && path[length] == '/';
}

static void list_examples(char *names, size_t size) {
    char last[FACTS_NAME_MAX] = "";
    for (const struct embed *file = game_examples; file->path; file++) {
        const char *slash = strchr(file->path, '/');
        if (!slash || is_of(file->path, last) || slash - file->path >= FACTS_NAME_MAX)
            continue;
        snprintf(last, sizeof last, "%.*s", (int)(slash - file->path), file->path);
        err_list(names, size, last);
    }
}

// Whether the example's name stands at this place of a text, as the name of the game: in quotes, or
// behind game_.
static bool names_game(const char *text, const char *at, const char *like) {
    const size_t length = strlen(like);
    if (strncmp(at, like, length) != 0)
        return false;
    if (at - text >= 5 && memcmp(at - 5, "game_", 5) == 0)
        return !strchr("abcdefghijklmnopqrstuvwxyz0123456789_", at[length]) || !at[length];
    return at > text && at[-1] == '"' && at[length] == '"';
}

static bool write_file(const struct embed *file, const char *like, const char *name,
                       const char *folder, struct err *err) {
    char path[PATH_SIZE];
    struct buf out = {.data = NULL};
    for (const char *at = file->bytes; at < file->bytes + file->size;)
        if (names_game(file->bytes, at, like)) {
            buf_text(&out, name);
            at += strlen(like);
        } else {
            buf_put(&out, at++, 1);
        }
    snprintf(path, sizeof path, "%.4000s/%s", folder, file->path + strlen(like) + 1);
    const bool good = path_write(path, out.data ? out.data : "", out.length) ||
                      err_set(err, "cannot write %.300s: %s", path, strerror(errno));
    buf_done(&out);
    return good;
}

bool game_new(const char *name, const char *like, const char *folder, struct err *err) {
    char names[ERR_TEXT_MAX / 2] = "";
    bool found = false;
    list_examples(names, sizeof names);
    if (!facts_is_name(name))
        return err_set(err,
                       "'%.60s' cannot be the name of a game: small letters, digits and _, a "
                       "letter first, at most %d",
                       name, FACTS_NAME_MAX - 1);
    for (const struct embed *file = game_examples; file->path; file++)
        found |= is_of(file->path, like);
    if (!found)
        return err_set(err, "there is no example '%.60s'; there are %s", like, names);
    if (access(folder, F_OK) == 0)
        return err_set(err, "%.300s is there already; name another folder", folder);
    if (!path_make_folder(folder, err))
        return false;
    for (const struct embed *file = game_examples; file->path; file++)
        if (is_of(file->path, like) && !write_file(file, like, name, folder, err))
            return false;
    return true;
}
