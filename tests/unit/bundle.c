// SPDX-License-Identifier: MIT
// Folders as bytes, and their checksums.
#include "contest/bundle.h"

#include "base/sha256.h"
#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The examples of FIPS 180-4, and a length at every edge of the padding against known ends.
static void test_sha256(void **unused) {
    (void)unused;
    char hex[SHA256_HEX_MAX], million[1000000];
    sha256_hex("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_hex("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(million, 'a', sizeof million);
    sha256_hex(million, sizeof million, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void write_text(const char *folder, const char *name, const char *text, mode_t mode) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void test_there_and_back(void **unused) {
    (void)unused;
    char work[] = "/tmp/arbiter-test-XXXXXX", from[100], to[100], path[200], target[20];
    struct err err = {.set = false};
    struct buf first = {.data = NULL}, second = {.data = NULL};
    struct stat info;
    assert_non_null(mkdtemp(work));
    snprintf(from, sizeof from, "%s/from", work);
    snprintf(to, sizeof to, "%s/to", work);
    snprintf(path, sizeof path, "%s/from/inner", work);
    assert_int_equal(mkdir(from, 0777), 0);
    assert_int_equal(mkdir(path, 0777), 0);
    write_text(work, "outside", "from outside", 0666);
    write_text(from, "b", "", 0666);
    write_text(from, "a file with blanks", "text\nof two lines", 0666);
    write_text(from, "inner/runs", "#!/bin/sh\n", 0777);
    snprintf(path, sizeof path, "%s/link", from);
    assert_int_equal(symlink("../outside", path), 0);
    snprintf(path, sizeof path, "%s/to-folder", from);
    assert_int_equal(symlink("inner", path), 0);
    snprintf(path, sizeof path, "%s/inner/to-file", from);
    assert_int_equal(symlink("../a file with blanks", path), 0);
    assert_true(bundle_pack(from, &first, &err));
    assert_true(bundle_unpack(to, first.data, first.length, &err));
    assert_true(bundle_pack(to, &second, &err));
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.data, second.data, first.length);
    snprintf(path, sizeof path, "%s/inner/runs", to);
    assert_int_equal(stat(path, &info), 0);
    assert_true(info.st_mode & S_IXUSR);
    snprintf(path, sizeof path, "%s/inner/to-file", to);
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISREG(info.st_mode));
    assert_int_equal(info.st_size, strlen("text\nof two lines"));
    snprintf(path, sizeof path, "%s/link", to);
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode)); // what lies outside does not come along
    for (size_t i = 0; i + 12 < first.length; i++)
        assert_memory_not_equal(first.data + i, "from outside", 12);
    snprintf(path, sizeof path, "%s/to-folder", to);
    assert_int_equal(readlink(path, target, sizeof target), 5);
    buf_done(&first);
    buf_done(&second);
    assert_true(bundle_remove(work, &err));
    assert_true(bundle_remove(work, &err)); // it is gone already
}

static void test_refusals(void **unused) {
    (void)unused;
    static const char *const bad[] = {"- 3 ../x\nabc", "- 3 /x\nabc", "- 3 a/../../x\nabc",
                                      "- 9 x\nabc",    "- x\n",       "- 3 x",
                                      "nonsense\n",    "- 3 \nabc"};
    struct err err = {.set = false};
    struct buf out = {.data = NULL};
    assert_false(bundle_pack("/nowhere", &out, &err));
    assert_non_null(strstr(err.text, "/nowhere"));
    buf_done(&out);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char work[] = "/tmp/arbiter-test-XXXXXX", to[100];
        assert_non_null(mkdtemp(work));
        snprintf(to, sizeof to, "%s/to", work);
        err.set = false;
        assert_false(bundle_unpack(to, bad[i], strlen(bad[i]), &err));
        err.set = false;
        assert_true(bundle_remove(work, &err));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
