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

#include <glob.h>
#include <stdlib.h>

bool wine_fits(const struct player *player, const struct terms *terms, struct err *err) {
    const int level = terms->box->level;
    if ((level == BOX_FILTER || level == BOX_NAMESPACES) && terms->ponder == PONDER_FREEZE)
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
