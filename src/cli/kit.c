// SPDX-License-Identifier: MIT
// `arbiter kit`: writes a starter kit into a folder.
#include "submit/kit.h"
#include "base/buf.h"
#include "base/embed.h"
#include "base/path.h"
#include "cli/setup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

// The languages there are kits of a game in.
static void list_kits(const char *game, char *text, size_t size) {
    char kit[KIT_NAME_MAX];
    text[0] = '\0';
    for (const struct embed *f = NULL; (f = kit_next(kit_files, f, kit));)
        if (kit_is_for(kit, game_find(game)))
            err_list(text, size, strchr(kit, '/') + 1);
}

static bool write_file(const char *path, const struct embed *file, const char *game,
                       struct err *err) {
    struct stat there;
    struct buf text = {.data = NULL};
    if (stat(path, &there) == 0)
        return err_set(err, "%.200s is there already; name another folder", path);
    kit_put_file(file, game, &text);
    const bool good = path_write(path, text.data ? text.data : "", text.length) ||
                      err_set(err, "cannot write %.200s: %s", path, strerror(errno));
    buf_done(&text);
    return good;
}

static bool write_kit(const char *kit, const char *game, const char *folder, struct err *err) {
    struct buf path = {.data = NULL};
    int written = 0;
    bool good = true;
    for (const struct embed *f = kit_files; f->path && good; f++) {
        const char *name = kit_file_name(f, kit);
        if (!name)
            continue;
        buf_clear(&path);
        buf_format(&path, "%s/%s", folder, name);
        good =
            (written > 0 || path_make_folder(folder, err)) && write_file(path.data, f, game, err);
        if (good)
            printf("%s\n", path.data);
        written++;
    }
    buf_done(&path);
    char there[ERR_TEXT_MAX - 200];
    if (!good || written > 0)
        return good;
    list_kits(game, there, sizeof there);
    return err_set(err, "there is no kit of %.60s in '%.60s'; there are %s", game,
                   strchr(kit, '/') + 1, there);
}

static int kit_run(const struct args *args, struct err *err) {
    char kit[KIT_NAME_MAX], standard[PATH_SIZE];
    const bool relay = strcmp(args->word[0], "relay") == 0;
    if (!relay && (!setup_game(args->word[0], err) || args->words < 2)) {
        err_set(err, "a kit is GAME LANGUAGE, or relay: see arbiter help kit");
        return -1;
    }
    if (relay)
        snprintf(kit, sizeof kit, "relay");
    else
        kit_find(kit_files, args->word[0], args->word[1], kit);
    snprintf(standard, sizeof standard, relay ? "relay" : "%s-%s", args->word[0],
             relay ? "" : args->word[1]);
    const int folder = relay ? 1 : 2;
    return write_kit(kit, args->word[0], args->words > folder ? args->word[folder] : standard, err)
               ? 0
               : -1;
}

const struct command command_kit = {
    .name = "kit",
    .arguments = "GAME LANGUAGE [DIR]",
    .words_min = 1,
    .words_max = 3,
    .summary = "write a starter kit for a contestant",
    .help = "LANGUAGE is c, cpp or python; for a game that came as a folder and speaks stcp also\n"
            "python-tcp. The kit is written into DIR, or into GAME-LANGUAGE "
            "here; its\n"
            "README says the three commands that build, try and watch it.\n"
            "arbiter kit relay [DIR] writes the relay that joins a player's machine to a judge "
            "elsewhere.\n"
            "Example: arbiter kit reversi python my-player\n",
    .run = kit_run,
};
