// SPDX-License-Identifier: MIT
// Left alone, wine makes itself a home (a "prefix") of 700 MB, mostly copies of its own libraries,
// in some fifteen seconds. A program that reads and writes needs little of it: two drives, those
// libraries in their place, and a note that nothing is to be brought up to date. That is made in
// the player's own folder before every start, and an empty registry comes by itself.
//
// wine starts processes, listens on a local socket, and reserves far more address space than it
// uses; so some boxes are not for it.
#include "referee/wine.h"

#include "base/buf.h"
#include "link/shell.h"

#include <assert.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool wine_fits(const struct player *player, const struct player_limits *limits, struct err *err) {
    assert(limits->box);
    const int level = limits->box->level;
    if ((level == BOX_FILTER || level == BOX_NAMESPACES) && limits->ponder == PONDER_FREEZE)
        return err_set(err,
                       "%.100s is a Windows program, and a box of level %d that holds players "
                       "(ponder=freeze) does not let wine start its processes: use another ponder, "
                       "or --box off",
                       player->text, level);
    if (level == BOX_FILTER && player->kind == PLAYER_TEAM)
        return err_set(err,
                       "%.100s is a Windows program that connects by TCP, and a box of level 1 "
                       "does not let wine listen to its own processes then: use --box 0 or off",
                       player->text);
    return true;
}

// Where wine's own libraries lie: a guess is as good as its packages are alike.
static void put_libraries(struct buf *out) {
    static const char *const places[] = {
        "/usr/lib/*/wine/x86_64-windows", "/usr/lib/wine/x86_64-windows",
        "/usr/lib64/wine/x86_64-windows", "/opt/wine*/lib*/wine/x86_64-windows"};
    glob_t found = {.gl_pathc = 0};
    for (size_t i = 0; i < sizeof places / sizeof *places && found.gl_pathc == 0; i++) {
        globfree(&found);
        if (glob(places[i], 0, NULL, &found) != 0)
            found.gl_pathc = 0;
    }
    if (found.gl_pathc > 0)
        buf_format(out, "ln -s '%s' \"$HOME/.wine/drive_c/windows/system32\"; ", found.gl_pathv[0]);
    globfree(&found);
}

void wine_move_in(struct player *player) {
    struct buf out = {.data = NULL};
    buf_text(&out, "mkdir -p \"$HOME/.wine/drive_c/windows\" \"$HOME/.wine/dosdevices\"; "
                   "ln -s ../drive_c \"$HOME/.wine/dosdevices/c:\"; "
                   "ln -s / \"$HOME/.wine/dosdevices/z:\"; "
                   "echo disable >\"$HOME/.wine/.update-timestamp\"; ");
    put_libraries(&out);
    buf_format(&out, "export WINEDEBUG=-all; %s", player->command);
    free(player->command);
    player->command = out.data;
}

// As Debian's script `wine` finds it out; it says so, but only where wine may say anything, and of
// programs of 64 bits too.
static bool lacks_32_bits(void) {
    return access("/usr/lib/wine/wine", X_OK) != 0 && access("/usr/lib/wine/wine64", X_OK) == 0;
}

// By the header of the file: where it begins stands at 0x3c, and what it is for behind its mark.
static bool is_32_bits(const char *path) {
    enum { AT = 0x3c, I386 = 0x14c };
    unsigned char bytes[6] = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool found = fd >= 0 && pread(fd, bytes, 4, AT) == 4;
    const uint32_t at = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                        (uint32_t)bytes[3] << 24;
    found = found && pread(fd, bytes, sizeof bytes, at) == (ssize_t)sizeof bytes &&
            memcmp(bytes, "PE\0", 4) == 0 && (bytes[4] | bytes[5] << 8) == I386;
    if (fd >= 0)
        close(fd);
    return found;
}

// Words of a command are seen from the folder that a `cd` before them goes to.
static bool names_32_bits(const char *command) {
    struct shell_reader reader = {.text = command};
    struct shell_token token;
    struct buf folder = {.data = NULL};
    bool after_cd = false, found = false;
    for (shell_next(&reader, &token); token.kind != SHELL_END && token.kind != SHELL_ODD && !found;
         shell_next(&reader, &token)) {
        struct buf path = {.data = NULL};
        if (!token.is_plain)
            continue;
        if (after_cd && token.kind == SHELL_WORD)
            buf_format(&folder, "%s/", token.plain);
        after_cd = token.kind == SHELL_COMMAND && strcmp(token.plain, "cd") == 0;
        buf_format(&path, "%s%s", *token.plain != '/' && folder.data ? folder.data : "",
                   token.plain);
        found = player_is_windows(token.plain) && is_32_bits(path.data);
        buf_done(&path);
    }
    buf_done(&folder);
    return found;
}

const char *wine_lack(const struct player *player) {
    if (!player->windows || !player->command || !lacks_32_bits() || !names_32_bits(player->command))
        return NULL;
    return "it is a Windows program of 32 bits, and wine32 is missing: dpkg --add-architecture "
           "i386 "
           "&& apt-get update && apt-get install wine32:i386";
}
