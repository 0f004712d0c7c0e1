// SPDX-License-Identifier: MIT
#include "folder/make.h"

#include "base/child.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/plain.h"
#include "base/scratch.h"
#include "base/sha256.h"
#include "folder/module.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4600,
    SAID_MAX = 1 << 16,
    CPUINFO_MAX = 8192,
    MODULE_MAX = 16 << 20,
    CODE_MAX = 256 << 20,
    TOLD_MAX = 300, // of what a compiler says, in an error
};

// The bounds of a compiler. clang asks for much more memory than it uses.
static const struct {
    int kind;
    rlim_t most;
} bounds[] = {{RLIMIT_CPU, 60}, {RLIMIT_AS, (rlim_t)4 << 30}, {RLIMIT_FSIZE, CODE_MAX}};

// The bounds that the code of a module is made with.
#define STACK_BYTES "262144"
#define MEMORY_BYTES "67108864"
#define DEPTH "1000"

// In a child: what a program says comes through `out`.
_Noreturn static void become(const char *const *argv, int out) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        setrlimit((__rlimit_resource_t)bounds[i].kind,
                  &(struct rlimit){bounds[i].most, bounds[i].most});
    execvp(argv[0], (char *const *)argv);
    dprintf(STDERR_FILENO, "cannot start %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

static void hear(int fd, struct buf *said) {
    char bytes[4096];
    for (ssize_t got; (got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR);)
        if (got > 0 && said->length < SAID_MAX)
            buf_put(said, bytes, (size_t)got);
}

// Runs a program to its end. What it says is added to `said`, or if that is NULL and it fails, its
// first words are in the error.
static bool run(const char *const *argv, struct buf *said, struct err *err) {
    int ends[2];
    struct buf heard = {.data = NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, "cannot start %s: %s", argv[0], strerror(errno));
    const pid_t pid = child_fork(SIGKILL);
    if (pid == 0)
        become(argv, ends[1]);
    close(ends[1]);
    if (pid > 0)
        hear(ends[0], &heard);
    close(ends[0]);
    const int status = pid > 0 ? child_wait(pid) : -1;
    const bool good = pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good && said)
        err_set(err, "%s cannot make it", argv[0]);
    else if (!good)
        err_set(err, "%s cannot make it: %.*s", argv[0], TOLD_MAX,
                heard.data ? heard.data : "it was ended");
    if (heard.data && said)
        plain_put(said, heard.data, heard.length);
    buf_done(&heard);
    return good;
}

// The files that modules and objects are made with, as they lie in the source of this program.
static bool lay_sources(const char *folder, struct err *err) {
    char path[PATH_SIZE];
    for (const char *const *part = (const char *const[]){"games", "folder", NULL}; *part; part++) {
        snprintf(path, sizeof path, "%s/%s", folder, *part);
        if (!path_make_folder(path, err))
            return false;
    }
    for (const struct embed *file = folder_files; file->path; file++) {
        snprintf(path, sizeof path, "%s/%s", folder, file->path);
        if (!path_write(path, file->bytes, file->size))
            return err_set(err, "cannot write %.200s: %s", path, strerror(errno));
    }
    return true;
}

static bool tools_are_there(const char *const *programs, struct err *err) {
    for (; *programs; programs += 2)
        if (!path_has_program(programs[0]))
            return err_set(err, "%s is missing: install the package %s", programs[0], programs[1]);
    return true;
}

bool make_module(const char *folder, const char *name, struct buf *said, struct err *err) {
    static const char *const tools[] = {"clang", "clang", "wasm-ld", "lld", NULL};
    struct scratch scratch = {.path = NULL};
    char include[PATH_SIZE], game[100], rules[PATH_SIZE], module[PATH_SIZE], own[4][PATH_SIZE];
    static const char *const files[] = {"game.c", "text.c", "grid.c", "wasm.c"};
    if (!tools_are_there(tools, err) || !scratch_make(&scratch, "the rules of a game", err))
        return false;
    snprintf(include, sizeof include, "-I%s", scratch.path);
    snprintf(game, sizeof game, "-DWASM_GAME=game_%s", name);
    snprintf(rules, sizeof rules, "%.4000s/rules.c", folder);
    snprintf(module, sizeof module, "%.4000s/rules.wasm", folder);
    for (int i = 0; i < 4; i++)
        snprintf(own[i], sizeof own[i], "%s/games/%s", scratch.path, files[i]);
    const char *argv[] = {"clang",
                          "--target=wasm32",
                          "-std=gnu11",
                          "-O2",
                          "-flto",
                          "-ffreestanding",
                          "-nostdlib",
                          "-mbulk-memory",
                          "-Wall",
                          "-Wextra",
                          "-fvisibility=hidden",
                          "-fno-color-diagnostics",
                          include,
                          game,
                          "-Wl,--no-entry",
                          "-Wl,--export-dynamic",
                          "-Wl,--stack-first",
                          "-Wl,-z,stack-size=" STACK_BYTES,
                          "-Wl,--max-memory=" MEMORY_BYTES,
                          "-o",
                          module,
                          rules,
                          own[0],
                          own[1],
                          own[2],
                          own[3],
                          NULL};
    const bool good = lay_sources(scratch.path, err) && run(argv, said, err);
    scratch_done(&scratch);
    return good;
}

// Puts words in the place of others, where they stand first. They may be missing.
static void replace(struct buf *text, const char *words, const char *by) {
    const char *at = text->data ? strstr(text->data, words) : NULL;
    struct buf out = {.data = NULL};
    if (!at)
        return;
    buf_put(&out, text->data, (size_t)(at - text->data));
    buf_text(&out, by);
    buf_text(&out, at + strlen(words));
    buf_done(text);
    *text = out;
}

// The memory of a module never grows (native.c), so its bound is a constant, and a load whose
// value is not used may be left out: that makes the code faster by a third. What is not found, as
// in the code of another version of wasm2c, stays as it is, which is as safe.
static bool fix_size(const char *path, struct err *err) {
    static const char call[] = "wasm_rt_allocate_memory(&instance->w2c_memory, ";
    struct buf code = {.data = NULL};
    char bound[40];
    if (!path_read(path, CODE_MAX, &code) || !code.data || code.length > CODE_MAX) {
        buf_done(&code);
        return err_set(err, "the code of the module is too large");
    }
    const char *at = strstr(code.data, call);
    const unsigned long pages = at ? strtoul(at + strlen(call), NULL, 10) : 0;
    if (pages > 0 && pages < 65536) {
        snprintf(bound, sizeof bound, "> %luu * 65536u))", pages);
        replace(&code, "> mem->size))", bound);
        replace(&code, "#define wasm_asm __asm__", "#define wasm_asm(...)");
    }
    const bool good = path_write(path, code.data, code.length) ||
                      err_set(err, "cannot write %.200s: %s", path, strerror(errno));
    buf_done(&code);
    return good;
}

// The module as wasm2c may see it.
static bool lay_module(const char *module, const char *to, struct err *err) {
    struct buf bytes = {.data = NULL}, plain = {.data = NULL};
    bool good = path_read_whole(module, MODULE_MAX, &bytes, err) &&
                module_read(bytes.data, bytes.length, &plain, err);
    if (good && !path_write(to, plain.data, plain.length))
        good = err_set(err, "cannot write %.200s: %s", to, strerror(errno));
    buf_done(&bytes);
    buf_done(&plain);
    return good;
}

bool make_native(const char *module, const char *object, const struct game *facts,
                 struct err *err) {
    static const char *const tools[] = {"wasm2c", "wabt", "gcc", "gcc", NULL};
    struct scratch scratch = {.path = NULL};
    char include[PATH_SIZE], code[PATH_SIZE], header[PATH_SIZE], adapter[PATH_SIZE],
        made[PATH_SIZE], plain[PATH_SIZE];
    if (!tools_are_there(tools, err) || !scratch_make(&scratch, "the rules of a game", err))
        return false;
    char constants[3][40] = {"-w", "-w", "-w"};
    if (facts) {
        snprintf(constants[0], sizeof constants[0], "-DSTATE_SIZE=%zu", facts->state_size);
        snprintf(constants[1], sizeof constants[1], "-DMOVES_MAX=%d", facts->moves_max);
        snprintf(constants[2], sizeof constants[2], "-DDISTINCT_MOVES=%u", facts->distinct_moves);
    }
    snprintf(include, sizeof include, "-I%s", scratch.path);
    snprintf(code, sizeof code, "%s/code.c", scratch.path);
    snprintf(header, sizeof header, "%s/code.h", scratch.path);
    snprintf(adapter, sizeof adapter, "%s/folder/native.c", scratch.path);
    snprintf(plain, sizeof plain, "%s/rules.wasm", scratch.path);
    snprintf(made, sizeof made, "%.4500s.%d", object, (int)getpid());
    const char *translate[] = {"wasm2c", plain, "-n", "rules", "-o", code, NULL},
               *compile[] = {"gcc",
                             "-std=gnu11",
                             facts ? "-O3" : "-O0",
                             facts ? "-flto" : "-w",
                             "-march=native",
                             "-w",
                             "-fPIC",
                             "-shared",
                             "-pthread",
                             "-fno-strict-aliasing",
                             "-fvisibility=hidden",
                             "-ftls-model=initial-exec",
                             "-DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0",
                             "-DWASM_RT_USE_STACK_DEPTH_COUNT=1",
                             "-DWASM_RT_MAX_CALL_STACK_DEPTH=" DEPTH,
                             include,
                             constants[0],
                             constants[1],
                             constants[2],
                             "-include",
                             "folder/wasm_rt.h",
                             "-include",
                             header,
                             "-o",
                             made,
                             code,
                             adapter,
                             NULL};
    bool good = lay_sources(scratch.path, err) && lay_module(module, plain, err) &&
                run(translate, NULL, err) && fix_size(code, err) && run(compile, NULL, err);
    good = good && (rename(made, object) == 0 ||
                    err_set(err, "cannot write %.200s: %s", object, strerror(errno)));
    if (!good)
        unlink(made);
    scratch_done(&scratch);
    return good;
}

// What this CPU can do: an object is made for it alone, and folders may lie on a disk that several
// machines share.
static void put_machine(struct buf *out) {
    struct buf text = {.data = NULL};
    const char *flags = path_read("/proc/cpuinfo", CPUINFO_MAX, &text) && text.data
                            ? strstr(text.data, "flags")
                            : NULL;
    if (flags)
        buf_put(out, flags, strcspn(flags, "\n"));
    buf_done(&text);
}

void make_native_name(const struct buf *module, char name[static MAKE_NAME_MAX]) {
    struct buf all = {.data = NULL};
    char sum[SHA256_HEX_MAX];
    buf_put(&all, module->data, module->length);
    for (const struct embed *file = folder_files; file->path; file++)
        buf_put(&all, file->bytes, file->size);
    put_machine(&all);
    sha256_hex(all.data, all.length, sum);
    snprintf(name, MAKE_NAME_MAX, "native-%.24s.so", sum);
    buf_done(&all);
}
