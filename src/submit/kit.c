// SPDX-License-Identifier: MIT
// Whose kit a folder was made from is seen from the files that contestants leave as they are: the
// client of the protocol, the README. The kits of two games may have much of them in common, so the
// one that is most like a file has it; a few lines, as that of the team's number, may differ.
#include "submit/kit.h"

#include "base/path.h"
#include "spec/spec.h"
#include "submit/libarchive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANY "any"
#define TCP "python-tcp" // for games whose players may speak stcp

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

static bool is_of_game(const char *kit, const char *game) {
    const size_t length = strlen(game);
    return strncmp(kit, game, length) == 0 && kit[length] == '/';
}

static bool is_folder(const struct game *game) { return game && spec_of(game)->rules_sum; }

bool kit_is_for(const char *kit, const struct game *game) {
    if (!is_folder(game) || !is_of_game(kit, ANY))
        return is_of_game(kit, game->name);
    return strcmp(kit, ANY "/" TCP) != 0 || strcmp(spec_of(game)->protocol, "stcp") == 0;
}

// What stands for a gap "@...@" of a kit for any game; NULL: it is none.
static const char *fill(const char *gap, const char *name, char number[static 16]) {
    const struct game *game = game_find(name);
    if (strncmp(gap, "@GAME@", 6) == 0)
        return name;
    if (strncmp(gap, "@WIDTH@", 7) == 0)
        snprintf(number, 16, "%d", game ? game->width : 0);
    else if (strncmp(gap, "@HEIGHT@", 8) == 0)
        snprintf(number, 16, "%d", game ? game->height : 0);
    else
        return NULL;
    return number;
}

void kit_put_file(const struct embed *file, const char *game, struct buf *out) {
    const char *rest = file->bytes, *end = rest + file->size, *at = rest;
    const bool of_any = is_of_game(file->path, ANY);
    while (of_any && (at = memchr(at, '@', (size_t)(end - at)))) {
        char number[16];
        const char *words = fill(at, game, number);
        if (words) {
            buf_put(out, rest, (size_t)(at - rest));
            buf_text(out, words);
            rest = strchr(at + 1, '@') + 1;
        }
        at = words ? rest : at + 1;
    }
    buf_put(out, rest, (size_t)(end - rest));
}

void kit_find(const struct embed *kits, const char *game, const char *language,
              char kit[static KIT_NAME_MAX]) {
    snprintf(kit, KIT_NAME_MAX, "%.30s/%.20s", game, language);
    for (const struct embed *f = kits; f && f->path; f++)
        if (kit_file_name(f, kit))
            return;
    const struct game *known = game_find(game);
    char any[KIT_NAME_MAX];
    snprintf(any, sizeof any, ANY "/%.20s", language);
    if (is_folder(known) && kit_is_for(any, known))
        snprintf(kit, KIT_NAME_MAX, "%s", any);
}

static bool add_file(struct archive *zip, const char *folder, const char *name,
                     const struct buf *text) {
    const struct libarchive *la = libarchive();
    struct archive_entry *entry = la->archive_entry_new();
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s", folder, name);
    la->archive_entry_set_pathname(entry, path.data);
    la->archive_entry_set_size(entry, (la_int64_t)text->length);
    la->archive_entry_set_filetype(entry, AE_IFREG);
    la->archive_entry_set_perm(entry, 0644);
    const bool good =
        la->archive_write_header(zip, entry) == ARCHIVE_OK &&
        la->archive_write_data(zip, text->data, text->length) == (la_ssize_t)text->length;
    la->archive_entry_free(entry);
    buf_done(&path);
    return good;
}

// A zip to be, in memory.
struct kit_zip {
    const struct embed *kits;
    const char *kit, *game, *folder;
    char *room;
    size_t size, used;
};

static bool write_zip(struct kit_zip *z) {
    const struct libarchive *la = libarchive();
    struct archive *zip = la->archive_write_new();
    bool good = zip && la->archive_write_set_format_zip(zip) == ARCHIVE_OK &&
                la->archive_write_open_memory(zip, z->room, z->size, &z->used) == ARCHIVE_OK;
    for (const struct embed *f = z->kits; good && f->path; f++) {
        const char *name = kit_file_name(f, z->kit);
        struct buf text = {.data = NULL};
        if (name)
            kit_put_file(f, z->game, &text);
        good = !name || add_file(zip, z->folder, name, &text);
        buf_done(&text);
    }
    good = good && la->archive_write_close(zip) == ARCHIVE_OK;
    la->archive_write_free(zip);
    return good;
}

bool kit_pack(const struct embed *kits, const char *kit, const char *game, const char *folder,
              struct buf *out, struct err *err) {
    struct kit_zip z = {.kits = kits, .kit = kit, .game = game, .folder = folder};
    for (const struct embed *f = kits; f->path; f++)
        if (kit_file_name(f, kit))
            z.size += 2 * f->size + ROOM_A_FILE;
    if (z.size == 0 || !libarchive_load(err))
        return false;
    z.room = malloc(z.size);
    const bool good = z.room && write_zip(&z);
    if (good)
        buf_put(out, z.room, z.used);
    free(z.room);
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

// How much a file of a kit is like the file of that name in a folder.
static int alike_in(const struct embed *file, const char *folder, const char *name,
                    const char *game) {
    struct buf path = {.data = NULL}, text = {.data = NULL}, own = {.data = NULL};
    buf_format(&path, "%s/%s", folder, name);
    const bool there = path_read(path.data, FILE_MAX, &text) && text.data;
    if (there)
        kit_put_file(file, game, &own);
    const int percent = there && own.data ? alike(text.data, own.data) : 0;
    buf_done(&path);
    buf_done(&text);
    buf_done(&own);
    return percent;
}

// The kit, of `game` or (`other`) not of it, that a file of the folder is most like; 0 if there is
// no such file in it. The files of one game's kits that have a name in common are told apart no
// further.
static int most_alike(const struct embed *kits, const char *folder, const char *game, bool other,
                      struct kit_origin *origin) {
    const bool of_any = is_folder(game_find(game));
    int most = 0;
    for (const struct embed *f = kits; f->path; f++) {
        char kit[KIT_NAME_MAX];
        name_kit(f, kit);
        const char *name = strchr(kit, '/') ? kit_file_name(f, kit) : NULL;
        const bool own = is_of_game(kit, game) || (of_any && is_of_game(kit, ANY));
        if (!name || strcmp(name, origin->file) != 0 || own == other ||
            (!own && is_of_game(kit, ANY)))
            continue;
        const int percent = alike_in(f, folder, name, game);
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
