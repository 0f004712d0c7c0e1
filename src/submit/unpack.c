// SPDX-License-Identifier: MIT
// The names in an archive are not believed: each part of a path must be a plain name, and every
// file is made anew below the folder, never opened through what is there already. There is no link
// to follow, because none is made. What a parser does with wild bytes is bounded by a process of
// its own, with a limit of memory (packers may ask for any dictionary) and time; if it dies, the
// archive is to blame.
#include "submit/unpack.h"

#include "base/child.h"
#include "base/fds.h"
#include "base/path.h"
#include "base/plain.h"
#include "submit/libarchive.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATH_BYTES = 1000,
    NAME_BYTES = 200,
    DEPTH = 20,
    MEMORY_BYTES = 512 << 20,
    CPU_SECONDS = 30,
    FAILED = 3, // exit codes of the process that unpacks
    REFUSED = 4,
};

struct unpacking {
    struct archive *archive;
    int root; // the folder, open
    struct unpack_limits left;
    const struct unpack_limits *limits;
    char *why;
    struct err *err;
};

// Always false. Names may hold anything, so what is said of them is made printable.
__attribute__((format(printf, 2, 3))) static bool refuse(struct unpacking *u, const char *format,
                                                         ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(u->why, UNPACK_WHY_MAX, format, list);
    va_end(list);
    plain_clean(u->why);
    return false;
}

static bool is_plain_name(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 127 || name[i] == '\\')
            return false;
    return length <= NAME_BYTES && !(length == 2 && name[0] == '.' && name[1] == '.');
}

// The path without empty parts and dots, or false.
static bool clean(const char *path, char out[static PATH_BYTES]) {
    int depth = 0;
    size_t length = 0;
    if (*path == '/')
        return false;
    while (*path) {
        const size_t n = strcspn(path, "/");
        if (!is_plain_name(path, n) || length + n + 2 > PATH_BYTES)
            return false;
        if (n > 0 && !(n == 1 && *path == '.')) {
            length += (size_t)sprintf(out + length, "%s%.*s", length ? "/" : "", (int)n, path);
            if (++depth > DEPTH)
                return false;
        }
        path += n + (path[n] == '/');
    }
    out[length] = '\0';
    return true;
}

// What computers and tools add without being asked: of systems, of editors, and what Visual Studio
// makes beside the sources.
static bool is_litter_name(const char *name, size_t length) {
    static const char *const names[] = {"__MACOSX", ".DS_Store",   ".git",  ".vs",     ".vscode",
                                        ".idea",    "__pycache__", "Debug", "Release", "x64"};
    static const char *const ends[] = {
        ".sln", ".vcxproj", ".vcxproj.filters", ".vcxproj.user", ".suo", ".pdb", ".ilk", ".obj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length == strlen(names[i]) && strncmp(name, names[i], length) == 0)
            return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);
        if (length > end && strncmp(name + length - end, ends[i], end) == 0)
            return true;
    }
    return length > 2 && name[0] == '.' && name[1] == '_';
}

static bool is_litter(const char *path) {
    for (size_t n; *path; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        if (is_litter_name(path, n))
            return true;
    }
    return false;
}

static bool count(struct unpacking *u) {
    return u->left.files-- > 0 ||
           refuse(u, "it holds more than %d files and folders", u->limits->files);
}

static bool make_folder(struct unpacking *u, const char *path) {
    struct stat info;
    if (mkdirat(u->root, path, 0755) == 0)
        return count(u);
    if (errno != EEXIST)
        return err_set(u->err, "cannot make the folder %.100s: %s", path, strerror(errno));
    return (fstatat(u->root, path, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode)) ||
           refuse(u, "%.200s is in it as a file and as a folder", path);
}

// All folders above a path.
static bool make_way(struct unpacking *u, const char *path) {
    char part[PATH_BYTES];
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (!make_folder(u, part))
            return false;
    }
    return true;
}

static bool write_file(struct unpacking *u, const char *path, int fd) {
    char bytes[65536];
    la_ssize_t n;
    while ((n = libarchive()->archive_read_data(u->archive, bytes, sizeof bytes)) > 0) {
        if ((u->left.bytes -= n) < 0)
            return refuse(u, "it holds more than %" PRId64 " bytes", u->limits->bytes);
        if (!fds_write(fd, bytes, (size_t)n))
            return err_set(u->err, "cannot write %.100s: %s", path, strerror(errno));
    }
    return n == 0 ||
           refuse(u, "it is broken: %.200s", libarchive()->archive_error_string(u->archive));
}

static bool make_file(struct unpacking *u, const char *path, bool executable) {
    if (!make_way(u, path) || !count(u))
        return false;
    const int fd = openat(u->root, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          executable ? 0755 : 0644);
    if (fd < 0 && errno == EEXIST)
        return refuse(u, "%.200s is in it twice", path);
    if (fd < 0)
        return err_set(u->err, "cannot make the file %.100s: %s", path, strerror(errno));
    bool good = write_file(u, path, fd);
    if (close(fd) != 0 && good)
        good = err_set(u->err, "cannot write %.100s: %s", path, strerror(errno));
    return good;
}

static bool take_entry(struct unpacking *u, struct archive_entry *entry) {
    const char *named = libarchive()->archive_entry_pathname(entry);
    const bool linked =
        libarchive()->archive_entry_hardlink(entry) || libarchive()->archive_entry_symlink(entry);
    const mode_t type = linked ? AE_IFLNK : libarchive()->archive_entry_filetype(entry);
    char path[PATH_BYTES];
    if (!named)
        return refuse(u, "%s", "it holds a file without a name that can be read");
    if (!clean(named, path))
        return refuse(u, "the name %.200s leads out of the folder, or is none", named);
    if (type == AE_IFLNK)
        return refuse(u, "%.200s is a link; plain files and folders alone are taken", path);
    if (type != AE_IFREG && type != AE_IFDIR)
        return refuse(u, "%.200s is a device or the like; plain files and folders alone are taken",
                      path);
    if (!*path || is_litter(path))
        return true;
    if (type == AE_IFDIR)
        return make_way(u, path) && make_folder(u, path);
    return make_file(u, path, libarchive()->archive_entry_perm(entry) & 0111);
}

static bool take_entries(struct unpacking *u) {
    struct archive_entry *entry;
    int code;
    while ((code = libarchive()->archive_read_next_header(u->archive, &entry)) == ARCHIVE_OK ||
           code == ARCHIVE_WARN)
        if (!take_entry(u, entry))
            return false;
    if (code != ARCHIVE_EOF) {
        const char *said = libarchive()->archive_error_string(u->archive);
        return refuse(
            u, "it is broken, or no archive that we know (pack it as zip, tar or 7z): %.200s",
            said ? said : "");
    }
    return u->left.files < u->limits->files ||
           refuse(u, "%s", "it is empty: pack your files as zip, tar or 7z");
}

static struct archive *open_archive(const void *bytes, size_t size) {
    struct archive *a = libarchive()->archive_read_new();
    if (!a)
        return NULL;
    // None that would start programs.
    libarchive()->archive_read_support_filter_gzip(a);
    libarchive()->archive_read_support_filter_bzip2(a);
    libarchive()->archive_read_support_filter_xz(a);
    libarchive()->archive_read_support_filter_zstd(a);
    libarchive()->archive_read_support_format_tar(a);
    libarchive()->archive_read_support_format_zip(a);
    libarchive()->archive_read_support_format_7zip(a);
    libarchive()->archive_read_open_memory(a, bytes,
                                           size); // if it cannot be read, the next call says so
    return a;
}

bool unpack_here(const void *bytes, size_t size, const char *folder,
                 const struct unpack_limits *limits, char why[static UNPACK_WHY_MAX],
                 struct err *err) {
    struct unpacking u = {.left = *limits, .limits = limits, .why = why, .err = err};
    why[0] = '\0';
    if (!libarchive_load(err))
        return false;
    u.root = mkdir(folder, 0755) == 0 ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (u.root < 0)
        return err_set(err, "cannot make the folder %.200s: %s", folder, strerror(errno));
    // A zip says which of its names are UTF-8, and they are lost in the locale of "C".
    const locale_t letters = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0),
                   before = uselocale(letters);
    u.archive = open_archive(bytes, size);
    const bool good = u.archive ? take_entries(&u) : err_set(err, "no memory for an archive");
    libarchive()->archive_read_free(u.archive);
    close(u.root);
    uselocale(before);
    if (letters)
        freelocale(letters);
    return good;
}

static long address_space(void) {
    char text[100];
    long pages = 0;
    path_read_text(AT_FDCWD, "/proc/self/statm", text, sizeof text);
    sscanf(text, "%ld", &pages);
    return pages * sysconf(_SC_PAGESIZE);
}

static void bound_self(void) {
    const rlim_t space = (rlim_t)address_space() + MEMORY_BYTES;
    setrlimit(RLIMIT_AS, &(struct rlimit){space, space});
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static void read_words(int fd, char *words, size_t size) {
    size_t length = 0;
    ssize_t n;
    while ((n = read(fd, words + length, size - 1 - length)) > 0 || (n < 0 && errno == EINTR))
        length += n > 0 ? (size_t)n : 0;
    words[length] = '\0';
}

static _Noreturn void unpack_child(const void *bytes, size_t size, const char *folder,
                                   const struct unpack_limits *limits, int out) {
    char why[UNPACK_WHY_MAX];
    struct err err = {.set = false};
    const bool loaded = libarchive_load(&err); // which is not held against the archive
    bound_self();
    if (loaded && unpack_here(bytes, size, folder, limits, why, &err))
        _exit(0);
    const char *words = err.set ? err.text : why;
    fds_write(out, words, strlen(words));
    _exit(err.set ? FAILED : REFUSED);
}

bool unpack_archive(const void *bytes, size_t size, const char *folder,
                    const struct unpack_limits *limits, char why[static UNPACK_WHY_MAX],
                    struct err *err) {
    assert(limits->bytes > 0 && limits->files > 0);
    char said[ERR_TEXT_MAX];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, "cannot unpack an archive: %s", strerror(errno));
    const pid_t pid = child_fork(SIGKILL);
    if (pid == 0)
        unpack_child(bytes, size, folder, limits, ends[1]);
    close(ends[1]);
    read_words(ends[0], said, sizeof said);
    close(ends[0]);
    const int status = pid > 0 ? child_wait(pid) : 0;
    const int code = pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (pid < 0 || code == FAILED)
        return err_set(err, "%s", pid < 0 ? "cannot start a process to unpack an archive" : said);
    snprintf(why, UNPACK_WHY_MAX, "%.290s",
             code == 0         ? ""
             : code == REFUSED ? said
                               : "it takes too much memory or time to unpack");
    return code == 0;
}
