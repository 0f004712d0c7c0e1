// SPDX-License-Identifier: MIT
// A list of ways, tried in order: what the contestant says himself first, then the files of the
// kits, then plain sources. Each looks at the names in the folder and at the text of the sources.
#include "submit/recipe.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/whole.h"
#include "games/game.h"
#include "link/shell.h"
#include "spec/spec.h"
#include "submit/rules.h"
#include "wire/wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 4096, TEXT_MAX = 1 << 20, LINE_BYTES = 1000 };

const char *const recipe_windows[] = {"windows.h", "winsock2.h", "winsock.h", "ws2tcpip.h",
                                      "conio.h",   "process.h",  "tchar.h",   "direct.h"};
const size_t recipe_windows_count = sizeof recipe_windows / sizeof *recipe_windows;

// What there is to see.
struct sight {
    const char *folder, *game, *cpp;
    char **names; // of the files, sorted
    int count;
    struct buf text; // of all sources, one after the other
    char *why;
};

static const char *const c_ends[] = {".c"}, *const cpp_ends[] = {".cpp", ".cc", ".cxx", ".C"},
                         *const python_ends[] = {".py"}, *const header_ends[] = {".h", ".hpp"};

static bool ends_with(const char *name, const char *const *ends, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (path_ends_with(name, ends[i]))
            return true;
    return false;
}

#define ENDS_WITH(name, ends) ends_with(name, ends, sizeof(ends) / sizeof *(ends))

static bool is_c(const char *name) { return ENDS_WITH(name, c_ends); }
static bool is_cpp(const char *name) { return ENDS_WITH(name, cpp_ends); }
static bool is_compiled(const char *name) { return is_c(name) || is_cpp(name); }
static bool is_python(const char *name) { return ENDS_WITH(name, python_ends); }
bool recipe_is_source(const char *name) { return is_compiled(name) || is_python(name); }

static int count_of(const struct sight *s, bool (*is)(const char *name)) {
    int count = 0;
    for (int i = 0; i < s->count; i++)
        count += is(s->names[i]);
    return count;
}

static bool has(const struct sight *s, const char *name) {
    return text_among(name, (const char *const *)s->names, s->count) < s->count;
}

static bool says(const struct sight *s, const char *words) {
    return s->text.data && strstr(s->text.data, words);
}

static void add_text(struct sight *s, const char *name) {
    struct buf path = {.data = NULL};
    char bytes[4096];
    ssize_t n;
    buf_format(&path, "%s/%s", s->folder, name);
    const int fd = open(path.data, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    while (fd >= 0 && s->text.length < TEXT_MAX && (n = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n; i++)
            buf_put(&s->text, bytes[i] ? &bytes[i] : " ", 1);
    buf_text(&s->text, "\n");
    if (fd >= 0)
        close(fd);
    buf_done(&path);
}

static int recipe_compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_file(const struct sight *s, const char *name) {
    struct buf path = {.data = NULL};
    struct stat info;
    buf_format(&path, "%s/%s", s->folder, name);
    const bool file = lstat(path.data, &info) == 0 && S_ISREG(info.st_mode);
    buf_done(&path);
    return file;
}

static bool look(struct sight *s, struct err *err) {
    DIR *folder = opendir(s->folder);
    if (!folder)
        return err_set(err, "cannot read the folder %.200s: %s", s->folder, strerror(errno));
    s->names = mem_new(FILES_MAX, sizeof *s->names);
    for (const struct dirent *entry; s->count < FILES_MAX && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && is_file(s, entry->d_name))
            s->names[s->count++] = mem_text(entry->d_name);
    closedir(folder);
    qsort(s->names, (size_t)s->count, sizeof *s->names, recipe_compare);
    for (int i = 0; i < s->count; i++)
        if (recipe_is_source(s->names[i]) || ENDS_WITH(s->names[i], header_ends))
            add_text(s, s->names[i]);
    return true;
}

static void look_away(struct sight *s) {
    for (int i = 0; i < s->count; i++)
        free(s->names[i]);
    free(s->names);
    buf_done(&s->text);
}

// The number that a kit for TCP has its team's number in, "idTeam = 7".
static int team_of(const struct sight *s) {
    const char *at = s->text.data ? s->text.data : "";
    while ((at = strstr(at, "idTeam"))) {
        at += strlen("idTeam");
        const char *rest = at + strspn(at, " \t");
        char *end;
        const long team = *rest == '=' && rest[1] != '=' ? strtol(rest + 1, &end, 10) : 0;
        if (*rest == '=' && rest[1] != '=' && end != rest + 1)
            return team >= 0 && team <= INT_MAX ? (int)team : -1;
    }
    return -1;
}

// Whether the game's contest speaks it.
static bool contest_speaks(const struct sight *s, const struct wire_protocol *protocol) {
    const struct game *game = game_find(s->game);
    return game && wire_plays(protocol, game);
}

// What a program speaks: the contest's protocol where it uses the kit for it, else ours, unless it
// is a player of connect6 that does not mention that.
static void put_start(const struct sight *s, struct buf *out, const char *command) {
    if (contest_speaks(s, &wire_stcp) && (says(s, "STcpClient") || says(s, "idTeam")))
        buf_format(out, "tcp:%d=%s", team_of(s), command);
    else if (contest_speaks(s, &wire_sixline) && !says(s, "abp"))
        buf_format(out, "cmd:%s", command);
    else
        buf_format(out, "abp:%s", command);
}

static void put_sources(const struct sight *s, struct buf *out) {
    for (int i = 0; i < s->count; i++)
        if (is_compiled(s->names[i])) {
            buf_text(out, " ./"); // a name may begin with a dash
            shell_put_quoted(out, s->names[i]);
        }
}

#define HEADERS_TOO " -idirafter .headers"

// For Windows <Windows.h> and <windows.h> are one file: all ways in which the sources write the
// names of such headers, as files that include the real ones.
static void put_headers(struct buf *out) {
    buf_text(out, "mkdir -p .headers; for h in $(grep -hoiwIE '(");
    for (size_t i = 0; i < recipe_windows_count; i++)
        buf_format(out, "%s%s", i ? "|" : "", recipe_windows[i]);
    buf_text(out, ")' ./* 2>/dev/null | sort -u); do l=$(echo $h | tr A-Z a-z); [ $h = $l ] ||"
                  " echo \"#include <$l>\" > .headers/$h; done; ");
}

// Both commands that compile sources, by the compilers of here and for Windows.
static void put_compilers(const struct sight *s, struct recipe *r, bool cpp) {
    const char *compiler = cpp ? "g++" : "gcc", *flags = cpp ? cpp_flags(s->cpp) : "-std=gnu17";
    buf_format(&r->build, "%s %s -O2 -pthread -o player", compiler, flags);
    put_headers(&r->windows);
    buf_format(&r->windows, "x86_64-w64-mingw32-%s %s -O2 -static" HEADERS_TOO " -o player.exe",
               compiler, flags);
    put_sources(s, &r->build);
    put_sources(s, &r->windows);
    buf_text(&r->build, " -lm");
    buf_text(&r->windows, " -lws2_32");
    put_start(s, &r->start, "./player");
    put_start(s, &r->windows_start, "./player.exe");
    r->made = "player";
}

// "key = value" in a line of player.conf.
static bool take_line(struct recipe *r, char *line) {
    char *value = strchr(line, '=');
    line += strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // some editors begin a file so
    line += strspn(line, " \t");
    line[strcspn(line, "\r\n")] = '\0';
    if (!*line || *line == '#')
        return true;
    if (!value)
        return false;
    *value++ = '\0';
    value += strspn(value, " \t");
    line[strcspn(line, " \t")] = '\0';
    struct buf *field = strcmp(line, "build") == 0   ? &r->build
                        : strcmp(line, "start") == 0 ? &r->start
                                                     : NULL;
    if (!field || field->length > 0 || !*value)
        return false;
    buf_text(field, value);
    return true;
}

static bool read_conf(const struct sight *s, struct recipe *r) {
    struct buf path = {.data = NULL};
    char line[LINE_BYTES];
    buf_format(&path, "%s/player.conf", s->folder);
    FILE *file = fopen(path.data, "re");
    bool good = file != NULL;
    for (int number = 1; good && fgets(line, sizeof line, file); number++) {
        good = strchr(line, '\n') || feof(file);
        good = good && take_line(r, line);
        if (!good)
            snprintf(s->why, RECIPE_WHY_MAX,
                     "player.conf, line %d: a line is build = COMMAND or start = PLAYER, each once",
                     number);
    }
    if (file)
        fclose(file);
    buf_done(&path);
    return good;
}

// What stands in player.conf is said to the shell or names a protocol; nothing else.
static bool is_known_start(const char *start) {
    static const char *const forms[] = {"cmd:", "abp:", "tcp:", "py:"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strncmp(start, forms[i], strlen(forms[i])) == 0)
            return forms[i][0] != 't' || strchr(start, '='); // a team is started by us
    return false;
}

static bool by_conf(const struct sight *s, struct recipe *r) {
    if (!has(s, "player.conf"))
        return false;
    if (!read_conf(s, r))
        return true;
    if (r->start.length == 0)
        put_start(s, &r->start, "./player");
    if (!is_known_start(r->start.data))
        snprintf(s->why, RECIPE_WHY_MAX,
                 "player.conf: start is cmd:COMMAND, abp:COMMAND, tcp:TEAM=COMMAND or py:FILE");
    return true;
}

// The files of a kit that the contest names replace those of the kit, and any other source beside
// them is built with them.
static bool by_kit(const struct sight *s, struct recipe *r) {
    const struct game *game = game_find(s->game);
    const struct spec *spec = game ? spec_of(game) : NULL;
    bool found = false;
    if (!spec || !spec->kit)
        return false;
    for (const char *const *file = spec->takes.files; *file; file++)
        found |= has(s, *file);
    if (!found || has(s, "Makefile"))
        return false;
    buf_text(&r->kit, spec->kit);
    r->kind = spec->kit_kind;
    buf_format(&r->build, "g++ %s -O2 -pthread -o player ./*.cpp", cpp_flags(s->cpp));
    put_headers(&r->windows);
    buf_format(&r->windows,
               "x86_64-w64-mingw32-g++ %s -O2 -static" HEADERS_TOO " -o player.exe ./*.cpp",
               cpp_flags(s->cpp));
    buf_text(&r->start, "cmd:./player");
    buf_text(&r->windows_start, "cmd:./player.exe");
    r->made = "player";
    return true;
}

static bool by_makefile(const struct sight *s, struct recipe *r) {
    if (!has(s, "Makefile") && !has(s, "makefile"))
        return false;
    buf_text(&r->build, "make");
    put_start(s, &r->start, "./player");
    r->made = "player";
    return true;
}

static bool by_compiler(const struct sight *s, struct recipe *r) {
    const bool cpp = count_of(s, is_cpp) > 0;
    if (count_of(s, is_compiled) == 0)
        return false;
    put_compilers(s, r, cpp);
    buf_format(&r->kit, "%s/%s", s->game, cpp ? "cpp" : "c");
    return true;
}

// The file that is run: the one there is, or the one that is called so.
static const char *main_python(const struct sight *s) {
    static const char *const names[] = {"main.py", "player.py", "bot.py",
                                        "Bot.py",  "Sample.py", "abp_player.py"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has(s, names[i]))
            return names[i];
    const char *only = NULL;
    for (int i = 0; i < s->count; i++)
        if (is_python(s->names[i]) && strcmp(s->names[i], "STcpClient.py") != 0) {
            if (only)
                return NULL;
            only = s->names[i];
        }
    return only;
}

// Building is a look at the grammar.
static bool by_python(const struct sight *s, struct recipe *r) {
    if (count_of(s, is_python) == 0)
        return false;
    const char *file = main_python(s);
    struct sight own = {.folder = s->folder, .game = s->game};
    struct buf command = {.data = NULL};
    if (!file) {
        snprintf(s->why, RECIPE_WHY_MAX,
                 "there are several Python files: call the one to be run main.py, or name it in "
                 "player.conf");
        return true;
    }
    buf_text(&r->build, "python3 -m py_compile ./");
    shell_put_quoted(&r->build, file);
    buf_text(&command, "python3 ");
    shell_put_quoted(&command, file);
    add_text(&own, file);
    if (says(&own, "STcpClient"))
        add_text(&own, "STcpClient.py");
    if (says(&own, "class Bot") && !says(&own, "abp"))
        buf_format(&r->start, "py:%s", file);
    else
        put_start(&own, &r->start, command.data);
    buf_done(&own.text);
    buf_format(&r->kit, "%s/python", s->game);
    buf_done(&command);
    return true;
}

static const struct recipe_way {
    const char *kind; // NULL: it says so itself
    bool (*fits)(const struct sight *sight, struct recipe *recipe);
} ways[] = {
    {"player.conf", by_conf},  {NULL, by_kit},        {"a Makefile", by_makefile},
    {"C or C++", by_compiler}, {"Python", by_python},
};

bool recipe_find(struct recipe *r, const char *folder, const struct recipe_job *job,
                 char why[static RECIPE_WHY_MAX], struct err *err) {
    struct sight s = {.folder = folder, .game = job->game, .cpp = job->cpp, .why = why};
    why[0] = '\0';
    bool good = look(&s, err);
    for (size_t i = 0; good && i < sizeof ways / sizeof *ways && !r->kind; i++)
        if (ways[i].fits(&s, r))
            r->kind = ways[i].kind ? ways[i].kind : r->kind;
    if (good && !r->kind)
        snprintf(why, RECIPE_WHY_MAX,
                 "there is nothing to build or run: no C, C++ or Python file, no Makefile and no "
                 "player.conf in any of its folders");
    look_away(&s);
    return good && !*why;
}

void recipe_done(struct recipe *r) {
    buf_done(&r->kit);
    buf_done(&r->build);
    buf_done(&r->start);
    buf_done(&r->windows);
    buf_done(&r->windows_start);
}
