// SPDX-License-Identifier: MIT
// arbiter-box: runs an untrusted player. Two stages: the first, outside, becomes bubblewrap; the
// second, inside its namespaces, sets limits, steps down to a user of its own, loads the filter and
// becomes the player. Where there are no namespaces the first goes straight on to the second.
// `arbiter-box --probe` tells as JSON what of that this machine allows. Control groups are made by
// whoever starts us, around both stages.
#include "base/json.h"
#include "base/scratch.h"
#include "sandbox/fail.h"
#include "sandbox/inside.h"
#include "sandbox/wrap.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int probe(void) {
    char why[300];
    bool has_bwrap;
    const bool namespaces = wrap_works(why, sizeof why, &has_bwrap), filter = inside_can_filter();
    json_print_line(stdout, json_pack("{s:b, s:b, s:b, s:o, s:b}", "filter", filter, "bwrap",
                                      has_bwrap, "namespaces", namespaces, "why",
                                      json_text(namespaces ? "" : why), "root", geteuid() == 0));
    return fflush(stdout) == 0 ? 0 : 1;
}

// Only a folder that was made for it: ours, and nobody else's to write in.
static void give_away(const char *folder, uid_t uid) {
    struct stat info;
    errno = 0;
    if (lstat(folder, &info) < 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
        (info.st_mode & 077) != 0)
        fail("not a folder made for a player:", folder);
    if (chown(folder, uid, uid) < 0)
        fail("cannot give away", folder);
}

// Where there are no namespaces the folder is a real one, and is given to its user.
static void enter_folder(const struct options *o) {
    if (!o->folder)
        return;
    if (o->uid)
        give_away(o->folder, (uid_t)o->uid);
    if (chdir(o->folder) < 0)
        fail("cannot enter", o->folder);
}

int main(int argc, char **argv) {
    (void)argc;
    struct options options;
    errno = 0;
    options_read(&options, argv);
    if (options.probe)
        return probe();
    if (options.inside)
        inside_start(&options);
    if (geteuid() == 0)
        options.uid = SCRATCH_USERS + (uid_t)getpid(); // a range that systems leave alone
    inside_clean(WRAP_HOME);
    if (options.level >= LEVEL_NAMESPACES)
        wrap_start(&options, argv);
    enter_folder(&options);
    inside_start(&options);
}
