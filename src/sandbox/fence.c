// SPDX-License-Identifier: MIT
// Reading is as the permissions say: programs of any language read the whole system. What a player
// writes outside its folder, or makes there, would be left behind, and memory in /dev/shm is
// counted nowhere. A newer kernel also keeps signals and local sockets without a path inside,
// and connections to the judge's port.
#include "sandbox/fence.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// As of the kernel's version 6 of it; older headers do not have all.
struct fence_rules {
    uint64_t files, network, scope;
};

enum {
    VERSION_REFER = 2,
    VERSION_TRUNCATE = 3,
    VERSION_NETWORK = 4,
    VERSION_SCOPE = 6,
};

static const uint64_t truncation = UINT64_C(1) << 14;
static const uint64_t sockets_and_signals = 3;
static const uint64_t binding_and_connecting = 3, connecting = 2;

enum { RULE_PORT = 2 }; // of the rules that the kernel has, the second kind

struct port_rule {
    uint64_t allowed, port;
};

static const uint64_t making =
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

static uint64_t writing(long version) {
    return LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= VERSION_TRUNCATE ? truncation : 0);
}

static uint64_t all(long version) {
    return writing(version) | making |
           (version >= VERSION_REFER ? LANDLOCK_ACCESS_FS_REFER : UINT64_C(0));
}

static bool allow(int rules, int place, uint64_t access) {
    const struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = place};
    return syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

// The same below a path, if it is there.
static bool allow_path(int rules, const char *path, uint64_t access) {
    const int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0)
        return errno == ENOENT;
    const bool good = allow(rules, place, access);
    close(place);
    return good;
}

static bool allow_port(int rules, const struct fence *f, long version) {
    const struct port_rule rule = {.allowed = connecting, .port = (uint64_t)f->port};
    return version < VERSION_NETWORK || f->port == 0 ||
           syscall(SYS_landlock_add_rule, rules, RULE_PORT, &rule, 0) == 0;
}

static bool allow_all(int rules, const struct fence *f, long version) {
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"};
    bool good = (f->folder < 0 || allow(rules, f->folder, all(version))) &&
                (!f->temporary || allow_path(rules, "/tmp", all(version)));
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        good = good && allow_path(rules, devices[i], writing(version));
    return good;
}

bool fence_load(const struct fence *f) {
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return true; // there is none, or it is off
    const struct fence_rules wanted = {
        .files = all(version), .network = binding_and_connecting, .scope = sockets_and_signals};
    const size_t size = version >= VERSION_SCOPE     ? sizeof wanted
                        : version >= VERSION_NETWORK ? offsetof(struct fence_rules, scope)
                                                     : offsetof(struct fence_rules, network);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &wanted, size, 0);
    const bool good = rules >= 0 && allow_all(rules, f, version) && allow_port(rules, f, version) &&
                      syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (rules >= 0)
        close(rules);
    return good;
}
