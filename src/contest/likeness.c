// SPDX-License-Identifier: MIT
// The folders are unpacked once more, into one of our own, because what lies where players are
// built may be built already.
#include "contest/likeness.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/scratch.h"
#include "contest/bundle.h"
#include "contest/player_files.h"
#include "similar/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct finding_likeness {
    struct likeness *likeness;
    const struct plan *plan;
    struct store *store;
    struct scratch work; // our folder
    digest_text *digests;
    struct base_code base;
    struct err *err;
};

static void remark(struct likeness *l, int player, const char *text) {
    l->remarks = mem_resize(l->remarks, (size_t)(l->remark_count + 1) * sizeof *l->remarks);
    l->remarks[l->remark_count++] =
        (struct likeness_remark){.player = player, .text = mem_text(text)};
}

// Who hands in no source, but a program that is built, has nothing to be compared.
static void leave_out(struct likeness *l, int player, const struct submission *s) {
    struct buf why = {.data = NULL};
    buf_format(&why, "not compared: %s",
               s->first_out ? s->first_out
               : s->there   ? "no source of C, C++ or Python"
                            : "the folder cannot be read");
    remark(l, player, why.data);
    buf_done(&why);
}

static void add(struct finding_likeness *f, int player, const char *folder) {
    struct likeness *l = f->likeness;
    struct err none = {.set = false};
    struct submission s = {.name = NULL};
    struct buf said = {.data = NULL};
    if (!submission_read(&s, folder, &none)) {
        leave_out(l, player, &s);
        submission_done(&s);
        return;
    }
    submission_remark(&s, &said);
    if (said.length > 0)
        remark(l, player, said.data);
    buf_done(&said);
    free(s.name);
    s.name = mem_text(f->plan->players[player].name);
    l->list = mem_resize(l->list, (size_t)(l->count + 1) * sizeof *l->list);
    l->players = mem_resize(l->players, (size_t)(l->count + 1) * sizeof *l->players);
    l->list[l->count] = s;
    l->players[l->count++] = player;
}

static bool read_player(struct finding_likeness *f, int player) {
    struct buf bytes = {.data = NULL}, folder = {.data = NULL};
    buf_format(&folder, "%s/%d", f->work.path, player);
    const bool good = player_files_read(f->store, f->digests[player], &bytes, f->err) &&
                      bundle_unpack(folder.data, bytes.data, bytes.length, f->err);
    if (good)
        add(f, player, folder.data);
    buf_done(&bytes);
    buf_done(&folder);
    return good;
}

static bool read_folder(struct finding_likeness *f, int player, const char *base) {
    const char *folder = f->plan->players[player].folder;
    struct buf path = {.data = NULL};
    if (*f->digests[player])
        return read_player(f, player);
    buf_format(&path, "%s%s%s", *folder == '/' ? "" : base, *folder == '/' ? "" : "/", folder);
    add(f, player, path.data);
    buf_done(&path);
    return true;
}

// Makes a folder of the kit that a file belongs to, and writes the file there.
static bool write_kit_file(const struct finding_likeness *f, const struct embed *file) {
    struct buf path = {.data = NULL};
    bool good = true;
    buf_format(&path, "%s/%s", f->work.path, file->path);
    for (char *slash = path.data + strlen(f->work.path) + 1; good && (slash = strchr(slash, '/'));
         slash++) {
        *slash = '\0';
        good = mkdir(path.data, 0700) == 0 || errno == EEXIST;
        *slash = '/';
    }
    good = good && path_write(path.data, file->bytes, file->size);
    if (!good)
        err_set(f->err, "cannot write %.200s: %s", path.data, strerror(errno));
    buf_done(&path);
    return good;
}

// The kits of the contest's game.
static bool read_kits(struct finding_likeness *f, const struct embed *kits) {
    const char *game = f->plan->rules.game->name;
    const size_t length = strlen(game);
    struct submission s = {.name = NULL};
    struct err none = {.set = false};
    struct buf folder = {.data = NULL};
    bool good = true;
    for (const struct embed *k = kits; good && k && k->path; k++)
        if (strncmp(k->path, game, length) == 0 && k->path[length] == '/')
            good = write_kit_file(f, k);
    buf_format(&folder, "%s/%s", f->work.path, game);
    if (good && submission_read(&s, folder.data, &none))
        base_add(&f->base, &s);
    submission_done(&s);
    buf_done(&folder);
    return good;
}

static void compare(struct finding_likeness *f) {
    struct likeness *l = f->likeness;
    for (int i = 0; i < l->count; i++)
        prints_make(&l->list[i], &f->base);
    pairs_compare(&l->pairs, l->list, l->count);
    l->group = mem_new((size_t)l->count + 1, sizeof *l->group);
    pairs_group(&l->pairs, f->plan->similar, l->count, l->group);
    while (l->flagged < l->pairs.count && pair_most(&l->pairs.at[l->flagged]) >= f->plan->similar)
        l->flagged++;
}

static int count_folders(const struct plan *plan) {
    int count = 0;
    for (int i = 0; i < plan->player_count; i++)
        count += plan->players[i].folder != NULL;
    return count;
}

bool likeness_find(struct likeness *likeness, const struct plan *plan, struct store *store,
                   const char *base, const struct embed *kits, struct err *err) {
    struct finding_likeness f = {.likeness = likeness, .plan = plan, .store = store, .err = err};
    *likeness = (struct likeness){.told = likeness->told};
    if (plan->similar == 0 || count_folders(plan) < 2)
        return true;
    bool good = scratch_make(&f.work, "players' sources", err) &&
                (f.digests = player_files_digests(plan, store, err)) && read_kits(&f, kits);
    for (int i = 0; good && i < plan->player_count; i++) {
        if (plan->players[i].folder)
            good = read_folder(&f, i, base);
        if (likeness->told)
            likeness->told(i + 1, plan->player_count);
    }
    if (good)
        compare(&f);
    scratch_done(&f.work);
    free(f.digests);
    base_done(&f.base);
    return good;
}

const char *likeness_name(const struct likeness *l, const struct pair *pair, int side) {
    return l->list[side ? pair->b : pair->a].name;
}

void likeness_done(struct likeness *l) {
    for (int i = 0; i < l->count; i++)
        submission_done(&l->list[i]);
    for (int i = 0; i < l->remark_count; i++)
        free(l->remarks[i].text);
    free(l->remarks);
    free(l->list);
    free(l->players);
    free(l->group);
    pairs_done(&l->pairs);
    *l = (struct likeness){.count = 0};
}
