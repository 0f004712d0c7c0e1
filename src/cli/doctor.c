// SPDX-License-Identifier: MIT
// `arbiter doctor`: what this machine can enforce of the rules for untrusted players, and how it
// comes to enforce the rest. docs/sandbox.md.
#include "base/json.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/setup.h"
#include "link/box.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// What a level adds, and what stands in for it below.
static const struct {
    const char *what;
    int level;
    const char *with, *without;
} promises[] = {
    {"files of others", BOX_NAMESPACES,
     "a player sees the system, read-only, and what its command names; nothing else is there",
     "a player can read what its user can; it can write there too at level 0, and where the kernel "
     "has no Landlock"},
    {"network", BOX_NAMESPACES, "there is none but the way to the judge",
     "new connections are refused by the filter, local sockets with a path too, but for players "
     "that connect by TCP: they reach the judge's port, and before Linux 6.7 any other"},
    {"other processes", BOX_NAMESPACES, "a player sees its own alone, and all end with it",
     "a player can see all and signal those of its user; all that it starts end with it, unless it "
     "kills its keeper"},
    {"disk", BOX_NAMESPACES, "a player writes to memory of its own, 256 MB of it",
     "each file is bounded, their number is not"},
    {"system calls", BOX_FILTER,
     "those on a list are allowed, all others answer as by a kernel without them; `match --box N "
     "--log FILE` tells what a player was refused",
     "all are open"},
    {"talk of two players", BOX_NAMESPACES,
     "none by files, locks, sockets, queues or processes; both feel the load of the machine, and "
     "can "
     "wake each other by a futex on a page of the system",
     "at level 1 by the names of their processes, at level 0 by files, locks and sockets too"},
    {"memory", BOX_GROUPS,
     "all of it is counted together, shared maps, nameless files and what lies in sockets too",
     "address space of each process is limited, and the memory in use is looked at every 10 ms; "
     "what lies in sockets and pipes is not counted"},
    {"processes", BOX_GROUPS, "128 at once, threads included, whoever owns them",
     "128 at once for a user of its own or behind walls, otherwise 384 besides all that there are"},
    {"thinking in the other's turn", BOX_GROUPS, "the freezer stops all at once, and confirms it",
     "SIGSTOP to each process, which may then not fork"},
};

static bool file_says(const char *path, const char *words) {
    char text[400];
    path_read_text(AT_FDCWD, path, text, sizeof text);
    return strcasestr(text, words) != NULL;
}

static bool no_bwrap(const struct box *b) { return !b->has_bwrap; }

static bool ubuntu_restricts(const struct box *b) {
    return !b->root && file_says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1");
}

static bool debian_restricts(const struct box *b) {
    return !b->root && file_says("/proc/sys/kernel/unprivileged_userns_clone", "0");
}

static bool none_allowed(const struct box *b) {
    (void)b;
    return file_says("/proc/sys/user/max_user_namespaces", "0\n") &&
           !file_says("/proc/sys/user/max_user_namespaces", "00");
}

static bool is_wsl(const struct box *b) {
    (void)b;
    return file_says("/proc/version", "microsoft");
}

static bool in_container(const struct box *b) {
    (void)b;
    return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0;
}

static bool is_not_root(const struct box *b) { return !b->root; }

static bool always(const struct box *b) {
    (void)b;
    return true;
}

struct advice {
    bool (*fits)(const struct box *box);
    const char *words;
};

// The first that fits is given.
static const struct advice for_namespaces[] = {
    {no_bwrap, "bubblewrap is not installed: apt install bubblewrap"},
    {is_wsl, "this is WSL: version 1 has no namespaces; `wsl --set-version DISTRIBUTION 2` in "
             "Windows changes to version 2, which has them"},
    {ubuntu_restricts,
     "Ubuntu lets only programs with an AppArmor profile have user namespaces: run arbiter as "
     "root, "
     "or install a profile for /usr/bin/bwrap that says `userns,` (the package apparmor-profiles "
     "has "
     "one, bwrap-userns-restrict), or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"},
    {debian_restricts, "user namespaces are switched off for ordinary users: `sysctl -w "
                       "kernel.unprivileged_userns_clone=1`, or run arbiter as root"},
    {none_allowed, "no user namespaces are allowed: `sysctl -w user.max_user_namespaces=10000`"},
    {in_container, "this is a container: it must be allowed to make namespaces (docker run "
                   "--security-opt seccomp=unconfined --security-opt apparmor=unconfined, or "
                   "--privileged)"},
    {always, "run arbiter as root, or see what bubblewrap says above"},
};

static const struct advice for_groups[] = {
    {is_wsl, "this is WSL: put `systemd=true` under `[boot]` in /etc/wsl.conf, `wsl --shutdown` in "
             "Windows, then as below: systemd-run --user --scope -p Delegate=yes arbiter ..."},
    {is_not_root, "no control groups are delegated to this user: start arbiter by `systemd-run "
                  "--user --scope -p Delegate=yes arbiter ...`, or as root; where groups are of "
                  "version 1, as root"},
    {in_container, "this is a container: control groups must be writable in it (docker run "
                   "--privileged, or --cgroupns=private with a writable mount)"},
    {always, "mount control groups with the controllers memory, pids, freezer and cpuacct, or "
             "version 2 with memory and pids"},
};

static const char *advise(const struct advice *list, const struct box *box) {
    while (!list->fits(box))
        list++;
    return list->words;
}

// What becomes of the core in the other's turn, where thinking is allowed then.
static const char *const cores[] = {
    [BOX_CORE_SHARED] = "not kept for the player whose turn it is: the other can take most of it, "
                        "unless ponder=freeze; run arbiter as root, or have the controller cpu of "
                        "control groups delegated",
    [BOX_CORE_WEIGHTS] = "kept for the player whose turn it is, by the weights of control groups",
    [BOX_CORE_IDLE] = "the other waits behind the player whose turn it is (SCHED_IDLE), but "
                      "each of its processes can run some milliseconds in a turn; better is the "
                      "controller cpu of control groups",
    [BOX_CORE_APART] = "games with two or more (--cores) keep the other on one of them; with one, "
                       "the default, it is not kept for the player whose turn it is, unless "
                       "ponder=freeze; run arbiter as root, or have the controller cpu of control "
                       "groups delegated",
};

static void print_parts(const struct box *b) {
    printf("Players can be boxed at level %d of %d: %s.\n\n", b->best, BOX_GROUPS,
           box_level_words(b->best));
    printf("user            %s\n", b->root ? "root; every player gets a user of its own"
                                           : "an ordinary one; players are the same user");
    printf("filter          %s\n",
           b->filter ? "yes" : "no: this kernel does not filter system calls");
    printf("walls           %s%s\n", b->namespaces ? "yes, by bubblewrap" : "no: ", b->why);
    if (!b->namespaces)
        printf("                %s\n", advise(for_namespaces, b));
    if (b->groups.usable)
        printf("control groups  yes, version %d, in %s\n", b->groups.unified ? 2 : 1,
               b->groups.folder[CGROUP_MEMORY]);
    else
        printf("control groups  no: %s\n                %s\n", b->groups.why,
               advise(for_groups, b));
    printf("core            %s\n", cores[box_core(b)]);
}

// What sources that are handed in are built and run by.
static const struct tool {
    const char *program, *package, *what;
} tools[] = {
    {"gcc", "gcc", "C"},
    {"g++", "g++", "C++"},
    {"make", "make", "Makefiles"},
    {"python3", "python3", "Python"},
    {"x86_64-w64-mingw32-g++", "g++-mingw-w64-x86-64", "C++ for Windows"},
    {"wine", "wine", "programs for Windows"},
};

static void print_tools(void) {
    printf("\nWhat is handed in can be built and run by:\n");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        const bool there = path_has_program(tools[i].program);
        printf("%-23s %s%s%s%s\n", tools[i].program, there ? "yes" : "no", ": ", tools[i].what,
               there ? "" : "; what needs it is refused");
        if (!there)
            printf("%-23s apt install %s\n", "", tools[i].package);
    }
}

static void print_promises(const struct box *b) {
    printf("\n");
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
        const bool kept = b->best >= promises[i].level;
        printf("%s: %s.%s%s%s\n", promises[i].what, kept ? promises[i].with : promises[i].without,
               kept ? "" : " With more: ", kept ? "" : promises[i].with, kept ? "" : ".");
    }
}

static json_t *report_of(const struct box *b) {
    json_t *report = json_pack("{s:i, s:b, s:b, s:b, s:b, s:b}", "level", b->best, "root", b->root,
                               "filter", b->filter, "namespaces", b->namespaces, "groups",
                               b->groups.usable, "unified", b->groups.unified);
    json_object_set_new(report, "core", json_string(box_core_word(box_core(b))));
    json_t *found = json_object();
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        json_object_set_new(found, tools[i].program,
                            json_boolean(path_has_program(tools[i].program)));
    json_object_set_new(report, "tools", found);
    if (!b->namespaces)
        json_object_set_new(report, "namespaces_why", json_text(b->why));
    if (!b->groups.usable)
        json_object_set_new(report, "groups_why", json_text(b->groups.why));
    return report;
}

static int doctor_run(const struct args *args, struct err *err) {
    (void)err;
    struct box box;
    box_find(&box);
    if (args_value(args, "--json")) {
        json_print_line(stdout, report_of(&box));
    } else {
        print_parts(&box);
        print_tools();
        print_promises(&box);
    }
    box_done(&box);
    return 0;
}

static const struct option options[] = {OPTION_JSON};

const struct command command_doctor = {
    .name = "doctor",
    .arguments = "",
    .summary = "what this machine can enforce on untrusted players",
    .help = "Tries what the box for players needs (docs/sandbox.md), and says in words what this\n"
            "machine can and cannot enforce, and how to enable the rest.\n",
    COMMAND_OPTIONS(options),
    .run = doctor_run,
};
