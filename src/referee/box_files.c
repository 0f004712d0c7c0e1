// SPDX-License-Identifier: MIT
// A player that was handed in sees its folder alone: its command may come from its author, and
// would name what that one wants to see. Else a command names files: the program, a script,
// weights. The folder of each is shown, because programs load what lies beside them; but only the
// file itself if that folder is closed to others, or also holds what the opponent's command names,
// or the folder where we were started (with all that an organiser keeps there).
#include "referee/box_files.h"

#include "base/mem.h"
#include "link/shell.h"
#include "referee/wine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Every box shows these already.
static const char *const system_folders[] = {"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                             "/libx32", "/opt", "/etc",  "/dev", "/proc",  "/sys"};

// Whether a path is a folder, or lies in it.
static bool is_within(const char *path, const char *folder) {
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || !path[length] || strcmp(folder, "/") == 0);
}

static bool is_system(const char *path) {
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        if (is_within(path, system_folders[i]))
            return true;
    return false;
}

// The next file or folder of ours that a command names; its real path goes to `real`.
static bool next_named(struct shell_reader *reader, struct shell_token *token,
                       char real[static PATH_MAX]) {
    for (shell_next(reader, token); token->kind != SHELL_END && token->kind != SHELL_ODD;
         shell_next(reader, token)) {
        const bool word = token->kind == SHELL_WORD || token->kind == SHELL_COMMAND;
        if (word && token->is_plain && token->plain[0] == '/' && realpath(token->plain, real) &&
            !(is_system(real) && is_system(token->plain)))
            return true;
    }
    return false;
}

// Whether a folder holds what another may not see.
static bool is_shared(const char *folder, const struct player *opponent) {
    struct shell_reader reader = {.text = opponent->command ? opponent->command : ""};
    struct shell_token token;
    char here[PATH_MAX], real[PATH_MAX];
    if (!getcwd(here, sizeof here) || is_within(here, folder))
        return true;
    while (next_named(&reader, &token, real))
        if (is_within(real, folder))
            return true;
    return false;
}

static void show(struct player *p, const char *path) {
    for (int i = 0; i < p->shows; i++)
        if (strcmp(p->show[i], path) == 0)
            return;
    p->show = mem_resize(p->show, (size_t)(p->shows + 1) * sizeof *p->show);
    p->show[p->shows++] = mem_text(path);
}

// Whether a folder is open to its owner alone. Root's players are users of their own: they could
// not enter it, and are not meant to look around there.
static bool is_closed(const char *folder) {
    struct stat info;
    return geteuid() == 0 && stat(folder, &info) == 0 && !(info.st_mode & S_IXOTH);
}

// A file that only its owner may read cannot be shown to another user.
static bool may_read(const char *file, struct err *err) {
    struct stat info;
    return geteuid() != 0 || stat(file, &info) != 0 || S_ISDIR(info.st_mode) ||
           (info.st_mode & S_IROTH) ||
           err_set(err,
                   "%.200s may be read by its owner alone, and players are other users: chmod o+r",
                   file);
}

// The folder of a file, both as it is named and as it really is.
static void show_named(struct player *p, const char *named, char *real,
                       const struct player *opponent) {
    char path[PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s", named);
    if (stat(real, &info) == 0 && !S_ISDIR(info.st_mode)) {
        char *slash = strrchr(path, '/'), *real_slash = strrchr(real, '/');
        *real_slash = '\0';
        if (slash == path || real_slash == real || is_closed(real) || is_shared(real, opponent))
            slash = NULL; // the file alone
        if (slash)
            *slash = '\0';
    }
    show(p, path);
}

static bool screen(struct player *p, const struct player *opponent,
                   const struct player_limits *limits, struct err *err) {
    struct shell_reader reader = {.text = p->command};
    struct shell_token token;
    char real[PATH_MAX];
    if (p->windows && !wine_fits(p, limits, err))
        return false;
    if (p->home)
        show(p, p->home);
    while (!p->home && next_named(&reader, &token, real)) {
        if (!may_read(real, err))
            return false;
        show_named(p, token.plain, real, opponent);
    }
    if (p->windows)
        wine_move_in(p);
    return true;
}

bool box_files_show(struct player *first, struct player *second, const struct player_limits *limits,
                    struct err refusal[static 2]) {
    struct player *const players[2] = {first, second};
    bool good = true;
    for (int i = 0; i < 2; i++)
        if (player_is_stranger(players[i]))
            player_go_away(players[i]);
    for (int i = 0; i < 2; i++)
        if (players[i]->boxed)
            good &= screen(players[i], players[1 - i], limits, &refusal[i]);
    return good;
}
