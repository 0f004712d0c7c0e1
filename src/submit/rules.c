// SPDX-License-Identifier: MIT
// A file is known by the end of its name, and a program or a script also by how it begins: whoever
// may hand in C and C++ alone shall not hand in a program that was made elsewhere. Where languages
// or a standard are given the contest builds what is handed in by itself: a Makefile or a
// player.conf would build it in its own way.
#include "submit/rules.h"

#include "base/path.h"
#include "base/whole.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 32, BEGIN_BYTES = 4, TITLES_MAX = 60 };

static const char *const words[] = {
#define LANGUAGE_WORD(id, word, title) word,
    SUBMIT_LANGUAGES(LANGUAGE_WORD)
#undef LANGUAGE_WORD
};

static const char *const titles[] = {
#define LANGUAGE_TITLE(id, word, title) title,
    SUBMIT_LANGUAGES(LANGUAGE_TITLE)
#undef LANGUAGE_TITLE
};

enum { C_OR_CPP = 1 << SUBMIT_C | 1 << SUBMIT_CPP };

enum submit_language submit_language_find(const char *word) {
    return (enum submit_language)text_among(word, words, SUBMIT_COUNT);
}

const char *submit_language_word(enum submit_language language) { return words[language]; }

// What is newer is a mere warning to g++ unless it is told.
static const struct {
    const char *name, *flags;
} standards[] = {
#define FROM_23 " -Werror=c++23-extensions"
#define FROM_20 " -Werror=c++20-extensions" FROM_23
#define FROM_17 " -Werror=c++17-extensions" FROM_20
#define FROM_14 " -Werror=c++14-extensions" FROM_17
#define FROM_11 " -Werror=c++11-extensions" FROM_14
    {"c++98", "-std=c++98" FROM_11}, {"c++03", "-std=c++03" FROM_11},
    {"c++11", "-std=c++11" FROM_14}, {"c++14", "-std=c++14" FROM_17},
    {"c++17", "-std=c++17" FROM_20}, {"c++20", "-std=c++20" FROM_23},
};

enum { STANDARDS = sizeof standards / sizeof *standards };

const char *cpp_standard_find(const char *word, char *accepted, size_t size) {
    const char *found = NULL;
    accepted[0] = '\0';
    for (int i = 0; i < STANDARDS; i++) {
        err_list(accepted, size, standards[i].name);
        if (word && strcmp(standards[i].name, word) == 0)
            found = standards[i].name;
    }
    return found;
}

const char *cpp_flags(const char *cpp) {
    for (int i = 0; cpp && i < STANDARDS; i++)
        if (strcmp(standards[i].name, cpp) == 0)
            return standards[i].flags;
    return "-std=c++17";
}

// What the end of a name says; `bits` are the languages that it may be, none: it is never taken.
static const struct {
    const char *end;
    unsigned bits;
    const char *is;
} kinds[] = {
    {".c", 1 << SUBMIT_C, "C"},
    {".h", C_OR_CPP, "C or C++"},
    {".cpp", 1 << SUBMIT_CPP, "C++"},
    {".cc", 1 << SUBMIT_CPP, "C++"},
    {".cxx", 1 << SUBMIT_CPP, "C++"},
    {".C", 1 << SUBMIT_CPP, "C++"},
    {".hpp", 1 << SUBMIT_CPP, "C++"},
    {".hh", 1 << SUBMIT_CPP, "C++"},
    {".hxx", 1 << SUBMIT_CPP, "C++"},
    {".py", 1 << SUBMIT_PYTHON, "Python"},
    {".pyw", 1 << SUBMIT_PYTHON, "Python"},
    {".java", 0, "Java"},
    {".kt", 0, "Kotlin"},
    {".rs", 0, "Rust"},
    {".go", 0, "Go"},
    {".cs", 0, "C#"},
    {".js", 0, "JavaScript"},
    {".mjs", 0, "JavaScript"},
    {".ts", 0, "TypeScript"},
    {".rb", 0, "Ruby"},
    {".pl", 0, "Perl"},
    {".lua", 0, "Lua"},
    {".hs", 0, "Haskell"},
    {".ml", 0, "OCaml"},
    {".swift", 0, "Swift"},
    {".pas", 0, "Pascal"},
    {".f90", 0, "Fortran"},
    {".asm", 0, "assembler"},
    {".s", 0, "assembler"},
    {".S", 0, "assembler"},
    {".sh", 0, "a script"},
    {".bat", 0, "a script"},
    {".cmd", 0, "a script"},
    {".ps1", 0, "a script"},
    {".exe", 0, "a program"},
    {".dll", 0, "a program"},
    {".so", 0, "a program"},
    {".o", 0, "a program"},
    {".obj", 0, "a program"},
    {".a", 0, "a program"},
    {".lib", 0, "a program"},
    {".pyc", 0, "a program"},
    {".class", 0, "a program"},
    {".jar", 0, "a program"},
    {".wasm", 0, "a program"},
};

static const struct {
    const char *bytes;
    size_t length;
    const char *is;
} beginnings[] = {{"\x7f"
                   "ELF",
                   4, "a program"},
                  {"MZ", 2, "a program"},
                  {"#!", 2, "a script"}};

struct rules_look {
    const struct submit_rules *rules;
    struct buf *why;
    struct err *err;
};

static void put_titles(unsigned languages, char text[static TITLES_MAX]) {
    text[0] = '\0';
    for (int i = 0; i < SUBMIT_COUNT; i++)
        if (languages & 1U << i)
            err_list(text, TITLES_MAX, titles[i]);
}

static bool refuse_language(const struct rules_look *l, const char *path, const char *is) {
    char accepted[TITLES_MAX];
    put_titles(l->rules->languages, accepted);
    buf_format(l->why, "%.200s is %s; this contest takes sources in %s", path, is, accepted);
    return false;
}

// What the first bytes of a file say, or NULL.
static const char *beginning_of(int folder, const char *name) {
    char bytes[BEGIN_BYTES];
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (n >= (ssize_t)beginnings[i].length &&
            memcmp(bytes, beginnings[i].bytes, beginnings[i].length) == 0)
            return beginnings[i].is;
    return NULL;
}

static bool allow_language(const struct rules_look *l, int folder, const char *path,
                           const char *name) {
    const char *is = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!path_ends_with(name, kinds[i].end))
            continue;
        if (!(kinds[i].bits & l->rules->languages))
            return refuse_language(l, path, kinds[i].is);
        is = kinds[i].is;
    }
    if (is) // a source may begin as it likes
        return true;
    is = beginning_of(folder, name);
    return !is || refuse_language(l, path, is);
}

// A file that says how it is to be built or started.
static bool allow_recipe(const struct rules_look *l, const char *path, const char *name) {
    static const char *const recipes[] = {"Makefile", "makefile", "GNUmakefile", "player.conf"};
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        if (strcmp(name, recipes[i]) == 0) {
            buf_format(l->why, "%.200s: this contest builds and starts what is handed in by itself",
                       path);
            return false;
        }
    return true;
}

static bool allow_name(const struct rules_look *l, const char *path) {
    char accepted[400] = "";
    for (const char *const *file = l->rules->files; *file; file++) {
        if (fnmatch(*file, path, FNM_PATHNAME) == 0)
            return true;
        err_list(accepted, sizeof accepted, *file);
    }
    buf_format(l->why, "%.200s is none of the files that this contest takes: %s", path, accepted);
    return false;
}

static bool allow_file(const struct rules_look *l, int folder, const char *path, const char *name) {
    const struct submit_rules *r = l->rules;
    return (!r->files || allow_name(l, path)) &&
           (!(r->languages || r->cpp) || allow_recipe(l, path, name)) &&
           (!r->languages || allow_language(l, folder, path, name));
}

static bool allow_folder(const struct rules_look *l, int fd, const char *above, int depth) {
    DIR *folder = fdopendir(fd);
    bool good = folder && depth < DEPTH_MAX;
    if (!good)
        err_set(l->err, "cannot read the folder %.200s: %s", above,
                strerror(folder ? ELOOP : errno));
    if (!folder)
        close(fd);
    for (const struct dirent *entry; good && (entry = readdir(folder));) {
        struct stat info;
        struct buf path = {.data = NULL};
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        buf_format(&path, "%s%s%s", above, *above ? "/" : "", entry->d_name);
        const bool there = fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0;
        const int below = there && S_ISDIR(info.st_mode)
                              ? openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                              : -1;
        if (there && S_ISDIR(info.st_mode))
            good = below >= 0 ? allow_folder(l, below, path.data, depth + 1)
                              : err_set(l->err, "cannot read the folder %.200s: %s", path.data,
                                        strerror(errno));
        else
            good = allow_file(l, fd, path.data, entry->d_name);
        buf_done(&path);
    }
    if (folder)
        closedir(folder);
    return good;
}

bool submit_rules_allow(const struct submit_rules *rules, const char *folder, struct buf *why,
                        struct err *err) {
    const struct rules_look look = {.rules = rules, .why = why, .err = err};
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, "cannot read the folder %.200s: %s", folder, strerror(errno));
    return allow_folder(&look, fd, "", 0);
}
