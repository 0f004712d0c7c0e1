// SPDX-License-Identifier: MIT
// Whose kit a folder was made from is seen from the files that contestants leave as they are: the
// client of the protocol, the README. The kits of two games may have much of them in common, so the
// one that is most like a file has it; a few lines, as that of the team's number, may differ.
#include "submit/kit.h"

#include "base/path.h"
#include "submit/libarchive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIKE_PERCENT = 90,
    LINES_MIN = 8, // shorter files say nothing
    FILE_MAX = 1 << 18,
    ROOM_A_FILE = 1024, // in a zip, beside its bytes
};

const char *kit_file_name(const struct embed *file, const char *kit) {
    const size_t length = strlen(kit);
    const bool inside = strncmp(file->path, kit, length) == 0 && file->path[length] == '/' &&
                        !strchr(file->path + length + 1, '/');
    return inside ? file->path + length + 1 : NULL;
}

// The kit that a file is of; "": of none.
static void name_kit(const struct embed *file, char kit[static KIT_NAME_MAX]) {
    const char *end = strrchr(file->path, '/');
    snprintf(kit, KIT_NAME_MAX, "%.*s", end ? (int)(end - file->path) : 0, file->path);
}

const struct embed *kit_next(const struct embed *kits, const struct embed *file,
                             char kit[static KIT_NAME_MAX]) {
    char before[KIT_NAME_MAX] = "";
    if (file)
        name_kit(file, before);
    for (const struct embed *f = file ? file + 1 : kits; f->path; f++) {
        name_kit(f, kit);
        if (*kit && strcmp(kit, before) != 0)
            return f;
    }
    return NULL;
}

static bool add_file(struct archive *zip, const char *folder, const char *name,
                     const struct embed *file) {
    const struct libarchive *la = libarchive();
    struct archive_entry *entry = la->archive_entry_new();
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s", folder, name);
    la->archive_entry_set_pathname(entry, path.data);
    la->archive_entry_set_size(entry, (la_int64_t)file->size);
    la->archive_entry_set_filetype(entry, AE_IFREG);
    la->archive_entry_set_perm(entry, 0644);
    const bool good =
        la->archive_write_header(zip, entry) == ARCHIVE_OK &&
        la->archive_write_data(zip, file->bytes, file->size) == (la_ssize_t)file->size;
    la->archive_entry_free(entry);
    buf_done(&path);
    return good;
}

static bool write_zip(const struct embed *kits, const char *kit, const char *folder, char *room,
                      size_t size, size_t *used) {
    const struct libarchive *la = libarchive();
    struct archive *zip = la->archive_write_new();
    bool good = zip && la->archive_write_set_format_zip(zip) == ARCHIVE_OK &&
                la->archive_write_open_memory(zip, room, size, used) == ARCHIVE_OK;
    for (const struct embed *f = kits; good && f->path; f++) {
        const char *name = kit_file_name(f, kit);
        good = !name || add_file(zip, folder, name, f);
    }
    good = good && la->archive_write_close(zip) == ARCHIVE_OK;
    la->archive_write_free(zip);
    return good;
}

bool kit_pack(const struct embed *kits, const char *kit, const char *folder, struct buf *out,
              struct err *err) {
    size_t size = 0, used = 0;
    for (const struct embed *f = kits; f->path; f++)
        if (kit_file_name(f, kit))
            size += f->size + ROOM_A_FILE;
    if (size == 0 || !libarchive_load(err))
        return false;
    char *room = malloc(size);
    const bool good = room && write_zip(kits, kit, folder, room, size, &used);
    if (good)
        buf_put(out, room, used);
    free(room);
    return good || err_set(err, "the kit %.60s cannot be packed", kit);
}

// Compares text by lines, whatever ends them: how many percent are the same, in the same place.
static int alike(const char *a, const char *b) {
    int same = 0, lines = 0;
    while (*a || *b) {
        const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        const size_t an = n - (n > 0 && a[n - 1] == '\r'), bn = m - (m > 0 && b[m - 1] == '\r');
        same += an == bn && memcmp(a, b, an) == 0;
        lines++;
        a += n + (a[n] != '\0');
        b += m + (b[m] != '\0');
    }
    return lines < LINES_MIN ? 0 : same * 100 / lines;
}

static bool is_of_game(const char *kit, const char *game) {
    const size_t length = strlen(game);
    return strncmp(kit, game, length) == 0 && kit[length] == '/';
}

// How much a file of a kit is like the file of that name in a folder.
static int alike_in(const struct embed *file, const char *folder, const char *name) {
    struct buf path = {.data = NULL}, text = {.data = NULL};
    buf_format(&path, "%s/%s", folder, name);
    const bool there = path_read(path.data, FILE_MAX, &text) && text.data;
    const int percent = there ? alike(text.data, file->bytes) : 0;
    buf_done(&path);
    buf_done(&text);
    return percent;
}

// The kit, of `game` or (`other`) not of it, that a file of the folder is most like; 0 if there is
// no such file in it. The files of one game's kits that have a name in common are told apart no
// further.
static int most_alike(const struct embed *kits, const char *folder, const char *game, bool other,
                      struct kit_origin *origin) {
    int most = 0;
    for (const struct embed *f = kits; f->path; f++) {
        char kit[KIT_NAME_MAX];
        name_kit(f, kit);
        const char *name = strchr(kit, '/') ? kit_file_name(f, kit) : NULL;
        if (!name || strcmp(name, origin->file) != 0 || is_of_game(kit, game) == other)
            continue;
        const int percent = alike_in(f, folder, name);
        if (percent > most)
            snprintf(origin->kit, sizeof origin->kit, "%s", kit);
        most = percent > most ? percent : most;
    }
    return most;
}

bool kit_of_other_game(const struct embed *kits, const char *folder, const char *game,
                       struct kit_origin *origin) {
    bool found = false;
    for (const struct embed *f = kits; f && f->path; f++) {
        struct kit_origin own = {.kit = ""}, other = {.kit = ""};
        const char *name = strrchr(f->path, '/');
        snprintf(own.file, sizeof own.file, "%.60s", name ? name + 1 : f->path);
        other = own;
        const int by_own = most_alike(kits, folder, game, false, &own),
                  by_other = most_alike(kits, folder, game, true, &other);
        if (by_own >= ALIKE_PERCENT && by_own > by_other)
            return false;
        if (by_other >= ALIKE_PERCENT && by_other > by_own && !found) {
            found = true;
            *origin = other;
            snprintf(origin->game, sizeof origin->game, "%.*s", (int)strcspn(other.kit, "/"),
                     other.kit);
        }
    }
    return found;
}
