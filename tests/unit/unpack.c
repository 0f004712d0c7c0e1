// SPDX-License-Identifier: MIT
// Archives of strangers: what is taken, and what is refused with which words.
#include "submit/unpack.h"

#include "base/path.h"
#include "base/scratch.h"
#include "check.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARCHIVE_MAX = 4 << 20 };

struct entry {
    const char *name;
    unsigned type, mode;
    const char *text, *link;
    size_t zeros; // instead of a text
};

struct made {
    char *bytes;
    size_t size;
};

static void put(struct archive *a, const struct entry *e) {
    struct archive_entry *entry = archive_entry_new();
    const size_t size = e->zeros ? e->zeros : e->text ? strlen(e->text) : 0;
    static const char nothing[65536];
    archive_entry_set_pathname(entry, e->name);
    archive_entry_set_filetype(entry, e->type);
    archive_entry_set_perm(entry, e->mode ? e->mode : 0644);
    archive_entry_set_size(entry, (la_int64_t)size);
    if (e->link && e->type == AE_IFLNK)
        archive_entry_set_symlink(entry, e->link);
    else if (e->link)
        archive_entry_set_hardlink(entry, e->link);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    if (e->text)
        archive_write_data(a, e->text, size);
    for (size_t done = 0; done < e->zeros; done += sizeof nothing)
        archive_write_data(a, nothing,
                           e->zeros - done < sizeof nothing ? e->zeros - done : sizeof nothing);
    archive_entry_free(entry);
}

static struct made make(int (*format)(struct archive *), int (*filter)(struct archive *),
                        const struct entry *entries, int count) {
    struct made made = {.bytes = malloc(ARCHIVE_MAX)};
    struct archive *a = archive_write_new();
    format(a);
    if (filter)
        filter(a);
    assert_int_equal(archive_write_open_memory(a, made.bytes, ARCHIVE_MAX, &made.size), ARCHIVE_OK);
    for (int i = 0; i < count; i++)
        put(a, &entries[i]);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
    return made;
}

static const struct unpack_limits limits = {.bytes = 1 << 20, .files = 10};

// Unpacks below a folder of the test's; `why` is "" if it was taken.
static struct scratch unpack(const struct made *made, char why[static UNPACK_WHY_MAX]) {
    struct err err = {.set = false};
    struct scratch work;
    char folder[300];
    assert_true(scratch_make(&work, "a test", &err));
    snprintf(folder, sizeof folder, "%s/in", work.path);
    why[0] = '\0';
    const bool good = unpack_archive(made->bytes, made->size, folder, &limits, why, &err);
    assert_false(err.set);
    assert_int_equal(good, !*why);
    return work;
}

static void forget(struct scratch *work, struct made *made) {
    scratch_done(work);
    free(made->bytes);
}

static void check_file(const char *work, const char *name, const char *text, bool executable) {
    char path[400];
    struct buf bytes = {.data = NULL};
    snprintf(path, sizeof path, "%s/in/%s", work, name);
    assert_true(path_read(path, 1000, &bytes));
    assert_string_equal(bytes.data, text);
    assert_int_equal(access(path, X_OK) == 0, executable);
    buf_done(&bytes);
}

// Every format that is taken, with folders, dots and litter; rights beyond executing are dropped.
static void test_taken(void **unused) {
    (void)unused;
    static const struct entry entries[] = {
        {"./mine/", AE_IFDIR, 0755, NULL, NULL, 0},
        {"./mine/player.c", AE_IFREG, 0644, "int main;", NULL, 0},
        {"mine/deep/run.sh", AE_IFREG, 06755, "true", NULL, 0},
        {"__MACOSX/mine/._player.c", AE_IFREG, 0644, "litter", NULL, 0},
        {"mine/.DS_Store", AE_IFREG, 0644, "litter", NULL, 0}};
    static const struct {
        int (*format)(struct archive *);
        int (*filter)(struct archive *);
    } kinds[] = {{archive_write_set_format_gnutar, NULL},
                 {archive_write_set_format_ustar, archive_write_add_filter_gzip},
                 {archive_write_set_format_pax, archive_write_add_filter_bzip2},
                 {archive_write_set_format_pax, archive_write_add_filter_xz},
                 {archive_write_set_format_pax, archive_write_add_filter_zstd},
                 {archive_write_set_format_zip, NULL},
                 {archive_write_set_format_7zip, NULL}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct made made = make(kinds[i].format, kinds[i].filter, entries, 5);
        char why[UNPACK_WHY_MAX], path[400];
        struct stat info;
        struct scratch work = unpack(&made, why);
        assert_string_equal(why, "");
        check_file(work.path, "mine/player.c", "int main;", false);
        check_file(work.path, "mine/deep/run.sh", "true", true);
        snprintf(path, sizeof path, "%s/in/mine/deep/run.sh", work.path);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 07022, 0); // neither setuid nor others' to write
        snprintf(path, sizeof path, "%s/in/__MACOSX", work.path);
        assert_int_not_equal(access(path, F_OK), 0);
        snprintf(path, sizeof path, "%s/in/mine/.DS_Store", work.path);
        assert_int_not_equal(access(path, F_OK), 0);
        forget(&work, &made);
    }
}

// As Python's zipfile packs a name that is not ASCII: with the flag that says UTF-8. No locale is
// set here, as in the program.
static void test_other_letters(void **unused) {
    (void)unused;
    static const unsigned char zip[] =
        "PK\3\4\24\0\0\10\0\0\0\0\41\0\x83\x16\xdc\x8c\1\0\0\0\1\0\0\0\15\0\0\0"
        "隊伍/bot.pyx"
        "PK\1\2\24\3\24\0\0\10\0\0\0\0\41\0\x83\x16\xdc\x8c\1\0\0\0\1\0\0\0\15\0\0\0"
        "\0\0\0\0\0\0\0\0\x80\1\0\0\0\0"
        "隊伍/bot.py"
        "PK\5\6\0\0\0\0\1\0\1\0\73\0\0\0\54\0\0\0\0";
    struct made made = {.bytes = malloc(sizeof zip), .size = sizeof zip};
    char why[UNPACK_WHY_MAX];
    memcpy(made.bytes, zip, sizeof zip);
    struct scratch work = unpack(&made, why);
    assert_string_equal(why, "");
    check_file(work.path, "隊伍/bot.py", "x", false);
    forget(&work, &made);
}

static const struct refusal {
    const char *words;
    struct entry entries[3];
    int count;
} refusals[] = {
    {"leads out", {{"../x", AE_IFREG, 0, "x", NULL, 0}}, 1},
    {"leads out", {{"a/../../x", AE_IFREG, 0, "x", NULL, 0}}, 1},
    {"leads out", {{"a/..", AE_IFDIR, 0, NULL, NULL, 0}}, 1},
    {"leads out", {{"/tmp/x", AE_IFREG, 0, "x", NULL, 0}}, 1},
    {"leads out", {{"..\\x", AE_IFREG, 0, "x", NULL, 0}}, 1},
    {"leads out", {{"a\nb", AE_IFREG, 0, "x", NULL, 0}}, 1},
    {"is a link", {{"x", AE_IFLNK, 0, NULL, "/etc/shadow", 0}}, 1},
    {"is a link", {{"x", AE_IFLNK, 0, NULL, "y", 0}, {"x/z", AE_IFREG, 0, "z", NULL, 0}}, 2},
    {"is a link", {{"y", AE_IFREG, 0, "y", NULL, 0}, {"x", AE_IFREG, 0, NULL, "y", 0}}, 2},
    {"is a device", {{"x", AE_IFCHR, 0, NULL, NULL, 0}}, 1},
    {"is a device", {{"x", AE_IFBLK, 0, NULL, NULL, 0}}, 1},
    {"is a device", {{"x", AE_IFIFO, 0, NULL, NULL, 0}}, 1},
    {"twice", {{"x", AE_IFREG, 0, "x", NULL, 0}, {"x", AE_IFREG, 0, "y", NULL, 0}}, 2},
    {"file and as a folder",
     {{"x", AE_IFREG, 0, "x", NULL, 0}, {"x/y", AE_IFREG, 0, "y", NULL, 0}},
     2},
    {"more than 1048576 bytes", {{"x", AE_IFREG, 0, NULL, NULL, (1 << 20) + 1}}, 1},
    {"more than 1048576 bytes", {{"bomb", AE_IFREG, 0, NULL, NULL, (size_t)200 << 20}}, 1},
    {"more than 10 files", {{"a/b/c/d/e/f/g/h/i/j/k", AE_IFREG, 0, "x", NULL, 0}}, 1},
    {"leads out",
     {{"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21", AE_IFREG, 0, "x", NULL, 0}},
     1},
    {"empty", {{"__MACOSX/x", AE_IFREG, 0, "x", NULL, 0}}, 1},
};

static void test_refused(void **state) {
    const struct refusal *r = *state;
    struct made made =
        make(archive_write_set_format_pax, archive_write_add_filter_gzip, r->entries, r->count);
    char why[UNPACK_WHY_MAX], path[300];
    struct scratch work = unpack(&made, why);
    if (!strstr(why, r->words))
        fail_msg("'%s' does not say '%s'", why, r->words);
    for (const char *c = why; *c; c++)
        assert_true((unsigned char)*c >= ' ');
    snprintf(path, sizeof path, "%s/x", work.path); // beside the folder
    assert_int_not_equal(access(path, F_OK), 0);
    forget(&work, &made);
}

// Anything that is no archive, and archives cut at any place, are refused and nothing else.
static void test_broken(void **unused) {
    (void)unused;
    static const struct entry entry = {"x", AE_IFREG, 0, "some text that is packed", NULL, 0};
    struct made made = make(archive_write_set_format_zip, NULL, &entry, 1);
    for (size_t size = 0; size + 23 < made.size; size += 7) {
        struct made cut = {.bytes = malloc(size + 1), .size = size};
        char why[UNPACK_WHY_MAX];
        memcpy(cut.bytes, made.bytes, size);
        struct scratch work = unpack(&cut, why);
        if (!*why && size < 30)
            fail_msg("%zu bytes were taken", size);
        forget(&work, &cut);
    }
    free(made.bytes);
    made = (struct made){.bytes = strdup("#!/bin/sh\necho no archive\n"), .size = 26};
    char why[UNPACK_WHY_MAX];
    struct scratch work = unpack(&made, why);
    assert_non_null(strstr(why, "broken, or no archive"));
    forget(&work, &made);
}

int main(void) {
    enum { REFUSALS = sizeof refusals / sizeof *refusals };
    struct CMUnitTest tests[REFUSALS + 3] = {cmocka_unit_test(test_taken),
                                             cmocka_unit_test(test_broken),
                                             cmocka_unit_test(test_other_letters)};
    for (int i = 0; i < REFUSALS; i++)
        tests[i + 3] = (struct CMUnitTest){.name = refusals[i].words,
                                           .test_func = test_refused,
                                           .initial_state = (void *)&refusals[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
