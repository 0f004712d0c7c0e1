// SPDX-License-Identifier: MIT
// The file has a header of 64 bytes (a name that ends with the number of the format, the number of
// slots, a sum over the values) and a byte for each slot, 443 million of them. To open it is to
// look at header and length: reading all of it would take longer than a game. Damage is found where
// a value is used, by holding it against its neighbours (prospect_fits).
//
// A table is written to a file that has no name yet (O_TMPFILE), with all its room taken before the
// work begins. When it is complete it is linked as PATH.part and renamed, so PATH is the old table
// or the new one at every moment. Where the file system knows no files without a name, it is called
// PATH.part from the beginning.
#include "engine/cuptactoe/solved.h"

#include "base/fds.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_BYTES = 64 };

// As it is in the file; numbers with the least byte first.
struct header {
    char name[32];
    uint64_t slots, sum;
    char unused[16];
};

_Static_assert(sizeof(struct header) == HEADER_BYTES, "the values follow the header");

static const char NAME[] = "arbiter cuptactoe table 1\n";

bool solved_path(char path[static SOLVED_PATH_MAX]) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (data && *data == '/')
        length = snprintf(path, SOLVED_PATH_MAX, "%s/arbiter/cuptactoe.table", data);
    else if (home && *home)
        length = snprintf(path, SOLVED_PATH_MAX, "%s/.local/share/arbiter/cuptactoe.table", home);
    return length > 0 && length < SOLVED_PATH_MAX;
}

static bool map_file(struct solved *solved, int file, const char *path, struct err *err) {
    const size_t size = HEADER_BYTES + SLOTS;
    struct stat stat;
    if (fstat(file, &stat) != 0)
        return err_set(err, "cannot look at %s: %s", path, strerror(errno));
    if (!S_ISREG(stat.st_mode) || stat.st_size != (off_t)size)
        return err_set(err, "%s is not a table of cuptactoe: it is not %zu bytes long", path, size);
    void *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return err_set(err, "cannot map %s: %s", path, strerror(errno));
    const struct header *header = memory;
    *solved = (struct solved){
        .values = (const int8_t *)memory + HEADER_BYTES, .sum = header->sum, .memory = memory};
    if (memcmp(header->name, NAME, sizeof NAME) == 0 && header->slots == SLOTS)
        return true;
    solved_close(solved);
    return err_set(err, "%s is not a table of cuptactoe that this program can read", path);
}

bool solved_open(struct solved *solved, const char *path, struct err *err) {
    *solved = (struct solved){.values = NULL};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return err_set(err, "cannot open %s: %s", path, strerror(errno));
    const bool mapped = map_file(solved, file, path, err);
    close(file);
    return mapped;
}

void solved_close(struct solved *solved) {
    if (solved->memory)
        munmap(solved->memory, HEADER_BYTES + SLOTS);
    *solved = (struct solved){.values = NULL};
}

bool solved_is_table(const char *path) {
    char name[sizeof NAME] = "";
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool is_table = file >= 0 && read(file, name, sizeof name) == (ssize_t)sizeof name &&
                          memcmp(name, NAME, sizeof NAME) == 0;
    if (file >= 0)
        close(file);
    return is_table;
}

uint64_t solved_sum(const int8_t *values) { return mem_sum(values, SLOTS); }

// All folders above the file.
static bool make_folders(const char *path, struct err *err) {
    char *copy = mem_text(path);
    bool made = true;
    for (char *at = strchr(copy + 1, '/'); at && made; at = strchr(at + 1, '/')) {
        *at = '\0';
        made = mkdir(copy, 0777) == 0 || errno == EEXIST;
        if (!made)
            err_set(err, "cannot make the folder %s: %s", copy, strerror(errno));
        *at = '/';
    }
    free(copy);
    return made;
}

// In the folder of the table, without a name if that can be had.
static bool open_part(struct solved_part *part, struct err *err) {
    char *folder = mem_text(part->path), *last = strrchr(folder, '/');
    if (last)
        last[last == folder] = '\0';
    part->file = open(last ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    part->is_named = part->file < 0;
    free(folder);
    if (part->is_named)
        part->file = open(part->name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    return part->file >= 0 || err_set(err, "cannot write %s: %s", part->name, strerror(errno));
}

bool solved_begin(struct solved_part *part, const char *path, struct err *err) {
    const int length = snprintf(part->path, sizeof part->path, "%s", path);
    snprintf(part->name, sizeof part->name, "%s.part", part->path);
    if (length <= 0 || length >= (int)sizeof part->path)
        return err_set(err, "the name of the table is empty or too long");
    if (access(path, F_OK) == 0 && !solved_is_table(path))
        return err_set(err, "%s is there and no table of cuptactoe; it is left as it is", path);
    if (!make_folders(path, err) || !open_part(part, err))
        return false;
    const int wrong = posix_fallocate(part->file, 0, (off_t)(HEADER_BYTES + SLOTS));
    if (!wrong)
        return true;
    solved_abandon(part);
    return err_set(err, "cannot have %zu bytes for %s: %s", HEADER_BYTES + SLOTS, path,
                   strerror(wrong));
}

void solved_abandon(struct solved_part *part) {
    if (part->file >= 0)
        close(part->file);
    if (part->is_named)
        unlink(part->name);
    part->file = -1;
}

static bool write_part(const struct solved_part *part, const int8_t *values, struct err *err) {
    struct header header = {.slots = SLOTS, .sum = solved_sum(values)};
    memcpy(header.name, NAME, sizeof NAME);
    return (fds_write(part->file, &header, sizeof header) && fds_write(part->file, values, SLOTS) &&
            fsync(part->file) == 0) ||
           err_set(err, "cannot write %s: %s", part->path, strerror(errno));
}

static bool name_part(struct solved_part *part, struct err *err) {
    char file[64];
    snprintf(file, sizeof file, "/proc/self/fd/%d", part->file);
    unlink(part->name);
    part->is_named = linkat(AT_FDCWD, file, AT_FDCWD, part->name, AT_SYMLINK_FOLLOW) == 0;
    return part->is_named || err_set(err, "cannot name %s: %s", part->name, strerror(errno));
}

bool solved_end(struct solved_part *part, const int8_t *values, struct err *err) {
    bool done = write_part(part, values, err) && (part->is_named || name_part(part, err));
    if (done && rename(part->name, part->path) != 0)
        done = err_set(err, "cannot rename %s to %s: %s", part->name, part->path, strerror(errno));
    if (done)
        part->is_named = false;
    solved_abandon(part);
    return done;
}
