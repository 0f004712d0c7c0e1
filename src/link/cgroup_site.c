// SPDX-License-Identifier: MIT
// Where groups can be made: below the group that we are in ourselves, so that whatever bounds us
// bounds the players too. Version 2 does not let a group with processes hand controllers down, so
// there it is the nearest group above us that can.
#include "link/cgroup_site.h"

#include "base/path.h"
#include "link/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const controllers[CGROUP_PARTS] = {"memory", "pids", "freezer", "cpuacct",
                                                      "cpu"};

enum { LINE_MAX_BYTES = 4096 };

// Whether a word stands in a list that is separated by commas or blanks.
static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || strchr(", ", at[-1])) && (!at[length] || strchr(", \n", at[length])))
            return true;
    return false;
}

// Where a hierarchy is mounted, and which part of it: a line of /proc/self/mountinfo,
// "ID PARENT DEVICE ROOT POINT OPTIONS ... - TYPE SOURCE OPTIONS".
static bool read_mount(const char *line, const char *controller, char *root, char *point) {
    const char *rest = strstr(line, " - ");
    char type[32], options[400];
    if (!rest || sscanf(line, "%*s %*s %*s %399s %399s", root, point) != 2 ||
        sscanf(rest + 3, "%31s %*s %399s", type, options) != 2)
        return false;
    return controller ? strcmp(type, "cgroup") == 0 && has_word(options, controller)
                      : strcmp(type, "cgroup2") == 0;
}

static bool find_mount(const char *controller, char *root, char *point) {
    char line[LINE_MAX_BYTES];
    bool found = false;
    FILE *file = fopen("/proc/self/mountinfo", "re");
    while (file && !found && fgets(line, sizeof line, file))
        found = read_mount(line, controller, root, point);
    if (file)
        fclose(file);
    return found;
}

// The group that a process is in ("self": we): a line of /proc/PID/cgroup, "ID:CONTROLLERS:PATH".
static bool find_group(const char *process, const char *controller, char *path) {
    char line[LINE_MAX_BYTES], name[40];
    bool found = false;
    snprintf(name, sizeof name, "/proc/%.20s/cgroup", process);
    FILE *file = fopen(name, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        char *list = strchr(line, ':'), *own = list ? strchr(list + 1, ':') : NULL;
        if (!own)
            continue;
        *own++ = '\0';
        own[strcspn(own, "\n")] = '\0';
        found = controller ? has_word(list + 1, controller) : strncmp(line, "0:", 2) == 0;
        snprintf(path, CGROUP_PATH_MAX, "%.390s", own);
    }
    if (file)
        fclose(file);
    return found;
}

// The folder of a group; NULL as controller: version 2.
static bool find_folder(const char *group, const char *controller,
                        char folder[static CGROUP_PATH_MAX], size_t *point_length) {
    char root[CGROUP_PATH_MAX], point[CGROUP_PATH_MAX];
    if (!find_mount(controller, root, point))
        return false;
    const size_t skip = strcmp(root, "/") == 0 ? 0 : strlen(root);
    const char *rest = strncmp(group, root, skip) == 0 ? group + skip : "";
    const int length =
        snprintf(folder, CGROUP_PATH_MAX, "%s%s", point, strcmp(rest, "/") == 0 ? "" : rest);
    *point_length = strlen(point);
    return length < CGROUP_PATH_MAX;
}

static bool own_folder(const char *controller, char folder[static CGROUP_PATH_MAX],
                       size_t *point_length) {
    char own[CGROUP_PATH_MAX];
    return find_group("self", controller, own) &&
           find_folder(own, controller, folder, point_length);
}

static bool read_text(const char *folder, const char *file, char *text, size_t size) {
    char path[3 * CGROUP_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path_read_text(AT_FDCWD, path, text, size);
}

static bool write_text(const char *folder, const char *file, const char *words) {
    char path[3 * CGROUP_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path_write_text(path, words);
}

static bool hands_down(const char *folder) {
    char text[400];
    return read_text(folder, "cgroup.subtree_control", text, sizeof text) &&
           has_word(text, "memory") && has_word(text, "pids");
}

static bool can_make(const char *folder) {
    char path[2 * CGROUP_PATH_MAX];
    snprintf(path, sizeof path, "%s/" CGROUP_PREFIX "%d-try", folder, getpid());
    return mkdir(path, 0755) == 0 && rmdir(path) == 0;
}

// Version 2: from our own group upwards.
static bool find_unified(struct cgroups *at) {
    char folder[CGROUP_PATH_MAX], text[400];
    size_t least;
    if (!own_folder(NULL, folder, &least))
        return false;
    if (!read_text(folder, "cgroup.controllers", text, sizeof text) || !has_word(text, "memory") ||
        !has_word(text, "pids"))
        return false;
    at->unified = true;
    for (bool top = false; !top; *strrchr(folder, '/') = '\0') {
        top = strlen(folder) <= least;
        const bool fit =
            hands_down(folder) ||
            (write_text(folder, "cgroup.subtree_control", "+memory +pids") && hands_down(folder));
        if (fit && can_make(folder)) {
            write_text(folder, "cgroup.subtree_control", "+cpu");
            at->cores = read_text(folder, "cgroup.subtree_control", text, sizeof text) &&
                        has_word(text, "cpu");
            for (int i = 0; i < CGROUP_PARTS; i++)
                snprintf(at->folder[i], CGROUP_PATH_MAX, "%s", folder);
            return true;
        }
        if (!*at->why)
            snprintf(at->why, sizeof at->why, "no group can be made in %.300s: %s", folder,
                     strerror(errno));
    }
    return false;
}

static bool find_divided(struct cgroups *at) {
    size_t ignored;
    at->cores = own_folder(controllers[CGROUP_CORE], at->folder[CGROUP_CORE], &ignored) &&
                can_make(at->folder[CGROUP_CORE]);
    for (int i = 0; i < CGROUP_CORE; i++) {
        if (!own_folder(controllers[i], at->folder[i], &ignored)) {
            snprintf(at->why, sizeof at->why, "no control groups of the controller %s are mounted",
                     controllers[i]);
            return false;
        }
        if (!can_make(at->folder[i])) {
            snprintf(at->why, sizeof at->why, "no group can be made in %.300s: %s", at->folder[i],
                     strerror(errno));
            return false;
        }
    }
    return true;
}

// The least number that a file of our own group and of those above it holds.
static int64_t least_bound(const char *controller, const char *file) {
    char folder[CGROUP_PATH_MAX], text[64];
    size_t least;
    int64_t bound = -1;
    if (!own_folder(controller, folder, &least))
        return -1;
    for (bool top = false; !top; *strrchr(folder, '/') = '\0') {
        top = strlen(folder) <= least;
        char *end = text;
        const long long bytes =
            read_text(folder, file, text, sizeof text) ? strtoll(text, &end, 10) : 0;
        if (end != text && (bound < 0 || bytes < bound)) // "max" is no number
            bound = bytes;
    }
    return bound;
}

int64_t cgroups_memory_bound(void) {
    const int64_t divided = least_bound(controllers[CGROUP_MEMORY], "memory.limit_in_bytes"),
                  unified = least_bound(NULL, "memory.max");
    return divided < 0 ? unified : unified < 0 || divided < unified ? divided : unified;
}

// Whether a name is that of a group whose maker is dead.
static bool is_stale(const char *name) {
    const size_t skip = strlen(CGROUP_PREFIX);
    if (strncmp(name, CGROUP_PREFIX, skip) != 0)
        return false;
    const long pid = strtol(name + skip, NULL, 10);
    return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

static void sweep(const struct cgroups *at, enum cgroup_part part) {
    DIR *folder = opendir(at->folder[part]);
    struct cgroup group = {.at = at, .light = part == CGROUP_CORE};
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (is_stale(entry->d_name)) {
            snprintf(group.name, sizeof group.name, "%.40s", entry->d_name);
            cgroup_end(&group);
            cgroup_remove(&group);
        }
    closedir(folder);
}

// Always frozen and always empty.
static void lay_ice(struct cgroups *at) {
    char folder[2 * CGROUP_PATH_MAX];
    if (at->unified)
        return;
    snprintf(at->ice, sizeof at->ice, CGROUP_PREFIX "%d-ice", getpid());
    snprintf(folder, sizeof folder, "%s/%s", at->folder[CGROUP_FREEZER], at->ice);
    if (mkdir(folder, 0755) < 0 || !write_text(folder, "freezer.state", "FROZEN"))
        cgroups_done(at);
}

void cgroups_find(struct cgroups *at) {
    *at = (struct cgroups){.usable = false};
    at->usable = find_unified(at);
    if (!at->usable && !at->unified)
        at->usable = find_divided(at);
    for (int i = 0; i < CGROUP_PARTS; i++)
        if (i == CGROUP_CORE ? at->cores : at->usable)
            sweep(at, (enum cgroup_part)i);
    if (at->usable)
        lay_ice(at);
}

void cgroups_done(struct cgroups *at) {
    char path[2 * CGROUP_PATH_MAX];
    if (!*at->ice)
        return;
    snprintf(path, sizeof path, "%s/%s", at->folder[CGROUP_FREEZER], at->ice);
    rmdir(path);
    *at->ice = '\0';
}

void cgroup_thaw_process(int pid) {
    char process[20], group[CGROUP_PATH_MAX], folder[CGROUP_PATH_MAX];
    size_t unused;
    snprintf(process, sizeof process, "%d", pid);
    if (!find_group(process, "freezer", group))
        return;
    const char *name = strrchr(group, '/');
    if (name && strncmp(name + 1, CGROUP_PREFIX, strlen(CGROUP_PREFIX)) == 0 &&
        find_folder(group, "freezer", folder, &unused))
        write_text(folder, "freezer.state", "THAWED");
}
